"""Inputs that are hard on purpose: families of single ones, and blocks of prompts that ask for everything there is.

A family is a function of the sizes and a seed, and never empty. An asked entry is one that the answer rests on: z_ℓ at
the ℓ-th of the instance's asked addresses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice, product

import numpy as np
from numpy.typing import NDArray

from separation.tasks.checks import draws, generator, rows_in_blocks
from separation.tasks.funccomp.instance import Instance, asked_addresses, batch_hops, hops, require_buildable
from separation.tasks.funccomp.sizes import Sizes
from separation.tasks.shape import bit_count


def draw(sizes: Sizes, random: np.random.Generator) -> Instance:
    """One uniform input from a random source."""
    require_buildable(sizes)
    z0 = int(random.integers(sizes.m))
    tables = [random.integers(size, size=size) for size in sizes.N]
    return Instance(sizes, z0, tables, random.integers(np.array(sizes.n, dtype=np.int64)))


def sample(sizes: Sizes, seed: int) -> Instance:
    """One uniform input: z_0, every entry and every digit of w independent."""
    return draw(sizes, generator(seed))


def samples(sizes: Sizes, seed: int, count: int) -> Iterator[Instance]:
    """``count`` independent uniform inputs; a larger count only adds to the end, and the first is ``sample``'s."""
    return draws(draw, sizes, seed, count)


def enumerate_inputs(sizes: Sizes) -> Iterator[Instance]:
    """All m·W·Π N_{ℓ-1}^{N_{ℓ-1}} inputs, each once, in the lexicographic order of their token ids."""
    require_buildable(sizes)
    entries = [range(size) for size in reversed(sizes.N) for _ in range(size)]
    for choice in product(*entries, range(sizes.m), *map(range, sizes.n)):
        rest = iter(choice)
        tables = [list(islice(rest, size)) for size in reversed(sizes.N)]
        yield Instance(sizes, next(rest), tables[::-1], list(rest))


def enumerate_token_ids(sizes: Sizes, block: int) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """The inputs of ``enumerate_inputs``, in its order and in blocks: token ids (block × length) and answers (block).

    The last block holds what is left.
    """
    entries = (size for size in reversed(sizes.N) for _ in range(size))
    for ids in rows_in_blocks(sizes, chain(entries, (sizes.m, sizes.queries)), block):
        ids[:, -1] += sizes.N[-1]
        yield ids, batch_hops(sizes, ids)[:, -1]


Table = NDArray[np.int64]
Array = NDArray[np.int64]

BACKGROUNDS = ("opposite", "permutations", "random", "zeros")
"""What stands at the entries that are not asked; opposite: the asked value of the table with all its bits flipped."""


def constant_tables(sizes: Sizes, seed: int) -> Iterator[Instance]:
    """z_ℓ(x) = c_ℓ: the zeros, the last values, and random c_ℓ."""
    given = draw(sizes, generator(seed))
    for constants in ([0] * sizes.L, [size - 1 for size in sizes.N], [table[0] for table in given.tables]):
        tables = [np.full(size, c) for size, c in zip(sizes.N, constants, strict=True)]
        yield Instance(sizes, given.z0, tables, given.w)


def identity(sizes: Sizes, seed: int) -> Iterator[Instance]:
    """z_ℓ(x) = x, so i_L = z_0 + Σ w_ℓ·N_{ℓ-1}."""
    given = draw(sizes, generator(seed))
    yield Instance(sizes, given.z0, [np.arange(size) for size in sizes.N], given.w)


def permutations(sizes: Sizes, seed: int) -> Iterator[Instance]:
    """Every z_ℓ is one-to-one: each value stands in a table exactly once."""
    random = generator(seed)
    given = draw(sizes, random)
    yield Instance(sizes, given.z0, [random.permutation(size) for size in sizes.N], given.w)


def single_cycle(sizes: Sizes, seed: int) -> Iterator[Instance]:
    """Every z_ℓ is one cycle through all of [N_{ℓ-1}]; no entry points at itself."""
    random = generator(seed)
    given = draw(sizes, random)
    yield Instance(sizes, given.z0, [_cycle(random.permutation(size)) for size in sizes.N], given.w)


def hops_on_first_index(sizes: Sizes, seed: int) -> Iterator[Instance]:
    """i_0 = … = i_L = 0, first with w = 0, so that the first entry of every table is asked, then with the last w."""
    tables = _random_tables(sizes, seed)
    for w in (_first_query(sizes), _last_query(sizes)):
        yield _with_hops(sizes, tables, [0] * (sizes.L + 1), w)


