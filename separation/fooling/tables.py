"""The tables that a search goes through: all of them, or random ones, each batch known by its number."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from separation.tasks.funccomp import Instance, Sizes

CELLS_AT_ONCE = 1 << 15
"""Tokens of one batch: short work, so that a budget of seconds can be kept."""


def numbered_tables(size: int, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """The tables [size] → [size] with these numbers, in lexicographic order from 0."""
    columns = np.empty((len(numbers), size), dtype=np.int64)
    for place in reversed(range(size)):
        numbers, columns[:, place] = np.divmod(numbers, size)
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
        count = sizes.N[-1] ** sizes.N[-1] if sizes.N[-1] <= 64 else None
        return cls(sizes, seed, count is not None and count <= samples, samples)

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
