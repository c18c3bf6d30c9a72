"""T.A2.average: how often one full layer and any R layers compose two random tables rightly.

For every τ > 1 the accuracy on uniformly random inputs is at most c_τ·Λ_0/m + ⟨1/N; (Λ_1−Λ_0)/n_1 + τ(β·n_1+Λ_0)/N⟩,
where ⟨q;κ⟩ is the largest p ≥ q with D(p‖q) ≤ κ (binary relative entropy, in bits) and c_τ = max_{y>τ} (y−τ)/(y·log2
y−(y−1)·log2 𝖾). It is also at most ⟨⟨1/N; (Λ_1−Λ_0)/n_1 + (β·n_1+Λ_0)/N⟩; Λ_0/m⟩ (Coq: T_A2_average_early), and
without R before F at most (1/N)·Σ_a min(1, 2^I·Pr[Bin(N,1/N) ≥ a]), I = m·Λ_1 + β·n_1 (Coq: T_A2_average). Randomised
models are averages of deterministic ones, so it holds for them too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, e, exp2, log, log2
from typing import NamedTuple

from proofs_checks.kit.coq.comparison import IN_COQ, arguments
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Word
from separation.bounds.entropy import excess_factor
from separation.bounds.theorems.theorem_a2 import theorem_a2_average, theorem_a2_nested, theorem_a2_union

TAUS = (Fraction(5, 4), Fraction(2), Fraction(4))


class Numbers(NamedTuple):
    """m, n_1, β, Λ_0 and λ_1 = Λ_1 − Λ_0."""

    m: int
    n1: int
    beta: int
    early: int
    late: int


class Claim(NamedTuple):
    """κ(numbers, τ) of ⟨1/N; κ⟩, the bits I(numbers) of the union form, and a factor of Λ_0/m."""

    kappa: Callable[[Numbers, Fraction], Fraction]
    union_bits: Callable[[Numbers], int]
    excess: int = 1

    def ceiling(self, of: Numbers) -> float:
        """The least of all forms, in floats; a second way to compute what the calculator certifies."""
        N = of.m * of.n1
        forms = [1.0, self.nested(of)]
        for tau in TAUS:
            rest = self.excess * excess(float(tau)) * of.early / of.m if of.early else 0.0
            forms.append(rest + largest_share(1 / N, float(self.kappa(of, tau))))
        if of.early == 0:
            agreeing = [sum(comb(N, j) * (N - 1) ** (N - j) for j in range(a, N + 1)) for a in range(1, N + 1)]
            bits = self.union_bits(of)
            forms.append(float(Fraction(sum(min(N**N, 2**bits * count) for count in agreeing), N ** (N + 1))))
        return min(forms)

    def nested(self, of: Numbers) -> float:
        """⟨⟨1/N; κ⟩; Λ_0/m⟩ with τ = 1."""
        inner = largest_share(1 / (of.m * of.n1), float(self.kappa(of, Fraction(1))))
        return largest_share(inner, self.excess * of.early / of.m)


def kappa(of: Numbers, tau: Fraction) -> Fraction:
    """λ_1/n_1 + τ·β·n_1/N + τ·Λ_0/N."""
    return Fraction(of.late, of.n1) + tau * Fraction(of.beta * of.n1 + of.early, of.m * of.n1)


def union_bits(of: Numbers) -> int:
    """m·Λ_1 + β·n_1, Λ_0 = 0."""
    return of.m * of.late + of.beta * of.n1


def largest_share(q: float, bits: float) -> float:
    """⟨q;κ⟩ by bisection on D(p‖q) = p·log2(p/q) + (1−p)·log2((1−p)/(1−q))."""
    low, high = q, 1.0
    for _ in range(200):
        p = (low + high) / 2
        rest = (1 - p) * log2((1 - p) / (1 - q)) if p < 1 else 0.0
        low, high = (p, high) if p * log2(p / q) + rest <= bits else (low, p)
    return high


def excess(tau: float) -> float:
    """c_τ = max_{y>τ} (y−τ)/(y·log2 y−(y−1)·log2 𝖾), over a grid."""
    values = (tau * (1 + exp2(step / 100)) for step in range(-2000, 600))
    return max((y - tau) / (y * log2(y) - (y - 1) * log2(e)) for y in values if y * log(y) > y - 1)


@cache
def best_of_f() -> float:
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
    return best / len(inputs)


CALCULATED = (
    Numbers(64, 8, 8, 8, 0),
    Numbers(64, 8, 8, 0, 8),
    Numbers(16, 4, 3, 2, 1),
    Numbers(40, 1, 8, 0, 0),
    Numbers(8, 2, 1, 0, 0),
)


def check(claim: Claim) -> Checked:
    """No protocol that was run is above the ceiling, the best of F reaches it, and Coq and the calculator say the same.

    1. *All protocols* of F at m = 2, n_1 = 1, β = 1: the best is right on 3/4, and that is the ceiling.
    2. *Solvers*: a word that solves the task has the ceiling 1: FR with a last state of 11 bits, RF with a first state
       of 3 bits and messages of 2, FR with messages of 4 bits and a state of 1.
    3. *Coq*: the bits of both shares are those of T_A2_average_early, and of the union form those of T_A2_average.
    4. *Calculator*: at several sizes and τ its certified share is the formula, evaluated here in floats, up to 10^-4.
    """
    top = claim.ceiling(Numbers(2, 1, 1, 0, 0))
    require(abs(best_of_f() - top) < 1e-9, f"the best protocol of F is right on {best_of_f()}, the ceiling is {top}")
    for of in (Numbers(2, 2, 0, 0, 11), Numbers(2, 2, 2, 3, 0), Numbers(2, 2, 4, 0, 1)):
        top = claim.ceiling(of)
        require(top >= 1 - 1e-9, f"{of}: solved by a protocol, but the ceiling is {top}")
    for of in CALCULATED:
        _require_bits_of_coq(claim, of)
        found = float(theorem_a2_nested(of.m, of.n1, of.beta, (of.early, of.early + of.late)).value)
        require(abs(found - claim.nested(of)) < 1e-4, f"{of}: the calculator's nested form is {found}")
        for tau in TAUS:
            said = theorem_a2_average(of.m, of.n1, tau, of.beta, (of.early, of.early + of.late)).value
            rest = claim.excess * float(excess_factor(tau)) * of.early / of.m if of.early else 0.0
            ours = min(1.0, rest + largest_share(1 / (of.m * of.n1), float(claim.kappa(of, tau))))
            require(abs(float(said) - ours) < 1e-4, f"{of}, τ = {tau}: the calculator says {float(said)}, not {ours}")
            require(abs(excess(float(tau)) / float(excess_factor(tau)) - 1) < 1e-3, f"c_τ at τ = {tau} is another")
        if of.early == 0 and of.m * of.n1 <= 64:
            said = theorem_a2_union(of.m, of.n1, of.beta, (0, of.late)).value
            whole = claim._replace(kappa=lambda _of, _tau: Fraction(10**6)).ceiling(of)
            require(abs(float(said) - whole) < 1e-9, f"{of}: the union form is {float(said)}, not {whole}")
    return Checked(
        Status.TESTED,
        "all protocols of F; solvers; the bits of T_A2_average and T_A2_average_early in Coq; floats against the "
        "calculator",
        f"m = 2, n_1 up to 2 for protocols; {len(CALCULATED)} sizes and {len(TAUS)} values of τ for the calculator",
    )


def _require_bits_of_coq(claim: Claim, of: Numbers) -> None:
    sizes = {"m": of.m, "n1": of.n1, "beta": of.beta, "lam": (of.early, of.late).__getitem__}
    shares = {"g": 1, "h": 2, "K": 0, "a": 1, "b": 1}
    N, inner, *_ = arguments("T_A2_average_early", "closed_bound", 5, **sizes, **shares, **{"K'": 0})
    _, _, m, outer, *_ = arguments("T_A2_average_early", "closed_share", 7, **sizes, **shares, **{"K'": 0})
    require(Fraction(inner, N) == claim.kappa(of, Fraction(1)), f"{of}: the inner share has {inner} bits in Coq")
    require(Fraction(outer, m) == Fraction(claim.excess * of.early, of.m), f"{of}: the outer share has {outer} bits")
    if of.early == 0:
        union = IN_COQ.term("T_A2_average", r"2 \^ \((.*?)\) \* agreeing", **sizes)
        require(union == claim.union_bits(of), f"{of}: the union form has {union} bits in Coq")


class Shape(NamedTuple):
    word: str
    tau: Fraction
    numbers: Numbers


WITNESS = Shape("RF", Fraction(2), Numbers(64, 8, 8, 8, 0))

STATEMENT = Statement(
    id="T.A2.average",
    title="how often one full layer composes two random tables rightly",
    latex=r"\text{accuracy}\le c_\tau\frac{\Lambda_0}{m}+\Bigl\langle\frac1N;\frac{\Lambda_1-\Lambda_0}{n_1}"
    r"+\frac{\tau(\beta n_1+\Lambda_0)}{N}\Bigr\rangle,\quad "
    r"c_\tau=\max_{y>\tau}\frac{y-\tau}{y\log_2y-(y-1)\log_2\mathsf{e}}",
    english="On uniformly random tables, z_0 and w a model with one full layer, randomised or not, is right at most so "
    "often, for every τ > 1, and at most as often as ⟨⟨1/N; κ⟩; Λ_0/m⟩ with τ = 1 in κ; without R before the full "
    "layer also at most as often as the union bound with m·Λ_1 + β·n_1 bits says.",
    subject=Claim(kappa, union_bits),
    check=check,
    twins={
        "late states are free": Claim(
            lambda of, tau: kappa(of._replace(late=0), tau), lambda of: union_bits(of._replace(late=0))
        ),
        "what w hears is free": Claim(
            lambda of, tau: kappa(of._replace(beta=0), tau), lambda of: union_bits(of._replace(beta=0))
        ),
        "the first state is free": Claim(lambda of, tau: kappa(of._replace(early=0), tau), union_bits, excess=0),
        "c_τ·Λ_0/m is left out": Claim(kappa, union_bits, excess=0),
        "z_0's token is charged too": Claim(
            lambda of, tau: kappa(of, tau) + tau * Fraction(of.beta, of.m * of.n1), lambda of: union_bits(of) + of.beta
        ),
    },
    applies_to=("D1", "D2"),
    rests_on=("M2",),
    hypotheses=(
        Hypothesis(
            "the word has one full layer", lambda shape: Word.parse(shape.word).full == 1, WITNESS._replace(word="RFF")
        ),
        Hypothesis(
            "τ > 1, or τ = 1 and Λ_0 = 0",
            lambda shape: shape.tau > 1 or (shape.tau == 1 and shape.numbers.early == 0),
            WITNESS._replace(tau=Fraction(1)),
        ),
    ),
    witness=WITNESS,
)
