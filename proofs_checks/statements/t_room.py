"""T.room: a short list of conditions under which every inequality of theorems A and B holds, for every L.

Put P_ℓ = x_0⋯x_{ℓ-1}·n_1⋯n_{ℓ-1}, m = κ·Πx, ρ_ℓ = x_ℓ⋯x_{L-1}/n_ℓ and σ_ℓ = n_{ℓ+1}⋯n_{L-1}/x_ℓ. Suppose κ ≥ 6, all
x_ℓ with ℓ ≥ 1 even, κ·ρ_ℓ ≤ 6/Y and σ_ℓ ≤ 1/Y with Y ≥ L·2^{L+4}·β, D_1 ≤ x_0/2 and 64·Λ_t ≤ x_0·x_1·n_1. Then D_ℓ ≤
P_ℓ/2^ℓ for every ℓ: divided by P_{ℓ+1}/2^{ℓ+1} the terms of D_{ℓ+1} add up to at most 2179/4096. So (C_ℓ), (E_ℓ) and
(F) hold, in theorem A and in theorem B. The golden schedule has κ = 6 and ρ = σ = 1/y: with y ≥ L·2^{L+4}·β even, and
x_0 ≥ 2Λ_0, it is certified for every L, not only where it has been tried. (The least constants are smaller.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from proofs_checks.kit.solvers import require_relation, require_zero
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from proofs_checks.kit.theorems import recursion_symbols
from proofs_checks.kit.verdict import SYMPY
from separation.bounds import (
    Parameters,
    PowerProduct,
    Rule,
    Size,
    evaluate,
    fibonacci,
    golden_parameters,
    run_recursion,
    simplest,
)
from separation.bounds.symbolic import BETA

LEVELS = 6
"""Up to this L the bracket is compared with the calculator's, in symbols; the verdicts are tried up to DEEPEST."""
DEEPEST = 12
FIRST = 1000
"""Λ_0 of the golden points that are tried."""
LEAST_SHARE = Fraction(1, 256)
"""1/n_ℓ at most: n_ℓ ≥ Y·x_ℓ⋯x_{L-1} ≥ 2Y ≥ 2·2·2^6, since κ ≥ 6 and κ·ρ_ℓ ≤ 6/Y."""


def bracket(rule: Rule, level: int, kappa: int, n: list[Any], x: list[Any]) -> Any:
    """(ℓ+more)·κρ_ℓ + σ_ℓ + 1/(x_ℓ·n_1⋯n_ℓ) + Σ_{i<ℓ} κρ_i/(n_{i+1}⋯n_{ℓ-1}·x_ℓ·n_ℓ) (+ 1/n_1 in B at ℓ = 1)."""

    def rho(i: int) -> Any:
        return sp.prod(x[i:]) / n[i - 1]

    sigma = sp.prod(n[level:]) / x[level]
    found = (level + rule.more_layers) * kappa * rho(level) + sigma + 1 / (x[level] * sp.prod(n[:level]))
    for i in range(1, level):
        found += kappa * rho(i) / (sp.prod(n[i : level - 1]) * x[level] * n[level - 1])
    return found + (1 / n[0] if rule is Rule.B and level == 1 else 0)


@dataclass(frozen=True)
class Slack:
    """y ≥ ``constant``(L)·β; m ≥ ``kappa``·Πx; D_1 ≤ ``start``·x_0; Λ_t ≤ ``states``·x_0·x_1·n_1."""

    constant: Callable[[Any], Any] = lambda L: L * 2 ** (L + 4)
    kappa: int = 6
    start: Fraction = Fraction(1, 2)
    states: Fraction = Fraction(1, 64)
    bracket: Callable[..., Any] = bracket


@dataclass(frozen=True)
class Chosen:
    """β, Λ and y of theorem A, and the golden schedule with x_0 = 8: what the hypotheses are about."""

    L: int = 2
    beta: int = 1
    y: int = 128
    linear: tuple[int, ...] = (4, 4)

    @property
    def x(self) -> tuple[Any, ...]:
        return golden_parameters(Rule.A, self.L, self.y, 4).x

    @property
    def n(self) -> tuple[Any, ...]:
        return golden_parameters(Rule.A, self.L, self.y, 4).n


def _shares(slack: Slack) -> None:
    """x_ℓ·D_ℓ, 1, Λ and the terms of β·bracket, each times 2^{ℓ+1}/P_{ℓ+1}, add up to at most 1."""
    total = total_share(slack)
    require(total <= 1, f"the shares of D_(l+1) add up to {total}, more than 1", by=SYMPY)


def _start(slack: Slack) -> None:
    require(slack.start <= Fraction(1, 2), f"D_1 may be {slack.start} of x_0, the induction starts at 1/2")


def _logarithm(slack: Slack) -> None:
    """N_{ℓ-1}/Θ_ℓ ≥ κ·2 > 4𝖾."""
    require_relation(2 * slack.kappa > 4 * sp.E, f"with m = {slack.kappa}·Πx the logarithm in (E) is not above 2")


