"""Newton's method for smooth convex functions in a box."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]
# z ↦ (value, () ↦ (gradient, Hessian)), or None outside the domain.
Potential = Callable[[Vector], tuple[float, Callable[[], tuple[Vector, Vector]]] | None]

STEPS = 60
DECREASE = 1e-3  # of the potential: one step that promises less is not taken
ROUNDING = 1e-13  # of the potential's size: a decrease below it cannot be seen in floats
SHORTEST_STEP = 1e-9


@dataclass(frozen=True)
class Box:
    """low ≤ z ≤ high, coordinate by coordinate; equal ends fix a variable."""

    low: Vector
    high: Vector

    @property
    def free(self) -> Indices:
        """The indices of the variables that are not fixed."""
        return np.flatnonzero(self.high > self.low)

    def interior(self, z: Vector) -> Vector:
        """The nearest point with some distance to the ends of the box."""
        slack = np.where(np.isfinite(self.high), np.minimum(0.05, (self.high - self.low) / 4), 0.05)
        return np.clip(z, self.low + slack, self.high - slack)

    def with_low(self, index: int, value: float) -> Box:
        low = self.low.copy()
        low[index] = value
        return Box(low, self.high)

    def with_high(self, index: int, value: float) -> Box:
        high = self.high.copy()
        high[index] = value
        return Box(self.low, high)


def box_barrier(box: Box, z: Vector) -> tuple[float, Vector, Vector] | None:
    """−Σ log of the distances to the ends of the box, its gradient and the diagonal of its Hessian."""
    free = box.free
    below, above = (z - box.low)[free], (box.high - z)[free]
    if (below <= 0).any() or (above <= 0).any():
        return None
    gradient, diagonal = np.zeros(len(z)), np.zeros(len(z))
    gradient[free], diagonal[free] = 1 / above - 1 / below, 1 / above**2 + 1 / below**2
    return float(-np.log(below).sum() - np.log(above[np.isfinite(above)]).sum()), gradient, diagonal


def newton(potential: Potential, z: Vector, indices: Indices, enough: float = -math.inf) -> Vector:
    """Newton's method with backtracking over the variables at ``indices``; stops early once the last one is enough."""
    here = potential(z)
    for _ in range(STEPS):
        if here is None or z[-1] <= enough:
            break
        value, derivatives = here
        gradient, matrix = derivatives()
        block = matrix[np.ix_(indices, indices)]
        step = np.zeros(len(z))
        step[indices] = -np.linalg.solve(block + 1e-12 * np.diag(1 + np.diag(block)), gradient[indices])
        decrease = -gradient @ step
        if not decrease > DECREASE + ROUNDING * abs(value):
            break
        size = 1.0
        while (there := potential(z + size * step)) is None or there[0] > value - 0.1 * size * decrease:
            size /= 2
            if size < SHORTEST_STEP:
                return z
        z, here = z + size * step, there
    return z
