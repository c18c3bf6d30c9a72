"""One sparse layer and 2-Sum: how right the best layer is, for compression maps of more and more values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import log2

import numpy as np
from numpy.typing import NDArray

from separation.bounds import theorem_d
from separation.bounds.theorem_d import cyclic_summary
from separation.files import InputError
from separation.fooling.budget import Clock, rest
from separation.fooling.sparse import SparseShape, find_sparse_pair
from separation.fooling.sparse.maps import MAX_TABLE, TableMap

SHARES = tuple(round(0.2 + 0.05 * step, 2) for step in range(21))
"""Bits of a summary over B·log2 M."""
INPUTS = 4000
MAX_OPENINGS = 1000
SAMPLES = 1 << 23


@dataclass(frozen=True)
class SparseRow:
    """A map of so many ``values``; ``share`` = log2(values) / (B·log2 M); ``accuracy`` of the best layer that has it.

    where ``kind`` is "random", or "best": the map that attains the exact bound, its values merged if there are fewer;
    ``guaranteed``: fewer values than Theorem D asks for, so there is a pair; ``right``: no x is in doubt in more blocks
    than are opened, so a layer that is right on every input was built.
    """

    kind: str
    values: int
    share: float
    accuracy: float
    found: bool
    right: bool
    guaranteed: bool


def sparse_rows(shape: SparseShape, seed: int, clock: Clock) -> Iterator[SparseRow | None]:
    if shape.sequences * shape.blocks > MAX_TABLE:
        raise InputError(f"{shape.sequences} sequences in each of {shape.blocks} blocks; at most {MAX_TABLE} in all")
    bound, whole = theorem_d(shape.modulus, shape.block, shape.opened, shape.blocks), _whole(shape)
    best = _best_map(shape)
    used = sorted({max(2, round(2 ** (share * whole))) for share in SHARES} | {bound.values - 1, bound.values})
    for values in used:
        random = np.random.default_rng([seed, values])
        tables = {"random": random.integers(values, size=(shape.blocks, shape.sequences)), "best": best % values}
        for kind, table in tables.items():
            search = find_sparse_pair(TableMap(shape, table), shape, seed=seed, budget=rest(clock, SAMPLES))
            accuracy = round(best_accuracy(shape, table, seed), 6)
            guaranteed, share = values < bound.values, round(log2(values) / whole, 4)
            yield SparseRow(kind, values, share, accuracy, search.search.found, search.right is not None, guaranteed)


def bound_share(shape: SparseShape) -> float:
    """log2 of the exact bound over B·log2 M."""
    return log2(theorem_d(shape.modulus, shape.block, shape.opened, shape.blocks).values) / _whole(shape)


def _whole(shape: SparseShape) -> float:
    return shape.block * log2(shape.modulus)


def _best_map(shape: SparseShape) -> NDArray[np.int64]:
    """For each place the number of each sequence's summary in the map that attains the bound."""
    bound = theorem_d(shape.modulus, shape.block, shape.opened, shape.blocks)
    sequences = shape.numbered(np.arange(shape.sequences)).tolist()
    tables = []
    for place in range(shape.blocks):
        sets = [tuple(sorted(cyclic_summary(bound, place, block))) for block in sequences]
        numbers = {elements: number for number, elements in enumerate(sorted(set(sets)))}
        tables.append([numbers[elements] for elements in sets])
    return np.array(tables)


def best_accuracy(shape: SparseShape, tables: NDArray[np.int64], seed: int) -> float:
    """How often the best layer with this map is right, for uniform inputs: the mean over INPUTS random ones of

    max over the sets O of k blocks of P(x in O) + P(x not in O) · max(q, 1 − q), q = P(x in no other block),

    where x = −query and all is given the summaries: a layer sees whether x is in O and knows the probabilities else.
    """
    random = np.random.default_rng([seed, 21])
    openings = list(combinations(range(shape.blocks), min(shape.opened, shape.blocks)))
    if len(openings) > MAX_OPENINGS:
        raise InputError(f"{len(openings)} ways to open blocks; at most {MAX_OPENINGS} are compared")
    sequences = shape.numbered(np.arange(shape.sequences))
    wanted = random.integers(1, shape.modulus, size=INPUTS)
    blocks = random.integers(shape.sequences, size=(INPUTS, shape.blocks))
    absent = np.empty((INPUTS, shape.blocks))
    for place in range(shape.blocks):
        own = tables[place]
        size = np.bincount(own)
        for x in range(1, shape.modulus):
            rows = np.flatnonzero(wanted == x)
            having = np.bincount(own, weights=(sequences == x).any(axis=1), minlength=len(size))
            seen = own[blocks[rows, place]]
            absent[rows, place] = 1 - having[seen] / size[seen]
    chances = []
    for opening in openings:
        clear = absent[:, list(opening)].prod(axis=1)
        q = np.delete(absent, list(opening), axis=1).prod(axis=1)
        chances.append(1 - clear + clear * np.maximum(q, 1 - q))
    return float(np.max(chances, axis=0).mean())
