"""Matrices written as a person would: from slot, to slot, coefficient."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from separation.arithmetic import ExactMatrix
from separation.models.stream import Stream


class Blocks:
    """A matrix target × source that is filled block by block; every entry is written at most once."""

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
        """coefficient · identity from a slot to another, as far as both reach."""
        for row, column in zip(self.target[to], self.source[origin], strict=False):
            self.put(row, column, coefficient)
        return self

    def constants(self, to: str, numbers: Sequence[Fraction | int], one: str = "one", start: int = 0) -> Blocks:
        """The numbers, read off the constant slot, into a slot from its coordinate ``start`` on."""
        for row, number in zip(self.target[to][start:], numbers, strict=True):
            self.put(row, self.source[one][0], number)
        return self

    def build(self) -> ExactMatrix:
        triples = [(row, column, number) for (row, column), number in self._entries.items()]
        return ExactMatrix.from_entries((self.target.width, self.source.width), triples)
