"""Models as JSON documents of exact numbers."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from separation.arithmetic import ExactMatrix, Precision, number_from_json, number_to_json
from separation.arithmetic.numbers import integer_from_json
from separation.files import InputError
from separation.models.stream import Stream
from separation.models.tables import Declared, RowTable, Segment, Stored
from separation.models.transformer import MLP, Head, Layer, Model

SCHEMA = "separation.model/1"
MODEL_KEYS = ("precision", "slots", "positions", "tokens", "layers", "unembedding")
MAX_ENTRIES = 1 << 24
"""Of all matrices of a document together, zeros included: they are held densely."""


def model_to_document(model: Model) -> dict[str, Any]:
    """The JSON form of a model, as docs/proving.md lays it down."""
    precision = model.precision
    return {
        "precision": {"P": precision.score_bits, "p": precision.bits, "fraction": precision.fraction_bits},
        "slots": [{"name": name, "width": width} for name, width in model.stream.slots],
        "positions": _table_to_document(model.positions),
        "tokens": _table_to_document(model.tokens),
        "layers": [
            {
                "heads": [
                    {**_matrices_to_document(head, Head.MATRICES), "shift": number_to_json(head.shift)}
                    for head in layer.heads
                ],
                "mlp": _matrices_to_document(layer.mlp, MLP.MATRICES),
            }
            for layer in model.layers
        ],
        "unembedding": _table_to_document(model.unembedding),
    }


def model_from_document(document: Mapping[str, Any]) -> Model:
    """The inverse of `model_to_document`; errors name the field."""
    require_room(document)
    for key in MODEL_KEYS:
        if key not in document:
            raise InputError(f"{key} is missing")
    precision = fields(document["precision"], "precision", ("P", "p", "fraction"))
    try:
        stream = Stream(_slot(slot, f"slots[{i}]") for i, slot in enumerate(listed(document["slots"], "slots")))
        return Model(
            stream=stream,
            positions=_table_from_document(document["positions"], "positions"),
            tokens=_table_from_document(document["tokens"], "tokens"),
            layers=tuple(_layer(e, f"layers[{i}]") for i, e in enumerate(listed(document["layers"], "layers"))),
            unembedding=_table_from_document(document["unembedding"], "unembedding"),
            precision=Precision(
                integer_from_json(precision["P"], "precision.P", most=4096),
                integer_from_json(precision["p"], "precision.p", most=4096),
                integer_from_json(precision["fraction"], "precision.fraction", most=4096),
            ),
        )
    except InputError:
        raise
    except ValueError as error:
        raise InputError(str(error)) from None


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
    entries = [[row, column, number_to_json(number)] for row, column, number in matrix.entries()]
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


def _matrices_to_document(part: Head | MLP, names: tuple[str, ...]) -> dict[str, Any]:
    return {_file_name(name): matrix_to_document(getattr(part, name)) for name in names}


def _file_name(attribute: str) -> str:
    """w_q → W_Q, b_1 → b_1: the names that papers use."""
    return attribute if attribute.startswith("b") else attribute.upper()


def _layer(value: Any, field: str) -> Layer:
    value = fields(value, field, ("heads", "mlp"))
    heads = [_head(head, f"{field}.heads[{i}]") for i, head in enumerate(listed(value["heads"], f"{field}.heads"))]
    mlp = fields(value["mlp"], f"{field}.mlp", tuple(map(_file_name, MLP.MATRICES)))
    matrices = {n: matrix_from_document(mlp[_file_name(n)], f"{field}.mlp.{_file_name(n)}") for n in MLP.MATRICES}
    return Layer(tuple(heads), MLP(**matrices))


def _head(value: Any, field: str) -> Head:
    value = fields(value, field, (*map(_file_name, Head.MATRICES), "shift"))
    matrices = {n: matrix_from_document(value[_file_name(n)], f"{field}.{_file_name(n)}") for n in Head.MATRICES}
    return Head(**matrices, shift=number_from_json(value["shift"], f"{field}.shift"))


def _slot(value: Any, field: str) -> tuple[str, int]:
    value = fields(value, field, ("name", "width"))
    if not isinstance(value["name"], str) or not 1 <= len(value["name"]) <= 64:
        raise InputError(f"{field}.name must be a text of 1 to 64 characters")
    return value["name"], integer_from_json(value["width"], f"{field}.width", most=1 << 16)


def _table_to_document(table: RowTable) -> dict[str, Any]:
    if isinstance(table, Stored):
        return {"stored": matrix_to_document(table.matrix)}
    return {
        "declared": [
            {
                "start": number_to_json(part.start),
                "radices": [number_to_json(radix) for radix in part.radices],
                "matrix": matrix_to_document(part.matrix),
            }
            for part in table.segments
        ]
    }


def _table_from_document(value: Any, field: str) -> RowTable:
    if isinstance(value, dict) and set(value) == {"stored"}:
        return Stored(matrix_from_document(value["stored"], f"{field}.stored"))
    if not isinstance(value, dict) or set(value) != {"declared"}:
        raise InputError(f'{field} must have the one key "stored" or the one key "declared"')
    parts = listed(value["declared"], f"{field}.declared")
    segments = [_segment(part, f"{field}.declared[{i}]") for i, part in enumerate(parts)]
    if not segments:
        raise InputError(f"{field}.declared must have at least one segment")
    try:
        return Declared(tuple(segments))
    except ValueError as error:
        raise InputError(f"{field}.declared: {error}") from None


def _segment(value: Any, field: str) -> Segment:
    value = fields(value, field, ("start", "radices", "matrix"))
    radices = listed(value["radices"], f"{field}.radices")
    start = integer_from_json(value["start"], f"{field}.start")
    sizes = tuple(integer_from_json(radix, f"{field}.radices", least=1) for radix in radices)
    matrix = matrix_from_document(value["matrix"], f"{field}.matrix")
    try:
        return Segment(start, sizes, matrix)
    except ValueError as error:
        raise InputError(f"{field}.matrix: {error}") from None
