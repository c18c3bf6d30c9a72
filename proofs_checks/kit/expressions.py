"""Expressions in the sizes of a task: their symbols, ⌈log2 x⌉ and ⌈(ln x)/2⌉ without floats, printing, limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
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


# --- limits, by a squeeze: sympy finds none of ⌈ ⌉ and Σ ---


@cache
def limit(quantity: Expression, scale: Expression, grows: Expression, one_table: bool = False) -> Expression:
    """lim quantity/scale as ``grows`` → ∞; FuncComp: m = n_1 = … = 2^κ with L ≥ 2 tables, or one; 2-Sum: M = n² + 1.

    A squeeze: both lower end/upper end and upper end/lower end must tend to it.
    """
    parts, scales = (_at_equal_sizes(expression, one_table) for expression in (quantity, scale))
    variable = further if grows == L else grows
    found = set()
    for slack in (0, 1):
        ratios = [
            sp.Min(*(_plain_limit(part / whole, variable) for whole in _end(scales, 1 - slack)))
            for part in _end(parts, slack)
        ]
        found.add(sp.simplify(sp.Max(*ratios).subs(further, L - 2)))
    if len(found) != 1:
        raise ArithmeticError(f"{text(quantity)} over {text(scale)} lies between {found}")
    return found.pop()


@cache
def _plain_limit(ratio: Expression, variable: Expression) -> Expression:
    return sp.limit(ratio, variable, sp.oo)


def _at_equal_sizes(expression: Expression, one_table: bool) -> Expression:
    """m = n_ℓ = 2^κ, so N_ℓ = 2^{κ(ℓ+1)}, and L is 1 or 2 + further; in 2-Sum n = 2^κ."""
    sizes = {L: 1, largest: 1} if one_table else {L: 2 + further, largest: 2**kappa}
    expression = expression.subs({m: 2**kappa, n: 2**kappa, **sizes})
    powers = {part: 1 if part.base == n_at else part.indices[0] + 1 for part in expression.atoms(sp.Indexed)}
    return expression.xreplace({part: 2 ** (kappa * power) for part, power in powers.items()})


def _end(expression: Expression, slack: int, factor: Expression = 2**kappa / (2**kappa - 1)) -> list[Expression]:
    """Expressions without ⌈ ⌉ and Σ whose maximum is at most (``slack`` = 0) or at least (1) the given one.

    x ≤ ⌈x⌉ ≤ x + 1, last term ≤ Σ ≤ factor·last term; and what depends on these does not decrease when they grow.
    """
    if not expression.has(clog2, half_ln, log2, sp.ceiling, sp.Max, sp.Sum, M):
        return [expression]
    if expression == M:  # n² ≤ n² + 1 ≤ 2n²
        return [4**kappa * (1 + slack)]
    if expression.func is sp.Max:
        return [found for part in expression.args for found in _end(part, slack, factor)]
    if expression.func is sp.Sum:
        return [_end_of_sum(expression, slack, factor)]
    if expression.func in (clog2, log2):
        return _end_of_logarithm(expression.args[0], slack, slack if expression.func is clog2 else 0)
    if expression.func is sp.Mul and any(part.is_negative for part in expression.args):
        raise ArithmeticError(f"{text(expression)} may decrease when a part of it grows")
    functions: Mapping[Expression, Callable[..., Expression]] = {
        sp.Add: sp.Add,
        sp.Mul: sp.Mul,
        sp.ceiling: lambda x: x + slack,
        half_ln: lambda x: sp.expand_log(sp.log(x), force=True) / 2 + slack,
    }
    choices = product(*(_end(part, slack, factor) for part in expression.args))
    return [functions[expression.func](*choice) for choice in choices]


def _end_of_logarithm(inside: Expression, slack: int, ceiling: int) -> list[Expression]:
    """log2 Σ x_i lies between max log2 x_i and that plus log2 s, for s terms x_i ≥ 0; ⌈ ⌉ adds up to 1."""
    terms = inside.args if inside.is_Add and inside.has(sp.Sum) else (inside,)
    if len(terms) > 1 and not all(term.is_nonnegative or isinstance(term, sp.Sum) for term in terms):
        raise ArithmeticError(f"{text(inside)} may have a negative term")
    ends = [end for term in terms for end in _end(term, slack, 2)]
    more = ceiling + slack * sp.log(len(terms), 2)
    return [sp.expand_log(sp.log(end), force=True) / sp.log(2) + more for end in ends]


@cache
def _end_of_sum(expression: Expression, slack: int, factor: Expression) -> Expression:
    """Σ x_ℓ where all x_ℓ are alike; or where x_ℓ ≥ 2^κ·x_{ℓ-1}: from the last term to 2^κ/(2^κ − 1) ≤ 2 times that."""
    ((index, first, last),) = expression.limits
    (term,) = _end(expression.function, slack)
    if not term.has(index):
        return (last - first + 1) * term
    at = sp.Dummy(positive=True)
    step = sp.simplify(term.subs(index, at) / (2**kappa * term.subs(index, at - 1)) - 1)
    if not step.is_nonnegative:
        raise ArithmeticError(f"the terms of {text(expression)} do not grow fast enough")
    return term.subs(index, last) * (factor if slack else 1)
