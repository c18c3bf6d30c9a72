"""Theorems A and B as sympy expressions in β, Λ_t, m, n_ℓ and x_ℓ, for any given L; ready for LaTeX."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from separation.bounds.condition import Condition, Order
from separation.bounds.recursion import Recursion, Rule, conditions, run_recursion
from separation.bounds.schedules import MAX_LEVELS, golden_exponent, golden_powers
from separation.tasks.checks import require_integer

Expression = Any  # sympy has no types of its own

BETA = sp.Symbol("beta", integer=True, positive=True)
Y = sp.Symbol("y", integer=True, positive=True)
M = sp.Symbol("m", integer=True, positive=True)


def n_symbol(level: int) -> Expression:
    return sp.Symbol(f"n_{level}", integer=True, positive=True)


def x_symbol(level: int) -> Expression:
    return sp.Symbol(f"x_{level}", integer=True, positive=True)


def state_symbol(t: int) -> Expression:
    return sp.Symbol(f"Lambda_{t}", integer=True, nonnegative=True)


@dataclass(frozen=True)
class SymbolicTheorem:
    """N_0..N_{L-1}, t_1..t_{L-1}, Θ_0..Θ_{L-1}, D_1..D_L in ``recursion``, and the inequalities by name."""

    rule: Rule
    L: int
    recursion: Recursion
    inequalities: Mapping[str, Expression]

    @property
    def quantities(self) -> dict[str, Expression]:
        """The sizes, then t and Θ, then D, by name."""
        own = self.recursion
        parts = (("N", own.N, 0), ("t", own.t[1:], 1), ("Theta", own.theta, 0), ("D", own.D, 1))
        return {f"{name}_{k}": value for name, values, first in parts for k, value in enumerate(values, start=first)}

    @property
    def golden(self) -> SymbolicGolden:
        """The golden schedule for the same theorem."""
        return symbolic_golden(self.rule, self.L)

    def latex(self) -> str:
        r"""An align* environment: the quantities, the inequalities, then the golden schedule, one a line."""
        lines = [_equation(name, value) for name, value in self.quantities.items()]
        lines += [rf"({sp.latex(sp.Symbol(name))})\quad & {sp.latex(i)}" for name, i in self.inequalities.items()]
        lines += [_equation(name, value) for name, value in self.golden.quantities.items()]
        return "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}"


def _equation(name: str, value: Expression) -> str:
    return rf"{sp.latex(sp.Symbol(name))} &= {sp.latex(value)}"


def symbolic_theorem(rule: Rule, L: int, rounded: bool = True) -> SymbolicTheorem:
    """Theorem A or B for L ≥ 2 tables; without ``rounded`` t_ℓ is the product itself, as one writes it in a paper."""
    require_integer("L", L, 2, MAX_LEVELS)
    n, x = [n_symbol(level) for level in range(1, L)], [x_symbol(level) for level in range(L)]
    state_bits: list[Expression] = [state_symbol(t) for t in range(rule.state_count(L))]
    if rule is not Rule.A:
        state_bits[0] = sp.Integer(0)

    def cover(_level: int, product: Expression) -> tuple[Expression, Expression]:
        theta = sp.Max(1, sp.floor(product / 2)) if rounded else product / 2
        return 2 * theta, theta

    recursion = run_recursion(rule, BETA, state_bits, M, n, x, cover, sp.Min)
    found = {condition.name: _relation(condition) for condition in conditions(rule, recursion, n, x)}
    return SymbolicTheorem(rule, L, recursion, found)


def _relation(condition: Condition | Order) -> Expression:
    """The inequality, not evaluated, so that it is printed as it stands."""
    if isinstance(condition, Order):
        return sp.Le(sp.Integer(0) + condition.left, condition.right, evaluate=False)
    left, factor, above, below = (
        sp.Integer(0) + value for value in (condition.bits, condition.factor, condition.above, condition.below)
    )
    if condition.nats:  # 𝖾·below < above
        return sp.Lt(2 * sp.E * below, 2 * above, evaluate=False)
    if condition.loose_binomials:  # with Θ = t/2 the bound on draws is (t/2)·log2(2N/(𝖾·t))
        return sp.Le(left, below * sp.log(above / (sp.E * below), 2), evaluate=False)
    return sp.Lt(left, factor * sp.log(above, 2), evaluate=False)


@dataclass(frozen=True)
class SymbolicGolden:
    """The golden schedule in y (and Λ_0): each number, the length's leading term, and β's threshold in n.

    ``threshold`` is y as a function of n: what β can be, up to the constant c, when n = N_{L-1}.
    """

    x: tuple[Expression, ...]
    n: tuple[Expression, ...]
    m: Expression
    last_size: Expression
    threshold: Expression

    @property
    def quantities(self) -> dict[str, Expression]:
        """x, n, m and N_{L-1} in y, then y in the length n, by name."""
        named = {f"x_{k}": kept for k, kept in enumerate(self.x)}
        named |= {f"n_{k}": size for k, size in enumerate(self.n, start=1)}
        return named | {"m": self.m, f"N_{len(self.n)}": self.last_size, "y": self.threshold}


def symbolic_golden(rule: Rule, L: int) -> SymbolicGolden:
    """`golden_parameters` in y; N_{L-1} = 6·x_0·y^{F_{2L+1}-2} (A), 6·y^{F_{2L+2}-2} (B)."""
    require_integer("L", L, 2, MAX_LEVELS)
    first = sp.Max(1, 2 * state_symbol(0)) if rule is Rule.A else sp.Integer(1)
    power, length = golden_powers(rule, L), sp.Symbol("n", positive=True)
    x = (first * Y ** power["x_0"], *(Y ** power[f"x_{k}"] for k in range(1, L)))
    n, m = tuple(Y ** power[f"n_{k}"] for k in range(1, L)), 6 * first * Y ** power["m"]
    threshold = (length / (6 * first)) ** sp.Rational(1, golden_exponent(rule, L))
    return SymbolicGolden(x, n, m, sp.powsimp(m * sp.prod(n)), threshold)
