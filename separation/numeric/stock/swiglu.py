"""Exact products in a SwiGLU block, down·(silu(gate·x) ⊙ (up·x)) without biases.

x·y = silu(x)·y − silu(−x)·y, since silu(x) = x·σ(x) and σ(x) + σ(−x) = 1: two units for a product, one after the other.
Both terms have the same sign, so nothing cancels.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass
class Swiglu:
    """Products that are added one after the other, in a stream of ``width`` numbers.

    where each is (coordinate written, coordinate x, linear form y of the stream, factor).
    """

    width: int
    products: list[tuple[int, int, Array, float]] = field(default_factory=list)

    def read(self, slot: range) -> Array:
        """The linear forms that read a slot."""
        return np.eye(self.width)[slot]

    def product(self, into: int, x: int, y: Array, factor: float) -> None:
        """stream[into] += factor·stream[x]·(y·stream)."""
        self.products.append((into, x, y, factor))

    def complex_product(self, into: range, x: range, y: Array, factor: float) -> None:
        """(a + ib)(c + id) = (ac − bd) + i(ad + bc), for codes whose first half is real and second half imaginary."""
        half = len(into) // 2
        for place in range(half):
            a, b, c, d = x[place], x[half + place], y[place], y[half + place]
            self.product(into[place], a, c, factor)
            self.product(into[place], b, d, -factor)
            self.product(into[half + place], a, d, factor)
            self.product(into[half + place], b, c, factor)

    def matrices(self, hidden: int) -> tuple[Array, Array, Array]:
        """gate (hidden × width), up (hidden × width), down (width × hidden); units that are left over are zero."""
        gate, up, down = (
            np.zeros(shape) for shape in ((hidden, self.width), (hidden, self.width), (self.width, hidden))
        )
        for number, (into, x, y, factor) in enumerate(self.products):
            units = [2 * number, 2 * number + 1]
            gate[units, x], up[units], down[into, units] = (1, -1), y, (factor, -factor)
        return gate, up, down
