"""Embeddings and unembeddings: tables of rows, stored in full or declared as a code of the row's number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import (
    ExactMatrix,
    IntegerArray,
    integer_from_json,
    integer_matmul,
    largest,
    number_from_json,
    number_to_json,
)
from separation.files import InputError
from separation.tasks.shape import bit_count

MAX_ENTRIES = 1 << 24
"""Of all matrices of a document together, zeros included: they are held densely."""


def require_room(
    value: Any,
    keys: tuple[str, str] = ("shape", "entries"),
    shape_of: Callable[[dict[str, Any]], Any] = lambda part: part["shape"],
) -> None:
    """Refuse a document whose matrices, objects with these keys, would not fit when they are written out, each counted
    where it is named; small files can claim large shapes."""
    waiting, cells = [value], 0
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict) and set(part) == set(keys):
            shape = shape_of(part)
            if isinstance(shape, list) and all(type(size) is int for size in shape):
                cells += prod(max(0, size) for size in shape)
            if cells > MAX_ENTRIES:
                raise InputError(f"the matrices have more than {MAX_ENTRIES} entries in all")
        elif isinstance(part, dict):
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part


def fields(value: Any, field: str, wanted: tuple[str, ...]) -> dict[str, Any]:
    """A JSON object with exactly the wanted keys."""
    if not isinstance(value, dict):
        raise InputError(f"{field} must be an object with the keys {', '.join(wanted)}")
    for key in wanted:
        if key not in value:
            raise InputError(f"{field}.{key} is missing")
    for key in value:
        if key not in wanted:
            raise InputError(f"{field}.{str(key)[:40]} is not a known key; known are {', '.join(wanted)}")
    return value


def listed(value: Any, field: str) -> list[Any]:
    if not isinstance(value, list):
        raise InputError(f"{field} must be a list")
    return value


def matrix_to_document(matrix: ExactMatrix) -> dict[str, Any]:
    entries = [list(entry) for entry in matrix.mapped_entries(number_to_json)]
    return {"shape": list(matrix.shape), "entries": entries}


def matrix_from_document(value: Any, field: str) -> ExactMatrix:
    if isinstance(value, ExactMatrix):
        return value
    value = fields(value, field, ("shape", "entries"))
    shape = listed(value["shape"], f"{field}.shape")
    if len(shape) != 2:
        raise InputError(f"{field}.shape must have two numbers")
    rows, columns = (integer_from_json(size, f"{field}.shape", most=MAX_ENTRIES) for size in shape)
    if rows * columns > MAX_ENTRIES:
        raise InputError(f"{field} has {rows} x {columns} entries; at most {MAX_ENTRIES} are read")
    entries: dict[tuple[int, int], Fraction] = {}
    for index, entry in enumerate(listed(value["entries"], f"{field}.entries")):
        place = f"{field}.entries[{index}]"
        if len(listed(entry, place)) != 3:
            raise InputError(f"{place} must be [row, column, number]")
        row = integer_from_json(entry[0], f"{place} row", most=rows - 1)
        column = integer_from_json(entry[1], f"{place} column", most=columns - 1)
        if (row, column) in entries:
            raise InputError(f"{place} repeats the entry ({row}, {column})")
        entries[row, column] = number_from_json(entry[2], place)
    triples = [(row, column, number) for (row, column), number in entries.items()]
    return ExactMatrix.from_entries((rows, columns), triples)


def sign_bits(numbers: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """(…, b): bit j of each number as ±1, least significant first, b = ⌈log2 size⌉."""
    shifts = np.arange(bit_count(size))
    return ((numbers[..., None] >> shifts) & 1) * 2 - 1


def mixed_radix_bits(numbers: NDArray[np.int64], radices: tuple[int, ...]) -> NDArray[np.int64]:
    """(…, 1+β): a leading 1, then the ±1 bits of each mixed-radix digit, the most significant digit first."""
    columns: list[NDArray[np.int64]] = []
    rest = numbers
    for radix in reversed(radices):
        columns.append(sign_bits(rest % radix, radix))
        rest = rest // radix
    ones = np.ones((*numbers.shape, 1), dtype=np.int64)
    return np.concatenate([ones, *reversed(columns)], axis=-1)


@dataclass(frozen=True)
class Segment:
    """Row start + x is matrix · (1, ±1 bits of the mixed-radix digits of x), for 0 ≤ x < Π radices.

    where matrix: width × (1 + Σ ⌈log2 radix⌉). With ``mirror`` M, the one radix, the bits of M − x follow those of x:
    a row then is affine in the bits of both. So do the bits of further ``digits``, each its size and its values in all
    rows, such as the number of the row before.

    >>> from separation import ExactMatrix, Segment
    >>> code = Segment(4, (3,), ExactMatrix.from_rows([[0, 1, 0], [0, 0, 1]]))  # rows 4, 5, 6: the bits of 0, 1, 2
    >>> code.count, code.stop
    (3, 7)
    """

    start: int
    radices: tuple[int, ...]
    matrix: ExactMatrix
    mirror: int | None = None
    digits: tuple[tuple[int, tuple[int, ...]], ...] = ()

    def __post_init__(self) -> None:
        if any(len(values) != self.count or not 0 <= min(values) <= max(values) < size for size, values in self.digits):
            raise ValueError("a further digit needs a value below its size for each row")
        # M itself, the mirror image of 0, must fit the bits of 0..M−1: for an odd M ≥ 3 it does.
        fits = self.mirror is None or (self.mirror >= 3 and self.mirror % 2 == 1 and self.radices == (self.mirror,))
        if not fits:
            raise ValueError(f"mirror must be the one radix, odd and at least 3, got {str(self.mirror)[:40]}")
        if self.matrix.shape[1] != 1 + sum(self.digit_bits):
            raise ValueError(f"a segment of radices {self.radices} cannot have {self.matrix.shape[1]} columns")

    @property
    def digit_bits(self) -> tuple[int, ...]:
        """How many bits each digit has, then the mirror image, then the further digits."""
        counts = tuple(map(bit_count, self.radices)) * (1 if self.mirror is None else 2)
        return (*counts, *(bit_count(size) for size, _ in self.digits))

    def bits(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """(…, 1+β): what the matrix acts on in the rows start + numbers."""
        parts = [mixed_radix_bits(numbers, self.radices)]
        if self.mirror is not None:
            parts.append(sign_bits(self.mirror - numbers, self.mirror))
        parts += [sign_bits(np.array(values, dtype=np.int64)[numbers], size) for size, values in self.digits]
        return np.concatenate(parts, axis=-1)

    @property
    def bound(self) -> Fraction:
        """The largest Σ |entries| of a row of the matrix."""
        sums = np.abs(self.matrix.numerators).sum(axis=1, dtype=object)
        return Fraction(max(map(int, sums), default=0), self.matrix.denominator)

    @property
    def count(self) -> int:
        return prod(self.radices)

    @property
    def stop(self) -> int:
        return self.start + self.count


@dataclass(frozen=True)
class Stored:
    """Rows as they are: a matrix rows × width."""

    matrix: ExactMatrix

    @property
    def height(self) -> int:
        return self.matrix.shape[0]

    @property
    def width(self) -> int:
        return self.matrix.shape[1]

    @property
    def denominator(self) -> int:
        return self.matrix.denominator

    @property
    def bound(self) -> Fraction:
        """No entry of a row is larger in absolute value."""
        return Fraction(largest(self.matrix.numerators), self.matrix.denominator)

    @property
    def codes(self) -> list[ExactMatrix]:
        """Matrices whose columns, times ±1, add up to all rows."""
        return [self.matrix.T]

    def rows(self, numbers: NDArray[np.int64]) -> IntegerArray:
        """Numerators, over ``denominator``, of the rows with these numbers."""
        return self.matrix.numerators[numbers]

    def columns(self, columns: NDArray[np.int64]) -> Stored:
        """The same rows, of these coordinates alone."""
        return Stored(self.matrix.columns(columns))

    def mapped(self, matrix: ExactMatrix) -> Stored:
        """matrix · row for each row."""
        return Stored(self.matrix @ matrix.T)

    def document(self) -> dict[str, Any]:
        return {"stored": matrix_to_document(self.matrix)}


@dataclass(frozen=True)
class Declared:
    """Rows given by segments that follow each other without a gap; nothing is stored row by row."""

    segments: tuple[Segment, ...]

    def __post_init__(self) -> None:
        starts = [segment.start for segment in self.segments]
        if starts != [0, *(segment.stop for segment in self.segments[:-1])]:
            raise ValueError("segments must start at 0 and follow each other without a gap")
        if len({segment.matrix.shape[0] for segment in self.segments}) != 1:
            raise ValueError("segments must all have the same width")

    @property
    def height(self) -> int:
        return self.segments[-1].stop

    @property
    def width(self) -> int:
        return self.segments[0].matrix.shape[0]

    @property
    def denominator(self) -> int:
        return lcm(*(segment.matrix.denominator for segment in self.segments))

    @property
    def bound(self) -> Fraction:
        """No entry of a row is larger in absolute value."""
        return max(segment.bound for segment in self.segments)

    @property
    def codes(self) -> list[ExactMatrix]:
        """Matrices whose columns, times ±1, add up to all rows."""
        return [segment.matrix for segment in self.segments]

    def columns(self, columns: NDArray[np.int64]) -> Declared:
        """The same rows, of these coordinates alone."""
        return Declared(tuple(replace(part, matrix=part.matrix.rows(columns)) for part in self.segments))

    def mapped(self, matrix: ExactMatrix) -> Declared:
        """matrix · row for each row."""
        return Declared(tuple(replace(part, matrix=matrix @ part.matrix) for part in self.segments))

    def document(self) -> dict[str, Any]:
        return {"declared": [_segment_to_document(part) for part in self.segments]}

    def rows(self, numbers: NDArray[np.int64]) -> IntegerArray:
        """Numerators, over ``denominator``, of the rows with these numbers."""
        denominator = self.denominator
        result: IntegerArray = np.zeros((*numbers.shape, self.width), dtype=np.int64)
        for segment in self.segments:
            inside = (numbers >= segment.start) & (numbers < segment.stop)
            if inside.any():
                bits = segment.bits(numbers[inside] - segment.start)
                scaled = segment.matrix.scaled(denominator).numerators
                found = integer_matmul(bits, scaled.T)
                if found.dtype == object:
                    result = result.astype(object)
                result[inside] = found
        return result

    def stored(self) -> Stored:
        """The same rows, written out."""
        numerators = self.rows(np.arange(self.height))
        return Stored(ExactMatrix(numerators, self.denominator))


RowTable = Stored | Declared


def table_from_document(value: Any, field: str) -> RowTable:
    """{"stored": matrix} or {"declared": [segment, …]}; the inverse of ``table.document()``."""
    if isinstance(value, dict) and set(value) == {"stored"}:
        return Stored(matrix_from_document(value["stored"], f"{field}.stored"))
    if not isinstance(value, dict) or set(value) != {"declared"}:
        raise InputError(f'{field} must have the one key "stored" or the one key "declared"')
    parts = listed(value["declared"], f"{field}.declared")
    segments = [_segment_from_document(part, f"{field}.declared[{i}]") for i, part in enumerate(parts)]
    if not segments:
        raise InputError(f"{field}.declared must have at least one segment")
    try:
        return Declared(tuple(segments))
    except ValueError as error:
        raise InputError(f"{field}.declared: {error}") from None


def _segment_to_document(segment: Segment) -> dict[str, Any]:
    document: dict[str, Any] = {
        "start": number_to_json(segment.start),
        "radices": [number_to_json(radix) for radix in segment.radices],
        "matrix": matrix_to_document(segment.matrix),
    }
    if segment.mirror is not None:
        document["mirror"] = number_to_json(segment.mirror)
    if segment.digits:
        document["digits"] = [{"size": size, "values": list(values)} for size, values in segment.digits]
    return document


def _segment_from_document(value: Any, field: str) -> Segment:
    more = [key for key in ("mirror", "digits") if isinstance(value, dict) and key in value]
    value = fields(value, field, ("start", "radices", "matrix", *more))
    radices = listed(value["radices"], f"{field}.radices")
    start = integer_from_json(value["start"], f"{field}.start")
    sizes = tuple(integer_from_json(radix, f"{field}.radices", least=1) for radix in radices)
    matrix = matrix_from_document(value["matrix"], f"{field}.matrix")
    mirror = integer_from_json(value["mirror"], f"{field}.mirror") if "mirror" in more else None
    tables = listed(value.get("digits", []), f"{field}.digits")
    digits = tuple(_digit(part, f"{field}.digits[{i}]") for i, part in enumerate(tables))
    try:
        return Segment(start, sizes, matrix, mirror, digits)
    except ValueError as error:
        raise InputError(f"{field}.matrix: {error}") from None


def _digit(value: Any, field: str) -> tuple[int, tuple[int, ...]]:
    value = fields(value, field, ("size", "values"))
    values = listed(value["values"], f"{field}.values")
    size = integer_from_json(value["size"], f"{field}.size", least=1, most=1 << 62)
    return size, tuple(integer_from_json(x, f"{field}.values", most=size - 1) for x in values)
