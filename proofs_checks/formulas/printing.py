"""Formulas as plain text, as readable text and in LaTeX."""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.str import StrPrinter

from proofs_checks.formulas.letters import LATEX_NAMES, Expression, n_at


class Text(StrPrinter):  # type: ignore[misc]
    """ceil(log2(x)), sum(x, l=1..L-1), N_{L-1}."""

    printmethod = ""  # what sympy's own classes say of themselves
    NAMES: Mapping[str, str] = {"n_max": "max n_l", "ell": "l"}

    def _print_Symbol(self, expr: Expression) -> str:
        return self.NAMES.get(expr.name, expr.name)

    def _print_Indexed(self, expr: Expression) -> str:
        index = self._print(expr.indices[0]).replace(" ", "")
        return f"{'n' if expr.base == n_at else 'N'}_{index if len(index) == 1 else '{' + index + '}'}"

    def _print_clog2(self, expr: Expression) -> str:
        return f"ceil(log2({self._print(expr.args[0])}))"

    def _print_half_ln(self, expr: Expression) -> str:
        return f"ceil(ln({self._print(expr.args[0])})/2)"

    def _print_ceiling(self, expr: Expression) -> str:
        return f"ceil({self._print(expr.args[0])})"

    def _print_Max(self, expr: Expression) -> str:
        return f"max({', '.join(self._print(part) for part in sorted(expr.args, key=sp.count_ops))})"

    def _print_Min(self, expr: Expression) -> str:
        return f"min({', '.join(self._print(part) for part in sorted(expr.args, key=sp.count_ops))})"

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
        return f"sum({self._print(expr.function)}, {ends})"


class Readable(Text):
    """⌈log2 x⌉, Σ_{ℓ=1..L-1} x, N_{L-1}."""

    NAMES: Mapping[str, str] = {"n_max": "max n_ℓ", "ell": "ℓ", "tau": "τ"}

    def _print_clog2(self, expr: Expression) -> str:
        return f"⌈{self._print_log2(expr)}⌉"

    def _print_log2(self, expr: Expression) -> str:
        inside = self._print(expr.args[0])
        return f"log2({inside})" if expr.args[0].is_Add or expr.args[0].is_Mul else f"log2 {inside}"

    def _print_half_ln(self, expr: Expression) -> str:
        return f"⌈ln({self._print(expr.args[0])})/2⌉"

    def _print_ceiling(self, expr: Expression) -> str:
        return f"⌈{self._print(expr.args[0])}⌉"

    def _print_Mul(self, expr: Expression) -> str:
        return str(super()._print_Mul(expr)).replace("*", "·")

    def _print_Sum(self, expr: Expression) -> str:
        ((index, first, last),) = expr.limits
        ends = f"{self._print(index)}={self._print(first)}..{self._print(last)}".replace(" ", "")
        return f"Σ_{{{ends}}} {self._print(expr.function)}"


def text(expression: Expression) -> str:
    """As a line of characters that every terminal has."""
    return str(Text().doprint(expression))


def readable(expression: Expression) -> str:
    """As the documentation writes it."""
    return str(Readable().doprint(expression))


def latex(expression: Expression) -> str:
    return str(sp.latex(expression, symbol_names=LATEX_NAMES))
