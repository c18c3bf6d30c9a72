"""A sparse layer with a compression map, a scorer and the best read-out; and the scorer that is never wrong."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from separation.bounds import can_be_right
from separation.files import InputError
from separation.fooling.sparse.ambiguity import CHUNK, ENUMERATED, Ambiguity
from separation.fooling.sparse.maps import SparseShape, SummaryMap

Summary = bytes
Scorer = Callable[[int, Sequence[Summary]], Sequence[int]]
"""(query, summaries of all blocks) → the blocks to open, at most k."""


def summary_bytes(summary: SummaryMap, place: int, block: Sequence[int]) -> Summary:
    """What is seen of one block, as bytes."""
    row = summary.summaries(place, np.array([block], dtype=np.int64))[0]
    return repr(row.tolist()).encode() if row.dtype == object else row.tobytes()


@dataclass(frozen=True)
class SparseLayer:
    """Answers 1 if it sees x = −query: in an opened block, or because no block with such a summary is without x.

    It sees the summaries of all blocks and the tokens of those that ``scorer`` opens, and nothing else.
    """

    shape: SparseShape
    summary: SummaryMap
    scorer: Scorer
    _known: dict[tuple[int, Summary, int], bool] = field(default_factory=dict, repr=False, compare=False)

    def view(self, x: Sequence[int]) -> tuple[tuple[int, ...], tuple[Summary, ...]]:
        """The opened blocks and all summaries."""
        seen = tuple(summary_bytes(self.summary, index, self._block(x, index)) for index in range(self.shape.blocks))
        opened = tuple(sorted(set(self.scorer(x[-1], seen))))
        if len(opened) > self.shape.opened:
            raise InputError(f"the scorer opens {len(opened)} blocks; {self.shape.opened} are allowed")
        return opened, seen

    def numbers(self, x: Sequence[int]) -> tuple[Any, ...]:
        """The summaries of all blocks, one after the other; text for what is no number."""
        blocks = (np.array([self._block(x, index)], dtype=np.int64) for index in range(self.shape.blocks))
        rows = [self.summary.summaries(index, block)[0].tolist() for index, block in enumerate(blocks)]
        return tuple(part if isinstance(part, (int, float)) else str(part) for row in rows for part in row)

    def answer(self, x: Sequence[int]) -> int:
        """The output at the last token."""
        opened, _ = self.view(x)
        wanted = self.shape.modulus - x[-1]
        if any(wanted in self._block(x, place) for place in opened):
            return 1
        closed = (place for place in range(self.shape.blocks) if place not in opened)
        return int(any(self._is_certain(place, self._block(x, place), wanted) for place in closed))

    def _block(self, x: Sequence[int], place: int) -> Sequence[int]:
        return x[place * self.shape.block : (place + 1) * self.shape.block]

    def _is_certain(self, place: int, block: Sequence[int], wanted: int) -> bool:
        """Whether every sequence with the summary of this block contains x; not asked where they are too many."""
        key = place, summary_bytes(self.summary, place, block), wanted
        if key not in self._known:
            self._known[key] = self.shape.sequences <= ENUMERATED and self._all_contain(place, block, wanted)
        return self._known[key]

    def _all_contain(self, place: int, block: Sequence[int], wanted: int) -> bool:
        own = self.summary.summaries(place, np.array([block], dtype=np.int64))
        for start in range(0, self.shape.sequences, CHUNK):
            part = self.shape.numbered(np.arange(start, min(start + CHUNK, self.shape.sequences)))
            alike = (self.summary.summaries(place, part) == own).reshape(len(part), -1).all(axis=1)
            if not (part[alike] == wanted).any(axis=1).all():
                return False
        return True


@dataclass(frozen=True)
class RandomScorer:
    """Opens the k blocks whose hash of seed, query, place and summary is largest."""

    seed: int
    opened: int

    def __call__(self, query: int, summaries: Sequence[Summary]) -> list[int]:
        def score(place: int) -> bytes:
            text = f"{self.seed} {query} {place} ".encode() + summaries[place]
            return hashlib.blake2b(text, digest_size=8).digest()

        return sorted(range(len(summaries)), key=score, reverse=True)[: self.opened]


@dataclass(frozen=True)
class RightScorer:
    """Opens the blocks in which x = −query is ambiguous: with the layer's read-out it is right on every input."""

    modulus: int
    doubtful: tuple[frozenset[int], ...]

    def __call__(self, query: int, summaries: Sequence[Summary]) -> list[int]:
        return [index for index in range(len(summaries)) if self.modulus - query in self.doubtful[index]]


def right_layer(shape: SparseShape, summary: SummaryMap, ambiguities: Sequence[Ambiguity]) -> SparseLayer:
    """The layer that is right on every input; refused if some x is ambiguous in more than k blocks."""
    doubtful = tuple(frozenset(ambiguity.witnesses) for ambiguity in ambiguities)
    if not all(ambiguity.complete for ambiguity in ambiguities):
        raise InputError("not all sequences were looked at: whether a layer can be right is not known")
    if not can_be_right(doubtful, shape.opened):
        raise InputError("some x is ambiguous in more blocks than are opened: no layer with this map is right")
    return SparseLayer(shape, summary, RightScorer(shape.modulus, doubtful))
