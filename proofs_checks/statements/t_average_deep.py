"""How often two or more full layers compose random tables rightly: by the cube lemma (B2c), and for every L (E).

What is checked of what Coq has is that the calculator's terms ⟨q;κ⟩ are those of the theorem in Coq. Another
implementation of these ceilings is in tests/certificates.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from random import Random
from typing import NamedTuple

import numpy as np

from proofs_checks.kit.coq.comparison import IN_COQ, altered, arguments
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Rule, Word, run_recursion
from separation.bounds.entropy import cube_excess
from separation.bounds.theorem import table_sizes
from separation.bounds.theorems.cube_average import theorem_cube_average
from separation.bounds.theorems.theorem_e import known_bits, term_numbers

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

    Of kind A with three tables or more, and T_E_A and T_E_A_spread have all of them, with D_1/x_0 and D_1/(⌊m/x_0⌋·x_0)
    in the first one; with two tables and Λ_0 = 0, and T_E_two has D_2; of kind B, and the steps but the last are those
    of T_B.
    """
    rng = Random(5)
    for _ in range(SEEDED_CASES):
        of = drawn_hybrid(rng)
        bits = known_bits(*of)
        if of.kind == "A" and len(of.n) > 1:
            (above, below, _, _), *others = term_numbers(*of)
            ours = [(other, under, Fraction(*kappa)) for other, under, *kappa in others]
            for theorem, entries in (("T_E_A", of.x[0]), ("T_E_A_spread", of.m - of.m % of.x[0])):
                terms = [(above, below, Fraction(bits[0], entries)), *ours]
                require(terms == terms_in_coq(of, theorem, text), f"{of}: a term differs in {theorem}, D is {bits}")
        elif of.kind == "A" and of.state_bits[0] == 0:
            in_coq = last_bits_in_coq(of, text)
            require(bits[1] == in_coq, f"{of}: D_2 is {bits[1]}, in Coq {in_coq}")
        elif of.kind == "B":
            D = run_recursion(Rule.B, of.beta, of.state_bits, of.m, of.n, of.x).D
            for level in range(1, len(of.n)):
                own, there = (found[level] - of.x[level] * found[level - 1] for found in (bits, D))
                require(own == there - 1, f"{of}: step {level} costs {own}, in T_B {there - 1}")
    method = "T_B, T_E_A, T_E_A_spread and T_E_two in Coq; their charges against the calculator's"
    return Checked(Status.TESTED, method, f"{SEEDED_CASES} seeded cases, L up to 4")


def terms_in_coq(of: Hybrid, theorem: str, text: CoqText = IN_COQ) -> list[tuple[int, int, Fraction]]:
    """Numerator and denominator of q, and κ, of each term ⟨q;κ⟩ of T_E_A or T_E_A_spread.

    With a/b = 1/1 and K = 1 share_bound says 0 < g, 1 ≤ 1, g < h, λ ≤ n, …
    """
    own = [of.state_bits[0], *(later - earlier for earlier, later in pairwise(of.state_bits))]
    copies = [(x, (1, 1)) for x in of.x[2:]]
    given = {"b": 1, "beta": of.beta, "lam": own.__getitem__, "m": of.m, "ns": list(of.n), "cs": copies, "last": (1, 1)}
    said = text.compared(theorem, x0=of.x[0], x1=of.x[1], a1=1, K1=1, **given)
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
With L−1 full layers and L ≥ 3 the charges are delayed, those of T.AL (Coq: T_E_A_spread if x_0 divides m, T_E_A if D_1
= 0); with two tables late, states where they are used (Coq: T_E_two if Λ_0 = 0 and x_0·x_1 ≤ m); with L full layers
those of T.B, the last step late (Coq: with delayed charges, T_E_B_spread).
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

STATEMENTS = (CUBE_AVERAGE, E)
