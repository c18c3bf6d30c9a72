"""T.E: how often a hybrid with too few full layers composes L random tables rightly.

x_ℓ ≥ 1, x_0 ≤ m, t_0 = x_0, t_ℓ = x_ℓn_{ℓ-1}t_{ℓ-1} (n_0 = 1), D_{ℓ+1} = x_ℓD_ℓ + c_ℓ: the accuracy is at most
⟨(t_1−1)/2m; D_1/m⟩ + Σ_{ℓ=2..L-1} ⟨(t_ℓ−1)/2N_{ℓ-1}; D_ℓ/(n_{ℓ-1}t_{ℓ-1})⟩ + ⟨1/N_{L-1}; D_L/(n_{L-1}t_{L-1})⟩. Level
ℓ keeps a random variable that tells at most D_ℓ bits of z_ℓ, …, z_L; copies of a table are drawn from its posterior.
The last step may be paid in full, late (states where they are used), or, for a word without R after or beside its last
full layer, quiet; quiet with R heads beside the last full layer is false. Coq has two tables with Λ_0 = 0 (T_E_two),
and of more tables the charges: in full those of T.A and T.B, delayed those of T.AL.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from math import ceil, log2, prod
from random import Random
from typing import Any, NamedTuple

from proofs_checks.kit.coq.comparison import IN_COQ
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.kit.theorems import LAST_STEPS, known_bits, term_numbers, theorem_e
from proofs_checks.statements.t_a2_average import best_of_f, largest_share
from separation.bounds import Rule, Word, run_recursion

SEEDED_CASES = 400

QUIET, LATE, FULL, DELAYED = "quiet", "late", "full", "delayed"


class Numbers(NamedTuple):
    """The kind (A: L−1 full layers, B: L and no R layer before the second), sizes, x_0..x_{L-1}, β and Λ."""

    kind: str
    payment: str
    m: int
    n: tuple[int, ...]
    x: tuple[int, ...]
    beta: int
    linear: tuple[int, ...]


BASE_STATE, BASE_HEARD, BOUNDARY, STATES = "the first state", "layer 1 into w", "the new boundary", "late states"
OWN, ASKING, STARTS, BELOW = "into the table itself", "last layer into w", "into z_0", "into the tables below"
NAMES = (BASE_STATE, BASE_HEARD, BOUNDARY, STATES, OWN, ASKING, STARTS, BELOW)


@dataclass(frozen=True)
class Told:
    """[D_1, …, D_L], D_{ℓ+1} = x_ℓ·D_ℓ + c_ℓ; the charges named in ``free`` are not paid."""

    free: frozenset[str] = frozenset()

    def __call__(self, of: Numbers) -> list[int]:
        bits = [sum(self._paid(base(of)))]
        for level in range(1, len(of.n) + 1):
            bits.append(of.x[level] * bits[-1] + sum(self._paid(costs(of, level))))
        return bits

    def _paid(self, charges: dict[str, int]) -> list[int]:
        return [bits for name, bits in charges.items() if name not in self.free]


def base(of: Numbers) -> dict[str, int]:
    """D_1 by name: Λ_0 (A), β·W + Λ_1 (B)."""
    if of.kind == "A":
        return {BASE_STATE: of.linear[0]}
    return {BASE_HEARD: of.beta * prod(of.n), BASE_STATE: of.linear[1]}


def costs(of: Numbers, level: int) -> dict[str, int]:
    """c_ℓ by name, each written out by kind and payment."""
    L, W, x, beta = len(of.n) + 1, prod(of.n), of.x, of.beta
    N = [of.m * prod(of.n[:below]) for below in range(L)]
    X = prod(x[:level])
    S = sum(prod(x[i:level]) * N[i - 1] for i in range(1, level))
    V = W if (of.kind, level, of.linear[0]) == ("A", 1, 0) else W * X
    pays = of.payment if level == L - 1 or of.payment == DELAYED else FULL
    skipped = 0 if of.kind == "A" else 1
    before, here = of.linear[level + skipped - 1], of.linear[level + skipped]
    layers = level + skipped - (pays != FULL)
    if pays == DELAYED:
        starts, late = (0 if level == 1 else x[0] if level == 2 else X), X * x[level]
    else:
        starts, late = X, x[level]
    if of.kind == "B" and level == 1:
        S = X * x[1]
    if pays == QUIET:
        starts, S = (X if of.kind == "B" and level == 1 else 0), 0
    return {
        BOUNDARY: here if pays == FULL else before,
        STATES: 0 if pays in (FULL, QUIET) else late * (here - before),
        OWN: beta * layers * x[level] * N[level - 1],
        ASKING: beta * V,
        STARTS: beta * starts,
        BELOW: beta * S,
    }


told = Told()


def ceiling(of: Numbers, bits: list[int]) -> float:
    """⟨(t_1−1)/2m; D_1/m⟩ + Σ ⟨(t_ℓ−1)/2N_{ℓ-1}; D_ℓ/(n_{ℓ-1}·t_{ℓ-1})⟩ + ⟨1/N_{L-1}; D_L/(n_{L-1}·t_{L-1})⟩."""
    total, reached, entries, size = 0.0, of.x[0], of.m, of.m
    for level, (x, n) in enumerate(zip(of.x[1:], of.n, strict=True)):
        tries = x * (of.n[level - 1] if level else 1) * reached
        if tries > 1:
            total += share(Fraction(tries - 1, 2 * size), Fraction(bits[level], entries))
        reached, entries, size = tries, n * tries, size * n
    return min(1.0, total + share(Fraction(1, size), Fraction(bits[-1], entries)))


def share(q: Fraction, kappa: Fraction) -> float:
    return 1.0 if q >= 1 else largest_share(float(q), float(kappa))


def keeping() -> list[Numbers]:
    """Words that are always right, as the states of one block hold all tables; at several x."""
    found = []
    for m, n in ((2, (2,)), (2, (64,)), (2, (1, 4))):
        tables = [m * prod(n[:level]) for level in range(len(n) + 1)]
        held = sum(N * ceil(log2(N)) for N in tables)
        for kind, payment, block in (
            ("A", QUIET, 0),  # R before F^(L-1)
            *(("A", payment, len(n)) for payment in (LATE, FULL, DELAYED)),  # F^(L-1), then R
            ("B", QUIET, 1),  # R heads beside the first of F^L
            *(("B", payment, len(n) + 1) for payment in (LATE, FULL)),
        ):
            linear = tuple(held if place >= block else 0 for place in range(len(n) + (1 if kind == "A" else 2)))
            for x in product(range(1, m + 1), *((1, 2),) * len(n)):
                found.append(Numbers(kind, payment, m, n, x, 1, linear))
    return found


def check(claim: Told) -> Checked:
    """What is always right has the ceiling 1; all protocols of F stay below; Coq's and the calculator's charges agree.

    1. *States that hold all tables* answer everything: the sum is 1, for every block of them and at several x.
    2. *All protocols* of F at m = 2, n_1 = 1, β = 1: none is right more often than the ceiling, at any x.
    3. *Coq.* Paid in full, c_ℓ is D_{ℓ+1} − x_ℓ·D_ℓ − 1 of T_A or T_B; delayed, all terms are those of T_E_A, but for
       the first κ if Λ_0 > 0; late with two tables and Λ_0 = 0, D_2 is that of T_E_two.
    4. *Calculator.* Its D_1, …, D_L are those written here, on seeded cases of both kinds and all payments, and its
       ceiling is the sum of shares, evaluated here in floats.
    """
    for of in keeping():
        top = ceiling(of, claim(of))
        require(top >= 1 - 1e-9, f"the states hold all tables, but {of} has the ceiling {top}")
    for x in product((1, 2), (1, 2)):
        of = Numbers("A", QUIET, 2, (1,), x, 1, (0, 0))
        top = ceiling(of, claim(of))
        require(best_of_f() <= top + 1e-9, f"a protocol of F is right on {best_of_f()}, {of} has the ceiling {top}")
    rng, low = Random(5), 0
    for _ in range(SEEDED_CASES):
        of = _case(rng)
        said = known_bits(*of)
        require(said == claim(of), f"{of}: the calculator charges {said}, not {claim(of)}")
        _require_charges_of_coq(of, claim(of))
        if max(said) < 10**6:
            value, ours = float(theorem_e(*of).value), ceiling(of, claim(of))
            require(abs(value - ours) < 1e-4, f"{of}: the calculator's ceiling is {value}, not {ours}")
            low += value < 1
    require(low > 5, "of all seeded cases hardly one has a ceiling below 1")
    return Checked(
        Status.TESTED,
        "all protocols of F; the charges of T_A, T_B, T_E_A and T_E_two in Coq; floats against the calculator",
        f"{SEEDED_CASES} seeded cases, L up to 4",
    )


def _require_charges_of_coq(of: Numbers, bits: list[int]) -> None:
    costs_there: dict[int, int] = {}
    if of.payment == FULL:
        D = run_recursion(Rule.A if of.kind == "A" else Rule.B, of.beta, of.linear, of.m, of.n, of.x).D
        costs_there = {level: D[level] - of.x[level] * D[level - 1] - 1 for level in range(1, len(bits))}
        if (of.kind, of.linear[0]) == ("A", 0):
            costs_there[1] -= of.beta * prod(of.n) * (of.x[0] - 1)  # w knows nothing but itself before layer 1
    elif of.payment == DELAYED:
        terms = term_numbers(of.kind, of.payment, of.m, of.n, of.x, of.beta, of.linear)
        for level, ((above, below, _, entries), coq) in enumerate(zip(terms, terms_of_coq(of), strict=True), 1):
            tries = of.x[level] if level < len(of.x) else 1
            told = (coq.told, coq.tries) if level > 1 or of.linear[0] == 0 else (tries * of.linear[0], tries * entries)
            found = (coq.above, coq.below, Fraction(*told))
            require(found == (above, below, Fraction(bits[level - 1], entries)), f"{of}: term {level} differs in Coq")
    elif (of.kind, of.payment, len(of.n), of.linear[0]) == ("A", LATE, 1, 0):
        costs_there = {1: _bits_of_e_two(of)}
    for level, cost in costs_there.items():
        ours = bits[level] - of.x[level] * bits[level - 1]
        require(ours == cost, f"{of}: step {level} costs {ours}, in Coq {cost}")


class InCoq(NamedTuple):
    """⟨above/below; told/tries⟩, as share_bound has it."""

    above: int
    below: int
    told: int
    tries: int


def terms_of_coq(of: Numbers, text: CoqText = IN_COQ) -> list[InCoq]:
    """What T_E_A asks of each term, with a/b = 1/1 and K = 1: there share_bound says 0 < g, 1 ≤ 1, g < h, λ ≤ n, …"""
    own = [of.linear[0], *(later - earlier for earlier, later in pairwise(of.linear))]
    copies = [(x, (1, 1)) for x in of.x[2:]]
    given = {"b": 1, "beta": of.beta, "lam": own.__getitem__, "m": of.m, "ns": list(of.n), "cs": copies, "last": (1, 1)}
    said = text.compared("T_E_A", x0=of.x[0], x1=of.x[1], a1=1, K1=1, **given)
    runs = zip(said, said[1:], said[2:], said[3:], strict=False)
    return [
        InCoq(some.right, order.right, told.left, told.right)
        for some, one, order, told in runs
        if (some.left, some.sign, one, order.sign, told.sign) == (0, "<", (1, "<=", 1), "<", "<=")
        and order.left == some.right
    ]


def _bits_of_e_two(of: Numbers) -> int:
    """The fourth argument that T_E_two gives to closed_share."""
    found: list[int] = []

    def closed_share(*given: int) -> Any:
        found[:] = given
        return len(given) == 7 or (lambda value: closed_share(*given, value))

    x0, x1 = of.x
    sizes = {"beta": of.beta, "lam": of.linear.__getitem__, "m": of.m, "n1": of.n[0], "x0": x0, "x1": x1}
    IN_COQ.compared("T_E_two", closed_share=lambda value: closed_share(value), a=1, b=1, K=0, **sizes)
    return found[3]


def _case(rng: Random) -> Numbers:
    kind, L = rng.choice("AB"), rng.choice([2, 2, 3, 4])
    payment = rng.choice(LAST_STEPS[kind])
    m = rng.choice([4, 40, 4000])
    n = (*(rng.choice([1, 2, 30]) for _ in range(L - 2)), rng.choice([1, 8, 5000]))
    x = (rng.randint(1, min(m, 4)), *(rng.choice([1, 2, 5]) for _ in range(L - 1)))
    states = [
        0 if kind == "B" else rng.choice([0, 0, 3]),
        *(rng.choice([0, 2]) for _ in range(L if kind == "B" else L - 1)),
    ]
    if payment == QUIET:
        states[-1] = 0
    linear = tuple(sum(states[: block + 1]) for block in range(len(states)))
    return Numbers(kind, payment, m, n, x, rng.choice([1, 3]), linear)


@dataclass(frozen=True)
class _QuietBeside(Told):
    """Quiet though R heads stand beside the last full layer: their states are forgotten."""

    def __call__(self, of: Numbers) -> list[int]:
        return told(of._replace(linear=(*of.linear[:-1], of.linear[-2]))) if of.payment == LATE else told(of)


@dataclass(frozen=True)
class _CopiesOnce(Told):
    """One copy is paid for all."""

    def __call__(self, of: Numbers) -> list[int]:
        return told(of._replace(x=(of.x[0], *(1,) * (len(of.x) - 1)))) if of.payment != DELAYED else told(of)


class Shape(NamedTuple):
    word: str
    of: Numbers


WITNESS = Shape("RF", Numbers("A", QUIET, 64, (8,), (1, 2), 8, (8, 8)))

STATEMENT = Statement(
    id="T.E",
    title="how often too few full layers compose random tables rightly, every L",
    latex=r"\text{accuracy}\le\Bigl\langle\tfrac{t_1-1}{2m};\tfrac{D_1}{m}\Bigr\rangle+\sum_{\ell=2}^{L-1}"
    r"\Bigl\langle\tfrac{t_\ell-1}{2N_{\ell-1}};\tfrac{D_\ell}{n_{\ell-1}t_{\ell-1}}\Bigr\rangle"
    r"+\Bigl\langle\tfrac1{N_{L-1}};\tfrac{D_L}{n_{L-1}t_{L-1}}\Bigr\rangle",
    english="On uniformly random inputs a model with L−1 full layers, or with L and no R layer before the second, is "
    "right at most this often, for all x_ℓ ≥ 1, x_0 ≤ m, and each way to pay the last step that the word allows.",
    subject=told,
    check=check,
    twins={
        "quiet with R heads beside the last full layer": _QuietBeside(),
        "one copy is paid for all": _CopiesOnce(),
        "B without Λ_1 anywhere": Told(frozenset({BASE_STATE, BOUNDARY})),
        **{f"{name} free": Told(frozenset({name})) for name in NAMES},
    },
    speaks_of=("D1", "D2"),
    rests_on=("M2",),
    hypotheses=(
        Hypothesis(
            "the word has L−1 full layers, or L and no R layer before the second",
            lambda shape: Word.parse(shape.word).depth < len(shape.of.n) + 1 <= Word.parse(shape.word).full + 1,
            Shape("RFF", WITNESS.of),
        ),
        Hypothesis(
            "a quiet word has no R after or beside its last full layer",
            lambda shape: shape.of.payment != QUIET or Word.parse(shape.word).layers[-1] == "F",
            Shape("FR", WITNESS.of),
        ),
        Hypothesis("x_0 ≤ m", lambda shape: shape.of.x[0] <= shape.of.m, Shape("RF", WITNESS.of._replace(x=(65, 2)))),
    ),
    witness=WITNESS,
)