def hops_on_last_index(sizes: Sizes, seed: int) -> Iterator[Instance]:
    """i_0 = m − 1 and i_ℓ = N_{ℓ-1} − 1, first with the last w, so that the last entries are asked, then with w = 0."""
    tables = _random_tables(sizes, seed)
    for w in (_last_query(sizes), _first_query(sizes)):
        yield _with_hops(sizes, tables, [sizes.m - 1, *(size - 1 for size in sizes.N)], w)


def one_entry_apart(sizes: Sizes, seed: int) -> Iterator[Instance]:
    """2L instances, a pair for each table: the two differ in its asked entry only, and in the answer.

    The tables behind the changed one are permutations, which carry the difference to the end.
    """
    (first,) = permutations(sizes, seed)
    random = generator(seed)
    for level, place in enumerate(asked_addresses(first)):
        changed = [np.array(table) for table in first.tables]
        size = sizes.N[level]
        changed[level][place] = (changed[level][place] + random.integers(1, size)) % size
        yield first
        yield Instance(sizes, first.z0, changed, first.w)


def hamming_neighbours(sizes: Sizes, seed: int) -> Iterator[Instance]:
    """Entries whose address code is one bit from the asked code hold another value than the asked entry.

    The code of an address is bits(digit) ++ bits(index), for table 1 bits(index). The other value has all bits of the
    asked one flipped, or is its successor where the flip leaves the range. Codes beyond the sizes have no entry; every
    asked code has at least one neighbour, since index 0 has index 1 and any other index can lose a bit.
    """
    given = draw(sizes, generator(seed))
    tables = [np.array(table) for table in given.tables]
    for level, (place, value) in enumerate(zip(asked_addresses(given), hops(given)[1:], strict=True)):
        tables[level][code_neighbours(sizes, level + 1, place)] = _flipped(np.array(value), sizes.N[level])
    yield Instance(sizes, given.z0, tables, given.w)


def chain_trap(sizes: Sizes, seed: int) -> Iterator[Instance]:
    """i_0, …, i_L ≠ 0, and every entry that is not asked is 0: who leaves the path reads 0."""
    random = generator(seed)
    given = draw(sizes, random)
    path = [int(random.integers(1, size)) for size in (sizes.m, *sizes.N)]
    for values in (path, [1] * (sizes.L + 1)):
        yield _with_hops(sizes, [np.zeros(size, dtype=np.int64) for size in sizes.N], values, given.w)


def opposite_bits(sizes: Sizes, seed: int) -> Iterator[Instance]:
    """Asked entries have all bits 0 and all others all bits 1, then the reverse: any leak pulls on every bit.

    Where N_{ℓ-1} is no power of two, "all ones" is the largest 2^k − 1 below it and leaves the top bit 0.
    """
    given = draw(sizes, generator(seed))
    ones = [_all_ones(size) for size in sizes.N]
    yield _with_hops(
        sizes, [np.full(size, one) for size, one in zip(sizes.N, ones, strict=True)], [0] * (sizes.L + 1), given.w
    )
    yield _with_hops(sizes, [np.zeros(size, dtype=np.int64) for size in sizes.N], [ones[0], *ones], given.w)


FAMILIES: dict[str, Callable[[Sizes, int], Iterator[Instance]]] = {
    family.__name__: family
    for family in (
        constant_tables,
        identity,
        permutations,
        single_cycle,
        hops_on_first_index,
        hops_on_last_index,
        one_entry_apart,
        hamming_neighbours,
        chain_trap,
        opposite_bits,
    )
}


def code_neighbours(sizes: Sizes, level: int, place: int) -> list[int]:
    """The entries of table ``level`` whose address code differs from that of ``place`` in exactly one bit."""
    inner = sizes.N[max(level - 2, 0)]
    outer = sizes.N[level - 1] // inner
    digit, index = divmod(place, inner)
    flipped_digits = [digit ^ 1 << bit for bit in range(bit_count(outer))]
    flipped_indices = [index ^ 1 << bit for bit in range(bit_count(inner))]
    same_index = [other * inner + index for other in flipped_digits if other < outer]
    return same_index + [digit * inner + other for other in flipped_indices if other < inner]


def _with_hops(sizes: Sizes, tables: Sequence[Table], path: Sequence[int], w: Sequence[int]) -> Instance:
    """The tables with the asked entries set so that the hops are ``path`` = (i_0, …, i_L)."""
    tables = [table.copy() for table in tables]
    bases = [0, *(digit * size for digit, size in zip(w, sizes.N, strict=False))]
    for table, base, here, after in zip(tables, bases, path, path[1:], strict=False):
        table[base + here] = after
    return Instance(sizes, path[0], tables, w)


