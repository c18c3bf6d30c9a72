"""Linear attention: a sum of outer products, read off by features."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd, isqrt
from typing import ClassVar

import numpy as np

from separation.arithmetic import ExactMatrix, IntegerArray, narrow, widen
from separation.models.full_head import Grid, Shapes, affine, multiples, products
from separation.models.reading import LastWeights, NeverRounded, Reading, Stateful, overflow, rows_at_once, spans
from separation.models.scaled import HeadState, Scaled, joined, product, reduced, transposed


@dataclass(frozen=True)
class LinearHead(NeverRounded):
    """S_t = S_{t-1} + φ_k v_tᵀ, n_t = n_{t-1} + φ_k; out_t = φ_qᵀ S_t / φ_qᵀ n_t, or φ_qᵀ S_t if not ``normalised``.

    where φ_q = relu(W_Q x + b_Q), φ_k = relu(W_K x + b_K), v = W_V x; W_Q, W_K: d_k × width; b_Q, b_K: d_k × 1;
    W_V: d_v × width; W_O: width × d_v. The quotient is rounded down; without one nothing is.

    >>> from separation import Blocks, ExactMatrix, LinearHead, Stream
    >>> stream, state = Stream([("one", 1), ("value", 2)]), Stream([("v", 2)])
    >>> always = ExactMatrix.from_rows([[1, 0, 0]])
    >>> head = LinearHead(
    ...     w_q=always, b_q=ExactMatrix.zeros(1, 1), w_k=always, b_k=ExactMatrix.zeros(1, 1),
    ...     w_v=Blocks(state, stream).copy("v", "value").build(),
    ...     w_o=Blocks(stream, state).copy("value", "v").build(),
    ...     normalised=False,
    ... )
    >>> head.LETTER, head.state_entries
    ('R', 2)
    """

    w_q: ExactMatrix
    b_q: ExactMatrix
    w_k: ExactMatrix
    b_k: ExactMatrix
    w_v: ExactMatrix
    w_o: ExactMatrix
    normalised: bool

    TYPE: ClassVar = "linear"
    LETTER: ClassVar = "R"

    def shapes(self, width: int) -> Shapes:
        keys, values = self.w_q.shape[0], self.w_v.shape[0]
        maps = {"w_q": (keys, width), "w_k": (keys, width), "w_v": (values, width), "w_o": (width, values)}
        return {**maps, "b_q": (keys, 1), "b_k": (keys, 1)}

    @property
    def state_entries(self) -> int:
        """d_k·d_v, and d_k for the normaliser."""
        return self.w_k.shape[0] * (self.w_v.shape[0] + self.normalised)

    def attend(self, reading: Reading) -> LinearAttention:
        """The head at work, from its initial state."""
        return LinearAttention(self, reading)

    def output_grid(self, grid: Grid, unit: int) -> Grid:
        """Features and values are followed into the state, and from there into the output."""
        query, key = affine(self.w_q, self.b_q, grid, unit), affine(self.w_k, self.b_k, grid, unit)
        value = multiples(self.w_v, grid)
        products(value, gcd(*key), unit)
        if self.normalised:
            return [1] * len(value)
        return products(value, gcd(*(q * k for q, k in zip(query, key, strict=True))), unit**2)


class LinearAttention(Stateful):
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
        self.state = Scaled(np.zeros((reading.reader.batch, keys, values), dtype=np.int64), 1)
        self.normaliser = Scaled(np.zeros((reading.reader.batch, keys, 1), dtype=np.int64), 1)
        self.at = 0
        self._last: Scaled | None = None
        self._features: list[Scaled] = []

    def restore(self, state: HeadState, first: int) -> None:
        """Go on from the state before token ``first``."""
        _, keys, values = self.state.values.shape
        self.state = state.part(0, (keys, values)).in_ones(self.fraction)
        if self.head.normalised:
            self.normaliser = state.part(keys * values, (keys, 1)).in_ones(self.fraction)
        self.at = first

    def head_state(self) -> HeadState:
        """The state after the last token."""
        parts = [self.state, self.normaliser] if self.head.normalised else [self.state]
        return HeadState.of([part.in_steps(self.fraction) for part in parts])

    def rows(self, start: int, queries: Scaled) -> Scaled:
        for _, stream in self.reading.reader.blocks(self.at, start):
            self._add(*self._keys(stream))
        outs = []
        batch, count, width = queries.values.shape
        size = min(max(1, isqrt(rows_at_once(batch)) // 2), rows_at_once(batch * width))
        for first, last in spans(0, count, size):
            query = self._feature(queries.tokens(first, last), "q")
            key, value = self._keys(self.reading.reader.rows(start + first, start + last))
            outs.append(self._read(query, key, value))
            self._add(key, value)
            self._last = query.tokens(last - first - 1, last - first)
        return joined(outs)

    def weights(self) -> LastWeights | None:
        """φ_q·φ_k of all tokens up to the last query's, as integers up to one common factor."""
        if self._last is None:
            return None
        weights = product(self._last, transposed(joined(self._features))).values[:, 0]
        return LastWeights(weights, weights.astype(object).sum(axis=1))

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
