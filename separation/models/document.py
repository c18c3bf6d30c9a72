"""Models as JSON documents of exact numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from separation.arithmetic import Precision, integer_from_json, number_from_json, number_to_json
from separation.files import InputError
from separation.models.stream import Stream
from separation.models.tables import (
    MAX_ENTRIES,
    fields,
    listed,
    matrix_from_document,
    matrix_to_document,
    require_room,
    table_from_document,
)
from separation.models.transformer import HEAD_TYPES, MLP, AnyHead, Layer, Model, paper_name
from separation.recurrences import FAMILIES

MODEL_SCHEMA = "separation.model/1"
MODEL_KEYS = ("precision", "attention", "slots", "positions", "tokens", "layers", "unembedding")
ATTENTION = {"causal": True, "both": False}


def model_to_document(model: Model) -> dict[str, Any]:
    """The JSON form of a model, as docs/proving.md lays it down."""
    precision = model.precision
    return {
        "precision": {"P": precision.score_bits, "p": precision.bits, "fraction": precision.fraction_bits},
        "attention": attention_name(model),
        "slots": [{"name": name, "width": width} for name, width in model.stream.slots],
        "positions": model.positions.document(),
        "tokens": model.tokens.document(),
        "layers": [
            {
                "heads": [_head_to_document(head) for head in layer.heads],
                "mlps": [_matrices_to_document(mlp) for mlp in layer.mlps],
            }
            for layer in model.layers
        ],
        "unembedding": model.unembedding.document(),
    }


def model_from_document(document: Mapping[str, Any]) -> Model:
    """The inverse of `model_to_document`; errors name the field."""
    require_room(document)
    for key in MODEL_KEYS:
        if key not in document:
            raise InputError(f"{key} is missing")
    try:
        stream = Stream(_slot(slot, f"slots[{i}]") for i, slot in enumerate(listed(document["slots"], "slots")))
        return Model(
            stream=stream,
            positions=table_from_document(document["positions"], "positions"),
            tokens=table_from_document(document["tokens"], "tokens"),
            layers=tuple(_layer(e, f"layers[{i}]") for i, e in enumerate(listed(document["layers"], "layers"))),
            unembedding=table_from_document(document["unembedding"], "unembedding"),
            precision=precision_from_document(document["precision"]),
            causal=causal_from_document(document["attention"]),
        )
    except InputError:
        raise
    except ValueError as error:
        raise InputError(str(error)) from None


def attention_name(model: Model) -> str:
    """causal, or both: the ways that attention looks."""
    return "causal" if model.causal else "both"


def causal_from_document(value: Any) -> bool:
    """The inverse of `attention_name`."""
    if not isinstance(value, str) or value not in ATTENTION:
        raise InputError(f"attention must be {' or '.join(ATTENTION)}, got {str(value)[:40]!r}")
    return ATTENTION[value]


def precision_from_document(value: Any) -> Precision:
    value = fields(value, "precision", ("P", "p", "fraction"))
    return Precision(*(integer_from_json(value[key], f"precision.{key}", most=4096) for key in ("P", "p", "fraction")))


def head_type(value: Any, field: str) -> type[AnyHead]:
    """The class of heads whose name is the value's ``type``."""
    name = value["type"] if isinstance(value, dict) and "type" in value else None
    if not isinstance(name, str) or name not in HEAD_TYPES:
        raise InputError(f"{field}.type must be one of {', '.join(HEAD_TYPES)}, got {str(name)[:40]!r}")
    return HEAD_TYPES[name]


def head_number(name: str, value: Any, field: str) -> Any:
    """``shift`` is an exact number, ``normalised`` true or false, ``family`` a text, the others integers."""
    if name == "shift":
        return number_from_json(value, field)
    if name == "normalised":
        if not isinstance(value, bool):
            raise InputError(f"{field} must be true or false, got {str(value)[:40]!r}")
        return value
    if name == "family":
        if not isinstance(value, str) or value not in FAMILIES:
            raise InputError(f"{field} must be one of {', '.join(FAMILIES)}, got {str(value)[:40]!r}")
        return value
    return integer_from_json(value, field, least=0 if name == "opened" else 1, most=MAX_ENTRIES)


def _head_to_document(head: AnyHead) -> dict[str, Any]:
    numbers = {name: getattr(head, name) for name in head.NUMBERS}
    written = {name: n if isinstance(n, (bool, str)) else number_to_json(n) for name, n in numbers.items()}
    return {"type": head.TYPE, **_matrices_to_document(head), **written}


def _layer(value: Any, field: str) -> Layer:
    value = fields(value, field, ("heads", "mlps"))
    heads = [_head(head, f"{field}.heads[{i}]") for i, head in enumerate(listed(value["heads"], f"{field}.heads"))]
    mlps = [_mlp(mlp, f"{field}.mlps[{i}]") for i, mlp in enumerate(listed(value["mlps"], f"{field}.mlps"))]
    return Layer(tuple(heads), tuple(mlps))


def _head(value: Any, field: str) -> AnyHead:
    kind = head_type(value, field)
    value = fields(value, field, ("type", *map(paper_name, kind.MATRICES), *kind.NUMBERS))
    parts: dict[str, Any] = {name: head_number(name, value[name], f"{field}.{name}") for name in kind.NUMBERS}
    return kind(**_matrices(value, field, kind.MATRICES), **parts)


def _mlp(value: Any, field: str) -> MLP:
    value = fields(value, field, tuple(map(paper_name, MLP.MATRICES)))
    return MLP(**_matrices(value, field, MLP.MATRICES))


def _matrices(value: dict[str, Any], field: str, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: matrix_from_document(value[paper_name(name)], f"{field}.{paper_name(name)}") for name in names}


def _matrices_to_document(part: AnyHead | MLP) -> dict[str, Any]:
    return {paper_name(name): matrix_to_document(getattr(part, name)) for name in part.MATRICES}


def _slot(value: Any, field: str) -> tuple[str, int]:
    value = fields(value, field, ("name", "width"))
    name = value["name"]
    # Names are printed in every message: one with a line break in it could write a verdict of its own.
    if not isinstance(name, str) or not 1 <= len(name) <= 64 or not name.isprintable():
        raise InputError(f"{field}.name must be a text of 1 to 64 printable characters")
    return name, integer_from_json(value["width"], f"{field}.width", most=1 << 16)