def _random_tables(sizes: Sizes, seed: int) -> list[Table]:
    return [np.array(table) for table in draw(sizes, generator(seed)).tables]


def _first_query(sizes: Sizes) -> tuple[int, ...]:
    return (0,) * len(sizes.n)


def _last_query(sizes: Sizes) -> tuple[int, ...]:
    return tuple(size - 1 for size in sizes.n)


def _cycle(order: Table) -> Table:
    """The table that leads from each element of ``order`` to the next, and from the last to the first."""
    table = np.empty_like(order)
    table[order] = np.roll(order, -1)
    return table


def _all_ones(size: int) -> int:
    return (1 << size.bit_length() - 1) - 1


def random_prompts(sizes: Sizes, random: np.random.Generator, count: int) -> Array:
    """Uniform inputs as token ids, (count, length)."""
    tables = [random.integers(size, size=(count, size)) for size in reversed(sizes.N)]
    ends = [random.integers(sizes.m, size=(count, 1)), sizes.N[-1] + random.integers(sizes.queries, size=(count, 1))]
    return np.concatenate([*tables, *ends], axis=1)


def aimed_prompts(sizes: Sizes, random: np.random.Generator, levels: Sequence[int], count: int) -> Iterator[Array]:
    """Blocks of up to ``count`` prompts without end: for each level every address, then every value of its table.

    An address of table ℓ is asked by w_{ℓ-1} and i_{ℓ-1}, a value is i_ℓ; all else is random, on one background after
    another, so that a model that reads next to the asked entry, or lets others leak in, reads something else.
    """
    while True:
        for background in BACKGROUNDS:
            for level in levels:
                inner = sizes.N[max(level - 2, 0)]
                for chosen in _blocks(random.permutation(sizes.N[level - 1]), count):
                    paths, digits = _random_paths(sizes, random, len(chosen))
                    paths[:, level - 1] = chosen % inner
                    if level >= 2:
                        digits[:, level - 2] = chosen // inner
                    yield on_background(sizes, random, paths, digits, background)
                for chosen in _blocks(random.permutation(sizes.N[level - 1]), count):
                    paths, digits = _random_paths(sizes, random, len(chosen))
                    paths[:, level] = chosen
                    yield on_background(sizes, random, paths, digits, background)


def on_background(sizes: Sizes, random: np.random.Generator, paths: Array, digits: Array, background: str) -> Array:
    """Prompts with the hops ``paths`` (count, L + 1) and the queries ``digits`` (count, L − 1)."""
    count = len(paths)
    rows, ids = np.arange(count), random_prompts(sizes, random, count)
    query = np.zeros(count, dtype=np.int64)
    for level, size in enumerate(sizes.N, start=1):
        table = ids[:, sizes.table_start(level) : sizes.table_start(level) + size]
        if background == "opposite":
            table[:] = _flipped(paths[:, level], size)[:, None]
        elif background == "zeros":
            table[:] = 0
        elif background == "permutations":
            table[:] = random.permuted(np.broadcast_to(np.arange(size), table.shape), axis=1)
        place = paths[:, level - 1]
        if level >= 2:
            place = digits[:, level - 2] * sizes.N[level - 2] + place
            query = query * sizes.n[level - 2] + digits[:, level - 2]
        table[rows, place] = paths[:, level]
    ids[:, -2], ids[:, -1] = paths[:, 0], sizes.N[-1] + query
    return ids


def _random_paths(sizes: Sizes, random: np.random.Generator, count: int) -> tuple[Array, Array]:
    """Hops i_0..i_L and digits w_1..w_{L-1}, each uniform."""
    paths = [random.integers(size, size=count) for size in (sizes.m, *sizes.N)]
    digits = [random.integers(size, size=count) for size in sizes.n]
    return np.stack(paths, axis=1), np.stack(digits, axis=1) if digits else np.zeros((count, 0), dtype=np.int64)


def _flipped(values: Array, size: int) -> Array:
    """All bits flipped, or the successor where that leaves the range."""
    flipped = values ^ (1 << bit_count(size)) - 1
    return np.where(flipped < size, flipped, (values + 1) % size)


def _blocks(numbers: Array, size: int) -> Iterator[Array]:
    for first in range(0, len(numbers), size):
        yield numbers[first : first + size]
