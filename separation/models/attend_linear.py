"""Linear attention: a sum of outer products, read off by features."""

from __future__ import annotations

from math import gcd, isqrt

import numpy as np

from separation.arithmetic.matrices import IntegerArray, narrow, widen
from separation.models import source
from separation.models.attend_full import Heaviest
from separation.models.attention import Reading, Seen
from separation.models.carried import Carried
from separation.models.heads import LinearHead
from separation.models.scaled import Scaled, joined, product, reduced, transposed
from separation.models.source import overflow, rows_at_once, spans


class LinearAttention:
    """out_t = φ_qᵀ S_t / φ_qᵀ n_t with S_t = Σ_{j≤t} φ_k v_jᵀ, n_t = Σ_{j≤t} φ_k.

    The state of all earlier blocks is kept; inside a block the weights φ_q·φ_k are written out, as in full attention.
    Features, values and states are in units of 1.
    """

    def __init__(self, head: LinearHead, reading: Reading) -> None:
        self.head, self.reading = head, reading
        keys, values = head.w_k.shape[0], head.w_v.shape[0]
        self.row_entries = keys + values
        precision = reading.model.precision
        self.fraction, self.limit = precision.fraction_bits, 1 << (precision.bits - precision.fraction_bits)
        self.state = Scaled(np.zeros((reading.source.batch, keys, values), dtype=np.int64), 1)
        self.normaliser = Scaled(np.zeros((reading.source.batch, keys, 1), dtype=np.int64), 1)
        self.at = 0
        self._last: Scaled | None = None
        self._features: list[Scaled] = []

    def restore(self, carried: Carried, first: int) -> None:
        """Go on from the state before token ``first``."""
        _, keys, values = self.state.values.shape
        self.state = carried.part(0, (keys, values)).in_ones(self.fraction)
        if self.head.normalised:
            self.normaliser = carried.part(keys * values, (keys, 1)).in_ones(self.fraction)
        self.at = first

    def carried(self) -> Carried:
        """The state after the last token."""
        parts = [self.state, self.normaliser] if self.head.normalised else [self.state]
        return Carried.of([part.in_steps(self.fraction) for part in parts])

    def rows(self, start: int, queries: Scaled) -> Scaled:
        for _, stream in self.reading.source.blocks(self.at, start):
            self._add(*self._keys(stream))
        outs = []
        batch, count, width = queries.values.shape
        size = min(max(1, isqrt(source.BLOCK_ENTRIES // batch) // 2), rows_at_once(batch * width))
        for first, last in spans(0, count, size):
            query = self._feature(queries.tokens(first, last), "q")
            key, value = self._keys(self.reading.source.rows(start + first, start + last))
            outs.append(self._read(query, key, value))
            self._add(key, value)
            self._last = query.tokens(last - first - 1, last - first)
        return joined(outs)

    def seen(self) -> Seen | None:
        """The heaviest φ_q·φ_k; weights are integers up to one common factor."""
        if self._last is None:
            return None
        weights = product(self._last, transposed(joined(self._features))).values[:, 0]
        heaviest = Heaviest(len(weights))
        heaviest.add(0, weights)
        return heaviest.seen(weights.astype(object).sum(axis=1))

    def _feature(self, stream: Scaled, letter: str) -> Scaled:
        matrix, bias = getattr(self.head, f"w_{letter}"), getattr(self.head, f"b_{letter}")
        return self.reading.map(stream, matrix, "feature", bias).rectified().in_ones(self.fraction)

    def _keys(self, stream: Scaled) -> tuple[Scaled, Scaled]:
        value = self.reading.map(stream, self.head.w_v, "value")
        return self._feature(stream, "k"), value.in_ones(self.fraction)

    def _read(self, query: Scaled, key: Scaled, value: Scaled) -> Scaled:
        """The queries of a block against the state before it and the block's own keys up to each of them."""
        weights = product(query, transposed(key))
        count = weights.values.shape[1]
        weights = Scaled(np.where(np.tri(count, dtype=bool), weights.values, 0), weights.denominator, weights.bound)
        sums = product(query, self.state).plus(product(weights, value))
        if not self.head.normalised:
            return sums.in_steps(self.fraction)
        totals = product(query, self.normaliser).plus(product(weights, _ones(count)))
        return _floored(sums, totals, self.fraction)

    def _add(self, key: Scaled, value: Scaled) -> None:
        """S and n after a block of tokens; the state after each of them is within the size of activations."""
        self._features.append(key)
        turned = transposed(key)
        # No state inside the block is larger than this; only if it is too large they are computed one by one.
        if self.state.absolute().plus(product(turned, value.absolute())).exceeds(self.limit):
            self._check_each(key, value)
        self.state = self._checked(self.state.plus(product(turned, value)))
        if self.head.normalised:
            self.normaliser = self._checked(self.normaliser.plus(product(turned, _ones(key.values.shape[1]))))
        self.at += key.values.shape[1]

    def _check_each(self, key: Scaled, value: Scaled) -> None:
        """φ_k v_jᵀ added up token by token."""
        state = self.state
        batch, count, keys = key.values.shape
        for first, last in spans(0, count, rows_at_once(batch * keys * value.values.shape[2])):
            left, right = key.values[:, first:last, :, None], value.values[:, first:last, None, :]
            if key.bound * value.bound * (last - first) >= 2**62:
                left, right = left.astype(object), right.astype(object)
            sums = reduced(np.cumsum(left * right, axis=1), key.denominator * value.denominator)
            states = self._checked(Scaled(state.values[:, None], state.denominator, state.bound).plus(sums))
            state = Scaled(states.values[:, -1], states.denominator, states.bound)

    def _checked(self, state: Scaled) -> Scaled:
        if state.exceeds(self.limit):
            raise overflow(self.reading.model, self.reading.number, "state")
        return state


def _ones(count: int) -> Scaled:
    return Scaled(np.ones((count, 1), dtype=np.int64), 1, 1)


def _floored(sums: Scaled, totals: Scaled, fraction: int) -> Scaled:
    """⌊sums / totals⌋ in units of 2^-f, 0/0 = 0."""
    up, down = totals.denominator << fraction, sums.denominator
    common = gcd(up, down)
    above = widen(sums.values, up // common)
    below: IntegerArray = widen(np.where(totals.values == 0, 1, totals.values), down // common)
    return Scaled(narrow(above // below), 1)
