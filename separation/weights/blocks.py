"""Matrices as named blocks: {"to": "found[0:4]", "from": "value[0:4]", "coefficient": "τ"}.

x[a:b] are the coordinates a..b−1 of slot x. Which matrix a block stands for follows from its two widths:

    to k, from k      coefficient · identity
    to k, from 1      a column: k times the coefficient, or the vector "τ·(+,-,+)", "(1,-1/2,3)"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from separation.arithmetic import ExactMatrix, number_from_json
from separation.files import InputError
from separation.models import Stream, fields

TAU = "τ"
_SCALAR = re.compile(rf"(-?)(\d+(?:/\d+)?)?({TAU}\d*)?\Z", re.ASCII)
_COORDINATES = re.compile(r"(.+)\[(\d{1,9})(?::(\d{1,9}))?\]\Z", re.ASCII | re.DOTALL)

Entry = tuple[int, int, Fraction]
Unit = tuple[Fraction, str]
NO_UNIT: Unit = (Fraction(1), "")
Item = TypeVar("Item")


@dataclass(frozen=True)
class Coefficient:
    """One number, or a column of at least two, in units of ``symbol`` (no unit if that is empty)."""

    numbers: tuple[Fraction, ...]
    symbol: str = ""

    @classmethod
    def of_column(cls, numbers: Sequence[Fraction], symbol: str) -> Coefficient:
        """One number if all of them are the same."""
        return cls(tuple(numbers[:1] if len(set(numbers)) == 1 else numbers), symbol)

    @property
    def text(self) -> str:
        """3/2, -2τ, τ·(+,-,+), (1,-1/2)."""
        if len(self.numbers) == 1:
            return scalar_text(self.numbers[0], self.symbol)
        common, items = self.factored()
        factor = scalar_text(common, self.symbol)
        return ("" if factor == "1" else f"{factor}·") + f"({','.join(items)})"

    def factored(self) -> tuple[Fraction, list[str]]:
        """(common factor, items) of a column: the items are + and - if they differ in nothing but their sign."""
        sizes = {abs(number) for number in self.numbers}
        if len(sizes) > 1:
            return Fraction(1), list(map(str, self.numbers))
        return sizes.pop(), ["+" if number > 0 else "-" if number else "0" for number in self.numbers]

    @classmethod
    def parse(cls, text: object, field: str, symbols: Collection[str]) -> Coefficient:
        """The inverse of ``text``."""
        plain = text.replace("−", "-") if isinstance(text, str) else ""
        factor, bracket, rest = plain.rpartition("(")
        match = _SCALAR.match(factor.removesuffix("·") if factor else "1") if bracket else _SCALAR.match(plain)
        if match is None or not (match[2] or match[3]) or (bracket and not rest.endswith(")")):
            raise InputError(f"{field} must be a coefficient like 3/2, -2{TAU} or {TAU}·(+,-), got {str(text)[:40]!r}")
        if match[3] and match[3] not in symbols:
            raise InputError(f"{field} has the symbol {match[3]}, which temperature does not give")
        scale = number_from_json(match[1] + (match[2] or "1"), field)
        items = [{"+": "1", "-": "-1"}.get(item, item) for item in rest[:-1].split(",")] if bracket else ["1"]
        return cls(tuple(scale * number_from_json(item, field) for item in items), match[3] or "")

    def cut(self, start: int, stop: int) -> Coefficient:
        """A part of a column; one number is the same in every part."""
        return self if len(self.numbers) == 1 else Coefficient.of_column(self.numbers[start:stop], self.symbol)

    def values(self, symbols: Mapping[str, Fraction]) -> tuple[Fraction, ...]:
        """The numbers themselves, the symbol replaced by its value."""
        unit = symbols[self.symbol] if self.symbol else 1
        return tuple(unit * number for number in self.numbers)


def scalar_text(number: Fraction, symbol: str = "") -> str:
    """1, -1, 3/2, τ, -2τ."""
    if not symbol or not number:
        return str(number)
    return {1: symbol, -1: f"-{symbol}"}.get(int(number) if number.denominator == 1 else 0, f"{number}{symbol}")


@dataclass(frozen=True)
class Block:
    """coefficient · identity where both ranges are of one length, a column where ``columns`` has length 1."""

    rows: range
    columns: range
    coefficient: Coefficient

    @property
    def is_column(self) -> bool:
        return len(self.columns) == 1

    def entries(self, symbols: Mapping[str, Fraction]) -> list[Entry]:
        """What the block puts where, symbols replaced by their values."""
        count = len(self.rows)
        numbers = self.coefficient.values(symbols)
        numbers *= count if len(numbers) == 1 else 1
        columns = [self.columns[0]] * count if self.is_column else self.columns
        return list(zip(self.rows, columns, numbers, strict=True))

    def to_document(self, target: Stream, source: Stream) -> dict[str, str]:
        to, origin = coordinates_text(target, self.rows), coordinates_text(source, self.columns)
        return {"to": to, "from": origin, "coefficient": self.coefficient.text}

    @classmethod
    def from_document(cls, value: Any, field: str, target: Stream, source: Stream, symbols: Collection[str]) -> Block:
        value = fields(value, field, ("to", "from", "coefficient"))
        rows = parse_coordinates(value["to"], f"{field}.to", target)
        columns = parse_coordinates(value["from"], f"{field}.from", source)
        coefficient = Coefficient.parse(value["coefficient"], f"{field}.coefficient", symbols)
        vector = len(coefficient.numbers)
        if len(columns) not in (1, len(rows)) or (vector > 1 and (len(columns) > 1 or vector != len(rows))):
            raise InputError(f"{field}: {value['to']} and {value['from']} do not fit {coefficient.text[:40]}")
        return cls(rows, columns, coefficient)


def blocks_to_document(blocks: Iterable[Block], target: Stream, source: Stream) -> list[dict[str, str]]:
    return [block.to_document(target, source) for block in blocks]


def find_blocks(
    matrix: ExactMatrix,
    target: Stream,
    source: Stream,
    *,
    as_columns: Collection[int] = (),
    cuts: Collection[int] = (),
    unit: Unit = NO_UNIT,
) -> list[Block]:
    """The matrix as blocks: columns of ``as_columns`` by runs of rows, everything else by diagonal runs.

    No run leaves a slot, and none of a column goes past a row in ``cuts``. Only non-zero entries are looked at.
    """
    row_slots, column_slots = _slot_numbers(target), _slot_numbers(source)
    value, symbol = unit

    def below(run: list[Entry], entry: Entry) -> bool:
        last = run[-1]
        down = entry[:2] == (last[0] + 1, last[1]) and row_slots[entry[0]] == row_slots[last[0]]
        return down and entry[0] not in cuts

    def diagonal(run: list[Entry], entry: Entry) -> bool:
        last = run[-1]
        along = entry == (last[0] + 1, last[1] + 1, last[2]) and row_slots[entry[0]] == row_slots[last[0]]
        return along and column_slots[entry[1]] == column_slots[last[1]]

    entries = matrix.entries()
    columns = sorted((entry for entry in entries if entry[1] in as_columns), key=lambda entry: (entry[1], entry[0]))
    others = sorted(
        (entry for entry in entries if entry[1] not in as_columns), key=lambda entry: (entry[0] - entry[1], entry[0])
    )
    blocks = []
    for run in [*cut_into_runs(columns, below), *cut_into_runs(others, diagonal)]:
        (top, left, _), (bottom, right, _) = run[0], run[-1]
        coefficient = Coefficient.of_column([number / value for _, _, number in run], symbol)
        blocks.append(Block(range(top, bottom + 1), range(left, right + 1), coefficient))
    return sorted(blocks, key=lambda block: (block.rows.start, block.columns.start))


def _slot_numbers(stream: Stream) -> list[int]:
    return [number for number, (_, width) in enumerate(stream.slots) for _ in range(width)]


def cut_into_runs(items: Iterable[Item], goes_on: Callable[[list[Item], Item], bool]) -> list[list[Item]]:
    """The items in order, cut wherever the run so far does not go on with the next one."""
    found: list[list[Item]] = []
    for item in items:
        if found and goes_on(found[-1], item):
            found[-1].append(item)
        else:
            found.append([item])
    return found


def coordinates_text(stream: Stream, coordinates: range) -> str:
    """found[0:4], found[2] for one coordinate, the bare name for a slot of width 1."""
    name, width, start = slot_at(stream, coordinates.start)
    if width == 1 and not name.endswith("]"):
        return name
    return f"{name}[{range_text(coordinates.start - start, len(coordinates))}]"


def parse_coordinates(text: object, field: str, stream: Stream) -> range:
    """The inverse of `coordinates_text`."""
    match = _COORDINATES.match(text) if isinstance(text, str) else None
    name = match[1] if match else text
    widths = dict(stream.slots)
    if not isinstance(name, str) or name not in widths:
        known = ", ".join(widths)[:200]
        raise InputError(f"{field}: {str(text)[:40]!r} names no coordinates of the slots {known}")
    first = int(match[2]) if match else 0
    stop = (int(match[3]) if match[3] else first + 1) if match else 1
    if not first < stop <= widths[name] or (match is None and widths[name] != 1):
        raise InputError(f"{field}: {str(text)[:40]!r} does not fit the slot {name}, which has width {widths[name]}")
    return stream[name][first:stop]


def range_text(first: int, count: int) -> str:
    """2, or 0:4 for more than one."""
    return str(first) if count == 1 else f"{first}:{first + count}"


def slot_at(stream: Stream, coordinate: int) -> tuple[str, int, int]:
    """(name, width, first coordinate) of the slot of a coordinate."""
    start = 0
    for name, width in stream.slots:
        if start <= coordinate < start + width:
            return name, width, start
        start += width
    raise IndexError(f"coordinate {coordinate} of {stream.width}")
