"""Numbers as rotations: codes in the frequencies of RoPE, amplitudes that tell all positions apart, exact products.

Sums of numbers are products of codes, and a SwiGLU block down·(silu(gate·x) ⊙ (up·x)) without biases makes products
exactly: x·y = silu(x)·y − silu(−x)·y, since silu(x) = x·σ(x) and σ(x) + σ(−x) = 1. That takes two units, one after the
other; both terms have the same sign, so nothing cancels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from constructions.hops import Hop
from separation.files import InputError
from separation.tasks.shape import bit_count

Array = NDArray[np.float64]

# Stock code turns a position into a float32; from here on it is no longer that number.
MAX_TOKENS = 2**24
AMPLITUDE_UNIT = Fraction(1, 2**10)
GAP_UNIT = Fraction(1, 2**20)
ALONE = 2**13
CUTS_A_ROUND = 64
SOLVER_SLACK = 1e-7


@dataclass(frozen=True)
class Rotary:
    """Σ_j a_j·(1 − cos(2^{-j}·d)) ≥ gap for all d = 1..tokens−1.

    where a_0, a_1, … are the ``amplitudes`` of the first frequencies, and a head has ``frequencies`` of them in all:
    a power of two, because stock code computes 1 / (2^h)^(j/h) in float32, and j/h is exact there for no other h.
    """

    tokens: int
    frequencies: int
    amplitudes: tuple[Fraction, ...]
    gap: Fraction

    @property
    def used(self) -> int:
        """The number of frequencies that carry a code."""
        return len(self.amplitudes)

    @property
    def total(self) -> Fraction:
        """Σ_j a_j: the score of a match, and the largest score in absolute value."""
        return sum(self.amplitudes, Fraction(0))

    def codes(self, numbers: ArrayLike) -> Array:
        """(…, 2·used): cos(2^{-j}·x) for all j, then sin(2^{-j}·x) for all j."""
        angles = _angles(np.asarray(numbers), self.used)
        return np.concatenate([np.cos(angles), np.sin(angles)], axis=-1)

    def steps(self, hop: Hop) -> Array:
        """(digits, 2·used): code(position asked for at index 0 − position of w)."""
        return self.codes(hop.starts() - (self.tokens - 1))


@lru_cache(maxsize=256)
def tuned(tokens: int) -> Rotary:
    """The amplitudes of least sum with gap 1, by linear programming, rounded up to multiples of 2^-10."""
    if tokens > MAX_TOKENS:
        raise InputError(f"the prompt has {tokens} tokens; a float32 position is exact up to {MAX_TOKENS}")
    # The slowest frequency needs slack: no difference may come near a full turn of it.
    needed = max(1, bit_count(tokens) - 1)
    frequencies = 1 << bit_count(needed)
    solution = _least_amplitudes(tokens, needed)
    amplitudes = [AMPLITUDE_UNIT * math.ceil(amplitude / AMPLITUDE_UNIT) for amplitude in solution.tolist()]
    while amplitudes[-1] == 0:
        amplitudes.pop()
    return Rotary(tokens, frequencies, tuple(amplitudes), least_gap(tokens, amplitudes))


def least_gap(tokens: int, amplitudes: Sequence[Fraction]) -> Fraction:
    """A lower bound on Σ_j a_j·(1 − cos(2^{-j}·d)) over d = 1..tokens−1, exact but for rounding below ALONE tokens.

    The angles are exact in float64; each term is off by at most 4 units in the last place of 2·a_j.
    """
    weights = np.array([float(amplitude) for amplitude in amplitudes])
    least = float((_gaps(tokens, len(weights)) @ weights).min())
    slack = 2 * float(weights.sum()) * (len(weights) + 4) * 2.0**-52
    return max(Fraction(0), GAP_UNIT * math.floor((least - slack) / GAP_UNIT))


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
        for index in range(half):
            a, b, c, d = x[index], x[half + index], y[index], y[half + index]
            self.product(into[index], a, c, factor)
            self.product(into[index], b, d, -factor)
            self.product(into[half + index], a, d, factor)
            self.product(into[half + index], b, c, factor)

    def matrices(self, hidden: int) -> tuple[Array, Array, Array]:
        """gate (hidden × width), up (hidden × width), down (width × hidden); units that are left over are zero."""
        gate, up, down = (
            np.zeros(shape) for shape in ((hidden, self.width), (hidden, self.width), (self.width, hidden))
        )
        for number, (into, x, y, factor) in enumerate(self.products):
            units = [2 * number, 2 * number + 1]
            gate[units, x], up[units], down[into, units] = (1, -1), y, (factor, -factor)
        return gate, up, down


def _least_amplitudes(tokens: int, frequencies: int) -> Array:
    """min Σ a_j with a ≥ 0 and gap ≥ 1: the differences that a solution violates most are added until none is left."""
    from scipy.optimize import linprog

    gaps = _gaps(tokens, frequencies)
    chosen = np.arange(min(len(gaps), CUTS_A_ROUND))
    while True:
        solution = linprog(np.ones(frequencies), A_ub=-gaps[chosen], b_ub=-np.ones(len(chosen)), method="highs").x
        reached = gaps @ solution
        worst = np.argsort(reached)[:CUTS_A_ROUND]
        cuts = worst[reached[worst] < 1 - SOLVER_SLACK]
        if not cuts.size:
            return np.asarray(solution)
        chosen = np.union1d(chosen, cuts)


def _gaps(tokens: int, frequencies: int) -> Array:
    """A row for each difference: 1 − cos(2^{-j}·d) for every j, or a bound below that for a block of differences.

    Up to ALONE each difference has its own row. From there on each octave is cut into ALONE/2 blocks c ± r, and since
    1 − cos is at least 0 and changes by at most the angle, max(0, 1 − cos(2^{-j}·c) − 2^{-j}·r) holds for the block.
    """
    centres, radii = [np.arange(1, min(tokens, ALONE))], [np.zeros(min(tokens, ALONE) - 1)]
    for octave in range(bit_count(ALONE), bit_count(tokens)):
        radius = (1 << octave) // ALONE
        centres.append((1 << octave) + radius * np.arange(1, ALONE, 2))
        radii.append(np.full(ALONE // 2, radius))
    slack = _angles(np.concatenate(radii), frequencies)
    return np.asarray(np.maximum(0, 1 - np.cos(_angles(np.concatenate(centres), frequencies)) - slack))


def _angles(numbers: NDArray[Any], frequencies: int) -> Array:
    """2^{-j}·x, exact in float64."""
    return np.asarray(numbers[..., None] * 2.0 ** -np.arange(frequencies))
