"""Expressions in the sizes of a task: their symbols, ⌈log2 x⌉ and ⌈(ln x)/2⌉ without floats, printing."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import sympy as sp
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.str import StrPrinter

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
        return rf"\lceil\log_2{_spaced(printer, self.args[0])}\rceil"


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
kappa = sp.Symbol("kappa", positive=True)

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
    """Every slot replaced by its number of coordinates."""
    return replaced(expression, tuple(SLOTS.items()))


@cache
def replaced(expression: Expression, meanings: tuple[tuple[Expression, Expression], ...]) -> Expression:
    """One symbol after the other, since the meaning of one may use the next."""
    for letter, meaning in meanings:
        expression = expression.subs(letter, meaning)
    return expression


class Text(StrPrinter):  # type: ignore[misc]
    """ceil(log2(x)), sum(x, l=1..L-1), N_{L-1}."""

    printmethod = ""  # else sympy would let each class print itself
    NAMES: Mapping[str, str] = {"n_max": "max n_l", "ell": "l"}
    FORMS: Mapping[str, str] = {
        "clog2": "ceil(log2({x}))",
        "log2": "log2({x})",
        "half_ln": "ceil(ln({x})/2)",
        "ceiling": "ceil({x})",
        "Sum": "sum({x}, {ends})",
    }

    def _print_Symbol(self, expr: Expression) -> str:
        return self.NAMES.get(expr.name, expr.name)

    def _print_Indexed(self, expr: Expression) -> str:
        index = self._print(expr.indices[0]).replace(" ", "")
        return f"{'n' if expr.base == n_at else 'N'}_{index if len(index) == 1 else '{' + index + '}'}"

    def _print_Function(self, expr: Expression) -> str:
        (x,) = expr.args
        return self.FORMS[type(expr).__name__].format(x=self._print(x), spaced=_spaced(self, x))

    def _print_LatticeOp(self, expr: Expression) -> str:
        """Of max and min the shortest argument comes first."""
        arguments = sorted(expr.args, key=sp.count_ops)
        return f"{type(expr).__name__.lower()}({', '.join(map(self._print, arguments))})"

    def _print_Mul(self, expr: Expression) -> str:
        """Numbers, letters, functions."""
        functions = [part for part in expr.args if isinstance(part, (sp.Function, sp.Sum))]
        if not functions or len(functions) == len(expr.args):
            return str(super()._print_Mul(expr))
        others = sp.Mul(*(part for part in expr.args if part not in functions))
        return "*".join(self.parenthesize(part, PRECEDENCE["Mul"]) for part in (others, *functions))

    def _print_Sum(self, expr: Expression) -> str:
        ((index, first, last),) = expr.limits
        ends = f"{self._print(index)}={self._print(first)}..{self._print(last)}".replace(" ", "")
        return self.FORMS["Sum"].format(x=self._print(expr.function), ends=ends)


class Readable(Text):
    """⌈log2 x⌉, Σ_{ℓ=1..L-1} x, N_{L-1}."""

    NAMES: Mapping[str, str] = {"n_max": "max n_ℓ", "ell": "ℓ", "tau": "τ"}
    FORMS: Mapping[str, str] = {
        "clog2": "⌈log2{spaced}⌉",
        "log2": "log2{spaced}",
        "half_ln": "⌈ln({x})/2⌉",
        "ceiling": "⌈{x}⌉",
        "Sum": "Σ_{{{ends}}} {x}",
    }

    def _print_Mul(self, expr: Expression) -> str:
        return str(super()._print_Mul(expr)).replace("*", "·")


def _spaced(printer: Any, x: Expression) -> str:
    """The argument of a function that is written without brackets where it can be: log2 n, log2(n + 1)."""
    return f"({printer._print(x)})" if x.is_Add or x.is_Mul else f" {printer._print(x)}"


def text(expression: Expression) -> str:
    """As a line of characters that every terminal has."""
    return str(Text().doprint(expression))


def readable(expression: Expression) -> str:
    """As the documentation writes it."""
    return str(Readable().doprint(expression))


def latex(expression: Expression) -> str:
    return str(sp.latex(expression, symbol_names=LATEX_NAMES))
