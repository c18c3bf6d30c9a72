"""The parts that documents are made of: objects with known keys, lists, matrices."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from separation.arithmetic import ExactMatrix, integer_from_json, number_from_json, number_to_json
from separation.files import InputError

MAX_ENTRIES = 1 << 24
"""Of all matrices of a document together, zeros included: they are held densely."""


def require_room(value: Any) -> None:
    """Refuse a document whose matrices, written out, would not fit; small files can claim large shapes."""
    waiting, cells = [value], 0
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict) and set(part) == {"shape", "entries"}:
            shape = part["shape"]
            if isinstance(shape, list) and len(shape) == 2 and all(type(size) is int for size in shape):
                cells += max(0, shape[0]) * max(0, shape[1])
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
