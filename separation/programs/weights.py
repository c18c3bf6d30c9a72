"""Rows of matrices over named slots, and the parts of a layer that are gathered row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from separation.arithmetic import ExactMatrix
from separation.models import MLP, AnyHead, Layer

Row = dict[str, Fraction | int]
"""Σ coefficient · slot."""


def plus(*rows: Mapping[str, Fraction | int]) -> Row:
    """The sum of rows, without zeros."""
    result: Row = {}
    for row in rows:
        for slot, number in row.items():
            result[slot] = result.get(slot, 0) + number
    return {slot: number for slot, number in result.items() if number}


def scaled(row: Mapping[str, Fraction | int], factor: Fraction | int) -> Row:
    return {slot: number * factor for slot, number in row.items() if number * factor}


@dataclass
class Unit:
    """relu(reads), which goes into slots with given weights."""

    reads: Row
    goes: Row


class Slots:
    """The coordinates of the stream, numbered as they are first named, and how large each can be."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.sizes: dict[str, Fraction] = {}
        self.largest = Fraction(1)

    def add(self, name: str, size: Fraction | int = 1) -> str:
        self.places.setdefault(name, len(self.places))
        self.sizes[name] = max(self.sizes.get(name, Fraction(0)), Fraction(size))
        return name

    @property
    def width(self) -> int:
        return len(self.places)

    def note(self, row: Mapping[str, Fraction | int]) -> None:
        """Remember how large a number the row can make."""
        size = sum((abs(Fraction(number)) * self.sizes[slot] for slot, number in row.items()), Fraction(0))
        self.largest = max(self.largest, size)

    def readers(self, rows: Iterable[Mapping[str, Fraction | int]]) -> ExactMatrix:
        """A matrix that reads the stream: one row of slots for each of its rows."""
        listed = list(rows)
        for row in listed:
            self.note(row)
        entries = [(r, self.places[slot], Fraction(c)) for r, row in enumerate(listed) for slot, c in row.items() if c]
        return ExactMatrix.from_entries((len(listed), self.width), entries)

    def writers(self, columns: Iterable[Mapping[str, Fraction | int]]) -> ExactMatrix:
        """A matrix that writes the stream: one column of slots for each number that it is given."""
        listed = list(columns)
        entries = [
            (self.places[slot], c, Fraction(n)) for c, column in enumerate(listed) for slot, n in column.items() if n
        ]
        return ExactMatrix.from_entries((self.width, len(listed)), entries)

    def mlp(self, units: list[Unit]) -> MLP:
        hidden = len(units)
        w_1, w_2 = self.readers(unit.reads for unit in units), self.writers(unit.goes for unit in units)
        return MLP(w_1, ExactMatrix.zeros(hidden, 1), w_2, ExactMatrix.zeros(self.width, 1))


@dataclass(frozen=True)
class Part:
    """Which definition a head is for: shown to people."""

    layer: int
    head: int
    kind: str
    name: str
    what: str


@dataclass
class Draft:
    """A layer before its matrices are made: what its heads and its MLPs, by rank, are to do.

    A head is made once all slots are known.
    """

    heads: list[Callable[[Slots], AnyHead]] = field(default_factory=list)
    mlps: dict[int, list[Unit]] = field(default_factory=dict)

    def add(self, head: Callable[[Slots], AnyHead]) -> int:
        """The number that the head gets."""
        self.heads.append(head)
        return len(self.heads) - 1

    def built(self, slots: Slots) -> Layer:
        heads = tuple(head(slots) for head in self.heads)
        return Layer(heads, tuple(slots.mlp(self.mlps[rank]) for rank in sorted(self.mlps) if self.mlps[rank]))
