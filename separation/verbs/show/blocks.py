"""Matrices as named blocks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from separation.arithmetic import ExactMatrix
from separation.files import InputError
from separation.models import Stream
from separation.models.document import fields
from separation.verbs.show.coefficients import Coefficient
from separation.verbs.show.places import parse_place, place_text
from separation.verbs.show.runs import cut_into_runs

Entry = tuple[int, int, Fraction]
Unit = tuple[Fraction, str]
NO_UNIT: Unit = (Fraction(1), "")


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
        to, origin = place_text(target, self.rows), place_text(source, self.columns)
        return {"to": to, "from": origin, "coefficient": self.coefficient.text}

    @classmethod
    def from_document(cls, value: Any, field: str, target: Stream, source: Stream, symbols: Collection[str]) -> Block:
        value = fields(value, field, ("to", "from", "coefficient"))
        rows = parse_place(value["to"], f"{field}.to", target)
        columns = parse_place(value["from"], f"{field}.from", source)
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
