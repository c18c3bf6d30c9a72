"""Positions as points on circles: what rotary embeddings make of a constant key, and how far apart they stay.

code(x) = (cos(x·2^-f), sin(x·2^-f)) for f = 0..c−1, c = ⌈log2 n⌉. Rotary embeddings with frequencies 2^-f turn the key
(1, 0) at position j into code(j), and code(p − t) at position t into code(p), so a query with amplitudes a scores

    Σ_f a_f·cos((p − j)·2^-f),   largest at j = p.

Margin, for a = (4, 1, …, 1) and every distance d in 1..2^c: Σ_f a_f·(1 − cos(d·2^-f)) ≥ 4·(1 − cos 1) > 1.83. For d = 1
the first term is that. For d ≥ 2 let f = min(⌊log2 d⌋, c−1) ≥ 1: d·2^-f lies in [1, 2] and d·2^-(f-1) in [2, 4], where
1 − cos is at least 1 − cos 1 and 1 − cos 2, and these two add up to more than 4·(1 − cos 1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from separation.tasks.shape import bit_count

FIRST_AMPLITUDE = 4.0
LEAST_MARGIN = 4 * (1 - np.cos(1.0))

Array = NDArray[np.float64]


@dataclass(frozen=True)
class CircleCodes:
    """Codes that tell ``length`` positions apart, in the order of rotary embeddings: all cosines, then all sines."""

    length: int

    @property
    def circles(self) -> int:
        """c = ⌈log2 length⌉."""
        return bit_count(self.length)

    @property
    def width(self) -> int:
        """2c: the coordinates of a code; its squared norm is c."""
        return 2 * self.circles

    @property
    def rotary_pairs(self) -> int:
        """h ≥ c, a power of two: only then is base^(-i/h), with base 2^h, a power of two in float32 for every i."""
        return 1 << bit_count(self.circles)

    @property
    def frequencies(self) -> Array:
        return 2.0 ** -np.arange(self.circles)

    @property
    def amplitudes(self) -> Array:
        """a = (4, 1, …, 1)."""
        return np.array([FIRST_AMPLITUDE, *[1.0] * (self.circles - 1)])

    def code(self, numbers: ArrayLike) -> Array:
        """(…, 2c) for numbers of shape (…)."""
        angles = np.asarray(numbers, dtype=np.float64)[..., None] * self.frequencies
        return np.concatenate([np.cos(angles), np.sin(angles)], axis=-1)

    def margins(self) -> Array:
        """Σ_f a_f·(1 − cos(d·2^-f)) for d = 1..length−1."""
        distances = np.arange(1, self.length)[:, None] * self.frequencies
        result: Array = (1 - np.cos(distances)) @ self.amplitudes
        return result
