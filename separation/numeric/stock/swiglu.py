"""Exact products in a SwiGLU block, down·(silu(gate·x) ⊙ (up·x)) without biases.

x·y = silu(x)·y − silu(−x)·y, since silu(x) = x·σ(x) and σ(x) + σ(−x) = 1: two units for a product.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
# (gate coordinate, its sign, up coordinate, coordinate written, factor)
_Unit = tuple[int, int, int, int, float]


@dataclass
class Swiglu:
    """Units that are added one product after the other."""

    units: list[_Unit] = field(default_factory=list)

    def product(self, into: int, x: int, y: int, factor: float) -> None:
        """stream[into] += factor·stream[x]·stream[y]."""
        self.units += [(x, 1, y, into, factor), (x, -1, y, into, -factor)]

    def complex_product(self, into: range, x: range, y: range, factor: float) -> None:
        """(a + ib)(c + id) = (ac − bd) + i(ad + bc), for codes whose first half is real and second half imaginary."""
        half = len(into) // 2
        for place in range(half):
            a, b, c, d = x[place], x[half + place], y[place], y[half + place]
            self.product(into[place], a, c, factor)
            self.product(into[place], b, d, -factor)
            self.product(into[half + place], a, d, factor)
            self.product(into[half + place], b, c, factor)

    def matrices(self, width: int, hidden: int) -> tuple[Array, Array, Array]:
        """gate (hidden × width), up (hidden × width), down (width × hidden); units that are left over are zero."""
        gate, up, down = np.zeros((hidden, width)), np.zeros((hidden, width)), np.zeros((width, hidden))
        for unit, (x, sign, y, into, factor) in enumerate(self.units):
            gate[unit, x], up[unit, y], down[into, unit] = sign, 1.0, factor
        return gate, up, down
