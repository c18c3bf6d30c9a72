"""Two tables with equal states, by the birthday paradox: among 2^(s/2) random ones two of 2^s states agree."""

from __future__ import annotations

import hashlib
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import count, takewhile
from multiprocessing import get_context
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from separation.fooling.budget import Clock, in_pieces
from separation.fooling.subject import Subject
from separation.fooling.tables import TableSource

Hashes = NDArray[np.uint64]
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


def state_hashes(states: NDArray[Any]) -> Hashes:
    """64 bits for each row; equal rows have equal ones. Rows with equal hashes are compared again, in full."""
    if states.dtype == object or states.dtype.itemsize > 8:
        rows = (hashlib.blake2b(repr(row.tolist()).encode(), digest_size=8).digest() for row in states)
        return np.array([int.from_bytes(row, "little") for row in rows], dtype=np.uint64)
    wide = states.astype(np.float64) if states.dtype.kind == "f" else states.astype(np.int64)
    words = np.ascontiguousarray(wide).view(np.uint64).reshape(len(states), -1)
    mixed = np.zeros(len(states), dtype=np.uint64)
    for column in range(words.shape[1]):
        mixed = (mixed ^ words[:, column]) * _MULTIPLIER
        mixed ^= mixed >> np.uint64(29)
    return mixed


@dataclass
class SeenHashes:
    """Sorted runs of (hash, index), merged when they are of like size: each new hash is looked up in all of them."""

    runs: list[tuple[Hashes, NDArray[np.int64]]] = field(default_factory=list)

    def add(self, hashes: Hashes, first: int) -> Iterator[tuple[int, int]]:
        """Pairs of indices with the same hash, at least one of them new."""
        if not len(hashes):
            return
        order = np.argsort(hashes, kind="stable")
        new, places = hashes[order], first + order
        for equal in np.flatnonzero(new[1:] == new[:-1]).tolist():
            yield int(places[equal]), int(places[equal + 1])
        for old, old_places in self.runs:
            found = np.minimum(np.searchsorted(old, new), len(old) - 1)
            for hit in np.flatnonzero(old[found] == new).tolist():
                yield int(old_places[found[hit]]), int(places[hit])
        self._push(new, places)

    def _push(self, hashes: Hashes, places: NDArray[np.int64]) -> None:
        while self.runs and len(self.runs[-1][0]) <= 2 * len(hashes):
            old, old_places = self.runs.pop()
            together = np.concatenate([old, hashes])
            order = np.argsort(together, kind="stable")
            hashes, places = together[order], np.concatenate([old_places, places])[order]
        self.runs.append((hashes, places))


def equal_states(
    subject: Subject, source: TableSource, clock: Clock, workers: int = 1
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Pairs of different tables z_L after which the states are equal, as they are found."""
    seen = SeenHashes()
    for number, hashes in _batches(subject, source, clock, workers):
        clock.spend(len(hashes), "states compared")
        for first, second in seen.add(hashes, number * source.batch):
            a, b = source.table(first), source.table(second)
            if (a != b).any() and same_states(subject, source, a, b):
                yield a, b


def same_states(subject: Subject, source: TableSource, a: NDArray[np.int64], b: NDArray[np.int64]) -> bool:
    """Bit for bit: equal numbers of equal type."""
    states = states_after(subject, source, np.stack([a, b]))
    return (
        states[:1].tobytes() == states[1:].tobytes() if states.dtype != object else bool((states[0] == states[1]).all())
    )


def states_after(subject: Subject, source: TableSource, tables: NDArray[np.int64]) -> NDArray[Any]:
    """(batch, …) the states after all tables."""
    found: NDArray[Any] = subject.state(source.prefixes(tables))  # type: ignore[attr-defined]
    return found


def _batches(subject: Subject, source: TableSource, clock: Clock, workers: int) -> Iterator[tuple[int, Hashes]]:
    last = None if source.count is None else -(-source.count // source.batch)
    numbers = iter(count() if last is None else range(last))
    if workers == 1:
        for number in takewhile(lambda _: clock.left > 0, numbers):
            yield number, _hashes(subject, source, number, Piece.of(clock, 0))
        return
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _remember, (subject, source))
    waiting: list[tuple[int, Future[Hashes]]] = []
    try:
        for number in takewhile(lambda _: clock.left > len(waiting) * source.batch, numbers):
            piece = Piece.of(clock, len(waiting) * source.batch)
            waiting.append((number, pool.submit(_remembered_hashes, number, piece)))
            if len(waiting) >= 2 * workers:
                number, done = waiting.pop(0)
                yield number, done.result(clock.deadline - time.monotonic())
        for number, done in waiting:
            yield number, done.result(clock.deadline - time.monotonic())
    except TimeoutError:  # a process that starts late has nothing to say in time
        return
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


class Piece(NamedTuple):
    """What is left for one batch: rows, the deadline and the seconds of the whole search."""

    rows: int
    deadline: float
    seconds: float

    @classmethod
    def of(cls, clock: Clock, promised: int) -> Piece:
        """``promised``: rows that others are at work on."""
        return cls(clock.left - promised, clock.deadline, clock.budget.seconds)


def _hashes(subject: Subject, source: TableSource, number: int, piece: Piece) -> Hashes:
    """Of the tables of a batch, or of as many as there is time for."""
    tables = source.tables(number)[: piece.rows]
    parts = [
        state_hashes(states_after(subject, source, tables[start:stop]))
        for start, stop in in_pieces(len(tables), piece.deadline, piece.seconds)
    ]
    return np.concatenate([np.zeros(0, dtype=np.uint64), *parts])


_work: list[tuple[Subject, TableSource]] = []


def _remember(subject: Subject, source: TableSource) -> None:
    # Ctrl-C reaches all processes; the one that was started by hand answers it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _work[:] = [(subject, source)]


def _remembered_hashes(number: int, piece: Piece) -> Hashes:
    return _hashes(*_work[0], number, piece)
