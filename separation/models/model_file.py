"""Model files: the JSON document itself, or safetensors of integers with the rest of it in the header."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from separation.arithmetic import ExactMatrix, integer_from_json, number_to_json
from separation.files import InputError, json_text, parse_json, read_bytes
from separation.models.tables import matrix_from_document, require_room

_HEADER_KEY = "separation"


def read_model_file(path: str | Path) -> dict[str, Any]:
    """The JSON document of a model file, whichever of the two forms it has; matrices may already be ExactMatrix."""
    data = read_bytes(path)
    if str(path).endswith(".safetensors"):
        return _read_safetensors(data, str(path))
    document = parse_json(data, str(path))
    if not isinstance(document, dict):
        raise InputError(f"{path} must hold one JSON object")
    return document


def to_safetensors(document: dict[str, Any]) -> bytes:
    """The same document with each matrix as an int64 tensor over a denominator; the rest is JSON in the header."""
    from safetensors.numpy import save

    tensors: dict[str, np.ndarray[Any, Any]] = {}

    def strip(value: Any, path: str) -> Any:
        if isinstance(value, ExactMatrix) or (isinstance(value, dict) and set(value) == {"shape", "entries"}):
            matrix = matrix_from_document(value, path)
            if matrix.numerators.dtype == object:
                raise InputError(f"{path} has numbers beyond 64 bits: use the JSON form")
            tensors[path] = np.ascontiguousarray(matrix.numerators)
            return {"tensor": path, "denominator": number_to_json(matrix.denominator)}
        if isinstance(value, dict):
            return {key: strip(part, f"{path}.{key}" if path else key) for key, part in value.items()}
        if isinstance(value, list):
            return [strip(part, f"{path}.{index}") for index, part in enumerate(value)]
        return value

    header = strip(document, "")
    return save(tensors, metadata={_HEADER_KEY: json_text(header)})


def _read_safetensors(data: bytes, name: str) -> dict[str, Any]:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        header_size = int.from_bytes(data[:8], "little")
        said = parse_json(data[8 : 8 + header_size], f"{name} header")
        metadata = said.pop("__metadata__", None) or {}
        written = metadata.get(_HEADER_KEY)
        shapes = {tensor: entry["shape"] for tensor, entry in said.items()}
    except (InputError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{name} is not a safetensors file: {(str(error).splitlines() or ['?'])[0][:100]}") from None
    if written is not None and not isinstance(written, str):
        raise InputError(f"{name} is not a safetensors file: its metadata are not texts")
    if written is None:
        raise InputError(f'{name} has no "{_HEADER_KEY}" entry in its metadata')
    header = parse_json(written.encode(errors="replace"), f"{name} metadata")
    try:
        require_room(header, ("tensor", "denominator"), lambda part: shapes.get(str(part["tensor"])))
        tensors = load(data)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    except (SafetensorError, ValueError, KeyError) as error:
        raise InputError(f"{name} is not a safetensors file: {str(error).splitlines()[0][:100]}") from None
    matrices: dict[tuple[str, int], ExactMatrix] = {}

    def fill(value: Any) -> Any:
        if isinstance(value, dict) and set(value) == {"tensor", "denominator"}:
            tensor = tensors.get(str(value["tensor"]))
            if tensor is None or tensor.ndim != 2 or tensor.dtype.kind not in "iu" or tensor.dtype == np.uint64:
                raise InputError(f"{name}: {value['tensor']} must be a two-dimensional integer tensor")
            denominator = integer_from_json(value["denominator"], f"{value['tensor']}.denominator", least=1)
            place = (str(value["tensor"]), denominator)
            if place not in matrices:  # a tensor that is named twice is there once
                matrices[place] = ExactMatrix(tensor.astype(np.int64), denominator)
            return matrices[place]
        if isinstance(value, dict):
            return {key: fill(part) for key, part in value.items()}
        return [fill(part) for part in value] if isinstance(value, list) else value

    try:
        filled = fill(header)
    except RecursionError:
        raise InputError(f"{name} metadata nests too deeply") from None
    if not isinstance(filled, dict):
        raise InputError(f"{name}: the metadata must be one JSON object")
    return filled
