"""The cells of phase diagrams: words of layers against L, state bits against tables, summary bits against accuracy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from math import log2
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from constructions import build
from separation.bounds import Word, theorem_d
from separation.bounds.theorems.theorem_d import cyclic_summary
from separation.files import InputError
from separation.fooling.budget import Budget, Clock, rest
from separation.fooling.hybrids import find_hybrid_pair, random_hybrid
from separation.fooling.random_models import random_recurrent_model
from separation.fooling.recurrent import find_pair
from separation.fooling.sparse import SparseShape, find_sparse_pair
from separation.fooling.sparse.maps import MAX_TABLE, TableMap
from separation.pieces import Sharing, pieces_in_order
from separation.tasks.funccomp import Sizes

LONGEST = 3
SIZES = {1: Sizes(4, ()), 2: Sizes(2, (2,)), 3: Sizes(2, (1, 2))}
"""256 tables z_L in each: all of them are compared, for all other inputs."""
SCORE_BITS = 2
MODELS = 3
WORD_SAMPLES = 1 << 16

TABLES = (2, 3, 4, 5, 6)
BITS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32)
STATE_SAMPLES = 1 << 17

SHARES = tuple(round(0.2 + 0.05 * step, 2) for step in range(21))
"""Bits of a summary over B·log2 M."""
INPUTS = 4000
MAX_OPENINGS = 1000
SPARSE_SAMPLES = 1 << 23

ALONE: Sharing = {"workers": 1}


@dataclass(frozen=True)
class WordRow:
    """``pairs`` of ``models`` random models of a word have one, ``compared`` of the others were searched to the end.

    where ``solves`` names the construction (L ≤ depth) or ``theorem`` the one that forbids the word at some sizes;
    ``built``: the construction whose exact weights were searched too, ``built_pair`` whether it has a pair (None if
    nothing was built, or not all of it was compared).
    """

    word: str
    L: int
    m: int
    n: str
    depth: int
    models: int
    pairs: int
    compared: int
    solves: str
    theorem: str
    built: str
    built_pair: bool | None

    @property
    def contradicts_theorem(self) -> bool:
        """A pair of what is proved to be right."""
        return self.built_pair is True


def words() -> list[Word]:
    """All words over F and R with at most LONGEST layers, the shorter ones first."""
    return [Word(letters) for length in range(1, LONGEST + 1) for letters in product("FR", repeat=length)]


def word_rows(seed: int, clock: Clock, **shared: Unpack[Sharing]) -> Iterator[WordRow]:
    """One row for each word and L."""
    cells = (
        ("".join(word.layers), L, sizes, seed, MODELS, _left(clock))
        for word, (L, sizes) in product(words(), SIZES.items())
    )
    return pieces_in_order(_word_row, cells, **(shared or ALONE), until=clock.deadline)


def _left(clock: Clock) -> Budget:
    """For whoever starts now, on whatever machine."""
    return rest(clock, clock.budget.samples)


def _word_row(cell: tuple[str, int, Sizes, int, int, Budget]) -> WordRow:
    letters, L, sizes, seed, models, budget = cell
    word, clock = Word.parse(letters), budget.start()
    searches = []
    for number in range(models):
        model = random_hybrid(word, sizes, seed + number, score_bits=SCORE_BITS).model
        searches.append(find_hybrid_pair(model, sizes, seed=seed + number, budget=rest(clock, WORD_SAMPLES)).search)
    found = sum(search.found for search in searches)
    solvable = word.depth >= L
    built = _built(letters, L, solvable)
    return WordRow(
        word=letters,
        L=L,
        m=sizes.m,
        n=" ".join(map(str, sizes.n)),
        depth=word.depth,
        models=models,
        pairs=found,
        compared=sum(search.exhaustive for search in searches),
        solves=("C1" if word.full > L else "C2") if solvable else "",
        theorem="" if solvable else "C" if not word.full else "B" if word.full == L else "A",
        built=built,
        built_pair=_built_pair(built, sizes, clock) if built else None,
    )


def _built(word: str, L: int, solvable: bool) -> str:
    """What is built for a word: the construction of the word, or C3, whose states are large enough at these sizes."""
    return word if solvable else "C3" if word == "R" * (L + 1) else ""


def _built_pair(name: str, sizes: Sizes, clock: Clock) -> bool | None:
    """Whether the search fools the construction; None if it neither does nor has compared all."""
    search = find_hybrid_pair(build(name, sizes).model, sizes, budget=rest(clock, WORD_SAMPLES)).search
    return search.found if search.found or search.exhaustive else None


@dataclass(frozen=True)
class StateRow:
    """A random R layer whose state has ``bits`` bits (at most ``asked``), and a table of m entries; or C3, built.

    where ``compared`` says that all tables were; ``least_bits``: m·log2 m, below which Theorem C guarantees a pair;
    ``stored_bits``: m·⌈log2 m⌉, with which C3 stores the table.
    """

    kind: str
    m: int
    asked: int
    bits: int
    found: bool
    compared: bool
    least_bits: float
    stored_bits: int

    @property
    def contradicts_theorem(self) -> bool:
        """No pair though Theorem C guarantees one, or a pair of C3."""
        missing = self.compared and not self.found and self.bits < self.least_bits
        return missing or (self.kind == "C3" and self.found)


def state_rows(seed: int, clock: Clock, **shared: Unpack[Sharing]) -> Iterator[StateRow | None]:
    """None where no random layer of so few bits was found at that size; then C3, which is built."""
    asked = [*product(TABLES, BITS), *((m, None) for m in TABLES)]
    cells = ((m, bits, seed, _left(clock)) for m, bits in asked)
    return pieces_in_order(_state_row, cells, **(shared or ALONE), until=clock.deadline)


def _state_row(cell: tuple[int, int | None, int, Budget]) -> StateRow | None:
    m, asked, seed, budget = cell
    clock, sizes, stored = budget.start(), Sizes(m, ()), m * (m - 1).bit_length()
    if asked is None:
        kind, model, asked, bits = "C3", build("C3", sizes).model, stored, stored
    else:
        try:
            made = random_recurrent_model(1, sizes, asked, seed)
        except InputError:
            return None
        kind, model, bits = "random", made.model, sum(made.state_bits)
    search = find_pair(model, sizes, seed=seed, budget=rest(clock, STATE_SAMPLES))
    return StateRow(kind, m, asked, bits, search.found, search.exhaustive, round(m * log2(m), 4), stored)


@dataclass(frozen=True)
class SparseRow:
    """A map of ``values`` values; ``share`` = log2(values) / (B·log2 M); ``accuracy`` of the best layer that has it.

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

    @property
    def contradicts_theorem(self) -> bool:
        """No pair though Theorem D guarantees one; or both a pair and a layer that is always right, or neither."""
        return (self.guaranteed and not self.found) or self.found == self.right


