"""Inputs too long to be written out: an entry of a table is drawn when it is read, and always the same.

A family is fewer inputs than all: of table 1 only the last ``starts`` entries vary, z_0 is one of them, and tables have
few values. What a lower bound says of a family it says of all inputs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any, overload

import numpy as np

from separation.tasks.funccomp import Instance, Sizes

ALL_INPUTS = 1 << 12
SAMPLES, FEWEST_SAMPLES, DRAWN_ENTRIES = 50, 4, 1 << 18
"""Random inputs that are run: fewer when tables are long."""
LONGEST_COUNTED = 1 << 10
"""The number of inputs with more tokens is not even counted."""


@dataclass(frozen=True)
class DrawnTable(Sequence[int]):
    """Entry e of a row varies if e ≥ ``fixed``: one of ``values``, or one of ``own`` values that no other entry has.

    where a row has ``row`` entries, and all others are 0.
    """

    size: int
    seed: int
    values: range
    row: int
    fixed: int = 0
    own: int = 0

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> list[int]: ...
    def __getitem__(self, index: int | slice) -> int | list[int]:
        if isinstance(index, slice):
            if index.step is None and not self.fixed and not self.own:
                return self._stretch(*index.indices(self.size)[:2])
            return [self[place] for place in range(*index.indices(self.size))]
        if not 0 <= index < self.size:
            raise IndexError(index)
        place = index % self.row - self.fixed
        if place < 0:
            return 0
        drawn = _mixed(self.seed, index)
        return place * self.own + drawn % self.own if self.own else self.values[drawn % len(self.values)]

    def _stretch(self, start: int, stop: int) -> list[int]:
        """The same numbers, many at once."""
        drawn = _mixed_array(self.seed, np.arange(start, stop, dtype=np.uint64)) % np.uint64(len(self.values))
        return [self.values[place] for place in drawn.tolist()]


def _mixed_array(seed: int, index: np.ndarray[Any, np.dtype[np.uint64]]) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """`_mixed` for many; products are modulo 2^64."""
    state = np.uint64(seed * 0x9E3779B97F4A7C15 & (1 << 64) - 1) + index * np.uint64(0xD1B54A32D192ED03)
    state = (state ^ state >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ state >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return state ^ state >> np.uint64(31)


def _mixed(seed: int, index: int) -> int:
    """64 bits that look random (the finaliser of splitmix64)."""
    mask = (1 << 64) - 1
    state = (seed * 0x9E3779B97F4A7C15 + index * 0xD1B54A32D192ED03) & mask
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & mask
    state = (state ^ state >> 27) * 0x94D049BB133111EB & mask
    return state ^ state >> 31


class DrawnInstance(Instance):
    """An input whose tables may be `DrawnTable`s, and are not looked through; the oracle follows it as every other."""

    def __init__(self, sizes: Sizes, z0: int, tables: Sequence[Sequence[int]], w: tuple[int, ...]) -> None:
        for name, value in (("sizes", sizes), ("z0", z0), ("tables", tuple(tables)), ("w", w)):
            object.__setattr__(self, name, value)


@dataclass(frozen=True)
class Family:
    """z_0 is one of the last ``starts`` entries of table 1, and only these vary, with values in the last u of [m].

    where values = (u, v_2, …, v_L): table ℓ ≥ 2 has values in [v_ℓ], table 2 only in the windows {(w_1, i): i is one of
    the last u of [m]}, and is fixed outside. With ``own`` each entry of table 1 has as many values of its own instead,
    and table 2 varies everywhere.
    """

    starts: int
    values: tuple[int, ...]
    own: int = 0

    def draw(self, sizes: Sizes, rng: Random) -> Instance:
        m, N, (u, *later) = sizes.m, sizes.N, self.values
        first = DrawnTable(m, rng.getrandbits(60), range(m - u, m), m, m - self.starts, self.own)
        tables: list[Sequence[int]] = [first]
        for level, (size, values) in enumerate(zip(N[1:], later, strict=True), start=2):
            fixed = m - u if level == 2 and not self.own else 0
            tables.append(DrawnTable(size, rng.getrandbits(60), range(values), m, fixed))
        z0 = m - 1 - rng.randrange(self.starts)
        return DrawnInstance(sizes, z0, tables, tuple(rng.randrange(n) for n in sizes.n))

    def every(self, sizes: Sizes) -> Iterator[Instance]:
        """All its inputs, written out: what `draw` may draw, each once."""
        m, N, (u, *later) = sizes.m, sizes.N, self.values
        own = [range(place * self.own, (place + 1) * self.own) for place in range(self.starts)]
        values = own if self.own else [range(m - u, m)] * self.starts
        choices = [_tables(m, dict(zip(range(m - self.starts, m), values, strict=True)))]
        for level, (size, count) in enumerate(zip(N[1:], later, strict=True), start=2):
            fixed = m - u if level == 2 and not self.own else 0
            choices.append(_tables(size, {e: range(count) for e in range(size) if e % m >= fixed}))
        queries = list(product(*map(range, sizes.n)))
        for tables, z0, w in product(product(*choices), range(m - self.starts, m), queries):
            yield DrawnInstance(sizes, z0, tables, w)


def _tables(size: int, free: dict[int, range]) -> list[tuple[int, ...]]:
    """The tables whose entries in ``free`` have one of these values, and are 0 elsewhere."""
    return list(product(*(free.get(place, (0,)) for place in range(size))))


def every_value(sizes: Sizes) -> Family:
    """All inputs."""
    return Family(sizes.m, sizes.N)


def inputs(sizes: Sizes, family: Family | None = None) -> Iterator[Instance]:
    """All inputs where they are few; if not, random ones, of the family if one is given."""
    few = family is None and sizes.length <= LONGEST_COUNTED
    if few and sizes.inputs_log2() <= ALL_INPUTS.bit_length() - 1:
        yield from every_value(sizes).every(sizes)
        return
    rng, chosen_from = Random(sizes.length), family or every_value(sizes)
    for _ in range(max(FEWEST_SAMPLES, min(SAMPLES, DRAWN_ENTRIES // sizes.length))):
        yield chosen_from.draw(sizes, rng)


Small = tuple[tuple[Sizes, Family], ...]


def small_sizes(tables: int) -> tuple[Small, Small]:
    """All inputs of small sizes, the first of which that fits is run; and fewer inputs where more queries are."""
    all_of = {2: (Sizes(2, (2,)),), 3: (Sizes(2, (1, 1)), Sizes(2, (1, 2)))}[tables]
    more = (Sizes(2, (1, 2)), Sizes(2, (2, 1))) if tables == 3 else ()
    return tuple((sizes, every_value(sizes)) for sizes in all_of), tuple(
        (sizes, Family(2, (2, 2, 2))) for sizes in more
    )


def small_families(tables: int) -> Small:
    """Families of few inputs: those that fit are all run."""
    if tables == 2:
        return ((Sizes(2, (3,)), Family(1, (2, 3), own=2)),)
    return (
        (Sizes(3, (1, 1)), Family(1, (2, 3, 3))),
        (Sizes(3, (2, 1)), Family(1, (1, 2, 2))),
        (Sizes(3, (1, 2)), Family(2, (2, 2, 2))),
        (Sizes(5, (1, 1)), Family(1, (2, 2, 3))),
        (Sizes(5, (1, 2)), Family(1, (1, 2, 2))),
    )
