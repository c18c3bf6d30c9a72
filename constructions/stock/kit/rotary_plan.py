"""Numbers as rotations in the slots of a stream, and the matrices that write and read them, in any stock class."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from math import sqrt

import numpy as np

from constructions.hops import schedule
from constructions.stock.kit.rotations import tuned
from constructions.stock.kit.target import Array
from separation.models import Stream
from separation.tasks.funccomp import Sizes


class RotaryPlan(ABC):
    """Slots `one`, `last` and `value`, and codes of ``code`` numbers, whose squared norm is half of that.

    where a head has ``head_dim`` numbers: cosine j is number j and sine j number head_dim/2 + j, turned together.
    """

    stream: Stream

    def __init__(self, sizes: Sizes, letters: str, epsilon: float) -> None:
        self.sizes, self.epsilon = sizes, epsilon
        self.reads = schedule(sizes, letters)
        self.rotary = tuned(sizes.length)
        self.code, self.head_dim = 2 * self.rotary.used, 2 * self.rotary.frequencies

    @property
    @abstractmethod
    def temperature(self) -> Fraction | float:
        """τ: the match scores τ·Σa."""

    def root_mean_square(self, squared_norm: float, width: int | None = None) -> float:
        """√(|x|²/d + ε): what RMSNorm divides a row by; as a weight, the identity on a row of this norm."""
        return sqrt(squared_norm / (width or self.stream.width) + self.epsilon)

    def token_rows(self) -> tuple[Array, Array, Array]:
        """A row for each token id, with `value` and `last` in it; and of these rows those of values and of queries."""
        rows = np.zeros((self.sizes.vocabulary, self.stream.width))
        values, queries = rows[: self.sizes.N[-1]], rows[self.sizes.N[-1] :]
        values[:, self.stream["value"]] = self.rotary.codes(np.arange(len(values)))
        queries[:, self.stream["last"]] = 1
        return rows, values, queries

    def unembedding(self, found: str) -> Array:
        """The logit of v is Σ_j a_j·(code_j(v)·found_j), at most Σ_j a_j − gap for every wrong v; 0 for queries."""
        rows = np.zeros((self.sizes.vocabulary, self.stream.width))
        values, amplitudes = np.arange(self.sizes.N[-1]), np.array(self.rotary.amplitudes * 2, dtype=np.float64)
        rows[values[:, None], self.stream[found]] = amplitudes * self.rotary.codes(values)
        return rows

    def selector(self, slot: str, rows: int | None = None, factor: float = 1.0) -> Array:
        """rows (of a head, if nothing is said) × width: row r is factor·(coordinate r of the slot), then zeros."""
        matrix = np.zeros((rows or self.head_dim, self.stream.width))
        matrix[np.arange(len(self.stream[slot])), list(self.stream[slot])] = factor
        return matrix

    def rotary_selector(self, slot: str) -> Array:
        """head_dim × width: a code in the layout of rotary embeddings."""
        matrix, half = np.zeros((self.head_dim, self.stream.width)), self.head_dim // 2
        rows = [*range(self.rotary.used), *range(half, half + self.rotary.used)]
        matrix[rows, list(self.stream[slot])] = 1
        return matrix

    def circles(self, slot: str) -> Array:
        """head_dim × width: the number of a slot times the code of 0, (1, 0) on every circle."""
        matrix = np.zeros((self.head_dim, self.stream.width))
        matrix[: self.rotary.used, self.stream[slot].start] = 1
        return matrix

    def strengths(self) -> Array:
        """head_dim numbers: what a code is multiplied by, so that it scores τ·a after the stock scale."""
        found = np.zeros(self.head_dim // 2)
        amplitudes = np.array(self.rotary.amplitudes, dtype=np.float64)
        found[: self.rotary.used] = amplitudes * float(self.temperature) * sqrt(self.head_dim)
        return np.tile(found, 2)
