"""What a token holds, slot by slot, said once: rows of tables and invariants are both read off such a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from separation.models import Blocks, Segment, Stream
from separation.proving import ONE, Invariant, InvariantBuilder, bit
from separation.tasks.shape import Kind, Variable


class Bit(NamedTuple):
    """offset + scale · (bit ``place`` of a variable, ±1)."""

    variable: str
    place: int
    scale: Fraction = Fraction(1)
    offset: Fraction = Fraction(0)


class Junk(NamedTuple):
    """Some number within ±radius."""

    radius: int = 1


Letter = int | Bit | Junk
"""What a coordinate holds."""
Line = Mapping[str, Sequence[Letter]]
"""Slot → its letters; a slot that is not named, and the rest of one that has fewer letters, is 0."""


def code(variable: Variable) -> list[Letter]:
    """The ±1 bits of a variable, least significant first."""
    return [Bit(variable.name, place) for place in range(variable.bits)]


def codes(variables: Sequence[Variable]) -> list[Letter]:
    """Those of several, one after the other."""
    return [letter for variable in variables for letter in code(variable)]


def segment(stream: Stream, kind: Kind, line: Line) -> Segment:
    """The rows from ``kind.start`` on, one for each address, whose variables the line names."""
    symbols = Stream([("one", 1), *((variable.name, variable.bits) for variable in kind.address)])
    blocks, (one,) = Blocks(stream, symbols), symbols["one"]
    for row, letter in _placed(stream, line):
        if isinstance(letter, Bit):
            blocks.put(row, symbols[letter.variable][letter.place], letter.scale)
        constant = letter.offset if isinstance(letter, Bit) else letter
        if isinstance(constant, int | Fraction) and constant:
            blocks.put(row, one, constant)
    return Segment(kind.start, tuple(variable.size for variable in kind.address), blocks.build())


def stated(stream: Stream, line: Line) -> Invariant:
    """The invariant of a kind of token whose line this is."""
    builder = InvariantBuilder(stream.width)
    for row, letter in _placed(stream, line):
        if isinstance(letter, Junk):
            builder.junk([row], letter.radius)
        elif isinstance(letter, Bit):
            builder.put(row, ONE, letter.offset).put(row, bit(letter.variable, letter.place), letter.scale)
        else:
            builder.put(row, ONE, letter)
    return builder.build()


def _placed(stream: Stream, line: Line) -> list[tuple[int, Letter]]:
    return [pair for slot, letters in line.items() for pair in zip(stream[slot], letters, strict=False)]
