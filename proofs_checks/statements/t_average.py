"""How often a model with too few bits or layers is right on random tables: Theorems C, C', A2, B2c and E on average.

What is checked of what Coq has is that the calculator's shares ⟨q;κ⟩ are those of the theorem in Coq. Other
implementations of the ceilings, and protocols that stay below them, are in tests/bounds and tests/certificates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import accumulate, pairwise, product
from math import ceil
from random import Random
from typing import Any, NamedTuple

import numpy as np

from constructions import c1, c3
from proofs_checks.kit.coq.comparison import IN_COQ, Case, Comparison, Said, altered, arguments
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.hypotheses import broken_rules
from proofs_checks.kit.statement import Checked, Hypothesis, Lazy, Statement, Status, require
from proofs_checks.statements.c3 import one_address_without_a_feature
from separation.bounds import Rule, Word, run_recursion, theorem_c
from separation.bounds.entropy import cube_excess, share_inequalities
from separation.bounds.theorem import table_sizes
from separation.bounds.theorems.ceiling import Term
from separation.bounds.theorems.cube_average import theorem_cube_average
from separation.bounds.theorems.theorem_a2 import theorem_a2_average, theorem_a2_nested, theorem_a2_union
from separation.bounds.theorems.theorem_c import theorem_c_average, theorem_c_union
from separation.bounds.theorems.theorem_e import known_bits, term_numbers
from separation.tasks.funccomp import Sizes

FEW = "2 ^ lam < last_size m ns ^ last_size m ns ->"


def c_case(text: CoqText, rng: Random) -> Case:
    """2^Λ < N^N around the Λ where it ends to hold, without and with a chain of thought."""
    theorem = rng.choice(("T_C", "T_C_thought"))
    sizes = Sizes(rng.randint(2, 5), tuple(rng.randint(1, 3) for _ in range(rng.randint(0, 3))))
    N = sizes.N[-1]
    bits = max(0, (N**N - 1).bit_length() + rng.randint(-2, 1))
    found = theorem_c(sizes, bits)
    coq = text.compared(theorem, lam=bits, m=sizes.m, ns=list(sizes.n))
    return f"{sizes}, {bits} bits", coq, [Said(2**bits, N**N, found.certified)]


C = Statement(
    id="T.C",
    title="R alone needs the bits of the last table",
    latex=r"\Lambda\ge N_{L-1}\log_2 N_{L-1}",
    english="A word without F solves FuncComp only with a state of N·log2 N bits, with any chain of thought.",
    explanation="""
A word over R alone, with a chain of thought of any length, needs Λ ≥ N_{L-1}·log2 N_{L-1} bits: with identities for
z_1, …, z_{L-1} every entry of z_L can be asked for (`identities_answer` in Coq), and all that is known of z_L passes
one boundary. A generated token is a function of the state, and reading it adds nothing. C3 has N^N states for the last
table, so no fewer are needed.
""",
    subject=IN_COQ,
    check=Comparison("T_C and T_C_thought", c_case, "L up to 4, at the edge"),
    twins={
        "one bit does not count": altered(FEW, FEW.replace("2 ^ lam", "2 ^ lam.-1")),
        "N tables": altered(FEW, "2 ^ lam < last_size m ns ->"),
        "the first table": altered(FEW, "2 ^ lam < m ^ m ->"),
    },
    applies_to=("D1",),
    rests_on=("L",),
    hypotheses=(
        Hypothesis(
            "the word has no F", lambda subject: "F" not in subject.model.word, Lazy(lambda: c1.build(Sizes(2, (3,))))
        ),
        Hypothesis(
            "every input is answered right",
            lambda subject: not broken_rules(subject),
            Lazy(lambda: one_address_without_a_feature(Sizes(2, (3,)))),
        ),
    ),
    witness=Lazy(lambda: c3.build(Sizes(2, (3,)))),
)


DENOMINATOR = 61
"""A prime: every a/b is in lowest terms."""
AGREEING = "minn (N ^ N) (2 ^ lam * agreeing N a)"


def check_c_average(text: CoqText) -> Checked:
    """The calculator's sum is that of T_C_prime, and it proves ⟨1/N; Λ/N⟩ ≤ a/b where T_C_prime_closed has it."""
    for N, bits in product(range(2, 9), range(9)):
        where, coq = f"N = {N}, Λ = {bits}", union_in_coq(text, N, bits)
        said = theorem_c_union(N, (), bits).value
        require(coq <= said <= coq + Fraction(1, 10**9), f"{where}: the sum is {coq} in Coq, not {said}")
        (term,) = theorem_c_average(N, (), bits).terms
        require_same_share(where, term, partial(closed_in_coq, text, N, bits))
    return Checked(
        Status.EXHAUSTIVE,
        "T_C_prime and T_C_prime_closed in Coq; the sum and the share against the calculator's",
        f"N up to 8, all shares a/{DENOMINATOR}",
    )


