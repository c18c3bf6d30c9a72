"""A search guided by the model: all inputs but z_L are held, and tables z_L are compared by what later tokens hear."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from separation.fooling.birthday import Hashes, numbered_tables, state_hashes, table_count
from separation.fooling.budget import Clock, in_pieces
from separation.fooling.messages import heard, packed
from separation.fooling.pair import Pair
from separation.fooling.recurrent import run_pair
from separation.models import Model
from separation.tasks.funccomp import Instance, Sizes, asked_addresses, enumerate_inputs, sample, token_ids

FIRST_TRIAL, LARGEST_TRIAL = 1 << 12, 1 << 19
"""Tables compared for one choice of the other inputs: few at first, as most models of few bits need no more."""
ALL_OTHERS = 1 << 12
"""Choices of the other inputs up to which each is tried once; beyond, random ones."""

Tables = NDArray[np.int64]


@dataclass(frozen=True)
class Trial:
    """Tables z_L with the other inputs fixed: how many were looked at, and how many transcripts they had."""

    tables: int
    distinct: int


@dataclass
class GuidedSearch:
    """Two tables z_L with one transcript and different asked entries, for the same z_0, …, z_{L-1} and w.

    ``trials`` says what was compared so far, ``exhaustive`` that all inputs were.
    """

    model: Model
    sizes: Sizes
    seed: int
    clock: Clock

    def __post_init__(self) -> None:
        self.trials: list[Trial] = []
        self.exhaustive = False

    def pair(self) -> Pair | None:
        """The first one found; None when the budget is gone, or there is nothing else to try."""
        complete = True
        for number, held in enumerate(self._held()):
            tables = self._tables(number)
            hashes = self._hashes(held, tables)
            complete &= self._every_table is not None and len(hashes) == len(tables)
            self.trials.append(Trial(len(hashes), len(np.unique(hashes))))
            for a, b in _alike(hashes, tables[: len(hashes), asked_addresses(held)[-1]]):
                pair = pair_of(self.model, held, tables[a], tables[b])
                if pair.holds:
                    return pair
            if self.clock.left <= 0:
                return None
        self.exhaustive = complete
        return None

    @cached_property
    def _every_table(self) -> int | None:
        return table_count(self.sizes.N[-1], LARGEST_TRIAL)

    def _held(self) -> Iterator[Instance]:
        """Inputs whose z_L is to be replaced: each choice of the rest once if they are few, else random ones."""
        random = np.random.default_rng([self.seed, 11])
        others = None if self._every_table is None else all_others(self.sizes)
        if others is not None:
            yield from (others[place] for place in random.permutation(len(others)).tolist())
            return
        while True:
            yield sample(self.sizes, int(random.integers(1 << 62)))

    def _tables(self, number: int) -> Tables:
        size = self.sizes.N[-1]
        if self._every_table is not None:
            return numbered_tables(size, np.arange(self._every_table))
        count = min(FIRST_TRIAL << number // 2, LARGEST_TRIAL, max(1, self.clock.left))
        return np.random.default_rng([self.seed, 12, number]).integers(size, size=(count, size))

    def _hashes(self, held: Instance, tables: Tables) -> Hashes:
        size = self.sizes.N[-1]
        others = token_ids(held)[size:]
        parts = [np.zeros(0, dtype=np.uint64)]
        wanted = min(len(tables), self.clock.left)
        for start, stop in in_pieces(wanted, self.clock.deadline, self.clock.budget.seconds):
            rows = tables[start:stop]
            prompts = np.concatenate([rows, np.broadcast_to(others, (len(rows), len(others)))], axis=1)
            parts.append(state_hashes(packed(self.model, list(heard(self.model, prompts, size)))))
            self.clock.spend(len(rows), "tables compared")
        return np.concatenate(parts)


def all_others(sizes: Sizes) -> list[Instance] | None:
    """All choices of z_0, …, z_{L-1} and w, with zeros for z_L; None if they are more than ALL_OTHERS."""
    last = [0] * sizes.N[-1]
    if sizes.L == 1:
        return [Instance(sizes, z0, [last], []) for z0 in range(sizes.m)] if sizes.m <= ALL_OTHERS else None
    lower = Sizes(sizes.m, sizes.n[:-1])
    if lower.inputs_log2_floor() > 62 or lower.count_inputs() * sizes.n[-1] > ALL_OTHERS:
        return None
    return [
        Instance(sizes, other.z0, [*other.tables, last], [*other.w, digit])
        for other in enumerate_inputs(lower)
        for digit in range(sizes.n[-1])
    ]


def pair_of(model: Model, held: Instance, table_a: Tables, table_b: Tables) -> Pair:
    """The two inputs with these tables z_L, what the model says, and all that later tokens hear of them."""
    a, b = (Instance(held.sizes, held.z0, [*held.tables[:-1], table.tolist()], held.w) for table in (table_a, table_b))
    return run_pair(model, a, b, boundary=held.sizes.N[-1])


def _alike(hashes: Hashes, asked: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Neighbours in the order of hash, then asked entry, with one hash and two entries."""
    order = np.lexsort((asked, hashes))
    same = hashes[order[1:]] == hashes[order[:-1]]
    for place in np.flatnonzero(same & (asked[order[1:]] != asked[order[:-1]])).tolist():
        yield int(order[place]), int(order[place + 1])
