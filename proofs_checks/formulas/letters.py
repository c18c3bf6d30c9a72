"""The letters of the formulas, and the functions in them that sympy would put into floats: ⌈log2 x⌉ and ⌈(ln x)/2⌉."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import sympy as sp

from separation.arithmetic.balls import floor_scaled_exp
from separation.tasks.shape import bit_count

Expression = Any
"""A sympy expression."""


def least_half_logarithm(x: int) -> int:
    """⌈(ln x)/2⌉, exact: e^{2t} is irrational for t ≥ 1, so the least t with ⌊e^{2t}⌋ ≥ x."""
    t = 0
    while floor_scaled_exp(0, Fraction(2 * t)) < x:
        t += 1
    return t


class clog2(sp.Function):  # type: ignore[misc]  # sympy has no types
    """⌈log2 x⌉; a number at every integer x ≥ 1, found without floats."""

    is_integer = True

    @classmethod
    def eval(cls, x: Expression) -> Expression:
        return sp.Integer(bit_count(int(x))) if x.is_Integer and x >= 1 else None

    def _latex(self, printer: Any) -> str:
        (x,) = self.args
        inside = rf"({printer._print(x)})" if x.is_Add or x.is_Mul else f" {printer._print(x)}"
        return rf"\lceil\log_2{inside}\rceil"


class half_ln(sp.Function):  # type: ignore[misc]
    """⌈(ln x)/2⌉, likewise."""

    is_integer = True

    @classmethod
    def eval(cls, x: Expression) -> Expression:
        return sp.Integer(least_half_logarithm(int(x))) if x.is_Integer and x >= 1 else None

    def _latex(self, printer: Any) -> str:
        return rf"\lceil\tfrac{{1}}{{2}}\ln {printer._print(self.args[0])}\rceil"


class log2(sp.Function):  # type: ignore[misc]
    """log2 x: what a quantity is compared with."""

    def _latex(self, printer: Any) -> str:
        return rf"\log_2({printer._print(self.args[0])})"


L, M, B, m, n, b = sp.symbols("L M B m n b", integer=True, positive=True)
k = sp.Symbol("k", integer=True, nonnegative=True)
largest, keys, tau = sp.symbols("n_max K tau", integer=True, positive=True)
ell = sp.Symbol("ell", integer=True)
N, n_at = sp.IndexedBase("N", positive=True), sp.IndexedBase("n_at", positive=True)
kappa, further = sp.Symbol("kappa", positive=True), sp.Symbol("further", integer=True, nonnegative=True)

tag, digit, index, query, value = sp.symbols("tag digit index query value", integer=True, nonnegative=True)
SLOTS = {
    tag: clog2(L + 2),
    digit: clog2(largest),
    index: clog2(N[sp.Max(0, L - 2)]),
    query: sp.Sum(clog2(n_at[ell]), (ell, 1, L - 1)),
    value: clog2(N[L - 1]),
}
"""Slots of the stream that several constructions have, and their coordinates."""

LATEX_NAMES = {largest: r"\max_\ell n_\ell", n_at.label: "n", ell: r"\ell"}


def without_slots(expression: Expression) -> Expression:
    """The coordinates of a slot in its place."""
    return replaced(expression, tuple(SLOTS.items()))


@cache
def replaced(expression: Expression, meanings: tuple[tuple[Expression, Expression], ...]) -> Expression:
    """One letter after the other, as the meaning of one may use the next."""
    for letter, meaning in meanings:
        expression = expression.subs(letter, meaning)
    return expression
