"""T.E: how often a hybrid with too few full layers composes L random tables rightly.

x_ℓ ≥ 1, x_0 ≤ m, t_0 = x_0, t_ℓ = x_ℓn_{ℓ-1}t_{ℓ-1} (n_0 = 1), D_{ℓ+1} = x_ℓD_ℓ + c_ℓ: the accuracy is at most
⟨(t_1−1)/2m; D_1/m⟩ + Σ_{ℓ=2..L-1} ⟨(t_ℓ−1)/2N_{ℓ-1}; D_ℓ/(n_{ℓ-1}t_{ℓ-1})⟩ + ⟨1/N_{L-1}; D_L/(n_{L-1}t_{L-1})⟩. Level
ℓ keeps a random variable that tells at most D_ℓ bits of z_ℓ, …, z_L; copies of a table are drawn from its posterior.
With L−1 full layers and L ≥ 3 the charges are delayed, those of T.AL (Coq: T_E_A, with D_1/x_0 for D_1/m); with two
tables late, states where they are used (Coq: T_E_two if Λ_0 = 0); with L full layers those of T.B, the last step late.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise, product
from math import ceil, log2, prod
from random import Random
from typing import NamedTuple

from proofs_checks.kit.coq.comparison import IN_COQ, arguments
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.kit.theorems import known_bits, term_numbers, theorem_e
from proofs_checks.statements.t_a2_average import best_of_f, largest_share
from separation.bounds import Rule, Word, run_recursion

SEEDED_CASES = 400


class Numbers(NamedTuple):
    """The kind (A: L−1 full layers, B: L and no R layer before the second), sizes, x_0..x_{L-1}, β and Λ."""

    kind: str
    m: int
    n: tuple[int, ...]
    x: tuple[int, ...]
    beta: int
    state_bits: tuple[int, ...]

    @property
    def delayed(self) -> bool:
        return self.kind == "A" and len(self.n) > 1


BASE_STATE, BASE_HEARD, BOUNDARY, STATES = "the first state", "layer 1 into w", "the new boundary", "late states"
OWN, ASKING, STARTS, BELOW = "into the table itself", "last layer into w", "into z_0", "into the tables below"
NAMES = (BASE_STATE, BASE_HEARD, BOUNDARY, STATES, OWN, ASKING, STARTS, BELOW)


@dataclass(frozen=True)
class KnownBits:
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
        return {BASE_STATE: of.state_bits[0]}
    return {BASE_HEARD: of.beta * prod(of.n), BASE_STATE: of.state_bits[1]}


def costs(of: Numbers, level: int) -> dict[str, int]:
    """c_ℓ by name, each written out by kind."""
    L, W, x, beta = len(of.n) + 1, prod(of.n), of.x, of.beta
    N = [of.m * prod(of.n[:below]) for below in range(L)]
    X = prod(x[:level])
    S = sum(prod(x[i:level]) * N[i - 1] for i in range(1, level))
    V = W if (of.kind, level, of.state_bits[0]) == ("A", 1, 0) else W * X
    skipped = 0 if of.kind == "A" else 1
    before, here = of.state_bits[level + skipped - 1], of.state_bits[level + skipped]
    full = level < L - 1 and not of.delayed
    starts, used = X, x[level]
    if of.delayed:
        starts, used = (0 if level == 1 else x[0] if level == 2 else X), X * x[level]
    if of.kind == "B" and level == 1:
        S = X * x[1]
    return {
        BOUNDARY: here if full else before,
        STATES: 0 if full else used * (here - before),
        OWN: beta * (level + skipped - (not full)) * x[level] * N[level - 1],
        ASKING: beta * V,
        STARTS: beta * starts,
        BELOW: beta * S,
    }


bits_of = KnownBits()


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
        # R before F^(L-1), R behind it; R heads beside the first of F^L, R behind the last.
        for kind, block in (("A", 0), ("A", len(n)), ("B", 1), ("B", len(n) + 1)):
            states = tuple(held if place >= block else 0 for place in range(len(n) + (1 if kind == "A" else 2)))
            for x in product(range(1, m + 1), *((1, 2),) * len(n)):
                found.append(Numbers(kind, m, n, x, 1, states))
    return found


def check(claim: KnownBits) -> Checked:
    """What is always right has the ceiling 1; all protocols of F stay below; Coq's and the calculator's charges agree.

    1. *States that hold all tables* answer everything: the sum is 1, for every block of them and at several x.
    2. *All protocols* of F at m = 2, n_1 = 1, β = 1: none is right more often than the ceiling, at any x.
    3. *Coq.* All terms of kind A with three tables or more are those of T_E_A, the first in the form with D_1/x_0;
       with two tables and Λ_0 = 0, D_2 is that of T_E_two; of kind B, c_ℓ of all steps but the last that of T_B.
    4. *Calculator.* Its D_1, …, D_L are those written here, on seeded cases of both kinds, and its ceiling is the sum
       of shares, evaluated here in floats.
    """
    for of in keeping():
        top = ceiling(of, claim(of))
        require(top >= 1 - 1e-9, f"the states hold all tables, but {of} has the ceiling {top}")
    for x in product((1, 2), (1, 2)):
        of = Numbers("A", 2, (1,), x, 1, (0, 0))
        top = ceiling(of, claim(of))
        require(best_of_f() <= top + 1e-9, f"a protocol of F is right on {best_of_f()}, {of} has the ceiling {top}")
    rng, low = Random(5), 0
    for _ in range(SEEDED_CASES):
        of = _case(rng)
        bits = known_bits(*of)
        require(bits == claim(of), f"{of}: the calculator charges {bits}, not {claim(of)}")
        _require_charges_of_coq(of, claim(of))
        if max(bits) < 10**6:
            value, ours = float(theorem_e(*of).value), ceiling(of, claim(of))
            require(abs(value - ours) < 1e-4, f"{of}: the calculator's ceiling is {value}, not {ours}")
            low += value < 1
    require(low > 5, "of all seeded cases hardly one has a ceiling below 1")
    return Checked(
        Status.TESTED,
        "all protocols of F; the charges of T_B, T_E_A and T_E_two in Coq; floats against the calculator",
        f"{SEEDED_CASES} seeded cases, L up to 4",
    )


def _require_charges_of_coq(of: Numbers, bits: list[int]) -> None:
    if of.delayed:
        for level, (term, there) in enumerate(zip(term_numbers(*of, narrow=True), terms_of_coq(of), strict=True)):
            (above, below, _, entries), found = term, (there.above, there.below, Fraction(there.bits, there.tries))
            require(found == (above, below, Fraction(bits[level], entries)), f"{of}: term {level + 1} differs in Coq")
    elif of.kind == "B":
        D = run_recursion(Rule.B, of.beta, of.state_bits, of.m, of.n, of.x).D
        for level in range(1, len(of.n)):
            ours, coq = (found[level] - of.x[level] * found[level - 1] for found in (bits, D))
            require(ours == coq - 1, f"{of}: step {level} costs {ours}, in Coq {coq - 1}")
    elif of.state_bits[0] == 0:
        require(bits[1] == _bits_of_e_two(of), f"{of}: D_2 is {bits[1]}, in Coq {_bits_of_e_two(of)}")


class InCoq(NamedTuple):
    """⟨above/below; bits/tries⟩, as share_bound has it."""

    above: int
    below: int
    bits: int
    tries: int


def terms_of_coq(of: Numbers) -> list[InCoq]:
    """What T_E_A asks of each term, with a/b = 1/1 and K = 1: there share_bound says 0 < g, 1 ≤ 1, g < h, λ ≤ n, …"""
    own = [of.state_bits[0], *(later - earlier for earlier, later in pairwise(of.state_bits))]
    copies = [(x, (1, 1)) for x in of.x[2:]]
    given = {"b": 1, "beta": of.beta, "lam": own.__getitem__, "m": of.m, "ns": list(of.n), "cs": copies, "last": (1, 1)}
    said = IN_COQ.compared("T_E_A", x0=of.x[0], x1=of.x[1], a1=1, K1=1, **given)
    runs = zip(said, said[1:], said[2:], said[3:], strict=False)
    return [
        InCoq(some.right, order.right, known.left, known.right)
        for some, one, order, known in runs
        if (some.left, some.sign, one, order.sign, known.sign) == (0, "<", (1, "<=", 1), "<", "<=")
        and order.left == some.right
    ]


def _bits_of_e_two(of: Numbers) -> int:
    """The fourth argument that T_E_two gives to closed_share."""
    (x0, x1), (n1,) = of.x, of.n
    sizes = {"beta": of.beta, "lam": of.state_bits.__getitem__, "m": of.m, "n1": n1, "x0": x0, "x1": x1}
    return arguments("T_E_two", "closed_share", 7, a=1, b=1, K=0, **sizes)[3]


def _case(rng: Random) -> Numbers:
    kind, L = rng.choice("AB"), rng.choice([2, 2, 3, 4])
    m = rng.choice([4, 40, 4000])
    n = (*(rng.choice([1, 2, 30]) for _ in range(L - 2)), rng.choice([1, 8, 5000]))
    x = (rng.randint(1, min(m, 4)), *(rng.choice([1, 2, 5]) for _ in range(L - 1)))
    states = [
        0 if kind == "B" else rng.choice([0, 0, 3]),
        *(rng.choice([0, 2]) for _ in range(L if kind == "B" else L - 1)),
    ]
    return Numbers(kind, m, n, x, rng.choice([1, 3]), tuple(accumulate(states)))


@dataclass(frozen=True)
class _CopiesOnce(KnownBits):
    """One copy is paid for all."""

    def __call__(self, of: Numbers) -> list[int]:
        return bits_of(of._replace(x=(of.x[0], *(1,) * (len(of.x) - 1))))


class Shape(NamedTuple):
    word: str
    of: Numbers


WITNESS = Shape("RF", Numbers("A", 64, (8,), (1, 2), 8, (8, 8)))

STATEMENT = Statement(
    id="T.E",
    title="how often too few full layers compose random tables rightly, every L",
    latex=r"\text{accuracy}\le\Bigl\langle\tfrac{t_1-1}{2m};\tfrac{D_1}{m}\Bigr\rangle+\sum_{\ell=2}^{L-1}"
    r"\Bigl\langle\tfrac{t_\ell-1}{2N_{\ell-1}};\tfrac{D_\ell}{n_{\ell-1}t_{\ell-1}}\Bigr\rangle"
    r"+\Bigl\langle\tfrac1{N_{L-1}};\tfrac{D_L}{n_{L-1}t_{L-1}}\Bigr\rangle",
    english="On uniformly random inputs a model with L−1 full layers, or with L and no R layer before the second, is "
    "right at most this often, for all x_ℓ ≥ 1 and x_0 ≤ m.",
    subject=bits_of,
    check=check,
    twins={
        "one copy is paid for all": _CopiesOnce(),
        "B without Λ_1 anywhere": KnownBits(frozenset({BASE_STATE, BOUNDARY})),
        **{f"{name} free": KnownBits(frozenset({name})) for name in NAMES},
    },
    applies_to=("D1", "D2"),
    rests_on=("M2",),
    hypotheses=(
        Hypothesis(
            "the word has L−1 full layers, or L and no R layer before the second",
            lambda shape: Word.parse(shape.word).depth < len(shape.of.n) + 1 <= Word.parse(shape.word).full + 1,
            Shape("RFF", WITNESS.of),
        ),
        Hypothesis("x_0 ≤ m", lambda shape: shape.of.x[0] <= shape.of.m, Shape("RF", WITNESS.of._replace(x=(65, 2)))),
    ),
    witness=WITNESS,
)