def _brackets(slack: Slack) -> None:
    for rule in (Rule.A, Rule.B):
        for L in range(2, LEVELS + 1):
            _require_bracket(rule, L, slack)


def _verdicts(slack: Slack) -> None:
    """The calculator on golden points at the edge of the conditions."""
    for rule in (Rule.A, Rule.B):
        for L in range(2, DEEPEST + 1):
            for beta in (1, 1000):
                require(at_the_edge(slack, rule, L, beta), f"{rule.value}, L = {L}, β = {beta}: not certified")


def _require_bracket(rule: Rule, L: int, slack: Slack) -> None:
    """The calculator's D_{ℓ+1} − x_ℓ·D_ℓ − 1 − Λ, divided by β·P_{ℓ+1}, is `slack.bracket`; letters for all numbers."""
    n, x, linear = recursion_symbols(rule, L)
    m = slack.kappa * sp.prod(x)
    recursion = run_recursion(rule, BETA, linear, m, n, x, lambda _level, product: (product, product), sp.Min)
    for level in range(1, L):
        product = sp.prod(x[: level + 1]) * sp.prod(n[:level])
        rest = recursion.D[level] - x[level] * recursion.D[level - 1] - 1 - linear[level + rule.more_layers]
        said = sp.expand(product * slack.bracket(rule, level, slack.kappa, n, x))
        require_zero(rest - BETA * said, f"L = {L}, level {level}: the bracket is off")


def total_share(slack: Slack) -> Fraction:
    """The largest that 2^{ℓ+1}·(x_ℓ·D_ℓ + 1 + Λ + β·bracket)/P_{ℓ+1} can be, over all L, ℓ, β and Y."""
    beta = sp.Symbol("beta", positive=True)
    # ℓ+1 = a·L, 2^{ℓ+1} = b·2^L, Y = constant·β/c, L = 1/i, 2^L = 1/j, 1/x = ξ, 1/n = ν
    ends = {"a": 1, "b": 1, "c": 1, "i": Fraction(1, 2), "j": Fraction(1, 4), "xi": Fraction(1, 2)}
    letters = {sp.Symbol(name, positive=True): sp.Rational(end) for name, end in (ends | {"nu": LEAST_SHARE}).items()}
    depth, level_power, budget, table, power, kept, size = letters
    L = sp.Symbol("L", positive=True)
    Y = (slack.constant(L) * beta / budget).subs(2 ** (L + 4), 16 / power).subs(L, 1 / table)
    factor = level_power / power
    shares = {
        "x_l·D_l": 2 * size,
        "tables kept": factor * beta * depth / table * 6 / Y,
        "queries": factor * beta / Y,
        "z_0..z_(l-1) once": factor * beta / Y,  # 1/(x_ℓ·n_1⋯n_ℓ) ≤ σ_ℓ
        "earlier tables": factor * beta * depth / table * 6 / Y * kept * size,
        "z_0's token in B": 4 * beta * kept / Y,  # 1/n_1 ≤ ρ_1/x_1 and κ·ρ_1 ≤ 6/Y with κ ≥ 6; 2^{ℓ+1} = 4
        "one": 4 * kept * size,  # P_{ℓ+1} ≥ x_1·n_1·2^{ℓ-1}
        "states": 4 * sp.Rational(slack.states),  # P_{ℓ+1} ≥ x_0·x_1·n_1·2^{ℓ-1}
    }
    total = sp.Integer(0)
    for name, share in shares.items():
        above, below = sp.fraction(sp.cancel(share))
        require(not below.free_symbols, f"the share of {name} has no upper bound: {sp.cancel(share)}")
        polynomial = sp.Poly(above / below, *letters)
        require(all(value > 0 for value in polynomial.coeffs()), f"the share of {name} may be negative")
        total += polynomial.as_expr().subs(letters)
    return Fraction(int(sp.numer(total)), int(sp.denom(total)))


def at_the_edge(slack: Slack, rule: Rule, L: int, beta: int) -> bool:
    """The calculator's verdict on the golden schedule with y = constant·β, m = κ·Πx and the largest states allowed."""
    y = slack.constant(L) * beta
    golden = golden_parameters(rule, L, y, FIRST)
    point = Parameters(product_of(slack.kappa, *golden.x), golden.n, golden.x)
    # ⌊states·x_0·x_1·n_1⌋, with one factor y of x_1 taken out
    share = max(1, int(slack.states * y))
    later = product_of(golden.x[0], golden.n[0], PowerProduct(((y, fibonacci(2 * L - 2) - 1), (share, 1))))
    begin = [int(slack.start * 2 * FIRST)] if rule is Rule.A else [0, 0]
    return evaluate(rule, point, beta, [*begin, *([later] * (L - 1))]).certified


