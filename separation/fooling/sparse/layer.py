"""A sparse layer with a compression map, a scorer and the best read-out; and the scorer that is never wrong."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.bounds import can_be_right
from separation.files import InputError
from separation.fooling.birthday import Hashes, row_bytes, state_hashes
from separation.fooling.budget import Budget, Clock, in_pieces
from separation.fooling.sparse.maps import Sequences, SparseShape, SummaryMap

ENUMERATED = 10**7
"""Sequences of a block up to which all of them are looked at; beyond that, SAMPLED random ones."""
SAMPLED = 1 << 17
CHUNK = 1 << 13

Witness = tuple[tuple[int, ...], tuple[int, ...]]
"""A sequence with x and one without, of the same summary."""


@dataclass(frozen=True)
class Ambiguity:
    """The ambiguous x of the block at one place, each with a witness; ``complete``: all sequences were looked at."""

    place: int
    witnesses: dict[int, Witness]
    complete: bool


def ambiguous(
    summary: SummaryMap, shape: SparseShape, place: int, seed: int = 0, clock: Clock | None = None
) -> Ambiguity:
    """By enumeration of all u^B sequences; among random ones, or those that there was time for, by equal hashes."""
    clock = clock or Budget(seconds=3600, samples=2 * ENUMERATED).start()
    drawn = None
    if shape.sequences > ENUMERATED:
        random = np.random.default_rng([seed, place, 5])
        drawn = random.integers(1, shape.modulus, size=(SAMPLED, shape.block))
    # Hashes are sorted in the end, which takes no longer than making them: half of the time is for that.
    half = clock.part(0.5)
    count = shape.sequences if drawn is None else SAMPLED
    hashes: list[Hashes] = []
    done = 0
    for start, stop in in_pieces(min(count, clock.left), half.deadline, half.budget.seconds):
        part = shape.numbered(np.arange(start, stop)) if drawn is None else drawn[start:stop]
        hashes.append(state_hashes(summary.summaries(place, part)))
        clock.spend(stop - start, "sequences of a block")
        done = stop
    together = np.concatenate([np.zeros(0, dtype=np.uint64), *hashes])
    complete = drawn is None and done == count
    if complete:
        found = _enumerated(shape, together)
    else:
        found = _sampled(shape.numbered(np.arange(done)) if drawn is None else drawn[:done], together)
    # Equal hashes are not yet equal summaries.
    true = {x: pair for x, pair in found.items() if same_summary(summary, place, *pair)}
    return Ambiguity(place, true, complete)


def same_summary(summary: SummaryMap, place: int, left: tuple[int, ...], right: tuple[int, ...]) -> bool:
    first, second = map(row_bytes, summary.summaries(place, np.array([left, right], dtype=np.int64)))
    return first == second


def _enumerated(shape: SparseShape, hashes: Hashes) -> dict[int, Witness]:
    """For each x, is there a class of equal summaries with and without it?"""
    _, classes, counts = np.unique(hashes, return_inverse=True, return_counts=True)
    members = np.argsort(classes, kind="stable")
    starts = np.concatenate([[0], np.cumsum(counts)])
    found = {}
    for x in range(1, shape.modulus):
        having = _numbers_with(shape, x)
        share = np.bincount(classes[having], minlength=len(counts))
        mixed = np.flatnonzero((share > 0) & (share < counts))
        if len(mixed):
            own = members[starts[mixed[0]] : starts[mixed[0] + 1]]
            inside = np.isin(own, having)
            pair = shape.numbered(np.array([own[inside][0], own[~inside][0]])).tolist()
            found[x] = (tuple(pair[0]), tuple(pair[1]))
    return found


def _numbers_with(shape: SparseShape, x: int) -> NDArray[np.int64]:
    """The numbers of all sequences that contain x."""
    rest = np.arange(shape.sequences // shape.values)
    parts = []
    for index in range(shape.block):
        low = shape.values ** (shape.block - 1 - index)
        high, under = np.divmod(rest, low)
        parts.append((high * shape.values + x - 1) * low + under)
    return np.unique(np.concatenate(parts))


def _sampled(sequences: Sequences, hashes: Hashes) -> dict[int, Witness]:
    """Neighbours of equal hash: every element that only one of the two has is ambiguous."""
    order = np.argsort(hashes, kind="stable")
    found: dict[int, Witness] = {}
    for place in np.flatnonzero(hashes[order[1:]] == hashes[order[:-1]]).tolist():
        left, right = (tuple(sequences[order[row]].tolist()) for row in (place, place + 1))
        for one, other in ((left, right), (right, left)):
            for x in set(one) - set(other):
                found.setdefault(x, (one, other))
    return found


Summary = bytes
Scorer = Callable[[int, Sequence[Summary]], Sequence[int]]
"""(query, summaries of all blocks) → the blocks to open, at most k."""


def summary_bytes(summary: SummaryMap, place: int, block: Sequence[int]) -> Summary:
    """What is seen of one block, as bytes."""
    return row_bytes(summary.summaries(place, np.array([block], dtype=np.int64))[0])


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
