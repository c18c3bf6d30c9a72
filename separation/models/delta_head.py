"""The gated delta rule: a sequential scan over a matrix state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import gcd, lcm
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import ExactMatrix, IntegerArray
from separation.models.full_head import Grid, Shapes, affine, multiples, products, require
from separation.models.reading import NeverRounded, Reading, Stateful, overflow
from separation.models.scaled import HeadState, Scaled, joined, product, reduced


@dataclass(frozen=True)
class DeltaHead(NeverRounded):
    """S_t = α (S_{t-1} − β k kᵀ S_{t-1}) + β k vᵀ; out_t = S_tᵀ q: the gated delta rule.

    where q = W_Q x, k = W_K x, v = W_V x, α = clip(W_A x + b_A), β = clip(W_B x + b_B), clip to [0, 1];
    W_Q, W_K: d_k × width; W_V: d_v × width; W_A, W_B: 1 × width; b_A, b_B: 1 × 1; W_O: width × d_v.

    >>> from separation import Blocks, DeltaHead, ExactMatrix, Stream
    >>> stream, state = Stream([("one", 1), ("write", 1), ("value", 2)]), Stream([("v", 2)])
    >>> key, none = ExactMatrix.from_rows([[1, 0, 0, 0]]), ExactMatrix.zeros(1, 4)
    >>> head = DeltaHead(
    ...     w_q=key, w_k=key,
    ...     w_v=Blocks(state, stream).copy("v", "value").build(),
    ...     w_a=none, b_a=ExactMatrix.from_rows([[1]]),  # nothing is forgotten
    ...     w_b=ExactMatrix.from_rows([[0, 1, 0, 0]]), b_b=ExactMatrix.zeros(1, 1),  # written where `write` is 1
    ...     w_o=Blocks(stream, state).copy("value", "v").build(),
    ... )
    >>> head.LETTER, head.state_entries
    ('R', 2)
    """

    w_q: ExactMatrix
    w_k: ExactMatrix
    w_v: ExactMatrix
    w_a: ExactMatrix
    b_a: ExactMatrix
    w_b: ExactMatrix
    b_b: ExactMatrix
    w_o: ExactMatrix

    TYPE: ClassVar = "delta"
    LETTER: ClassVar = "R"

    def shapes(self, width: int) -> Shapes:
        keys, values = self.w_q.shape[0], self.w_v.shape[0]
        maps = {"w_q": (keys, width), "w_k": (keys, width), "w_v": (values, width), "w_o": (width, values)}
        return {**maps, "w_a": (1, width), "b_a": (1, 1), "w_b": (1, width), "b_b": (1, 1)}

    @property
    def state_entries(self) -> int:
        """d_k·d_v."""
        return self.w_k.shape[0] * self.w_v.shape[0]

    def single_updates(self) -> list[DeltaHead]:
        """The one update that a token makes."""
        return [self]

    def attend(self, reading: Reading) -> DeltaAttention:
        """The head at work, from its initial state."""
        return DeltaAttention(self, reading)

    def output_grid(self, grid: Grid, unit: int) -> Grid:
        """Gates in {0, 1} and integer keys make the state an integer combination of values."""
        query, key, value = (multiples(matrix, grid) for matrix in (self.w_q, self.w_k, self.w_v))
        gates = [*affine(self.w_a, self.b_a, grid, unit), *affine(self.w_b, self.b_b, grid, unit)]
        require(all(number % unit == 0 for number in (*key, *gates)))
        return products(value, gcd(*query), unit)


@dataclass(frozen=True)
class ProductHead(NeverRounded):
    """For u = 1..r: S ← S − β_u k_u k_uᵀ S + β_u k_u v_uᵀ; then out = Sᵀ q: several delta updates a token.

    where W_K, W_V, W_B, b_B stack those of the updates: W_K: r·d_k × width; W_V: r·d_v × width; W_B: r × width; b_B:
    r × 1; W_Q: d_k × width; W_O: width × d_v; β is clipped to [0, 1]. A transposition of two entries of a unit vector
    is one update, k = e_i − e_j with β = 1; a rotation needs two, as the determinant of one is never 1.

    References
    ----------
    J. Siems et al., DeltaProduct: improving state-tracking in linear RNNs via Householder products, 2025.

    >>> from separation.models import ProductHead
    >>> from separation import ExactMatrix
    >>> swap = ExactMatrix.from_rows([[1], [-1]])  # of a stream with one slot that is 1
    >>> none = ExactMatrix.zeros(1, 1)
    >>> head = ProductHead(swap, swap, none, ExactMatrix.from_rows([[1]]), none, none, updates=1)
    >>> head.LETTER, head.state_entries
    ('R', 2)
    """

    w_q: ExactMatrix
    w_k: ExactMatrix
    w_v: ExactMatrix
    w_b: ExactMatrix
    b_b: ExactMatrix
    w_o: ExactMatrix
    updates: int

    TYPE: ClassVar = "product"
    LETTER: ClassVar = "R"

    def shapes(self, width: int) -> Shapes:
        keys, values, r = self.w_q.shape[0], self.w_o.shape[1], self.updates
        maps = {"w_q": (keys, width), "w_k": (r * keys, width), "w_v": (r * values, width), "w_o": (width, values)}
        return {**maps, "w_b": (r, width), "b_b": (r, 1)}

    @property
    def state_entries(self) -> int:
        """d_k·d_v."""
        return self.w_q.shape[0] * self.w_o.shape[1]

    def single_updates(self) -> list[DeltaHead]:
        """The updates of a token, each as a delta rule that forgets nothing."""
        keys, values = self.w_q.shape[0], self.w_o.shape[1]
        always = ExactMatrix.zeros(1, self.w_b.shape[1]), ExactMatrix.from_rows([[1]])

        def part(matrix: ExactMatrix, u: int, height: int) -> ExactMatrix:
            return matrix.rows(np.arange(u * height, (u + 1) * height))

        return [
            DeltaHead(
                self.w_q,
                part(self.w_k, u, keys),
                part(self.w_v, u, values),
                *always,
                part(self.w_b, u, 1),
                part(self.b_b, u, 1),
                self.w_o,
            )
            for u in range(self.updates)
        ]

    def attend(self, reading: Reading) -> DeltaAttention:
        """The head at work, from its initial state."""
        return DeltaAttention(self, reading)

    def output_grid(self, grid: Grid, unit: int) -> Grid:
        """As of the delta rule: integer keys and gates."""
        query, key, value = (multiples(matrix, grid) for matrix in (self.w_q, self.w_k, self.w_v))
        gates = affine(self.w_b, self.b_b, grid, unit)
        require(all(number % unit == 0 for number in (*key, *gates)))
        return products([gcd(*value)] * self.w_o.shape[1], gcd(*query), unit)


@dataclass(frozen=True)
class _Writes:
    """What a block of tokens does to the state, in units of 1."""

    alpha: Scaled
    beta: Scaled
    key: Scaled
    value: Scaled

    def tokens(self) -> NDArray[np.int64]:
        """Those that may change the state: α = 1 and β = 0 leave it alone."""
        idle = (self.alpha.values == self.alpha.denominator) & (self.beta.values == 0)
        return np.flatnonzero(~idle.all(axis=0))

    def at(self, token: int) -> tuple[IntegerArray, IntegerArray, IntegerArray, IntegerArray]:
        """α, β, k, v of a token, in the dimensions of the state: (batch, d_k, d_v)."""
        alpha, beta = (gate.values[:, token, None, None] for gate in (self.alpha, self.beta))
        return alpha, beta, self.key.values[:, token, :, None], self.value.values[:, token, None, :]

    def factors(self, denominator: int) -> tuple[int, int, int, int]:
        """(common denominator, factors of S, of k kᵀ S and of k vᵀ) for a state over ``denominator``."""
        decayed = self.alpha.denominator * denominator
        erased = decayed * self.beta.denominator * self.key.denominator**2
        added = self.beta.denominator * self.key.denominator * self.value.denominator
        common = lcm(erased, added)
        return common, common // decayed, common // erased, common // added

    def bound(self, largest_state: int, factors: tuple[int, int, int, int]) -> int:
        """No number of a step, summands included, is larger."""
        # At least 1 each: the factors themselves must be int64 too, even where all they multiply is 0.
        alpha, beta, key, value = (max(1, part.bound) for part in (self.alpha, self.beta, self.key, self.value))
        read: int = key * max(1, self.key.values.shape[2]) * largest_state
        _, decayed, erased, added = factors
        return decayed * alpha * largest_state + erased * alpha * beta * key * read + added * beta * key * value


class DeltaAttention(Stateful):
    """S_t = α (S_{t-1} − β k kᵀ S_{t-1}) + β k vᵀ; out_t = S_tᵀ q, the state in units of 1."""

    def __init__(self, head: DeltaHead | ProductHead, reading: Reading) -> None:
        self.head, self.reading = head, reading
        keys, values = head.w_q.shape[0], head.w_o.shape[1]
        self.row_entries = head.w_k.shape[0] + head.w_v.shape[0]
        precision = reading.model.precision
        self.fraction, self.limit = precision.fraction_bits, 1 << (precision.bits - precision.fraction_bits)
        self.state = Scaled(np.zeros((reading.reader.batch, keys, values), dtype=np.int64), 1)
        self.at = 0

    def restore(self, state: HeadState, first: int) -> None:
        """Go on from the state before token ``first``."""
        self.state, self.at = state.part(0, self.state.values.shape[1:]).in_ones(self.fraction), first

    def head_state(self) -> HeadState:
        """The state after the last token."""
        return HeadState.of([self.state.in_steps(self.fraction)])

    def rows(self, start: int, queries: Scaled) -> Scaled:
        for _, stream in self.reading.reader.blocks(self.at, start):
            for _ in self._scan(stream):
                pass
        query = self.reading.map(queries, self.head.w_q, "query")
        outs = []
        for first, stream in self.reading.reader.blocks(start, start + query.values.shape[1]):
            for begin, end in self._scan(stream):
                outs.append(self._read(query.tokens(first - start + begin, first - start + end)))
        return joined(outs)

    def _read(self, query: Scaled) -> Scaled:
        return product(query, self.state)

    def _scan(self, stream: Scaled) -> Iterator[tuple[int, int]]:
        """The tokens of a block in pieces (begin, end), each while the state is the one after all of its tokens."""
        updates, count = self._updates(stream), stream.values.shape[1]
        cuts = [*sorted({int(token) for writes in updates for token in writes.tokens()}), count]
        if cuts[0] > 0:
            yield 0, cuts[0]
        for token, following in pairwise(cuts):
            for writes in updates:
                self._step(writes, token)
            yield token, following
        self.at += count

    def _updates(self, stream: Scaled) -> list[_Writes]:
        """What the tokens do to the state, one after another."""
        found = []
        for head in self.head.single_updates():
            key, value = (self.reading.map(stream, w, what) for w, what in ((head.w_k, "key"), (head.w_v, "value")))
            found.append(
                _Writes(
                    alpha=self._gate(stream, head.w_a, head.b_a),
                    beta=self._gate(stream, head.w_b, head.b_b),
                    key=key.in_ones(self.fraction),
                    value=value.in_ones(self.fraction),
                )
            )
        return found

    def _gate(self, stream: Scaled, matrix: ExactMatrix, bias: ExactMatrix) -> Scaled:
        """clip(W x + b) to [0, 1]."""
        gate = self.reading.map(stream, matrix, "gate", bias)
        one = gate.denominator << self.fraction
        # Values of int64 are below 2^62: a larger 1 clips none of them.
        most = one if gate.values.dtype == object else min(one, 2**62)
        clipped = np.minimum(np.maximum(gate.values[:, :, 0], 0), most)
        return Scaled(clipped, gate.denominator).in_ones(self.fraction)

    def _step(self, writes: _Writes, token: int) -> None:
        factors = common, decayed, erased, added = writes.factors(self.state.denominator)
        fits = writes.bound(self.limit * self.state.denominator, factors) < 2**62
        state, alpha, beta, key, value = (
            _integers(numbers, fits) for numbers in (self.state.values, *writes.at(token))
        )
        read = (key * state).sum(axis=1, keepdims=True)
        new = decayed * alpha * state - erased * alpha * beta * (key * read) + added * beta * (key * value)
        self.state = reduced(new, common)
        if self.state.exceeds(self.limit):
            raise overflow(self.reading.model, self.reading.number, "state")


def _integers(numbers: IntegerArray, fits: bool) -> IntegerArray:
    """As int64 where that is enough, else as Python integers."""
    return numbers.astype(np.int64 if fits else object, copy=False)
