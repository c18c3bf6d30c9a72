"""Block-sparse attention: summaries of earlier blocks, the tokens of the opened ones, the own block."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import ExactMatrix, IntegerArray, integer_matmul, largest, narrow, widen
from separation.models.full_head import Grid, Shapes, multiples
from separation.models.reading import Attention, LastWeights, Matrices, Reading
from separation.models.scaled import Scaled, joined


@dataclass(frozen=True)
class SparseHead(Matrices):
    """Full attention over the summaries of earlier blocks, the tokens of the opened ones and those of the own block.

    where tokens stand in blocks of B = ``block``; a block of tokens before the own one has the summary key
    C_K (k_1; …; k_B) and the summary value C_V (v_1; …; v_B), C_K: d_k × B·d_k, C_V: d_v × B·d_v; ``opened`` of these
    blocks, those whose summary keys score highest with q (of equals the earlier block), are read token by token
    too; of the own block the tokens up to the query itself. One softmax over all of them, e and ``shift`` as in `Head`.

    >>> from separation import ExactMatrix, SparseHead
    >>> one, first = ExactMatrix.from_rows([[1]]), ExactMatrix.from_rows([[1, 0]])  # the first of two tokens
    >>> head = SparseHead(one, one, one, first, first, one, shift=Fraction(1), block=2, opened=1)
    >>> head.LETTER, head.keys_seen(10)
    ('S', 8)
    """

    w_q: ExactMatrix
    w_k: ExactMatrix
    w_v: ExactMatrix
    c_k: ExactMatrix
    c_v: ExactMatrix
    w_o: ExactMatrix
    shift: Fraction
    block: int
    opened: int

    TYPE: ClassVar = "sparse"
    LETTER: ClassVar = "S"

    def __post_init__(self) -> None:
        if self.block < 1 or self.opened < 0:
            raise ValueError(f"a block has at least 1 token and 0 or more are opened, got {self.block}, {self.opened}")

    def shapes(self, width: int) -> Shapes:
        keys, values = self.w_q.shape[0], self.w_v.shape[0]
        maps = {"w_q": (keys, width), "w_k": (keys, width), "w_v": (values, width), "w_o": (width, values)}
        return {**maps, "c_k": (keys, self.block * keys), "c_v": (values, self.block * values)}

    def keys_seen(self, tokens: int) -> int:
        """The largest number of keys, summaries and tokens, that one query is compared with."""
        return -(-tokens // self.block) - 1 + self.block * (self.opened + 1)

    def attend(self, reading: Reading) -> SparseAttention:
        """The head at work on a stream that it has not begun to read."""
        return SparseAttention(self, reading)

    def output_grid(self, grid: Grid, unit: int) -> Grid:  # noqa: ARG002
        """A mean is rounded to multiples of 2^-f; summaries are activations too."""
        multiples(self.w_q, grid)
        key, value = multiples(self.w_k, grid), multiples(self.w_v, grid)
        multiples(self.c_k, key * self.block)
        multiples(self.c_v, value * self.block)
        return [1] * len(value)


class Keys(NamedTuple):
    """Keys and values of all tokens, and those of the blocks that some token has before its own."""

    key: Scaled
    value: Scaled
    summary_key: Scaled
    summary_value: Scaled


class SparseAttention(Attention):
    """⌊Σ e v / Σ e⌋ over the summaries before the own block, the tokens of the opened blocks, the own tokens so far."""

    def __init__(self, head: SparseHead, reading: Reading) -> None:
        self.head, self.reading = head, reading
        self.tokens = reading.reader.tokens
        # A block that no prompt fills is as long as the prompt.
        self.block = min(head.block, self.tokens)
        self.blocks = (self.tokens - 1) // self.block
        self.opened = min(head.opened, self.blocks)
        width = max(1, head.w_k.shape[0], head.w_v.shape[0])
        self.row_entries = self.blocks + (self.opened + 1) * self.block * width
        self._last: LastWeights | None = None

    def weights(self) -> LastWeights | None:
        """Of the tokens that are read one by one; those of summaries belong to no token."""
        return self._last

    def rows(self, start: int, queries: Scaled) -> Scaled:
        query, keys = self.reading.map(queries, self.head.w_q, "query"), self.keys
        own = np.arange(start, start + query.values.shape[1])
        scores, earlier, chosen = self.choice(query, own)
        summary_weights = self._weights(scores, earlier, query, keys.summary_key)
        tokens, visible = self._opened_tokens(chosen, own)
        prompts = np.arange(len(tokens))[:, None, None]
        raw_keys = np.swapaxes(keys.key.values[prompts, tokens], 2, 3)
        raw_scores = integer_matmul(query.values[:, :, None, :], raw_keys)[:, :, 0]
        weights = self._weights(raw_scores, visible, query, keys.key)
        raw_sums = integer_matmul(weights[:, :, None, :], keys.value.values[prompts, tokens])[:, :, 0]
        summary_sums = integer_matmul(summary_weights, keys.summary_value.values)
        totals = _row_sums(weights) + _row_sums(summary_weights)
        common = lcm(keys.value.denominator, keys.summary_value.denominator)
        sums = widen(raw_sums, common // keys.value.denominator)
        sums = sums + widen(summary_sums, common // keys.summary_value.denominator)
        placed = _placed(self.tokens, tokens[:, -1], weights[:, -1], visible[:, -1])
        self._last = LastWeights(placed, totals[:, -1])
        return Scaled(narrow(sums // widen(np.where(totals == 0, 1, totals), common)[..., None]), 1)

    @cached_property
    def keys(self) -> Keys:
        """Those of all tokens, and the summaries of blocks."""
        head, reading = self.head, self.reading
        streams = [stream for _, stream in reading.reader.blocks(0, self.tokens)]
        key = joined([reading.map(stream, head.w_k, "key") for stream in streams])
        value = joined([reading.map(stream, head.w_v, "value") for stream in streams])
        if not self.blocks:
            return Keys(key, value, key.tokens(0, 0), value.tokens(0, 0))
        summary_key = reading.map(self._side_by_side(key), head.c_k, "summary")
        return Keys(key, value, summary_key, reading.map(self._side_by_side(value), head.c_v, "summary"))

    def _side_by_side(self, vectors: Scaled) -> Scaled:
        """(k_1; …; k_B) for each block."""
        whole = vectors.values[:, : self.blocks * self.block]
        return Scaled(whole.reshape(len(whole), self.blocks, -1), vectors.denominator)

    def _weights(self, scores: IntegerArray, visible: NDArray[np.bool_], query: Scaled, key: Scaled) -> IntegerArray:
        scale = (query.denominator * key.denominator) << (2 * self.reading.model.precision.fraction_bits)
        return self.reading.weights(scores, visible, scale, self.head.shift)

    def choice(
        self, query: Scaled, own: NDArray[np.int64]
    ) -> tuple[IntegerArray, NDArray[np.bool_], NDArray[np.int64]]:
        """Scores of all blocks for the queries at the tokens ``own``, which of them stand before, and the opened ones.

        Opened, (batch, queries, opened), are those that score highest, of equals the earlier; −1 where there are none.
        """
        earlier = np.arange(self.blocks)[None, :] < (own // self.block)[:, None]
        scores = integer_matmul(query.values, np.swapaxes(self.keys.summary_key.values, 1, 2))
        # Beyond every score, so that the blocks that are no candidates come last.
        order = np.where(earlier, -scores, largest(scores) + 1)
        chosen = order.argsort(axis=2, kind="stable")[:, :, : self.opened]
        known = np.take_along_axis(np.broadcast_to(earlier, scores.shape), chosen, axis=2)
        return scores, earlier, np.where(known, chosen, -1)

    def _opened_tokens(
        self, chosen: NDArray[np.int64], own: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """(batch, queries, keys): the tokens of the chosen blocks and of the own one, and whether each is read."""
        home = np.broadcast_to((own // self.block)[None, :, None], (*chosen.shape[:2], 1))
        blocks = np.concatenate([chosen, home], axis=2)[..., None]
        tokens = (blocks * self.block + np.arange(self.block)).reshape(*chosen.shape[:2], -1)
        visible = (tokens >= 0) & (tokens <= own[None, :, None])
        return np.clip(tokens, 0, self.tokens - 1), visible


def _row_sums(weights: IntegerArray) -> IntegerArray:
    return integer_matmul(weights, np.ones((weights.shape[-1], 1), dtype=np.int64))[..., 0]


def _placed(count: int, tokens: NDArray[np.int64], weights: IntegerArray, visible: NDArray[np.bool_]) -> IntegerArray:
    """The weights where their tokens are; a token in an opened block and in the own one is the same token once."""
    placed: IntegerArray = np.zeros((len(tokens), count), dtype=weights.dtype)
    for prompt, (places, own, read) in enumerate(zip(tokens, weights, visible, strict=True)):
        placed[prompt, places[read]] = own[read]
    return placed