def product_of(*sizes: Size) -> Size:
    """The product of sizes, however large."""
    factors = [size.factors if isinstance(size, PowerProduct) else ((size, 1),) for size in sizes]
    return simplest(PowerProduct(tuple(pair for part in factors for pair in part)))


HYPOTHESES = (
    Hypothesis("there are at least two tables", lambda chosen: chosen.L >= 2, outside=Chosen(L=1)),
    Hypothesis("y is even", lambda chosen: chosen.y % 2 == 0, outside=Chosen(y=129)),
    Hypothesis("y ≥ L·2^(L+4)·β", lambda chosen: chosen.y >= Slack().constant(chosen.L) * chosen.beta, Chosen(y=126)),
    Hypothesis("D_1 ≤ x_0/2", lambda chosen: 2 * chosen.linear[0] <= chosen.x[0], Chosen(linear=(5, 5))),
    Hypothesis(
        "64·Λ_t ≤ x_0·x_1·n_1",
        lambda chosen: 64 * max(chosen.linear) <= chosen.x[0] * chosen.x[1] * chosen.n[0],
        outside=Chosen(linear=(4, 2**20)),
    ),
)


def _without_the_query(rule: Rule, level: int, kappa: int, n: list[Any], x: list[Any]) -> Any:
    return bracket(rule, level, kappa, n, x) - sp.prod(n[level:]) / x[level]


STATEMENT = Statement(
    id="T.room",
    title="golden sizes satisfy theorems A and B for every L",
    latex=r"y\ge L\,2^{L+4}\beta\ \text{even},\ x_0\ge2D_1,\ 64\Lambda_t\le x_0x_1n_1\ \Rightarrow\ "
    r"D_\ell\le 2^{-\ell}x_0\cdots x_{\ell-1}n_1\cdots n_{\ell-1},\ (C_\ell),(E_\ell),(F)",
    english="With y ≥ L·2^(L+4)·β even, the golden sizes satisfy every inequality of theorem A, and of theorem B.",
    subject=Slack(),
    check=Steps(
        f"every L ≥ 2, every β, Λ; also verdicts for L up to {DEEPEST}",
        (
            Step("shares add up to at most 1", _shares),
            Step("the start of the induction", _start),
            Step("the logarithm in (E_ℓ)", _logarithm),
            Step(f"the calculator's bracket for L ≤ {LEVELS}", _brackets, finite=True),
            Step(f"verdicts for L ≤ {DEEPEST}", _verdicts),
        ),
        {
            "the conditions": "Put m = κ·Πx, ρ_ℓ = x_ℓ⋯x_{L-1}/n_ℓ, σ_ℓ = n_{ℓ+1}⋯n_{L-1}/x_ℓ; all x_ℓ (ℓ ≥ 1) "
            "are even, κ·ρ_ℓ ≤ 6/Y and σ_ℓ ≤ 1/Y with Y ≥ L·2^{L+4}·β: the golden schedule has κ = 6 and ρ = σ = 1/y.",
            "the bracket for every L": "Divided by P_{ℓ+1} the bracket of D_{ℓ+1} is a sum of monomials in κ, ρ, σ, "
            "1/x, 1/n: each term is the same product with the same factors cancelled, whatever L is.",
            "the largest share": "A monomial with a positive coefficient in numbers with known upper bounds ((ℓ+1)/L ≤ "
            "1, 2^{ℓ+1-L} ≤ 1, β·L·2^{L+4}/Y ≤ 1, 1/L ≤ 1/2, 1/x ≤ 1/2, 1/n ≤ 1/256) is at most its value there.",
            "induction over the levels": "D_1 ≤ P_1/2, and D_ℓ ≤ P_ℓ/2^ℓ gives D_{ℓ+1} ≤ P_{ℓ+1}/2^{ℓ+1}, P_ℓ = "
            "x_0⋯x_{ℓ-1}·n_1⋯n_{ℓ-1}.",
            "from D to the inequalities": "x_ℓ is even, so t_ℓ is not rounded and Θ_ℓ = x_ℓ·P_ℓ/2^ℓ; the logarithm in "
            "(E_ℓ) is above 2 and 1 + x_ℓ·D_ℓ ≤ 2·Θ_ℓ; D_L ≤ n_{L-1}·Θ_{L-1}/2 is below (F)'s right side.",
        },
    ),
    twins={
        "a constant without 2^L": Slack(constant=lambda L: 16 * L),
        "y = β": Slack(constant=lambda L: L / L if isinstance(L, sp.Basic) else 1),
        "m = Πx": Slack(kappa=1),
        "a bracket without the query's own token": Slack(bracket=_without_the_query),
        "x_0 half of D_1": Slack(start=Fraction(2)),
        "states 64 times too large": Slack(states=Fraction(64)),
    },
    rests_on=("T.golden",),
    hypotheses=HYPOTHESES,
    witness=Chosen(),
)
