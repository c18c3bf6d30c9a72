"""Rule P1: the embedding of a kind of token is affine in the ±1 bits of that kind's own variables."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm, prod

import numpy as np

from separation.arithmetic import ExactMatrix
from separation.arithmetic.matrices import integer_matmul, widen
from separation.models import Declared, Model, RowTable, Segment, Stored
from separation.models.tables import mixed_radix_bits
from separation.proving.failures import ProofFailed
from separation.proving.forms import ONE, Forms, variable_bits
from separation.tasks.shape import Kind, Variable, bit_count

ROWS_CHECKED = 1 << 20
BLOCK_ROWS = 1 << 16
ROW_NUMBERS = 1 << 62
"""A run numbers its rows in int64; a longer prompt can be proved, but nobody can run it to compare."""


def embedding_forms(model: Model, kind: Kind) -> Forms:
    """positions[address] + tokens[value], as forms over the bits of address and value."""
    place = table_forms(model.positions, kind.start, kind.address, "position")
    word = table_forms(model.tokens, kind.first_id, kind.value, "token")
    return place.plus(word)


def table_forms(table: RowTable, start: int, variables: Sequence[Variable], what: str) -> Forms:
    """Rows start, start+1, … as forms over the bits of the row's mixed-radix digits.

    A declared code is read off; up to 2^20 rows it is also compared, row by row, with the rows that a run uses. A
    stored table is interpolated at 0 and at the powers of two of each digit, and then every row is compared.
    """
    radices = tuple(variable.size for variable in variables)
    if start + prod(radices) > table.height:
        raise ProofFailed(
            "P1", what, f"the {what} table has {table.height} rows, row {start + prod(radices) - 1} is used"
        )
    if isinstance(table, Declared):
        matrix = _declared(table, start, radices, what)
    else:
        matrix = _interpolated(table, start, radices)
    if isinstance(table, Stored) or (prod(radices) <= ROWS_CHECKED and table.height <= ROW_NUMBERS):
        _compare_rows(table, start, radices, matrix, what)
    symbols = [symbol for variable in variables for symbol in variable_bits(variable.name, variable.bits)]
    return Forms([ONE, *symbols], matrix)


def _declared(table: Declared, start: int, radices: tuple[int, ...], what: str) -> ExactMatrix:
    segment = next((part for part in table.segments if part.start == start), None)
    if segment is None or (segment.radices != radices and not _is_prefix(segment, radices)):
        raise ProofFailed("P1", what, f"no {what} code is declared for rows {start} on with radices {list(radices)}")
    if segment.radices == radices:
        return segment.matrix
    # The rows of a smaller range are the first rows of a larger one: its higher bits are −1 there.
    kept = 1 + sum(map(bit_count, radices))
    high = segment.matrix.columns(range(kept, segment.matrix.shape[1]))
    ones = ExactMatrix(np.ones((high.shape[1], 1), dtype=np.int64))
    first = segment.matrix.columns([0]) - high @ ones
    return first.beside(segment.matrix.columns(range(1, kept)))


def _is_prefix(segment: Segment, radices: tuple[int, ...]) -> bool:
    return len(radices) == len(segment.radices) == 1 and radices[0] <= segment.radices[0]


def _interpolated(table: Stored, start: int, radices: tuple[int, ...]) -> ExactMatrix:
    probes, weight = [0], prod(radices)
    for radix in radices:
        weight //= radix
        probes += [weight << place for place in range(bit_count(radix))]
    rows = ExactMatrix(table.rows(start + np.array(probes)), table.denominator)
    base = rows.rows([0])
    repeated = ExactMatrix(np.repeat(base.numerators, len(probes) - 1, axis=0), base.denominator)
    halves = (rows.rows(range(1, len(probes))) - repeated).scaled(1) if len(probes) > 1 else None
    if halves is None:
        return base.T
    slopes = ExactMatrix(halves.numerators, 2 * halves.denominator).T
    ones = ExactMatrix(np.ones((slopes.shape[1], 1), dtype=np.int64))
    return (base.T + slopes @ ones).beside(slopes)


def _compare_rows(table: RowTable, start: int, radices: tuple[int, ...], matrix: ExactMatrix, what: str) -> None:
    common = lcm(table.denominator, matrix.denominator)
    wanted = widen(matrix.numerators, common // matrix.denominator).T
    for first in range(0, prod(radices), BLOCK_ROWS):
        numbers = np.arange(first, min(first + BLOCK_ROWS, prod(radices)))
        rows = widen(table.rows(start + numbers), common // table.denominator)
        differs = rows != integer_matmul(mixed_radix_bits(numbers, radices), wanted)
        if differs.any():
            row, column = (int(place) for place in np.argwhere(differs)[0])
            raise ProofFailed("P1", column, f"{what} row {start + first + row} is not the code of its number")
