"""Ambiguous elements: x, for which two sequences have the same summary, one with x and one without."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from separation.fooling.birthday import Hashes, state_hashes
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
    rows = summary.summaries(place, np.array([left, right], dtype=np.int64))
    return bool((rows[0] == rows[1]).all()) if rows.dtype == object else rows[:1].tobytes() == rows[1:].tobytes()


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
