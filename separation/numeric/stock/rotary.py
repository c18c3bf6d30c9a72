"""Positions as rotations: codes of numbers in the frequencies of RoPE, and amplitudes that tell all of them apart."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from separation.files import InputError
from separation.tasks.shape import bit_count

# Stock code turns a position into a float32; from here on it is no longer that number.
MAX_TOKENS = 2**24
AMPLITUDE_UNIT = Fraction(1, 2**10)
GAP_UNIT = Fraction(1, 2**20)
BLOCK = 2**18
CUTS_A_ROUND = 64


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

    def codes(self, numbers: ArrayLike) -> NDArray[np.float64]:
        """(…, 2·used): cos(2^{-j}·x) for all j, then sin(2^{-j}·x) for all j."""
        angles = _angles(np.asarray(numbers), self.used)
        return np.concatenate([np.cos(angles), np.sin(angles)], axis=-1)


def tuned(tokens: int) -> Rotary:
    """The amplitudes of least sum with gap 1, by linear programming, rounded up to multiples of 2^-10."""
    if tokens > MAX_TOKENS:
        raise InputError(f"the prompt has {tokens} tokens; a float32 position is exact up to {MAX_TOKENS}")
    # The slowest frequency must have room: no difference may come near a full turn of it.
    needed = max(1, bit_count(tokens) - 1)
    frequencies = 1 << bit_count(needed) if needed > 1 else 1
    solution = _least_amplitudes(tokens, needed)
    amplitudes = [AMPLITUDE_UNIT * math.ceil(amplitude / AMPLITUDE_UNIT) for amplitude in solution.tolist()]
    while amplitudes[-1] == 0:
        amplitudes.pop()
    return Rotary(tokens, frequencies, tuple(amplitudes), least_gap(tokens, amplitudes))


def least_gap(tokens: int, amplitudes: list[Fraction] | tuple[Fraction, ...]) -> Fraction:
    """min over d = 1..tokens−1 of Σ_j a_j·(1 − cos(2^{-j}·d)), rounded down by more than float64 can be off.

    Every difference is looked at. The angles are exact; each term is off by at most 4 units in the last place of 2·a_j.
    """
    weights = np.array([float(amplitude) for amplitude in amplitudes])
    least = min(float((_gaps(block, len(weights)) @ weights).min()) for block in _differences(tokens))
    slack = 2 * float(weights.sum()) * (len(weights) + 4) * 2.0**-52
    return max(Fraction(0), GAP_UNIT * math.floor((least - slack) / GAP_UNIT))


def _least_amplitudes(tokens: int, frequencies: int) -> NDArray[np.float64]:
    """min Σ a_j with a ≥ 0 and gap ≥ 1: the differences that a solution violates most are added until none is left."""
    from scipy.optimize import linprog

    chosen = np.arange(1, min(tokens, CUTS_A_ROUND))
    while True:
        limits = -_gaps(chosen, frequencies)
        solution = linprog(np.ones(frequencies), A_ub=limits, b_ub=-np.ones(len(chosen)), method="highs").x
        cuts = _violated(tokens, solution)
        if not cuts.size:
            return np.asarray(solution)
        chosen = np.union1d(chosen, cuts)


def _violated(tokens: int, amplitudes: NDArray[np.float64]) -> NDArray[np.int64]:
    """Up to CUTS_A_ROUND differences of each block whose gap is below 1, the smallest gaps first."""
    found = []
    for block in _differences(tokens):
        gaps = _gaps(block, len(amplitudes)) @ amplitudes
        worst = np.argsort(gaps)[:CUTS_A_ROUND]
        found.append(block[worst[gaps[worst] < 1 - 1e-9]])
    return np.concatenate(found)


def _differences(tokens: int) -> Iterator[NDArray[np.int64]]:
    for start in range(1, tokens, BLOCK):
        yield np.arange(start, min(tokens, start + BLOCK))


def _gaps(differences: NDArray[np.int64], frequencies: int) -> NDArray[np.float64]:
    return 1 - np.cos(_angles(differences, frequencies))


def _angles(numbers: NDArray[np.int64], frequencies: int) -> NDArray[np.float64]:
    """2^{-j}·x, exact in float64."""
    return np.asarray(numbers[..., None] * 2.0 ** -np.arange(frequencies))
