"""Arrays that carry a bound on the rounding error of any floating-point run that computes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.files import NumberTooLarge

Floats = NDArray[np.float64]

UNIT = 2.0**-53
"""Unit roundoff of float64."""

UNIT_32 = 2.0**-24
ELEMENTARY = 4
"""An elementary function is taken to be within 2 units in the last place: 4 unit roundoffs."""


def gamma(operations: int, unit: float) -> float:
    """γ_k = k·u / (1 − k·u): the relative error of a product of k factors 1 + δ, |δ| ≤ u."""
    return operations * unit / (1 - operations * unit)


@dataclass(frozen=True, eq=False)
class Tracked:
    """x̃ with |x̂ − x| ≤ error, where x is the exact number and x̂ what is computed with unit roundoff u.

    x̃ = ``value`` is a third number: what float64 gives here, and |x̃ − x| ≤ error too. If ``slack`` is not 0, x̂ comes
    from inputs that are themselves up to the slack away from those of x̃: the error then is that of the operations
    alone. A sum of n products in any order has the error γ_n·Σ|·|. Underflow is not counted.
    """

    value: Floats
    error: Floats
    slack: Floats
    unit: float

    __array_ufunc__ = None

    @classmethod
    def of(cls, value: Any, unit: float, relative: float = 0.0) -> Tracked:
        """Inputs that are off by ``relative`` unit roundoffs of themselves."""
        array = np.asarray(value, dtype=np.float64)
        return cls(array, relative * unit * np.abs(array), np.zeros(array.shape), unit)

    @staticmethod
    def joined(parts: Sequence[Any]) -> Tracked:
        unit = next(part.unit for part in parts if isinstance(part, Tracked))
        tracked = [part if isinstance(part, Tracked) else Tracked.of(part, unit) for part in parts]
        value, error, slack = (
            np.concatenate([getattr(part, name) for part in tracked]) for name in ("value", "error", "slack")
        )
        return Tracked(value, error, slack, unit)

    @property
    def size(self) -> Floats:
        """At least |x|, |x̂| and |x̃|."""
        return np.abs(self.value) + 2 * self.error + self.slack

    @property
    def shape(self) -> tuple[int, ...]:
        return self.value.shape

    def __len__(self) -> int:
        return len(self.value)

    @property
    def T(self) -> Tracked:
        return self._each(np.transpose)

    def __getitem__(self, place: Any) -> Tracked:
        return self._each(lambda array: array[place])

    def reshape(self, *shape: int) -> Tracked:
        return self._each(lambda array: array.reshape(*shape))

    def _each(self, change: Callable[[Floats], Any]) -> Tracked:
        return Tracked(change(self.value), change(self.error), change(self.slack), self.unit)

    def _other(self, other: Any) -> Tracked:
        return other if isinstance(other, Tracked) else Tracked.of(other, self.unit)

    def _rounded(self, value: Floats, error: Floats, slack: Floats) -> Tracked:
        """One rounding of the result."""
        size = np.abs(value) + 2 * error + slack
        return Tracked(value, error + self.unit * size, slack, self.unit)

    def __neg__(self) -> Tracked:
        return Tracked(-self.value, self.error, self.slack, self.unit)

    def __add__(self, other: Any) -> Tracked:
        y = self._other(other)
        return self._rounded(self.value + y.value, self.error + y.error, self.slack + y.slack)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Tracked:
        return self + (-self._other(other))

    def __rsub__(self, other: Any) -> Tracked:
        return (-self).__add__(other)

    def __mul__(self, other: Any) -> Tracked:
        y = self._other(other)
        mine, yours = self.size, y.size
        error = self.error * yours + mine * y.error + self.unit * mine * yours
        return Tracked(self.value * y.value, error, self.slack * yours + mine * y.slack, self.unit)

    __rmul__ = __mul__

    def __matmul__(self, other: Any) -> Tracked:
        return self._product(self, self._other(other))

    def __rmatmul__(self, other: Any) -> Tracked:
        return self._product(self._other(other), self)

    @staticmethod
    def _product(x: Tracked, y: Tracked) -> Tracked:
        mine, yours = x.size, y.size
        error = x.error @ yours + mine @ y.error + gamma(x.shape[-1], x.unit) * (mine @ yours)
        return Tracked(np.asarray(x.value @ y.value), error, x.slack @ yours + mine @ y.slack, x.unit)

    def __truediv__(self, other: Any) -> Tracked:
        """x/y − x̂/ŷ = (x − x̂)/ŷ + x (ŷ − y)/(y ŷ), |y|, |ŷ| ≥ least."""
        y = self._other(other)
        least = np.abs(y.value) - 2 * y.error - y.slack
        if not (least > 0).all():
            raise ZeroDivisionError("a denominator that may be 0")
        error = self.error / least + self.size * y.error / least**2
        slack = self.slack / least + self.size * y.slack / least**2
        return self._rounded(self.value / y.value, error, slack)

    def sum(self, axis: int) -> Tracked:
        terms = gamma(self.shape[axis], self.unit)
        return Tracked(
            self.value.sum(axis), self.error.sum(axis) + terms * self.size.sum(axis), self.slack.sum(axis), self.unit
        )

    def exp(self) -> Tracked:
        largest = np.exp(self.value + 2 * self.error + self.slack)
        error = largest * (np.expm1(self.error) + ELEMENTARY * self.unit)
        return Tracked(np.exp(self.value), error, largest * np.expm1(self.slack), self.unit)

    def moved_by_no_more(self, function: Callable[[Floats], Floats]) -> Tracked:
        """|f(x) − f(y)| ≤ |x − y|, as for max(x, 0): nothing grows."""
        return Tracked(function(self.value), self.error, self.slack, self.unit)


def solve_tracked(lower: Any, right: Any, solve: Callable[[Floats, Floats], Floats]) -> Tracked:
    """(I + L) U = B by substitution: |Û − U| ≤ |(I+L)⁻¹| (γ_{T+1} |L| |Û| + u |Û| + e_L |Û| + e_B).

    where Û is the ``value`` found here and e_L, e_B are the errors of L and B. With X an approximate inverse,
    R = I − X (I + L) and η ≥ ‖R‖_∞: (I+L)⁻¹ = (I−R)⁻¹ X, hence |(I+L)⁻¹| z ≤ |X| z + η/(1−η)·max(|X| z).
    If B has a slack, the U of others is as far away as (I+L)⁻¹ takes it; L must have none.
    """
    unit = (lower if isinstance(lower, Tracked) else right).unit
    lower, right = (part if isinstance(part, Tracked) else Tracked.of(part, unit) for part in (lower, right))
    tokens = len(lower)
    found = solve(lower.value, right.value)
    whole = np.eye(tokens) + lower.value
    inverse = np.linalg.inv(whole)
    remainder = np.abs(np.eye(tokens) - inverse @ whole)
    remainder += np.abs(inverse) @ (gamma(tokens + 1, UNIT) * np.abs(whole) + lower.error)
    eta = float(remainder.sum(axis=1).max())
    if eta >= 0.5:
        raise NumberTooLarge("the approximate inverse is too far off for a bound")
    if lower.slack.any():
        raise NumberTooLarge("a triangular matrix that others may have another of")

    def amplified(z: Floats) -> Floats:
        taken = np.abs(inverse) @ z
        return np.asarray(taken + eta / (1 - eta) * taken.max(axis=0))

    def wrong(size: Floats) -> Floats:
        return np.asarray((gamma(tokens + 1, unit) * lower.size + lower.error) @ size + unit * size + right.error)

    slack = amplified(right.slack)
    size = np.abs(found) + slack
    error = amplified(wrong(size))
    if slack.any():
        # Others' U is also off by its own error, and so is the one found here: at most twice the first bound each.
        error, first = amplified(wrong(size + 4 * error)), error
        if (error > 2 * first).any():
            raise NumberTooLarge("the rounding errors are too large for a bound")
    return Tracked(found, error, slack, unit)
