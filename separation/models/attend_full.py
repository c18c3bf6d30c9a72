"""Full attention: every query against every token that it sees."""

from __future__ import annotations

from math import lcm

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import integer_matmul
from separation.arithmetic.matrices import IntegerArray, narrow
from separation.models.attention import Reading, Seen
from separation.models.heads import Head
from separation.models.scaled import Scaled
from separation.models.sums import Sums


class FullAttention:
    """⌊Σ_j e_ij v_j / Σ_j e_ij⌋, keys in blocks (integer sums add up)."""

    def __init__(self, head: Head, reading: Reading) -> None:
        self.head, self.reading = head, reading
        self.row_entries = reading.source.tokens
        self._seen: Seen | None = None

    def seen(self) -> Seen | None:
        return self._seen

    def rows(self, start: int, queries: Scaled) -> Scaled:
        source, causal = self.reading.source, self.reading.model.causal
        query = self.query(queries)
        batch, count, _ = query.values.shape
        heaviest = Heaviest(batch)
        last = np.arange(start, start + count) if causal else None
        found = self.sums(query, start + count if causal else source.tokens, last, heaviest)
        self._seen = heaviest.seen(found.totals[:, -1])
        return found.quotient()

    def query(self, stream: Scaled) -> Scaled:
        """q_i = W_Q x_i."""
        return self.reading.map(stream, self.head.w_q, "query")

    def sums(
        self, query: Scaled, stop: int, last: NDArray[np.int64] | None = None, heaviest: Heaviest | None = None
    ) -> Sums:
        """Σ_j e_ij v_j and Σ_j e_ij over the tokens j < ``stop``; of query i up to ``last[i]``, if given."""
        head, reading = self.head, self.reading
        precision = reading.model.precision
        batch, count, _ = query.values.shape
        # |Σ e v| ≤ tokens · 2^P · 2^p when values are whole multiples of 2^-f; Python integers where that is too much.
        fits = stop << (precision.score_bits + precision.bits) < 2**62
        integers: type = np.int64 if fits else object
        totals: IntegerArray = np.zeros((batch, count), dtype=integers)
        numerators: IntegerArray = np.zeros((batch, count, head.w_v.shape[0]), dtype=integers)
        denominator = 1
        for first, stream in reading.source.blocks(0, stop):
            key = reading.map(stream, head.w_k, "key")
            value = reading.map(stream, head.w_v, "value")
            positions = np.arange(first, first + stream.values.shape[1])
            scale = (query.denominator * key.denominator) << (2 * precision.fraction_bits)
            scores = integer_matmul(query.values, np.swapaxes(key.values, 1, 2))
            visible = None if last is None else positions[None, :] <= last[:, None]
            weights = reading.weights(scores, visible, scale, head.shift)
            if heaviest is not None:
                heaviest.add(first, weights[:, -1])
            if value.denominator != 1:
                integers, numerators, totals = object, numerators.astype(object), totals.astype(object)
            part: IntegerArray = integer_matmul(weights, value.values).astype(integers)
            common = lcm(denominator, value.denominator)
            numerators = numerators * (common // denominator) + part * (common // value.denominator)
            denominator = common
            totals = totals + weights.sum(axis=2, dtype=integers)
        return Sums(numerators, totals, denominator)


class Heaviest:
    """The heaviest token of each prompt, of equals the first."""

    def __init__(self, batch: int) -> None:
        self.positions = np.full(batch, -1, dtype=np.int64)
        self.weights: IntegerArray = np.full(batch, -1, dtype=object)

    def add(self, first: int, weights: IntegerArray) -> None:
        """The weights of the tokens first, first + 1, …: (batch, tokens)."""
        places = weights.argmax(axis=1)
        found = weights[np.arange(len(places)), places].astype(object)
        better = found > self.weights
        self.positions = np.where(better, first + places, self.positions)
        self.weights = np.where(better, found, self.weights)

    def seen(self, totals: IntegerArray) -> Seen:
        return Seen(self.positions, narrow(self.weights), narrow(totals))
