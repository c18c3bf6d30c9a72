"""Full attention: every query against every token that it sees."""

from __future__ import annotations

from math import lcm

import numpy as np

from separation.arithmetic import integer_matmul
from separation.arithmetic.matrices import IntegerArray, narrow
from separation.models.attention import Reading, Seen
from separation.models.heads import Head
from separation.models.scaled import Scaled


class FullAttention:
    """⌊Σ_j e_ij v_j / Σ_j e_ij⌋, keys in blocks (integer sums add up)."""

    def __init__(self, head: Head, reading: Reading) -> None:
        self.head, self.reading = head, reading
        self.row_entries = reading.source.tokens
        self._seen: Seen | None = None

    def seen(self) -> Seen | None:
        return self._seen

    def rows(self, start: int, queries: Scaled) -> Scaled:
        head, model, source = self.head, self.reading.model, self.reading.source
        query = self.reading.map(queries, head.w_q, "query")
        batch, count, _ = query.values.shape
        stop = start + count if model.causal else source.tokens
        last = np.arange(start, start + count) if model.causal else np.full(count, stop - 1)
        heaviest = Heaviest(batch)
        # |Σ e v| ≤ tokens · 2^P · 2^p when values are whole multiples of 2^-f; Python integers where that is too much.
        fits = stop << (model.precision.score_bits + model.precision.bits) < 2**62
        integers: type = np.int64 if fits else object
        totals: IntegerArray = np.zeros((batch, count), dtype=integers)
        sums: IntegerArray = np.zeros((batch, count, head.w_v.shape[0]), dtype=integers)
        denominator = 1
        for first, stream in source.blocks(0, stop):
            key = self.reading.map(stream, head.w_k, "key")
            value = self.reading.map(stream, head.w_v, "value")
            positions = np.arange(first, first + stream.values.shape[1])
            scale = (query.denominator * key.denominator) << (2 * model.precision.fraction_bits)
            scores = integer_matmul(query.values, np.swapaxes(key.values, 1, 2))
            weights = self.reading.weights(scores, positions[None, :] <= last[:, None], scale, head.shift)
            heaviest.add(first, weights[:, -1])
            if value.denominator != 1:
                integers, sums, totals = object, sums.astype(object), totals.astype(object)
            part: IntegerArray = integer_matmul(weights, value.values).astype(integers)
            common = lcm(denominator, value.denominator)
            sums = sums * (common // denominator) + part * (common // value.denominator)
            denominator = common
            totals = totals + weights.sum(axis=2, dtype=integers)
        self._seen = heaviest.seen(totals[:, -1])
        return Scaled(narrow(sums // (np.where(totals == 0, 1, totals) * denominator)[..., None]), 1)


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
