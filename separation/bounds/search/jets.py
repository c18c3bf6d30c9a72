"""Numbers that carry their first and second derivatives: a formula evaluated once gives all three, exactly.

NumPy's functions of one and two numbers accept them, so a formula for floats is one for jets.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]
LN2 = math.log(2)
LOST_BITS = 70.0  # a term that is smaller than another by this much changes nothing


class Jet:
    """A value with its gradient and its Hessian, in variables that `variables` numbers."""

    __slots__ = ("gradient", "hessian", "value")

    def __init__(self, value: float, gradient: Vector, hessian: Vector) -> None:
        self.value, self.gradient, self.hessian = value, gradient, hessian

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        function = _FUNCTIONS.get(ufunc.__name__)
        if method != "__call__" or options or function is None:
            return NotImplemented
        return function(*inputs)

    def __add__(self, other: Jet | float) -> Jet:
        return _sum(self, other)

    __radd__ = __add__

    def __sub__(self, other: Jet | float) -> Jet:
        return _difference(self, other)

    def __rsub__(self, other: float) -> Jet:
        return _difference(other, self)

    def __mul__(self, other: Jet | float) -> Jet:
        return _product(self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Jet | float) -> Jet:
        return _quotient(self, other)

    def __rtruediv__(self, other: float) -> Jet:
        return _quotient(other, self)

    def __neg__(self) -> Jet:
        return Jet(-self.value, -self.gradient, -self.hessian)


def variables(point: Vector, free: npt.NDArray[np.intp]) -> list[Any]:
    """The coordinates of a point: jets at the free ones, floats elsewhere."""
    zero = np.zeros((len(free), len(free)))
    found: list[Any] = [float(value) for value in point]
    for index, place in enumerate(free):
        found[place] = Jet(float(point[place]), np.eye(len(free))[index], zero)
    return found


def derivatives(numbers: list[Any], count: int) -> tuple[Vector, Vector, Vector]:
    """Values, gradients and Hessians of jets and floats, stacked."""
    values = np.array([number.value if isinstance(number, Jet) else float(number) for number in numbers])
    gradients, hessians = np.zeros((len(numbers), count)), np.zeros((len(numbers), count, count))
    for index, number in enumerate(numbers):
        if isinstance(number, Jet):
            gradients[index], hessians[index] = number.gradient, number.hessian
    return values, gradients, hessians


def _sum(a: Jet | float, b: Jet | float) -> Jet:
    if isinstance(a, Jet) and isinstance(b, Jet):
        return Jet(a.value + b.value, a.gradient + b.gradient, a.hessian + b.hessian)
    jet, number = (a, b) if isinstance(a, Jet) else (b, a)
    assert isinstance(jet, Jet)
    assert not isinstance(number, Jet)
    return Jet(jet.value + float(number), jet.gradient, jet.hessian)


def _difference(a: Jet | float, b: Jet | float) -> Jet:
    return _sum(a, -b)


def _product(a: Jet | float, b: Jet | float) -> Jet:
    if isinstance(a, Jet) and isinstance(b, Jet):
        mixed = np.outer(a.gradient, b.gradient)
        hessian = a.value * b.hessian + b.value * a.hessian + mixed + mixed.T
        return Jet(a.value * b.value, a.value * b.gradient + b.value * a.gradient, hessian)
    jet, number = (a, b) if isinstance(a, Jet) else (b, a)
    assert isinstance(jet, Jet)
    assert not isinstance(number, Jet)
    factor = float(number)
    return Jet(factor * jet.value, factor * jet.gradient, factor * jet.hessian)


def _quotient(a: Jet | float, b: Jet | float) -> Jet:
    if not isinstance(b, Jet):
        return _product(a, 1 / b)
    return _product(a, _composed(b, 1 / b.value, -1 / b.value**2, 2 / b.value**3))


def _composed(jet: Jet, value: float, first: float, second: float) -> Jet:
    """f(jet), from f and its derivatives there."""
    return Jet(value, first * jet.gradient, first * jet.hessian + second * np.outer(jet.gradient, jet.gradient))


def log_of_sum(*logs: Any) -> Any:
    """log2 Σ 2^x, over jets and floats."""
    values = [x.value if isinstance(x, Jet) else float(x) for x in logs]
    most = max(values)
    powers = [math.exp2(value - most) if value > most - LOST_BITS else 0.0 for value in values]
    total = math.fsum(powers)
    value = most + math.log2(total) if total > 0 else most
    kept = [(power / total, x) for power, x in zip(powers, logs, strict=True) if power and isinstance(x, Jet)]
    if not kept:
        return value
    (share, first), *rest = kept
    gradient, hessian = share * first.gradient, share * first.hessian
    for share, x in rest:
        gradient, hessian = gradient + share * x.gradient, hessian + share * x.hessian
    if len(kept) > 1 or share < 1:
        slopes = np.array([x.gradient for _, x in kept])
        spread = (slopes.T * [share for share, _ in kept]) @ slopes - np.outer(gradient, gradient)
        hessian = hessian + LN2 * spread
    return Jet(value, gradient, hessian)


def _larger(a: Jet | float, b: Jet | float) -> Any:
    return max(a, b, key=lambda x: float(x.value if isinstance(x, Jet) else x))


def _smaller(a: Jet | float, b: Jet | float) -> Any:
    return min(a, b, key=lambda x: float(x.value if isinstance(x, Jet) else x))


def _exp2(jet: Jet) -> Jet:
    power = math.exp2(jet.value)
    return _composed(jet, power, LN2 * power, LN2 * LN2 * power)


def _log2(jet: Jet) -> Jet:
    value = jet.value
    return _composed(jet, math.log2(value), 1 / (value * LN2), -1 / (value * value * LN2))


def _log1p(jet: Jet) -> Jet:
    rest = 1 + jet.value
    return _composed(jet, math.log1p(jet.value), 1 / rest, -1 / (rest * rest))


def _expm1(jet: Jet) -> Jet:
    power = math.exp(jet.value)
    return _composed(jet, math.expm1(jet.value), power, power)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add": _sum,
    "subtract": _difference,
    "multiply": _product,
    "divide": _quotient,
    "negative": lambda jet: -jet,
    "logaddexp2": log_of_sum,
    "maximum": _larger,
    "minimum": _smaller,
    "exp2": _exp2,
    "log2": _log2,
    "log1p": _log1p,
    "expm1": _expm1,
}
