"""Inequalities with both sides and a verdict that is certain: Arb's balls are refined until they decide."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from separation.bounds.powers import log2_float
from separation.bounds.recursion import Condition, Number

FIRST_BITS = 128


@dataclass(frozen=True)
class Inequality:
    """left ≤ right or left < right, as ``formula`` says.

    ``left`` is exact. ``right`` is exact, or a rational bound of the true right side: a lower one if the inequality
    holds, an upper one if it does not, so the numbers shown prove the verdict. At sizes beyond EXACT_BITS both are
    balls. ``holds`` is None when the balls do not decide.
    """

    name: str
    formula: str
    left: Number
    right: Number
    holds: bool | None

    def document(self) -> dict[str, Any]:
        """The formula, the verdict and log2 of both sides (None for a side that is not positive)."""
        sides = {"left_log2": _log2_or_none(self.left), "right_log2": _log2_or_none(self.right)}
        return {"name": self.name, "formula": self.formula, "holds": self.holds, **sides}


def check_condition(condition: Condition) -> Inequality:
    """The verdict on integers: it is always reached, see the forms one by one."""
    right, holds = _EXACT[condition.form](condition)
    return Inequality(condition.name, condition.formula, condition.left, right, holds)


def check_condition_in_balls(condition: Condition) -> Inequality:
    """The verdict on balls, at the current precision of Arb."""
    right = _right_ball(condition)
    strict = condition.form in ("cover", "count")
    yes = condition.left < right if strict else condition.left <= right
    no = condition.left >= right if strict else condition.left > right
    return Inequality(condition.name, condition.formula, condition.left, right, True if yes else False if no else None)


def _order(condition: Condition) -> tuple[int, bool]:
    return condition.right, condition.left <= condition.right


def _cover(condition: Condition) -> tuple[Fraction, bool]:
    """left < right/𝖾: decided at some precision, because 𝖾 is irrational (and left ≥ 1)."""
    return _refined(condition, lambda: arb(condition.right) / arb.const_e())


def _draw(condition: Condition) -> tuple[Fraction, bool]:
    """left ≤ (t−Θ)·log2(N/Θ) − Θ·log2 𝖾: decided, because equality would make 𝖾^Θ a rational number."""
    return _refined(condition, lambda: _right_ball(condition))


def _count(condition: Condition) -> tuple[Fraction, bool]:
    """left < factor·log2 N: log2 N is an integer if N is a power of two, and irrational if not."""
    if condition.right & (condition.right - 1) == 0:
        right = condition.factor * (condition.right.bit_length() - 1)
        return Fraction(right), condition.left < right
    return _refined(condition, lambda: _right_ball(condition))


def _refined(condition: Condition, right: Callable[[], arb]) -> tuple[Fraction, bool]:
    """A bound of the right side that decides, from balls of 128, 256, … bits."""
    bits = FIRST_BITS
    while True:
        with ctx.workprec(bits):
            ball = right()
            low, high = _rational(ball.lower()), _rational(ball.upper())
        if condition.left < low:
            return low, True
        if condition.left > high:
            return high, False
        bits *= 2


def _rational(exact: arb) -> Fraction:
    mantissa, exponent = (int(part) for part in exact.man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent


def _right_ball(condition: Condition) -> arb:
    right, factor, tries = arb(condition.right), arb(condition.factor), arb(condition.tries)
    match condition.form:
        case "order":
            return right
        case "cover":
            return right / arb.const_e()
        case "draw":
            return ((tries - factor) * (right / factor).log() - factor) / arb.const_log2()
        case _:
            return factor * right.log() / arb.const_log2()


def least_table(bits: int) -> int:
    """The least N ≥ 2 with bits < N·log2 N: the smallest table that does not fit into these bits."""
    low, high = 1, 2
    while not _outgrows(high, bits):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if _outgrows(middle, bits):
            high = middle
        else:
            low = middle
    return high


def _outgrows(size: int, bits: int) -> bool:
    return check_condition(Condition("", "count", "", bits, size, size)).holds is True


_EXACT: dict[str, Callable[[Condition], tuple[Any, bool]]] = {
    "order": _order,
    "cover": _cover,
    "draw": _draw,
    "count": _count,
}


def _log2_or_none(side: Number) -> float | None:
    """Floats for display; verdicts never use them."""
    if isinstance(side, (int, Fraction)):
        return log2_float(side) if side > 0 else None
    logarithm = log2_float(side) if side > 0 else math.nan
    return logarithm if math.isfinite(logarithm) else None
