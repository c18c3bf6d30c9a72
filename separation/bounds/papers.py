"""What the papers ask for: the prompts of their regimes, and CPW's sizes put through theorems A and B."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from separation.arithmetic import number_to_json
from separation.bounds.condition import least_that
from separation.bounds.evaluation import Evaluation
from separation.bounds.log_sums import Inequality
from separation.bounds.powers import BALL_BITS, PowerProduct, Size, log2_float, simplest
from separation.bounds.recursion import Rule
from separation.bounds.schedules import cpw_parameters, delayed_exponent, golden_exponent
from separation.bounds.theorems.theorem_a import theorem_a
from separation.bounds.theorems.theorem_b import theorem_b
from separation.tasks.checks import require_integer


def paper_prompt(L: int, product: int) -> Size:
    """(H·d·p)^{2^{4L+2}}: the least n with H·d·p ≤ n^{2^{-4L-2}}, the regime of arXiv 2602.01763, Theorem 1.1."""
    return _power(product, 4 * require_integer("L", L, 1) + 2)


def cpw_prompt(L: int, product: int) -> Size:
    """(H·d·p)^{2^{4L}}: the least n with H·d·p ≤ n^{2^{-4L}}, the regime of arXiv 2412.02975, Theorem 1.1."""
    return _power(product, 4 * require_integer("L", L, 1))


def _power(product: int, exponent_log2: int) -> Size:
    return simplest(PowerProduct(((require_integer("H·d·p", product, 1), 1 << exponent_log2),)))


@dataclass(frozen=True)
class Exponents:
    """log n / log(H·d·p) at which impossibility sets in: 2^{4L+2} (paper), 2^{4L} (CPW), and the golden schedule's."""

    L: int

    @property
    def exponents(self) -> dict[str, int]:
        golden = {"theorem_a": golden_exponent(Rule.A, self.L), "theorem_b": golden_exponent(Rule.B, self.L)}
        return {"paper": 1 << 4 * self.L + 2, "cpw": 1 << 4 * self.L, **golden}

    @property
    def sharper(self) -> dict[str, int]:
        """The exponents of β that the sharper theorems have: A2, A3c, then A_L; B2c, then B_L. And the floors of both:
        with fewer than about (β/log n)^(L−1), or (β/log n)^L, tokens C9 solves it (exactly known where they agree)."""
        return {
            "sharper_a": self.L - 1 if self.L <= 3 else delayed_exponent("A_L", self.L),
            "sharper_b": self.L if self.L <= 2 else delayed_exponent("B_L", self.L),
            "floor_a": self.L - 1,
            "floor_b": self.L,
        }

    @property
    def ratio(self) -> float:
        """2^{4L+2}/(F_{2L+1}−2): how many times larger the paper's exponent is."""
        return self.exponents["paper"] / self.exponents["theorem_a"]


def exponents(L: int) -> Exponents:
    """The exponents by L, for a table or a picture; with one table Theorem A has exponent 0."""
    return Exponents(require_integer("L", L, 2))


def paper_linear_layers(L: int) -> int:
    """2^{3L²}: the linear layers around each full layer that Theorem 1.1 of arXiv 2602.01763 allows."""
    return 1 << 3 * L * L


@dataclass(frozen=True)
class CpwCheck:
    """Theorems A and B at CPW's sizes, β = 2·H·d·p, and ``layers`` linear layers around each full one.

    A linear layer has at most H·d·p·(H·d·p+1) state bits: H·d·(d+1)·p for keys, values and a normaliser. In Theorem A
    Λ_t = (t+1)·layers·state; in Theorem B no R layer comes before the second full one, and Λ_t = (t−1)·layers·state.
    """

    L: int
    product: int
    layers: Size
    theorem_a: Evaluation
    theorem_b: Evaluation

    @property
    def certified(self) -> bool:
        return self.theorem_a.certified and self.theorem_b.certified

    @property
    def tokens_log2(self) -> float:
        """log2 of the length of the prompt at their sizes."""
        return self.theorem_a.parameters.tokens_log2()

    @property
    def slack_log2(self) -> float:
        """log2(right/left) of the tightest (E_ℓ) or (F) of the two theorems: the slack that is left."""
        return min(_slack(i) for e in (self.theorem_a, self.theorem_b) for i in e.inequalities if i.name[0] in "EF")


def check_cpw(L: int, product: int, layers: Size) -> CpwCheck:
    """CPW's sizes for L and H·d·p, with a number of linear layers around each full layer."""
    require_integer("L", L, 2)
    sizes = cpw_parameters(L, product)
    a = theorem_a(sizes, 2 * product, [_charged(t + 1, product, layers) for t in range(L)])
    b = theorem_b(sizes, 2 * product, [0, 0, *(_charged(t - 1, product, layers) for t in range(2, L + 1))])
    return CpwCheck(L, product, layers, a, b)


def most_linear_layers(L: int, product: int) -> int:
    """log2 of the most linear layers around each full one, as a power of two, that Theorem A allows at CPW's sizes."""
    return least_that(lambda k: not check_cpw(L, product, PowerProduct(((2, k),))).theorem_a.certified, 1) - 1


@dataclass(frozen=True)
class CpwSizes:
    """CPW's sizes for L and H·d·p: do theorems A and B hold there, with how much slack, for how many linear layers.

    ``checks`` have 0, 1, 2^{3L²} (what the paper allows around each full layer) and 2^{6L²} linear layers;
    ``most_log2`` is log2 of the most, as a power of two, that Theorem A allows.
    """

    L: int
    product: int
    checks: tuple[CpwCheck, ...]
    most_log2: int

    @property
    def certified(self) -> bool:
        return all(check.certified for check in self.checks)

    @property
    def slack_log2(self) -> float:
        return min(check.slack_log2 for check in self.checks)

    def document(self) -> dict[str, Any]:
        return {
            "L": self.L,
            "product": number_to_json(self.product),
            "tokens_log2": self.checks[0].tokens_log2,
            "theorem_a": all(check.theorem_a.certified for check in self.checks),
            "theorem_b": all(check.theorem_b.certified for check in self.checks),
            "room_log2": self.slack_log2,
            "paper_linear_layers_log2": 3 * self.L**2,
            "checked_linear_layers_log2": 6 * self.L**2,
            "most_linear_layers_log2": number_to_json(self.most_log2),
        }


def cpw_sizes(L: int, product: int) -> CpwSizes:
    """CPW's sizes with 0, 1, 2^{3L²} and 2^{6L²} linear layers around each full one, and the most that A allows."""
    layers = (0, 1, paper_linear_layers(L), paper_linear_layers(L) ** 2)
    checks = tuple(check_cpw(L, product, count) for count in layers)
    return CpwSizes(L, product, checks, most_linear_layers(L, product))


def _charged(blocks: int, product: int, layers: Size) -> Size:
    """blocks·layers·state bits."""
    factors = layers.factors if isinstance(layers, PowerProduct) else ((layers, 1),)
    return simplest(PowerProduct(((blocks * product * (product + 1), 1), *factors)))


def _slack(inequality: Inequality) -> float:
    left, right = inequality.left, inequality.right
    if isinstance(left, int):
        return log2_float(Fraction(right) / left) if left else math.inf
    from flint import ctx

    with ctx.workprec(BALL_BITS):
        return log2_float(right / left)
