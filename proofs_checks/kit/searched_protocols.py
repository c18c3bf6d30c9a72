"""Searching among all protocols at tiny sizes: none that is found solves what a lower bound forbids. Tested, no more.

A protocol is a table for each message (`toy_protocols`). From random tables one cell, row or column at a time gets
another value, all others held, and is kept if the share of right answers does not fall, or with a probability that
falls with the loss and with time (annealing: plain alternating maximisation ends in worse places). w always answers as
well as what it knows allows. Where last tables are too many, some random ones are run: who is right on all inputs is
right on these. Where a protocol exists the search finds one, in the cases that are checked for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from random import Random
from typing import Any

import numpy as np

from proofs_checks.kit.statement import require
from proofs_checks.kit.toy_protocols import Array, Inputs, Tables, accuracy
from separation.tasks.funccomp import Instance, Sizes, answer

Layers = tuple[tuple[str, int], ...]
"""("F", β) and ("R", λ)."""

WARMEST = 0.02
"""At first a loss of this share of the inputs is kept with probability 1/𝖾."""


@dataclass(frozen=True)
class Search:
    """Sizes, layers, how many random last tables (none: all), the seed and the number of changes tried."""

    sizes: Sizes
    layers: Layers
    last_tables: int
    seed: int
    steps: int


TWO_TABLES = Search(Sizes(2, (1,)), (("F", 1), ("F", 1)), 0, seed=1, steps=8000)
THREE_TABLES = Search(Sizes(2, (1, 1)), (("R", 1), ("F", 1), ("F", 1)), 0, seed=1, steps=15000)
"""FF solves two tables, and RFF three, at m = 2 with one bit; at these seeds a protocol is found."""
TOO_FEW = Search(Sizes(2, (1, 5)), (("F", 1), ("F", 1)), 8, seed=0, steps=2000)
TOO_EARLY = Search(Sizes(2, (1, 10)), (("F", 1), ("F", 1), ("F", 1)), 4, seed=0, steps=1200)
"""FF and FFF, which with one bit do not solve three tables at these sizes."""


def require_search(solvable: Search, forbidden: Search) -> None:
    """The search finds a protocol where there is one, and none where it is forbidden."""
    found, beyond = best_found(solvable), best_found(forbidden)
    require(found == 1, f"a protocol exists for {solvable}; the best that is found is right on {found}")
    require(beyond < 1, f"a protocol was found for {forbidden}, which is called impossible")


@cache
def best_found(search: Search) -> float:
    """The largest share of right answers that was reached."""
    inputs = some_inputs(search.sizes, search.last_tables) if search.last_tables else all_inputs(search.sizes)
    rng = np.random.default_rng(search.seed)
    tables = Tables(rng)

    def message(key: tuple[Any, ...], pair: tuple[Array, Array], sizes: tuple[int, int], values: int) -> Array:
        table = tables.message((*key, values), sizes, values)
        return np.asarray(table[pair[0] % sizes[0], pair[1] % sizes[1]])

    best = now = accuracy(inputs, search.layers, message)
    keys = list(tables.cells)
    for step in range(search.steps):
        warmth = WARMEST * (1 - step / search.steps)
        key = keys[rng.integers(len(keys))]
        table = tables.cells[key]
        places = _places(rng, table.shape)
        old = np.array(table[places])
        table[places] = rng.integers(key[-1])
        reached = accuracy(inputs, search.layers, message)
        if reached >= now or rng.random() < np.exp((reached - now) / warmth):
            now, best = reached, max(best, reached)
        else:
            table[places] = old
        if best == 1:
            break
    return best


def _places(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Any, Any]:
    """A cell, a row or a column."""
    kind, row, column = (int(rng.integers(count)) for count in (3, *shape))
    return (row, column) if kind == 0 else (row, slice(None)) if kind == 1 else (slice(None), column)


def all_inputs(sizes: Sizes) -> Inputs:
    return Inputs.all(sizes.m, sizes.n)


def some_inputs(sizes: Sizes, last_tables: int) -> Inputs:
    """All z_0, w and tables but the last; of that one a few random ones."""
    rng, L = Random(sizes.length), sizes.L
    choices = [list(product(range(size), repeat=size)) for size in sizes.N[:-1]]
    lasts = [tuple(rng.randrange(sizes.N[-1]) for _ in range(sizes.N[-1])) for _ in range(last_tables)]
    tables = [*choices, lasts]
    queries = list(product(*map(range, sizes.n)))
    radix = {level: len(tables[level - 1]) for level in range(L, 0, -1)} | {0: sizes.m, -1: len(queries)}
    held = list(product(*map(range, radix.values())))
    answers = [
        answer(Instance(sizes, z0, [tables[level][chosen[L - 1 - level]] for level in range(L)], queries[w]))
        for *chosen, z0, w in held
    ]
    columns = dict(zip(radix, np.array(held).T, strict=True))
    return Inputs(sizes.m, sizes.n, columns, radix, np.array(answers))
