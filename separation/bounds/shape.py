"""The best exponents: a linear program over log_β of all numbers, with an exact proof that nothing is better."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from separation.bounds.ladder import Demand, Rule, climb, demands
from separation.bounds.monomials import Sum, unrounded_half
from separation.tasks.checks import require_integer

DENOMINATOR = 10_000


@dataclass(frozen=True)
class Shape:
    """x_ℓ = β^{…}, n_ℓ = β^{…}, m = β^{…} with the least exponent of N_{L-1}, while the Λ_t do not grow with β.

    ``proved`` says that exact multipliers of the inequalities were found whose sum shows that no exponent is smaller.
    """

    x: tuple[Fraction, ...]
    n: tuple[Fraction, ...]
    m: Fraction
    exponent: Fraction
    proved: bool


def best_shape(rule: Rule, L: int) -> Shape:
    """min e(m) + Σ e(n_ℓ) such that every term on a left side has at most the exponent of its right side.

    Logarithms count as constants, so each (E_ℓ) gives one inequality for each of its terms, and N_{ℓ-1}/Θ_ℓ must not
    tend to 0. HiGHS solves it in floats; solution and multipliers are rounded to rationals, and then checked exactly.
    """
    from scipy.optimize import linprog

    require_integer("L", L, 2)
    rows, bounds = _rows(rule, L)
    goal = [0] * L + [1] * L
    solved = linprog(goal, A_ub=rows, b_ub=bounds, bounds=[(0, None)] * (2 * L), method="highs")
    z = [Fraction(float(value)).limit_denominator(DENOMINATOR) for value in solved.x]
    multipliers = [Fraction(-float(value)).limit_denominator(DENOMINATOR) for value in solved.ineqlin.marginals]
    exponent = sum((c * v for c, v in zip(goal, z, strict=True)), Fraction(0))
    proved = _feasible(rows, bounds, z) and _proves(rows, bounds, goal, multipliers, exponent)
    return Shape(tuple(z[:L]), tuple(z[L:-1]), z[-1], exponent, proved)


def _rows(rule: Rule, L: int) -> tuple[list[list[int]], list[int]]:
    """Rows a and bounds b of a·e ≤ b, from the theorem's own recursion with β as one more variable."""
    *variables, beta = Sum.variables(2 * L + 1)
    x, n, m = variables[:L], variables[L:-1], variables[-1]
    unit = Sum.constant(2 * L + 1, 0 if rule is Rule.A_FREE else 1)
    linear = [unit] * rule.linear_count(L)
    ladder = climb(rule, beta, linear, m, n, x, unrounded_half, lambda product, _: product)
    found = [demand for demand in demands(rule, ladder, n, x) if demand.form in ("draw", "count", "order")]
    if rule is Rule.A_FREE:
        found.append(Demand("Θ_1", "order", "x_0·x_1 ≤ m", x[0] * x[1], m))
    rows, bounds = [], []
    for demand in found:
        (right,) = (demand.right if demand.form == "order" else demand.factor).terms
        differences = [tuple(a - b for a, b in zip(term, right, strict=True)) for term in demand.left.terms]
        if demand.form == "draw":
            (size,) = demand.right.terms
            differences.append(tuple(b - a for a, b in zip(size, right, strict=True)))
        rows += [list(difference[:-1]) for difference in differences]
        bounds += [-difference[-1] for difference in differences]
    return rows, bounds


def _feasible(rows: list[list[int]], bounds: list[int], z: list[Fraction]) -> bool:
    products = (sum(a * v for a, v in zip(row, z, strict=True)) for row in rows)
    return min(z) >= 0 and all(product <= bound for product, bound in zip(products, bounds, strict=True))


def _proves(
    rows: list[list[int]], bounds: list[int], goal: list[int], multipliers: list[Fraction], exponent: Fraction
) -> bool:
    """With y ≥ 0: −Σ y_i·a_i ≤ goal in every variable, so goal·z ≥ −Σ y_i·b_i for all z ≥ 0 with a_i·z ≤ b_i."""
    columns = [-sum(y * row[place] for y, row in zip(multipliers, rows, strict=True)) for place in range(len(goal))]
    least = -sum(y * bound for y, bound in zip(multipliers, bounds, strict=True))
    return min(multipliers) >= 0 and all(a <= b for a, b in zip(columns, goal, strict=True)) and least == exponent
