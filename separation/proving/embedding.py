"""Rule P1: the embedding of a kind of token is affine in the ±1 bits of that kind's own variables."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm, prod

import numpy as np

from separation.arithmetic import ExactMatrix, integer_matmul, widen
from separation.models import Declared, Model, RowTable, Stored, mixed_radix_bits, sign_bits
from separation.proving.failures import ProofFailed
from separation.proving.forms import ONE, Forms, variable_bits
from separation.tasks.shape import Kind, Variable, bit_count

ROWS_CHECKED = 1 << 20
BLOCK_ROWS = 1 << 16
ROW_NUMBERS = 1 << 62
"""A run numbers its rows in int64; a longer prompt can be proved, but nobody can run it to compare."""


def embedding_forms(model: Model, kind: Kind, claimed: Forms) -> Forms:
    """positions[address] + tokens[value], as forms over the bits of address and value (and of the value's mirror)."""
    position = table_forms(model.positions, kind.start, kind.address, "position")
    if kind.mirror is None:
        return position.plus(table_forms(model.tokens, kind.first_id, kind.value, "token"))
    return position.plus(_mirrored_forms(model.tokens, kind, kind.mirror, claimed.minus(position)))


def _mirrored_forms(table: RowTable, kind: Kind, mirror: Variable, claimed: Forms) -> Forms:
    """The token rows of all x in [M] as forms over the bits of x and of M − x.

    A declared segment is read off. Stored rows are affine in these bits in more than one way (the lowest bits of x and
    of M − x are opposite): each is compared with the claimed forms, which then are as good as any.
    """
    (value,) = kind.value
    symbols = [ONE, *variable_bits(value.name, value.bits), *variable_bits(mirror.name, mirror.bits)]
    if isinstance(table, Declared):
        return Forms(symbols, _declared_mirrored(table, kind.first_id, value, mirror))
    if any(symbol not in symbols for symbol in claimed.compact().symbols):
        raise ProofFailed("P1", "token", "the claim about the embedding mentions more than x and M − x")
    matrix = claimed.compact().over(symbols)
    common = lcm(table.denominator, matrix.denominator)
    wanted = widen(matrix.numerators, common // matrix.denominator).T
    for first in range(1, value.size, BLOCK_ROWS):
        numbers = np.arange(first, min(first + BLOCK_ROWS, value.size))
        mirrored = sign_bits(value.size - numbers, value.size)
        bits = np.concatenate([mixed_radix_bits(numbers, (value.size,)), mirrored], axis=1)
        rows = widen(table.rows(kind.first_id + numbers), common // table.denominator)
        differs = rows != integer_matmul(bits, wanted)
        if differs.any():
            row, column = map(int, np.argwhere(differs)[0])
            raise ProofFailed("P1", column, f"token row {first + row} is not what the invariant says")
    return Forms(symbols, matrix)


def _declared_mirrored(table: Declared, start: int, value: Variable, mirror: Variable) -> ExactMatrix:
    segment = next((part for part in table.segments if part.start == start), None)
    if segment is None or segment.radices != (value.size,):
        raise ProofFailed("P1", "token", f"no token code is declared for the {value.size} rows from {start} on")
    if segment.mirror is not None:
        return segment.matrix
    return segment.matrix.hstack(ExactMatrix.zeros(table.width, mirror.bits))


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
    compared = prod(radices) <= ROWS_CHECKED and table.height <= ROW_NUMBERS
    if isinstance(table, Declared):
        matrix = _declared(table, start, radices, what)
    else:
        matrix, compared = _interpolated(table, start, radices), True
    if compared:
        _compare_rows(table, start, radices, matrix, what)
    symbols = [symbol for variable in variables for symbol in variable_bits(variable.name, variable.bits)]
    return Forms([ONE, *symbols], matrix)


def _declared(table: Declared, start: int, radices: tuple[int, ...], what: str) -> ExactMatrix:
    segment = next((part for part in table.segments if part.start == start), None)
    # A digit of radix 1 is 0 and has no bits.
    found, wanted = (
        tuple(radix for radix in some if radix != 1) for some in (segment.radices if segment else (), radices)
    )
    if segment is None or segment.mirror or (found != wanted and not _is_prefix(found, wanted)):
        raise ProofFailed("P1", what, f"no {what} code is declared for rows {start} on with radices {list(radices)}")
    if found == wanted:
        return segment.matrix
    # The rows of a smaller range are the first rows of a larger one: its higher bits are −1 there.
    kept = 1 + sum(map(bit_count, radices))
    high = segment.matrix.columns(range(kept, segment.matrix.shape[1]))
    ones = ExactMatrix(np.ones((high.shape[1], 1), dtype=np.int64))
    first = segment.matrix.columns([0]) - high @ ones
    return first.hstack(segment.matrix.columns(range(1, kept)))


def _is_prefix(found: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    return len(found) == 1 >= len(wanted) and prod(wanted) <= found[0]


def _interpolated(table: Stored, start: int, radices: tuple[int, ...]) -> ExactMatrix:
    probes, weight = [0], prod(radices)
    for radix in radices:
        weight //= radix
        probes += [weight << shift for shift in range(bit_count(radix))]
    rows = ExactMatrix(table.rows(start + np.array(probes)), table.denominator)
    base = rows.rows([0])
    repeated = ExactMatrix(np.repeat(base.numerators, len(probes) - 1, axis=0), base.denominator)
    halves = (rows.rows(range(1, len(probes))) - repeated).scaled(1) if len(probes) > 1 else None
    if halves is None:
        return base.T
    slopes = ExactMatrix(halves.numerators, 2 * halves.denominator).T
    ones = ExactMatrix(np.ones((slopes.shape[1], 1), dtype=np.int64))
    return (base.T + slopes @ ones).hstack(slopes)


def _compare_rows(table: RowTable, start: int, radices: tuple[int, ...], matrix: ExactMatrix, what: str) -> None:
    # A coordinate that neither the table nor the code ever writes is 0 in both: most are, and need no look.
    written = np.any([(part.numerators != 0).any(axis=1) for part in (matrix, *table.codes)], axis=0)
    used = np.flatnonzero(written)
    table, matrix = table.columns(used), matrix.rows(used)
    common = lcm(table.denominator, matrix.denominator)
    wanted = widen(matrix.numerators, common // matrix.denominator).T
    for first in range(0, prod(radices), BLOCK_ROWS):
        numbers = np.arange(first, min(first + BLOCK_ROWS, prod(radices)))
        rows = widen(table.rows(start + numbers), common // table.denominator)
        codes = integer_matmul(mixed_radix_bits(numbers, radices), wanted)
        differs = rows != codes
        if differs.any():
            row, column = map(int, np.argwhere(differs)[0])
            held, code = (Fraction(int(part[row, column]), common) for part in (rows, codes))
            name = f"{what} row {start + first + row}"
            message = f"{name} is not the code of its number: it holds {held}, as the other rows go {code} is due"
            details = {"table": what, "row": start + first + row, "holds": str(held), "code": str(code)}
            raise ProofFailed("P1", int(used[column]), message, details=details)
