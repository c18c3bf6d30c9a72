"""Inequalities with both sides and a verdict that is certain: Arb's balls are refined until they decide."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from separation.bounds.ladder import Demand, Number
from separation.bounds.powers import log2_float

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


def judge(demand: Demand) -> Inequality:
    """The verdict on integers: it is always reached, see the forms one by one."""
    right, holds = _EXACT[demand.form](demand)
    return Inequality(demand.name, demand.formula, demand.left, right, holds)


def judge_balls(demand: Demand) -> Inequality:
    """The verdict on balls, at the current precision of Arb."""
    right = _right_ball(demand)
    strict = demand.form in ("cover", "count")
    yes = demand.left < right if strict else demand.left <= right
    no = demand.left >= right if strict else demand.left > right
    return Inequality(demand.name, demand.formula, demand.left, right, True if yes else False if no else None)


def _order(demand: Demand) -> tuple[int, bool]:
    return demand.right, demand.left <= demand.right


def _cover(demand: Demand) -> tuple[Fraction, bool]:
    """left < right/𝖾: decided at some precision, because 𝖾 is irrational (and left ≥ 1)."""
    return _refined(demand, lambda: arb(demand.right) / arb.const_e())


def _draw(demand: Demand) -> tuple[Fraction, bool]:
    """left ≤ (t−Θ)·log2(N/Θ) − Θ·log2 𝖾: decided, because equality would make 𝖾^Θ a rational number."""
    return _refined(demand, lambda: _right_ball(demand))


def _count(demand: Demand) -> tuple[Fraction, bool]:
    """left < factor·log2 N: log2 N is an integer if N is a power of two, and irrational if not."""
    if demand.right & (demand.right - 1) == 0:
        right = demand.factor * (demand.right.bit_length() - 1)
        return Fraction(right), demand.left < right
    return _refined(demand, lambda: _right_ball(demand))


def _refined(demand: Demand, right: Callable[[], arb]) -> tuple[Fraction, bool]:
    """A bound of the right side that decides, from balls of 128, 256, … bits."""
    bits = FIRST_BITS
    while True:
        with ctx.workprec(bits):
            ball = right()
            low, high = _rational(ball.lower()), _rational(ball.upper())
        if demand.left < low:
            return low, True
        if demand.left > high:
            return high, False
        bits *= 2


def _rational(exact: arb) -> Fraction:
    mantissa, exponent = (int(part) for part in exact.man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent


def _right_ball(demand: Demand) -> arb:
    right, factor, tries = arb(demand.right), arb(demand.factor), arb(demand.tries)
    match demand.form:
        case "order":
            return right
        case "cover":
            return right / arb.const_e()
        case "draw":
            return ((tries - factor) * (right / factor).log() - factor) / arb.const_log2()
        case _:
            return factor * right.log() / arb.const_log2()


_EXACT: dict[str, Callable[[Demand], tuple[Any, bool]]] = {
    "order": _order,
    "cover": _cover,
    "draw": _draw,
    "count": _count,
}


def _log2_or_none(side: Number) -> float | None:
    """Floats for the eye; verdicts never use them."""
    if isinstance(side, (int, Fraction)):
        return log2_float(side) if side > 0 else None
    logarithm = log2_float(side) if side > 0 else math.nan
    return logarithm if math.isfinite(logarithm) else None
