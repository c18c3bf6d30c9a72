"""Named slots of a vector space, and matrices between them: nobody writes a bare coordinate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from fractions import Fraction

from separation.arithmetic import ExactMatrix
from separation.files import InputError
from separation.tasks.checks import shown


class Stream:
    """A direct sum of named slots, in order: one(1) ⊕ tag(2) ⊕ …; used for the residual stream and inside heads.

    >>> from separation import Stream
    >>> stream = Stream([("one", 1), ("pointer", 2)])
    >>> stream.width, stream["pointer"], stream.name(2)
    (3, range(1, 3), 'pointer[1]')
    """

    def __init__(self, slots: Iterable[tuple[str, int]]) -> None:
        self.slots: tuple[tuple[str, int], ...] = tuple(slots)
        self._ranges: dict[str, range] = {}
        start = 0
        for name, width in self.slots:
            if name in self._ranges:
                raise ValueError(f"slot {name} is named twice")
            self._ranges[name] = range(start, start + width)
            start += width
        self.width = start

    def __getitem__(self, name: str) -> range:
        """The coordinates of a slot."""
        if name not in self._ranges:
            near = get_close_matches(str(name), self._ranges, n=1)
            hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(self._ranges)}"
            raise InputError(f"no slot is called {shown(name)}{hint}")
        return self._ranges[name]

    def __contains__(self, name: object) -> bool:
        return name in self._ranges

    def name(self, coordinate: int) -> str:
        """pointer[3], or the bare name for a slot of width 1."""
        for name, places in self._ranges.items():
            if coordinate in places:
                return name if len(places) == 1 else f"{name}[{coordinate - places.start}]"
        raise IndexError(f"coordinate {coordinate} of {self.width}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and self.slots == other.slots

    def __hash__(self) -> int:
        return hash(self.slots)

    def __repr__(self) -> str:
        return "Stream(" + " ⊕ ".join(f"{name}({width})" for name, width in self.slots) + ")"


class Blocks:
    """A matrix target × source that is filled block by block; every entry is written at most once.

    >>> from separation import Blocks, Stream
    >>> stream, head = Stream([("one", 1), ("value", 2)]), Stream([("found", 2)])
    >>> Blocks(head, stream).copy("found", "value", 3).constants("found", [0, 1]).build().fractions()
    [[Fraction(0, 1), Fraction(3, 1), Fraction(0, 1)], [Fraction(1, 1), Fraction(0, 1), Fraction(3, 1)]]
    """

    def __init__(self, target: Stream, source: Stream) -> None:
        self.target, self.source = target, source
        self._entries: dict[tuple[int, int], Fraction] = {}

    def put(self, to: int, origin: int, coefficient: Fraction | int) -> Blocks:
        """One entry, by coordinates."""
        if (to, origin) in self._entries:
            raise ValueError(f"entry ({self.target.name(to)}, {self.source.name(origin)}) is written twice")
        self._entries[to, origin] = Fraction(coefficient)
        return self

    def copy(self, to: str, origin: str, coefficient: Fraction | int = 1) -> Blocks:
        """coefficient · identity from a slot to another of the same width."""
        rows, columns = self._slots(to, origin)
        if len(rows) != len(columns):
            raise InputError(
                f"{to} has {len(rows)} coordinates, {origin} has {len(columns)}: copy_low copies the lowest of them"
            )
        return self.copy_low(to, origin, coefficient)

    def copy_low(self, to: str, origin: str, coefficient: Fraction | int = 1) -> Blocks:
        """coefficient · identity on the lowest coordinates, as many as both slots have: the low bits of a code."""
        for row, column in zip(*self._slots(to, origin), strict=False):
            self.put(row, column, coefficient)
        return self

    def _slots(self, to: str, origin: str) -> tuple[range, range]:
        swapped = to in self.source and origin in self.target and not (to in self.target and origin in self.source)
        if swapped:
            raise InputError(
                f"{to} is a slot of the source and {origin} one of the target; the order is (to, origin), as in"
                f" copy({origin!r}, {to!r})"
            )
        return self.target[to], self.source[origin]

    def constants(self, to: str, numbers: Sequence[Fraction | int], one: str = "one", start: int = 0) -> Blocks:
        """The numbers, read off the constant slot, into a slot from its coordinate ``start`` on."""
        rows = self.target[to][start:]
        if len(rows) != len(numbers):
            where = f" from coordinate {start} on" if start else ""
            raise InputError(f"{to} has {len(rows)} coordinates{where}, got {len(numbers)} numbers")
        for row, number in zip(rows, numbers, strict=True):
            self.put(row, self.source[one][0], number)
        return self

    def build(self) -> ExactMatrix:
        triples = [(row, column, number) for (row, column), number in self._entries.items()]
        return ExactMatrix.from_entries((self.target.width, self.source.width), triples)
