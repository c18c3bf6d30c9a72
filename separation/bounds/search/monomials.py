"""Sums of monomials: the theorems' recursion over variables, as a list of terms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from separation.bounds.recursion import Condition, Rule, chosen_cover, conditions, run_recursion

Vector = npt.NDArray[np.float64]
Exponents = tuple[int, ...]


class Sum:
    """Σ coefficient·Π variable^exponent over ``count`` variables, with exact positive coefficients."""

    def __init__(self, count: int, terms: dict[Exponents, Fraction]) -> None:
        self.count, self.terms = count, terms

    @classmethod
    def variables(cls, count: int) -> list[Sum]:
        return [cls(count, {tuple(int(i == index) for i in range(count)): Fraction(1)}) for index in range(count)]

    @classmethod
    def constant(cls, count: int, value: Fraction | int) -> Sum:
        return cls(count, {(0,) * count: Fraction(value)} if value else {})

    def __add__(self, other: Sum | Fraction | int) -> Sum:
        terms = dict(self.terms)
        for exponents, coefficient in self._lifted(other).items():
            terms[exponents] = terms.get(exponents, Fraction(0)) + coefficient
        return Sum(self.count, terms)

    def __mul__(self, other: Sum | Fraction | int) -> Sum:
        terms: dict[Exponents, Fraction] = {}
        for a, first in self.terms.items():
            for b, second in self._lifted(other).items():
                exponents = tuple(map(sum, zip(a, b, strict=True)))
                terms[exponents] = terms.get(exponents, Fraction(0)) + first * second
        return Sum(self.count, terms)

    __radd__ = __add__
    __rmul__ = __mul__

    def logarithms(self) -> tuple[Vector, Vector]:
        """(log2 of the coefficients, the exponents), one row for each term."""
        coefficients = [math.log2(c.numerator) - math.log2(c.denominator) for c in self.terms.values()]
        return np.array(coefficients), np.array(list(self.terms), dtype=np.float64)

    def _lifted(self, value: Sum | Fraction | int) -> dict[Exponents, Fraction]:
        return value.terms if isinstance(value, Sum) else Sum.constant(self.count, value).terms


def relaxed_conditions(
    rule: Rule, L: int, beta: int, linear: Sequence[int], chosen: bool
) -> tuple[Sum, list[Condition]]:
    """(Σ N_ℓ, the conditions) over x_0..x_{L-1}, n_1..n_{L-1}, m and, if chosen, Θ_1..Θ_{L-1}; nothing is rounded.

    If not chosen, Θ_ℓ is half a product that is not rounded to even. min(x_0·x_1, m) is x_0·x_1 with the condition
    x_0·x_1 ≤ m. The conditions named C_ℓ follow from (E_ℓ) and are left out, as is a left side that is 0.
    """
    count = 3 * L - 1 if chosen else 2 * L
    variables = Sum.variables(count)
    x, n, m, theta = variables[:L], variables[L : 2 * L - 1], variables[2 * L - 1], variables[2 * L :]
    bits = [Sum.constant(count, value) for value in linear]
    cover = chosen_cover(theta) if chosen else unrounded_half
    recursion = run_recursion(rule, beta, bits, m, n, x, cover, lambda product, _: product)
    found = [
        condition
        for condition in conditions(rule, recursion, n, x)
        if condition.name[0] != "C" and condition.left.terms
    ]
    if rule is Rule.A_FREE and L > 1:
        found.append(Condition("Θ_1", "order", "x_0·x_1 ≤ m", x[0] * x[1], m))
    return sum(recursion.N, Sum.constant(count, 0)), found


def unrounded_half(_level: int, product: Sum) -> tuple[Sum, Sum]:
    return product, product * Fraction(1, 2)
