"""Random inputs, and all inputs one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from separation.files import InputError
from separation.tasks.checks import draws, generator, require_integer, shown
from separation.tasks.funccomp.instance import Instance, batch_hops, require_buildable
from separation.tasks.funccomp.sizes import Sizes


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
    require_integer("block", block, 1)
    bits = sizes.inputs_log2_floor() + 1
    if bits > 62:
        raise InputError(f"the number of inputs has {shown(bits)} bits; at most 62 are enumerated in blocks")
    count = sizes.count_inputs()
    radices = [size for size in reversed(sizes.N) for _ in range(size)] + [sizes.m, sizes.queries]
    for start in range(0, count, block):
        rest = np.arange(start, min(start + block, count), dtype=np.int64)
        ids = np.empty((len(rest), sizes.length), dtype=np.int64)
        for position in reversed(range(sizes.length)):
            rest, ids[:, position] = np.divmod(rest, radices[position])
        ids[:, -1] += sizes.N[-1]
        yield ids, batch_hops(sizes, ids)[:, -1]
