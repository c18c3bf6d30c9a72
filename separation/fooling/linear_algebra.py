"""Two tables with equal states where the state is a sum over tokens: a small integer relation, by lattice reduction.

If S(z) = Σ_j f(j, z(j)), take two values u ≠ v and the columns δ_j = f(j, u) − f(j, v). A relation Σ_j c_j δ_j = 0 with
all c_j in {−1, 0, 1} gives two tables with one state: z(j) = u, z'(j) = v where c_j = 1, the other way round where
c_j = −1, and both u where c_j = 0. LLL finds it, whatever the size of the state: what counts is the rank of the δ_j.
For linear attention it is low. Where the same features are active, f(x) = (K x + b)(V x)ᵀ with x = position + token,
the square of the position cancels in δ_j, which is affine in the position's row: no more than width + 1 dimensions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from flint import fmpz_mat
from numpy.typing import NDArray

from separation.fooling.budget import Clock
from separation.fooling.subject import Subject
from separation.fooling.tables import CELLS_AT_ONCE, TableSource

COLUMNS = 80
"""Of one lattice: LLL takes well under a second, and longer relations are rarely short."""
PENALTY = 1 << 40
"""By which a relation that does not hold is longer than any that does."""


def related_tables(
    subject: Subject, source: TableSource, clock: Clock
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Pairs of tables z_L that should have equal states, as they are found; nothing if the state is no sum."""
    size = source.sizes.N[-1]
    random = np.random.default_rng([source.seed, size])
    while clock.left > size:
        u, v = (int(value) for value in random.choice(size, 2, replace=False))
        columns = value_differences(subject, source, u, v)
        clock.spend(size + 1, "value pairs tried")
        if columns is None or not _is_sum(subject, source, u, v, columns, random):
            return
        for places in _alike(columns, random):
            if clock.left <= 0:
                return
            for relation in short_relations(columns[places]):
                a, b = np.full(size, u), np.full(size, u)
                a[places[relation == -1]] = v
                b[places[relation == 1]] = v
                yield a, b


def value_differences(subject: Subject, source: TableSource, u: int, v: int) -> NDArray[Any] | None:
    """Row j is f(j, u) − f(j, v): the change of the state when entry j alone goes from v to u, all others being u."""
    size = source.sizes.N[-1]
    tables = np.full((size + 1, size), u)
    tables[np.arange(size), np.arange(size)] = v
    rows = max(1, CELLS_AT_ONCE // source.boundary)
    parts = [integer_states(subject, source, tables[start : start + rows]) for start in range(0, size + 1, rows)]
    if any(part is None for part in parts):
        return None
    states = np.concatenate([part for part in parts if part is not None])
    return np.asarray(states[-1] - states[:-1])


def integer_states(subject: Subject, source: TableSource, tables: NDArray[np.int64]) -> NDArray[Any] | None:
    """The states after these tables as integers; None if some entry is none."""
    states: NDArray[Any] = subject.state(source.prefixes(tables))  # type: ignore[attr-defined]
    states = states.reshape(len(states), -1)
    if states.dtype.kind == "f":
        return None if (states != np.rint(states)).any() else states.astype(np.int64)
    return states if states.dtype == object else states.astype(np.int64)


def short_relations(columns: NDArray[Any]) -> Iterator[NDArray[np.int64]]:
    """c ≠ 0 with entries in {−1, 0, 1} and Σ_j c_j columns_j = 0: short vectors of the lattice (c, penalty · Σ)."""
    count = len(columns)
    used = columns[:, (columns != 0).any(axis=0)]
    rows = [[int(i == j) for j in range(count)] + [PENALTY * int(x) for x in used[i]] for i in range(count)]
    reduced = np.array([[int(x) for x in row] for row in fmpz_mat(rows).lll().tolist()], dtype=object)
    holds = ~(reduced[:, count:] != 0).any(axis=1)
    relations = reduced[holds, :count]
    tries = [*relations, *(a + sign * b for i, a in enumerate(relations) for b in relations[:i] for sign in (1, -1))]
    for relation in tries:
        if (relation != 0).any() and np.abs(relation).max() == 1:
            yield relation.astype(np.int64)


def _alike(columns: NDArray[Any], random: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Places whose columns vanish in the same entries, where the same features are active; then any places at all."""
    _, groups = np.unique(columns != 0, axis=0, return_inverse=True)
    groups = groups.reshape(-1)
    for group in sorted(set(groups.tolist()), key=lambda number: -int((groups == number).sum())):
        members = np.flatnonzero(groups == group)
        if len(members) > 1:
            yield random.permutation(members)[:COLUMNS]
    yield random.permutation(len(columns))[:COLUMNS]


def _is_sum(
    subject: Subject, source: TableSource, u: int, v: int, columns: NDArray[Any], random: np.random.Generator
) -> bool:
    """Whether the state of random tables over {u, v} is the sum that the columns say."""
    size = source.sizes.N[-1]
    chosen = random.integers(2, size=(3, size)).astype(bool)
    chosen[0] = False
    states = integer_states(subject, source, np.where(chosen, v, u))
    if states is None:
        return False
    sums = np.stack([columns[row].sum(axis=0) for row in chosen])
    return bool((states[0] - states == sums).all())
