"""Full attention: every query against every token that it sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import ExactMatrix, IntegerArray, integer_matmul, largest, narrow, widen
from separation.models.reading import Attention, LastWeights, Matrices, Reading
from separation.models.scaled import Scaled

Grid = list[int]
"""g_r: coordinate r is an integer times g_r · 2^-f, at all tokens; 0 if it is 0."""


class OffGrid(Exception):
    """Nothing is known: a number need not be a multiple of 2^-f."""


def products(grid: Grid, factor: int, unit: int) -> Grid:
    """The grid of products: of numbers on a · 2^-f and b · 2^-f they lie on ab · 2^-2f."""
    require(all(factor * number % unit == 0 for number in grid))
    return [factor * number // unit for number in grid]


def affine(matrix: ExactMatrix, bias: ExactMatrix, grid: Grid, unit: int) -> Grid:
    return multiples(bias, [unit], multiples(matrix, grid))


def multiples(matrix: ExactMatrix, grid: Sequence[int], start: Grid | None = None) -> Grid:
    """For each row r of W: the gcd of start_r and all W_rc g_c."""
    result = [0] * matrix.shape[0] if start is None else list(start)
    rows, columns = np.nonzero(matrix.numerators)
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        product = int(matrix.numerators[row, column]) * grid[column]
        require(product % matrix.denominator == 0)
        result[row] = gcd(result[row], product // matrix.denominator)
    return result


def require(holds: bool) -> None:
    if not holds:
        raise OffGrid


Shapes = dict[str, tuple[int, int]]


@dataclass(frozen=True)
class Head(Matrices):
    """out_i = Σ_j e(q_i·k_j) v_j / Σ_j e(q_i·k_j), q = W_Q x, k = W_K x, v = W_V x; the stream gets W_O · out.

    where W_Q, W_K: d_k × width; W_V: d_v × width; W_O: width × d_v; e(s) = ⌊2^P exp(s − shift)⌋; j runs over the
    tokens that i sees. The temperature is a factor of W_Q.

    >>> from separation import Blocks, Head, Stream
    >>> stream, key = Stream([("asked", 2), ("held", 2), ("found", 2)]), Stream([("key", 2)])
    >>> head = Head(
    ...     w_q=Blocks(key, stream).copy("key", "asked", 3).build(),
    ...     w_k=Blocks(key, stream).copy("key", "held").build(),
    ...     w_v=Blocks(key, stream).copy("key", "held").build(),
    ...     w_o=Blocks(stream, key).copy("found", "key").build(),
    ...     shift=Fraction(6),
    ... )
    >>> head.LETTER, head.w_q.shape
    ('F', (2, 6))
    """

    w_q: ExactMatrix
    w_k: ExactMatrix
    w_v: ExactMatrix
    w_o: ExactMatrix
    shift: Fraction

    TYPE: ClassVar = "full"
    LETTER: ClassVar = "F"

    def shapes(self, width: int) -> Shapes:
        keys, values = self.w_q.shape[0], self.w_v.shape[0]
        return {"w_q": (keys, width), "w_k": (keys, width), "w_v": (values, width), "w_o": (width, values)}

    def keys_seen(self, tokens: int) -> int:
        """The largest number of keys that one query of a prompt of ``tokens`` tokens is compared with."""
        return tokens

    def attend(self, reading: Reading) -> FullAttention:
        """The head at work on a stream that it has not begun to read."""
        return FullAttention(self, reading)

    def output_grid(self, grid: Grid, unit: int) -> Grid:  # noqa: ARG002
        """A mean is rounded to multiples of 2^-f."""
        for matrix in (self.w_q, self.w_k):
            multiples(matrix, grid)
        return [1] * len(multiples(self.w_v, grid))


class FullAttention(Attention):
    """⌊Σ_j e_ij v_j / Σ_j e_ij⌋, keys in blocks (integer sums add up)."""

    def __init__(self, head: Head, reading: Reading) -> None:
        self.head, self.reading = head, reading
        self.row_entries = reading.reader.tokens
        self._weights: LastWeights | None = None

    def weights(self) -> LastWeights | None:
        """e_ij of the last query i, for all j that it sees."""
        return self._weights

    def rows(self, start: int, queries: Scaled) -> Scaled:
        reader, causal = self.reading.reader, self.reading.model.causal
        query = self.query(queries)
        count, seen = query.values.shape[1], list[IntegerArray]()
        last = np.arange(start, start + count) if causal else None
        found = self.sums(query, start + count if causal else reader.tokens, last, seen)
        self._weights = LastWeights(np.concatenate(seen, axis=1), found.totals[:, -1])
        return found.quotient()

    def query(self, stream: Scaled) -> Scaled:
        """q_i = W_Q x_i."""
        return self.reading.map(stream, self.head.w_q, "query")

    def sums(
        self,
        query: Scaled,
        stop: int,
        last: NDArray[np.int64] | None = None,
        seen: list[IntegerArray] | None = None,
    ) -> Sums:
        """Σ_j e_ij v_j and Σ_j e_ij over the tokens j < ``stop``; of query i up to ``last[i]``, if given.

        ``seen`` gets the weights of the last query, block by block.
        """
        head, reading = self.head, self.reading
        precision = reading.model.precision
        batch, count, _ = query.values.shape
        # |Σ e v| ≤ tokens · 2^P · 2^p when values are whole multiples of 2^-f; Python integers where that is too much.
        fits = stop << (precision.score_bits + precision.bits) < 2**62
        integers: type = np.int64 if fits else object
        totals: IntegerArray = np.zeros((batch, count), dtype=integers)
        numerators: IntegerArray = np.zeros((batch, count, head.w_v.shape[0]), dtype=integers)
        denominator = 1
        for first, stream in reading.reader.blocks(0, stop):
            key = reading.map(stream, head.w_k, "key")
            value = reading.map(stream, head.w_v, "value")
            positions = np.arange(first, first + stream.values.shape[1])
            scale = (query.denominator * key.denominator) << (2 * precision.fraction_bits)
            scores = integer_matmul(query.values, np.swapaxes(key.values, 1, 2))
            visible = None if last is None else positions[None, :] <= last[:, None]
            weights = reading.weights(scores, visible, scale, head.shift)
            if seen is not None:
                seen.append(weights[:, -1])
            if value.denominator != 1:
                integers, numerators, totals = object, numerators.astype(object), totals.astype(object)
            part: IntegerArray = integer_matmul(weights, value.values).astype(integers)
            common = lcm(denominator, value.denominator)
            numerators = numerators * (common // denominator) + part * (common // value.denominator)
            denominator = common
            totals = totals + weights.sum(axis=2, dtype=integers)
        return Sums(numerators, totals, denominator)


@dataclass(frozen=True)
class Sums:
    """Σ_j e_ij v_j = numerators · 2^-f / denominator, and totals = Σ_j e_ij, for each query i and some tokens j.

    where numerators: (batch, queries, d_v); totals: (batch, queries).
    """

    numerators: IntegerArray
    totals: IntegerArray
    denominator: int = 1

    @classmethod
    def joined(cls, parts: Sequence[Sums]) -> Sums:
        """Blocks of queries one after the other."""
        if len(parts) == 1:
            return parts[0]
        common = lcm(*(part.denominator for part in parts))
        numerators = [widen(part.numerators, common // part.denominator) for part in parts]
        return cls(np.concatenate(numerators, axis=1), np.concatenate([part.totals for part in parts], axis=1), common)

    def plus(self, other: Sums) -> Sums:
        """The sums over both groups of tokens."""
        common = lcm(self.denominator, other.denominator)
        left, right = (widen(part.numerators, common // part.denominator) for part in (self, other))
        return Sums(_added(left, right), _added(self.totals, other.totals), common)

    def queries(self, start: int, stop: int | None) -> Sums:
        """Those of a block of queries."""
        return Sums(self.numerators[:, start:stop], self.totals[:, start:stop], self.denominator)

    def quotient(self) -> Scaled:
        """⌊numerators / totals⌋ in units of 2^-f; 0/0 = 0."""
        below = widen(np.where(self.totals == 0, 1, self.totals), self.denominator)
        return Scaled(narrow(self.numerators // below[..., None]), 1)


def _added(left: IntegerArray, right: IntegerArray) -> IntegerArray:
    """left + right; in Python integers where int64 might wrap."""
    if left.dtype != object and right.dtype != object and largest(left) + largest(right) >= 2**62:
        left = left.astype(object)
    return left + right
