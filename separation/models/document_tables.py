"""Row tables as documents: {"stored": matrix} or {"declared": [segment, …]}."""

from __future__ import annotations

from typing import Any

from separation.arithmetic import number_to_json
from separation.arithmetic.numbers import integer_from_json
from separation.files import InputError
from separation.models.document_values import fields, listed, matrix_from_document, matrix_to_document
from separation.models.tables import Declared, RowTable, Segment, Stored


def table_to_document(table: RowTable) -> dict[str, Any]:
    if isinstance(table, Stored):
        return {"stored": matrix_to_document(table.matrix)}
    return {"declared": [_segment_to_document(part) for part in table.segments]}


def table_from_document(value: Any, field: str) -> RowTable:
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
    document = {
        "start": number_to_json(segment.start),
        "radices": [number_to_json(radix) for radix in segment.radices],
        "matrix": matrix_to_document(segment.matrix),
    }
    return document if segment.mirror is None else {**document, "mirror": number_to_json(segment.mirror)}


def _segment_from_document(value: Any, field: str) -> Segment:
    mirrored = isinstance(value, dict) and "mirror" in value
    value = fields(value, field, ("start", "radices", "matrix", *(("mirror",) if mirrored else ())))
    radices = listed(value["radices"], f"{field}.radices")
    start = integer_from_json(value["start"], f"{field}.start")
    sizes = tuple(integer_from_json(radix, f"{field}.radices", least=1) for radix in radices)
    matrix = matrix_from_document(value["matrix"], f"{field}.matrix")
    mirror = integer_from_json(value["mirror"], f"{field}.mirror") if mirrored else None
    try:
        return Segment(start, sizes, matrix, mirror)
    except ValueError as error:
        raise InputError(f"{field}.matrix: {error}") from None