def sparse_rows(shape: SparseShape, seed: int, clock: Clock, **shared: Unpack[Sharing]) -> Iterator[SparseRow]:
    if shape.sequences * shape.blocks > MAX_TABLE:
        raise InputError(f"{shape.sequences} sequences in each of {shape.blocks} blocks; at most {MAX_TABLE} in all")
    bound, whole = theorem_d(shape.modulus, shape.block, shape.opened, shape.blocks), _whole(shape)
    used = sorted({max(2, round(2 ** (share * whole))) for share in SHARES} | {bound.values - 1, bound.values})
    cells = ((shape, values, kind, seed, _left(clock)) for values in used for kind in ("random", "best"))
    return pieces_in_order(_sparse_row, cells, **(shared or ALONE), until=clock.deadline)


def _sparse_row(cell: tuple[SparseShape, int, str, int, Budget]) -> SparseRow:
    shape, values, kind, seed, budget = cell
    clock = budget.start()
    bound = theorem_d(shape.modulus, shape.block, shape.opened, shape.blocks)
    random = np.random.default_rng([seed, values])
    drawn = random.integers(values, size=(shape.blocks, shape.sequences))
    table = drawn if kind == "random" else _best_map(shape) % values
    search = find_sparse_pair(TableMap(shape, table), shape, seed=seed, budget=rest(clock, SPARSE_SAMPLES))
    accuracy = round(best_accuracy(shape, table, seed), 6)
    guaranteed, share = values < bound.values, round(log2(values) / _whole(shape), 4)
    return SparseRow(kind, values, share, accuracy, search.search.found, search.right is not None, guaranteed)


def bound_share(shape: SparseShape) -> float:
    """log2 of the exact bound over B·log2 M."""
    return log2(theorem_d(shape.modulus, shape.block, shape.opened, shape.blocks).values) / _whole(shape)


def _whole(shape: SparseShape) -> float:
    return shape.block * log2(shape.modulus)


@lru_cache(maxsize=1)
def _best_map(shape: SparseShape) -> NDArray[np.int64]:
    """For each block the number of each sequence's summary in the map that attains the bound."""
    bound = theorem_d(shape.modulus, shape.block, shape.opened, shape.blocks)
    sequences = shape.numbered(np.arange(shape.sequences)).tolist()
    tables = []
    for index in range(shape.blocks):
        sets = [tuple(sorted(cyclic_summary(bound, index, block))) for block in sequences]
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
    for index in range(shape.blocks):
        own = tables[index]
        size = np.bincount(own)
        for x in range(1, shape.modulus):
            rows = np.flatnonzero(wanted == x)
            having = np.bincount(own, weights=(sequences == x).any(axis=1), minlength=len(size))
            seen = own[blocks[rows, index]]
            absent[rows, index] = 1 - having[seen] / size[seen]
    chances = []
    for opening in openings:
        clear = absent[:, list(opening)].prod(axis=1)
        q = np.delete(absent, list(opening), axis=1).prod(axis=1)
        chances.append(1 - clear + clear * np.maximum(q, 1 - q))
    return float(np.max(chances, axis=0).mean())