@cache
def union_in_coq(text: CoqText, N: int, bits: int) -> Fraction:
    """What T_C_prime says of one input that is right: both of its sides are times N^(N+1) and the number of inputs."""
    counted: dict[str, Any] = {
        "right_inputs": lambda *_: lambda *_: lambda *_: 1,
        "all_inputs": lambda *_: lambda *_: [0],
    }
    left, right = (text.side("T_C_prime", place, lam=bits, m=N, ns=[], md=None, **counted) for place in (0, 1))
    return Fraction(right, left)


def closed_in_coq(text: CoqText, N: int, bits: int, a: int, K: int) -> bool:
    """With K; and with a smaller one if the text lets it pass."""
    sizes = {"lam": bits, "m": N, "ns": [], "a": a, "b": DENOMINATOR}
    return any(all(each.holds for each in text.compared("T_C_prime_closed", K=k, **sizes)) for k in (K, K // 2))


def require_same_share(where: str, term: Term, in_coq: Callable[[int, int], bool]) -> None:
    """⟨q;κ⟩ ≤ a/b is proved by the calculator where Coq has it with K = ⌈b·κ⌉, for every a/b above q."""
    for a in range(int(DENOMINATOR * term.q) + 1, DENOMINATOR):
        proved = share_inequalities(term.q, term.kappa, Fraction(a, DENOMINATOR))
        same = in_coq(a, ceil(DENOMINATOR * term.kappa)) == all(each.holds for each in proved)
        require(same, f"{where}: ⟨{term.q}; {term.kappa}⟩ ≤ {a}/{DENOMINATOR} differs in Coq")


class OnTables(NamedTuple):
    """A word of layers, and whether tables and query are uniform and independent."""

    word: str
    uniform: bool


C_AVERAGE = Statement(
    id="T.C.average",
    title="how often R alone is right on random tables, with any chain of thought",
    latex=r"\text{accuracy}\le\frac1N\sum_{a=1}^{N}\min(1,2^\Lambda\Pr[\mathrm{Bin}(N,\tfrac1N)\ge a])"
    r"\le\langle\tfrac1N;\tfrac{\Lambda}{N}\rangle,\quad N=N_{L-1}",
    english="On uniformly random inputs a word in R alone with Λ state bits is right at most this often, with any "
    "chain of thought; so is one full layer with one table, Λ being β + Λ_1.",
    explanation="""
N = N_{L-1}: the accuracy is at most (1/N)·Σ_{a=1..N} min(1, 2^Λ·Pr[Bin(N,1/N) ≥ a]) ≤ ⟨1/N; Λ/N⟩. The asked index is
uniform and independent of z_L, and each state fixes a word of N answers: a union bound over 2^Λ words. For one full
layer and one table Λ stands for β + Λ_1. Random code words come close; storing Λ/log2 N entries is worse.
""",
    subject=IN_COQ,
    check=check_c_average,
    twins={
        "half of the words": altered(AGREEING, AGREEING.replace("lam", "lam.-1")),
        "agreement in more than a places": altered(
            r"\sum_(a <= j < N.+1) 'C(N, j)", r"\sum_(a.+1 <= j < N.+1) 'C(N, j)"
        ),
        "a word of N answers agrees with itself alone": altered(AGREEING, "minn (N ^ N) (2 ^ lam)"),
        "Λ/N², a share of a share": altered("b * lam <= K * N &", "b * lam <= K * N * N &"),
        "2Λ/N": altered("closed_bound (last_size m ns) lam", "closed_bound (last_size m ns) (2 * lam)"),
    },
    applies_to=("D1",),
    hypotheses=(
        Hypothesis("the word has no F", lambda shape: Word.parse(shape.word).full == 0, OnTables("RF", True)),
        Hypothesis("tables, z_0 and w are uniform and independent", lambda shape: shape.uniform, OnTables("RR", False)),
    ),
    witness=OnTables("RR", True),
)


INNER = "closed_bound (m * n1) (lam 0 + m * lam 1 + beta * n1)"


class TwoTables(NamedTuple):
    """m, n_1, β, Λ_0 and λ_1 = Λ_1 − Λ_0."""

    m: int
    n1: int
    beta: int
    early: int
    late: int


CALCULATED = (
    TwoTables(64, 8, 8, 8, 0),
    TwoTables(64, 8, 8, 0, 8),
    TwoTables(16, 4, 3, 2, 1),
    TwoTables(40, 1, 8, 0, 0),
    TwoTables(8, 2, 1, 0, 0),
)


def check_a2_average(text: CoqText) -> Checked:
    """The shares and the union form are those of T_A2_average_early and T_A2_average, and the best of F reaches them.

    *All protocols* of F at m = 2, n_1 = 1, β = 1: the best is right on 3/4, and that is the union form. With τ > 1 the
    calculator has the same κ, but for τ on what is heard.
    """
    best, top = best_of_f(), theorem_a2_union(2, 1, 1, (0, 0)).value
    require(abs(best - top) < Fraction(1, 10**9), f"the best protocol of F is right on {best}, the ceiling is {top}")
    for of in CALCULATED:
        sizes, states = (of.m, of.n1), (of.early, of.early + of.late)
        inner, *outer = theorem_a2_nested(*sizes, of.beta, states).terms
        (N, bits), (m, known) = shares_in_coq(text, of)
        require((inner.q, inner.kappa) == (Fraction(1, N), Fraction(bits, N)), f"{of}: the inner share differs in Coq")
        require(
            [each.kappa for each in outer] == [Fraction(known, m)] * bool(of.early), f"{of}: the outer share differs"
        )
        if not of.early:
            numbers = {"m": of.m, "n1": of.n1, "beta": of.beta, "lam": (0, of.late).__getitem__}
            union = text.term("T_A2_average", r"2 \^ \((.*?)\) \* agreeing", **numbers)
            said = dict(theorem_a2_union(*sizes, of.beta, states).parameters)
            require(said["bits"] == union, f"{of}: the union form has {union} bits in Coq")
        tau = Fraction(5, 4)
        (heard,) = theorem_a2_average(*sizes, tau, of.beta, states).terms
        late = Fraction(of.late, of.n1)
        require(heard.kappa == late + tau * (inner.kappa - late), f"{of}: κ is {heard.kappa} at τ = {tau}")
    return Checked(
        Status.EXHAUSTIVE,
        "all protocols of F at tiny sizes; T_A2_average and T_A2_average_early in Coq against the calculator",
        f"m = 2, n_1 = 1, β = 1; {len(CALCULATED)} sizes of the calculator",
    )


def shares_in_coq(text: CoqText, of: TwoTables) -> tuple[list[int], list[int]]:
    """Entries and bits of ⟨1/N; bits/N⟩ and of ⟨·; bits/m⟩."""
    sizes = {"m": of.m, "n1": of.n1, "beta": of.beta, "lam": (of.early, of.late).__getitem__}
    numbers = {**sizes, "g": 1, "h": 2, "K": 0, "a": 1, "b": 1, "K'": 0}
    inner = arguments(text, "T_A2_average_early", "closed_bound", 5, **numbers)
    return inner[:2], arguments(text, "T_A2_average_early", "closed_share", 7, **numbers)[2:4]


@cache
def best_of_f() -> Fraction:
    """The largest accuracy of all protocols of the word F at m = 2, n_1 = 1, β = 1: w hears one bit, a sum modulo 2.

    What w answers is the best function of that bit; the summands are any functions of z_2, of z_1 and of z_0.
    """
    tables = list(product(range(2), repeat=2))
    inputs = list(product(range(4), range(4), range(2)))
    answers = [tables[second][tables[first][start]] for second, first, start in inputs]
    best = 0
    for bits in product(product(range(2), repeat=4), product(range(2), repeat=4), tables):
        heard = [sum(said[own] for said, own in zip(bits, each, strict=True)) % 2 for each in inputs]
        split = Counter(zip(heard, answers, strict=True))
        best = max(best, sum(max(split[bit, answer] for answer in (0, 1)) for bit in (0, 1)))
    return Fraction(best, len(inputs))


class AtTau(NamedTuple):
    word: str
    tau: Fraction
    numbers: TwoTables


OF_A2 = AtTau("RF", Fraction(2), TwoTables(64, 8, 8, 8, 0))
A2_AVERAGE = Statement(
    id="T.A2.average",
    title="how often one full layer composes two random tables rightly",
    latex=r"\text{accuracy}\le c_\tau\frac{\Lambda_0}{m}+\Bigl\langle\frac1N;\frac{\Lambda_1-\Lambda_0}{n_1}"
    r"+\frac{\tau(\beta n_1+\Lambda_0)}{N}\Bigr\rangle,\quad "
    r"c_\tau=\max_{y>\tau}\frac{y-\tau}{y\log_2y-(y-1)\log_2\mathsf{e}}",
    english="On uniformly random tables, z_0 and w a model with one full layer, randomised or not, is right at most so "
    "often, for every τ > 1, and at most as often as ⟨⟨1/N; κ⟩; Λ_0/m⟩ with τ = 1 in κ; without R before the full "
    "layer also at most as often as the union bound with m·Λ_1 + β·n_1 bits says.",
    explanation="""
For every τ > 1 the accuracy on uniformly random inputs is at most c_τ·Λ_0/m + ⟨1/N; (Λ_1−Λ_0)/n_1 + τ(β·n_1+Λ_0)/N⟩,
where ⟨q;κ⟩ is the largest p ≥ q with D(p‖q) ≤ κ (binary relative entropy, in bits) and c_τ = max_{y>τ} (y−τ)/(y·log2
y−(y−1)·log2 𝖾). It is also at most ⟨⟨1/N; (Λ_1−Λ_0)/n_1 + (β·n_1+Λ_0)/N⟩; Λ_0/m⟩ (Coq: T_A2_average_early), and
without R before F at most (1/N)·Σ_a min(1, 2^I·Pr[Bin(N,1/N) ≥ a]), I = m·Λ_1 + β·n_1 (Coq: T_A2_average). Randomised
models are averages of deterministic ones, so it holds for them too.
""",
    subject=IN_COQ,
    check=check_a2_average,
    twins={
        "late states are free": altered(INNER, INNER.replace(" + m * lam 1", "")),
        "what w hears is free": altered(INNER, INNER.replace(" + beta * n1", "")),
        "the first state is free": altered("closed_share g h m (lam 0) a b K'", "closed_share g h m 0 a b K'"),
        "late states are free in the union form": altered("2 ^ (m * lam 1 + beta * n1) * agr", "2 ^ (beta * n1) * agr"),
        "z_0's token is charged too": altered(INNER, INNER.replace("beta * n1", "beta * n1.+1")),
    },
    applies_to=("D1", "D2"),
    rests_on=("M2",),
    hypotheses=(
        Hypothesis(
            "the word has one full layer", lambda case: Word.parse(case.word).full == 1, OF_A2._replace(word="RFF")
        ),
        Hypothesis(
            "τ > 1, or τ = 1 and Λ_0 = 0",
            lambda case: case.tau > 1 or (case.tau == 1 and case.numbers.early == 0),
            OF_A2._replace(tau=Fraction(1)),
        ),
    ),
    witness=OF_A2,
)


TAUS = tuple(Fraction(*pair) for pair in ((9, 8), (3, 2), (2, 1), (4, 1), (9, 1)))
SEED, LAWS, CASES, SEEDED_CASES = 24, 400, 120, 400


@dataclass(frozen=True)
class Average:
    """``factor``·c'_τ in place of c'_τ; ``layer_2``: how often w is paid for, in both layers together."""

    factor: Fraction = Fraction(1)
    layer_2: int = 2


def spread_of(laws: np.ndarray, tau: float) -> tuple[float, float]:
    """(E Σ_k (ρ_k − τ/x)_+, the average over pairs of the Jensen–Shannon divergence) of laws of α, a row for each k."""
    x = len(laws)
    weights = laws.mean(axis=0)
    rho = laws / laws.sum(axis=0)
    over = float((weights * np.maximum(rho - tau / x, 0).sum(axis=0)).sum())

    def entropy(law: np.ndarray) -> float:
        return float(-(law * np.log2(np.maximum(law, 1e-300))).sum())

    pairs = [(i, j) for i in range(x) for j in range(i)]
    spread = [entropy((laws[i] + laws[j]) / 2) - (entropy(laws[i]) + entropy(laws[j])) / 2 for i, j in pairs]
    return over, float(np.mean(spread))


def check_cube_average(claim: Average) -> Checked:
    """The inequality of ρ on random and on pointed laws; and what the calculator charges."""
    rng = np.random.default_rng(SEED)
    for _ in range(LAWS):
        x, values = int(rng.integers(2, 9)), int(rng.integers(2, 9))
        laws = rng.dirichlet(np.full(values, float(rng.choice([0.02, 0.2, 1.0]))), size=x) + 1e-12
        if rng.random() < 0.5:  # one value weighs a times as much as each other one under each α: where c'_τ is met
            a = 1 / 2.0 ** rng.uniform(-6, 6)
            laws = np.ones((x, x)) + (1 / a - 1) * np.eye(x)
        laws = laws / laws.sum(axis=1, keepdims=True)
        for tau in TAUS:
            over, divergence = spread_of(laws, float(tau))
            most = float(claim.factor * cube_excess(tau)[0]) * divergence
            require(over <= most + 1e-9, f"τ = {tau}: {over} exceeds {most}")
    draw = Random(SEED)
    for _ in range(CASES):
        require_charges(claim, draw)
    return Checked(
        Status.TESTED, "laws drawn at random; the charges against the calculator", f"{LAWS} laws, {CASES} sizes"
    )


def require_charges(claim: Average, rng: Random) -> None:
    m, n = rng.randint(20, 90), (*([rng.randint(2, 9)] * rng.randint(0, 1)), rng.randint(4, 20))
    middle, late, tau, beta = rng.choice((0, 2)), rng.choice((0, 2)), rng.choice(TAUS), rng.randint(1, 3)
    N, groups = table_sizes(m, n), rng.randint(1, n[-1])
    received = middle + beta * (claim.layer_2 * n[-1] + 2 * N[-2] + (m if len(n) == 2 else 0))
    first = Fraction(-(-n[-1] // groups) * beta, m) + Fraction(middle, m if len(n) == 1 else n[0])
    found = theorem_cube_average(m, n, tau, groups, beta, (0, middle, middle + late))
    kappa = Fraction(groups * late, n[-1]) + tau * Fraction(received, N[-1])
    same = (found.terms[0].q, found.terms[0].kappa, found.rest) == (
        Fraction(1, N[-1]),
        kappa,
        claim.factor * cube_excess(tau)[0] * first,
    )
    require(same, f"m, n, β, τ = {m}, {n}, {beta}, {tau}: κ is {found.terms[0].kappa}, not {kappa}")


class CubeCase(NamedTuple):
    tau: Fraction = Fraction(2)
    early: int = 0


CUBE_AVERAGE = Statement(
    id="T.B2c.average",
    title="how often two full layers compose two or three random tables",
    latex=r"c'_\tau\tfrac{\omega\beta+\Lambda_1}{m}+\langle\tfrac1N;\tfrac{\gamma\lambda_2}{n_1}+"
    r"\tau\tfrac{\Lambda_1+\beta(2n_1+2m)}{N}\rangle",
    english="On uniformly random inputs no model with two full layers and no R layer before the second is right more "
    "often than this, for two tables and every τ > 1; and likewise for three tables, without an R layer before the "
    "first.",
    explanation="""
e = z_0, with x distinct values at e, of which the k-th is there; α what a group hears. ρ_k = Pr[k | α]. For pairs of
values the Jensen–Shannon divergence averages to I(Y_e; α | Y_{<e}, z^0, z^1), which is b/m on average; and it is E[1 −
h(ρ_k/(ρ_k+ρ_k'))]. With a = xρ_k, and as φ(t) = 1−h(a/(a+t)) lies above its tangent at t = 1, E Σ_k (ρ_k − τ/x)_+ ≤
c'_τ·b/m, c'_τ = sup_{a>τ} (1−τ/a)/(1−h(1/(1+a))). With probability min(1, xρ_k/τ) a copy T with T(e) = i_k is drawn
from its law given α; the charges of B2c, or A3c, are appended; entries are distinct, n_1x/τ in expectation.
""",
    subject=Average(),
    check=check_cube_average,
    twins={
        "c'_τ less by a tenth": Average(factor=Fraction(9, 10)),
        "layer 2 into w free": Average(layer_2=1),
    },
    rests_on=("L8", "T.B2c", "T.A3c"),
    hypotheses=(
        Hypothesis("τ is above 1", lambda case: case.tau > 1, CubeCase(tau=Fraction(1))),
        Hypothesis("no early R: Λ_0 = 0", lambda case: case.early == 0, CubeCase(early=1)),
    ),
    witness=CubeCase(),
)


class Hybrid(NamedTuple):
    """The kind (A: L−1 full layers, B: L and no R layer before the second), sizes, x_0..x_{L-1}, β and Λ."""

    kind: str
    m: int
    n: tuple[int, ...]
    x: tuple[int, ...]
    beta: int
    state_bits: tuple[int, ...]


def check_e(text: CoqText) -> Checked:
    """On seeded cases of both kinds, the calculator's terms are those of Coq.

    Of kind A with three tables or more, and T_E_A has all of them, the first in the form with D_1/x_0; with two tables
    and Λ_0 = 0, and T_E_two has D_2; of kind B, and the steps but the last are those of T_B.
    """
    rng = Random(5)
    for _ in range(SEEDED_CASES):
        of = drawn_hybrid(rng)
        bits = known_bits(*of)
        if of.kind == "A" and len(of.n) > 1:
            ours = [(above, below, Fraction(*kappa)) for above, below, *kappa in term_numbers(*of, narrow=True)]
            require(ours == terms_in_coq(of, text), f"{of}: a term differs in Coq, where D is {bits}")
        elif of.kind == "A" and of.state_bits[0] == 0:
            in_coq = last_bits_in_coq(of, text)
            require(bits[1] == in_coq, f"{of}: D_2 is {bits[1]}, in Coq {in_coq}")
        elif of.kind == "B":
            D = run_recursion(Rule.B, of.beta, of.state_bits, of.m, of.n, of.x).D
            for level in range(1, len(of.n)):
                own, there = (found[level] - of.x[level] * found[level - 1] for found in (bits, D))
                require(own == there - 1, f"{of}: step {level} costs {own}, in T_B {there - 1}")
    method = "T_B, T_E_A and T_E_two in Coq; their charges against the calculator's"
    return Checked(Status.TESTED, method, f"{SEEDED_CASES} seeded cases, L up to 4")


def terms_in_coq(of: Hybrid, text: CoqText = IN_COQ) -> list[tuple[int, int, Fraction]]:
    """Numerator and denominator of q, and κ, of each term ⟨q;κ⟩ of T_E_A.

    With a/b = 1/1 and K = 1 share_bound says 0 < g, 1 ≤ 1, g < h, λ ≤ n, …
    """
    own = [of.state_bits[0], *(later - earlier for earlier, later in pairwise(of.state_bits))]
    copies = [(x, (1, 1)) for x in of.x[2:]]
    given = {"b": 1, "beta": of.beta, "lam": own.__getitem__, "m": of.m, "ns": list(of.n), "cs": copies, "last": (1, 1)}
    said = text.compared("T_E_A", x0=of.x[0], x1=of.x[1], a1=1, K1=1, **given)
    runs = zip(said, said[1:], said[2:], said[3:], strict=False)
    return [
        (some.right, order.right, Fraction(known.left, known.right))
        for some, one, order, known in runs
        if (some.left, some.sign, one, order.sign, known.sign) == (0, "<", (1, "<=", 1), "<", "<=")
        and order.left == some.right
    ]


def last_bits_in_coq(of: Hybrid, text: CoqText) -> int:
    """The fourth argument that T_E_two gives to closed_share."""
    (x0, x1), (n1,) = of.x, of.n
    sizes = {"beta": of.beta, "lam": of.state_bits.__getitem__, "m": of.m, "n1": n1, "x0": x0, "x1": x1}
    return arguments(text, "T_E_two", "closed_share", 7, a=1, b=1, K=0, **sizes)[3]


def drawn_hybrid(rng: Random) -> Hybrid:
    kind, L = rng.choice("AB"), rng.choice([2, 2, 3, 4])
    m = rng.choice([4, 40, 4000])
    n = (*(rng.choice([1, 2, 30]) for _ in range(L - 2)), rng.choice([1, 8, 5000]))
    x = (rng.randint(1, min(m, 4)), *(rng.choice([1, 2, 5]) for _ in range(L - 1)))
    states = [
        0 if kind == "B" else rng.choice([0, 0, 3]),
        *(rng.choice([0, 2]) for _ in range(L if kind == "B" else L - 1)),
    ]
    return Hybrid(kind, m, n, x, rng.choice([1, 3]), tuple(accumulate(states)))


class OfWord(NamedTuple):
    word: str
    of: Hybrid


OF_E = OfWord("RF", Hybrid("A", 64, (8,), (1, 2), 8, (8, 8)))
STEP = "beta * (e.+1 * (x * N) + T + W * B)))"
E = Statement(
    id="T.E",
    title="how often too few full layers compose random tables rightly, every L",
    latex=r"\text{accuracy}\le\Bigl\langle\tfrac{t_1-1}{2m};\tfrac{D_1}{m}\Bigr\rangle+\sum_{\ell=2}^{L-1}"
    r"\Bigl\langle\tfrac{t_\ell-1}{2N_{\ell-1}};\tfrac{D_\ell}{n_{\ell-1}t_{\ell-1}}\Bigr\rangle"
    r"+\Bigl\langle\tfrac1{N_{L-1}};\tfrac{D_L}{n_{L-1}t_{L-1}}\Bigr\rangle",
    english="On uniformly random inputs a model with L−1 full layers, or with L and no R layer before the second, is "
    "right at most this often, for all x_ℓ ≥ 1 and x_0 ≤ m.",
    explanation="""
x_ℓ ≥ 1, x_0 ≤ m, t_0 = x_0, t_ℓ = x_ℓn_{ℓ-1}t_{ℓ-1} (n_0 = 1), D_{ℓ+1} = x_ℓD_ℓ + c_ℓ: the accuracy is at most
⟨(t_1−1)/2m; D_1/m⟩ + Σ_{ℓ=2..L-1} ⟨(t_ℓ−1)/2N_{ℓ-1}; D_ℓ/(n_{ℓ-1}t_{ℓ-1})⟩ + ⟨1/N_{L-1}; D_L/(n_{L-1}t_{L-1})⟩. Level
ℓ keeps a random variable that tells at most D_ℓ bits of z_ℓ, …, z_L; copies of a table are drawn from its posterior.
With L−1 full layers and L ≥ 3 the charges are delayed, those of T.AL (Coq: T_E_A, with D_1/x_0 for D_1/m); with two
tables late, states where they are used (Coq: T_E_two if Λ_0 = 0); with L full layers those of T.B, the last step late.
""",
    subject=IN_COQ,
    check=check_e,
    twins={
        "the new boundary free": altered(r"x * D + (\sum_(i < e.+2) lam i + ", "x * D + ("),
        "late states free": altered(r"+ x * B * lam e.+2 + beta * (e.+1 * (x * N)", "+ beta * (e.+1 * (x * N)"),
        "late states of the first step once": altered("+ x1 * x0 * lam 1", "+ lam 1"),
        "into the table itself free": altered(STEP, STEP.replace("e.+1 * (x * N) + ", "")),
        "last layer into w free": altered(STEP, STEP.replace(" + W * B", "")),
        "into z_0 and the tables below free": altered(STEP, STEP.replace(" + T", "")),
        "layer 1 into w free": altered("if lam 0 == 0 then W else W * x0", "if lam 0 == 0 then 0 else W * x0"),
        "one copy of two tables is paid for all": altered("x1 * lam 1 + beta * (n1 + x0)", "lam 1 + beta * (n1 + x0)"),
        "new values are never old ones": altered("share_bound (x * t).-1 (2 * N)", "share_bound 0 (2 * N)"),
    },
    applies_to=("D1", "D2"),
    rests_on=("M2",),
    hypotheses=(
        Hypothesis(
            "the word has L−1 full layers, or L and no R layer before the second",
            lambda case: Word.parse(case.word).depth < len(case.of.n) + 1 <= Word.parse(case.word).full + 1,
            OfWord("RFF", OF_E.of),
        ),
        Hypothesis("x_0 ≤ m", lambda case: case.of.x[0] <= case.of.m, OfWord("RF", OF_E.of._replace(x=(65, 2)))),
    ),
    witness=OF_E,
)

STATEMENTS = (C, C_AVERAGE, A2_AVERAGE, CUBE_AVERAGE, E)
