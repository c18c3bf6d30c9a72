"""Matrices as named blocks: {"to": "found[0:4]", "from": "value[0:4]", "coefficient": "τ"}.

x[a:b] are the coordinates a..b−1 of slot x. Which matrix a block stands for follows from its two widths:

    to k, from k      coefficient · identity
    to k, from 1      a column: k times the coefficient, or the vector "τ·(+,-,+)", "(1,-1/2,3)"
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

from separation.arithmetic import ExactMatrix
from separation.models import Stream

CONSTANT = "one"
"""The slot that holds 1: what a column is read off."""

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
        factor, items = self.factored()
        if not items:
            return factor
        return ("" if factor == "1" else f"{factor}·") + f"({','.join(items)})"

    def factored(self) -> tuple[str, list[str]]:
        """(factor, items of the column): the items are + and - if they differ in nothing but their sign."""
        if len(self.numbers) == 1:
            return scalar_text(self.numbers[0], self.symbol), []
        sizes = {abs(number) for number in self.numbers}
        if len(sizes) > 1:
            return scalar_text(Fraction(1), self.symbol), list(map(str, self.numbers))
        return scalar_text(sizes.pop(), self.symbol), ["+" if number > 0 else "-" for number in self.numbers]

    def cut(self, start: int, stop: int) -> Coefficient:
        """A part of a column; one number is the same in every part."""
        return self if len(self.numbers) == 1 else Coefficient.of_column(self.numbers[start:stop], self.symbol)


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

    def cut(self, cuts: Sequence[int]) -> list[Block]:
        """The block in pieces, cut at these rows (in order)."""
        first = self.rows.start
        inside = cuts[bisect_right(cuts, first) : bisect_left(cuts, self.rows.stop)]
        found = []
        for start, stop in pairwise([first, *inside, self.rows.stop]):
            columns = self.columns if self.is_column else self.columns[start - first : stop - first]
            found.append(Block(range(start, stop), columns, self.coefficient.cut(start - first, stop - first)))
        return found


@dataclass(frozen=True)
class Matrix:
    """A matrix target × source, as its blocks say: what the document, the text and the article are made of."""

    target: Stream
    source: Stream
    blocks: tuple[Block, ...]

    @classmethod
    def of(
        cls,
        matrix: ExactMatrix,
        target: Stream,
        source: Stream,
        *,
        as_columns: Collection[int] | None = None,
        cuts: Collection[int] = (),
        unit: Unit = NO_UNIT,
    ) -> Matrix:
        """Columns of ``as_columns`` (the constant's) by runs of rows, everything else by diagonal runs.

        No run leaves a slot, and none of a column goes past a row in ``cuts``. Only non-zero entries are looked at.
        """
        row_slots, column_slots = _slot_numbers(target), _slot_numbers(source)
        if as_columns is None:
            as_columns = source[CONSTANT] if (CONSTANT, 1) in source.slots else ()

        def goes_on(run: list[Entry], entry: Entry) -> bool:
            (row, column, number), (last_row, last_column, last) = entry, run[-1]
            if row != last_row + 1 or row_slots[row] != row_slots[last_row]:
                return False
            if column in as_columns:
                return column == last_column and row not in cuts
            along = column == last_column + 1 and column_slots[column] == column_slots[last_column]
            return along and number == last and last_column not in as_columns

        def order(entry: Entry) -> tuple[bool, int, int]:
            row, column, _ = entry
            return (False, column, row) if column in as_columns else (True, row - column, row)

        blocks = []
        for run in cut_into_runs(sorted(matrix.entries(), key=order), goes_on):
            (top, left, _), (bottom, right, _) = run[0], run[-1]
            coefficient = Coefficient.of_column([number / unit[0] for _, _, number in run], unit[1])
            blocks.append(Block(range(top, bottom + 1), range(left, right + 1), coefficient))
        return cls(target, source, tuple(sorted(blocks, key=lambda block: (block.rows.start, block.columns.start))))

    def document(self) -> list[dict[str, str]]:
        return [
            {
                "to": coordinates_text(self.target, block.rows),
                "from": coordinates_text(self.source, block.columns),
                "coefficient": block.coefficient.text,
            }
            for block in self.blocks
        ]

    def grid(self) -> tuple[list[range], list[range], dict[tuple[int, int], Block]]:
        """Pieces of rows and columns such that each block is cut into cells of the grid: (first row, first column)."""
        rows = {end for block in self.blocks for end in (block.rows.start, block.rows.stop)}
        columns = {end for block in self.blocks for end in (block.columns.start, block.columns.stop)}
        size = 0
        while size != len(rows) + len(columns):
            size = len(rows) + len(columns)
            for block in self.blocks:
                if not block.is_column:
                    step = block.columns.start - block.rows.start
                    rows |= {cut - step for cut in columns if block.columns.start < cut < block.columns.stop}
                    columns |= {cut + step for cut in rows if block.rows.start < cut < block.rows.stop}
        cuts = sorted(rows)
        cells = {(cell.rows.start, cell.columns.start): cell for block in self.blocks for cell in block.cut(cuts)}
        used_rows, used_columns = {row for row, _ in cells}, {column for _, column in cells}
        return (
            [range(start, stop) for start, stop in pairwise(cuts) if start in used_rows],
            [range(start, stop) for start, stop in pairwise(sorted(columns)) if start in used_columns],
            cells,
        )


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


def row_pieces(matrices: Sequence[Matrix]) -> list[tuple[range, list[list[Block]]]]:
    """The coarsest pieces of rows that no block of any matrix cuts, each with what every matrix has there."""
    cuts = sorted(
        {end for matrix in matrices for block in matrix.blocks for end in (block.rows.start, block.rows.stop)}
    )
    pieces: dict[int, list[list[Block]]] = {start: [[] for _ in matrices] for start in cuts[:-1]}
    for number, matrix in enumerate(matrices):
        for cell in (cell for block in matrix.blocks for cell in block.cut(cuts)):
            pieces[cell.rows.start][number].append(cell)
    found = [(range(start, stop), pieces[start]) for start, stop in pairwise(cuts)]
    return [(piece, cells) for piece, cells in found if any(cells)]


def named(stream: Stream, coordinates: range) -> tuple[str, str]:
    """(slot, coordinates in it): the latter empty for a whole slot, else 3 or 0:4."""
    for name, width in stream.slots:
        slot = stream[name]
        if coordinates.start in slot:
            return name, "" if len(coordinates) == width else range_text(
                coordinates.start - slot.start, len(coordinates)
            )
    raise IndexError(f"coordinate {coordinates.start} of {stream.width}")


def coordinates_text(stream: Stream, coordinates: range) -> str:
    """found[0:4], found[2] for one coordinate, the bare name for a slot of width 1."""
    name, part = named(stream, coordinates)
    if len(coordinates) == dict(stream.slots)[name] == 1 and not name.endswith("]"):
        return name
    return f"{name}[{part or range_text(0, len(coordinates))}]"


def range_text(first: int, count: int) -> str:
    """2, or 0:4 for more than one."""
    return str(first) if count == 1 else f"{first}:{first + count}"


def is_constant(stream: Stream, coordinates: range) -> bool:
    return len(coordinates) == 1 and named(stream, coordinates) == (CONSTANT, "")
