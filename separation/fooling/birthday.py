"""Two tables with equal states, by the birthday paradox: among 2^(s/2) random ones two of 2^s states agree."""

from __future__ import annotations

import hashlib
import pickle
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from separation.files import InputError
from separation.fooling.budget import Clock, in_pieces
from separation.fooling.subject import Subject
from separation.pieces import Sharing, pieces_in_order
from separation.tasks.funccomp import Instance, Sizes

CELLS_AT_ONCE = 1 << 15
"""Tokens of one batch: short work, so that a budget of seconds can be kept."""


def numbered_tables(size: int, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """The tables [size] → [size] with these numbers, in lexicographic order from 0."""
    return digits(numbers, size, size)


def digits(numbers: NDArray[np.int64], base: int, count: int) -> NDArray[np.int64]:
    """A row of so many digits for each number."""
    columns = np.empty((len(numbers), count), dtype=np.int64)
    for place in reversed(range(count)):
        numbers, columns[:, place] = np.divmod(numbers, base)
    return columns


def table_count(size: int, most: int) -> int | None:
    """size^size, if that is at most ``most``."""
    count = size**size if size <= 64 else most + 1
    return count if count <= most else None


@dataclass(frozen=True)
class TableSource:
    """Prompts up to z_0 whose tables z_1, …, z_{L-1} are the identity, so that (z_0, w) can ask for all of z_L.

    Batch ``number`` holds tables z_L: the next ones in order if ``exhaustive``, else random ones of this seed and
    number. So a table is known by its number alone, and nothing need be kept. A batch has at most ``most``.
    """

    sizes: Sizes
    seed: int
    exhaustive: bool
    most: int = CELLS_AT_ONCE

    @classmethod
    def of(cls, sizes: Sizes, seed: int, samples: int) -> TableSource:
        """In order where there are no more tables than may be looked at."""
        return cls(sizes, seed, table_count(sizes.N[-1], samples) is not None, samples)

    @property
    def boundary(self) -> int:
        """The tokens of all tables."""
        return self.sizes.length - 2

    @property
    def batch(self) -> int:
        return max(1, min(self.most, CELLS_AT_ONCE // self.boundary))

    @property
    def count(self) -> int | None:
        """How many there are in order; None: random ones never end."""
        return int(self.sizes.N[-1] ** self.sizes.N[-1]) if self.exhaustive else None

    def tables(self, number: int) -> NDArray[np.int64]:
        """(≤ batch, N_{L-1}): the tables z_L of a batch."""
        size = self.sizes.N[-1]
        if not self.exhaustive:
            return np.random.default_rng([self.seed, number]).integers(size, size=(self.batch, size))
        assert self.count is not None
        rest = np.arange(number * self.batch, min((number + 1) * self.batch, self.count), dtype=np.int64)
        return numbered_tables(size, rest)

    def table(self, index: int) -> NDArray[np.int64]:
        """The table with this number, counted over all batches."""
        number, row = divmod(index, self.batch)
        found: NDArray[np.int64] = _kept_tables(self, number)[row]
        return found

    def prefixes(self, tables: NDArray[np.int64]) -> NDArray[np.int64]:
        """The tokens of z_L, …, z_1, the lower tables being the identity."""
        lower = np.concatenate([np.arange(size) for size in reversed(self.sizes.N[:-1])] or [np.zeros(0, np.int64)])
        return np.concatenate([tables, np.broadcast_to(lower, (len(tables), len(lower)))], axis=1).astype(np.int64)

    def asking(self, table: NDArray[np.int64], entry: int) -> Instance:
        """The input whose (z_0, w) leads to this entry of z_L: its mixed-radix digits."""
        digits = []
        for size in reversed(self.sizes.N[:-1]):
            digit, entry = divmod(entry, size)
            digits.append(digit)
        lower = [list(range(size)) for size in self.sizes.N[:-1]]
        return Instance(self.sizes, entry, [*lower, table.tolist()], digits[::-1])


@lru_cache(maxsize=64)
def _kept_tables(source: TableSource, number: int) -> NDArray[np.int64]:
    """Where tables repeat, many are asked for one by one."""
    return source.tables(number)


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
    subject: Subject, source: TableSource, clock: Clock, **shared: Unpack[Sharing]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Pairs of different tables z_L after which the states are equal, as they are found."""
    seen = SeenHashes()
    for number, hashes in _batches(subject, source, clock, **(shared or Sharing(workers=1))):
        clock.spend(len(hashes), "states compared")
        for first, second in seen.add(hashes, number * source.batch):
            a, b = source.table(first), source.table(second)
            if (a != b).any() and same_states(subject, source, a, b):
                yield a, b


def same_states(subject: Subject, source: TableSource, a: NDArray[np.int64], b: NDArray[np.int64]) -> bool:
    """Bit for bit: equal numbers of equal type."""
    first, second = map(row_bytes, states_after(subject, source, np.stack([a, b])))
    return first == second


def row_bytes(row: NDArray[Any]) -> bytes:
    """Of a state or a summary: equal numbers of equal type have equal ones."""
    return repr(row.tolist()).encode() if row.dtype == object else row.tobytes()


def states_after(subject: Subject, source: TableSource, tables: NDArray[np.int64]) -> NDArray[Any]:
    """(batch, …) the states after all tables."""
    found: NDArray[Any] = subject.state(source.prefixes(tables))  # type: ignore[attr-defined]
    return found


def _batches(
    subject: Subject, source: TableSource, clock: Clock, **shared: Unpack[Sharing]
) -> Iterator[tuple[int, Hashes]]:
    alone = shared.get("workers") == 1
    work = None if alone else _sent(subject, source)
    before = clock.samples

    def pieces() -> Iterator[Piece]:
        for number in count() if source.count is None else range(-(-source.count // source.batch)):
            promised = number * source.batch - (clock.samples - before)  # rows that others are at work on
            if clock.left <= promised:
                return
            yield Piece(number, clock.left - promised, clock.deadline - time.monotonic(), clock.budget.seconds, work)

    if alone:
        yield from ((piece.number, _hashes(subject, source, piece)) for piece in pieces())
        return
    yield from enumerate(pieces_in_order(_sent_hashes, pieces(), **shared, until=clock.deadline))


class Piece(NamedTuple):
    """One batch: its number, the rows and seconds that are left for it, the seconds of the whole search, and for
    another process what is searched."""

    number: int
    rows: int
    left: float
    seconds: float
    work: bytes | None


def _hashes(subject: Subject, source: TableSource, piece: Piece) -> Hashes:
    """Of the tables of a batch, or of as many as there is time for."""
    deadline = time.monotonic() + piece.left
    tables = source.tables(piece.number)[: piece.rows]
    parts = [
        state_hashes(states_after(subject, source, tables[start:stop]))
        for start, stop in in_pieces(len(tables), deadline, piece.seconds)
    ]
    return np.concatenate([np.zeros(0, dtype=np.uint64), *parts])


def _sent(subject: Subject, source: TableSource) -> bytes:
    try:
        return pickle.dumps((subject, source))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InputError(f"this model cannot be sent to another process: {error}") from None


@lru_cache(maxsize=1)
def _work(sent: bytes) -> tuple[Subject, TableSource]:
    found: tuple[Subject, TableSource] = pickle.loads(sent)
    return found


def _sent_hashes(piece: Piece) -> Hashes:
    assert piece.work is not None
    return _hashes(*_work(piece.work), piece)
