"""Model files in safetensors: the same documents, and what is refused."""

from __future__ import annotations

import json
import struct
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from document_cases import read_back, sample

from separation.files import InputError
from separation.models import model_from_document, read_model_file, to_safetensors


def test_integers_of_any_width_are_read(tmp_path: Path) -> None:
    from safetensors.numpy import load, save

    document = sample()
    model = model_from_document(document)
    data = to_safetensors(document)
    (header,) = [json.loads(data[8 : 8 + struct.unpack("<Q", data[:8])[0]])["__metadata__"]]
    narrow = {name: tensor.astype(np.int8) for name, tensor in load(data).items()}
    assert read_back(tmp_path / "x.safetensors", save(narrow, metadata=header)) == model


def safetensors(header: Any, data: bytes = b"") -> bytes:
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def with_metadata(text: str, **tensors: Any) -> bytes:
    return safetensors({"__metadata__": {"separation": text}, **tensors}, b"\0" * 16)


REFERENCE = '{"positions": {"tensor": "a", "denominator": %s}}'
TENSOR = {"shape": [1, 2], "dtype": "I64", "data_offsets": [0, 16]}


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", " is not a safetensors file: "),
        (b"garbage, and more of it", " is not a safetensors file: "),
        (safetensors({}), ' has no "separation" entry in its metadata'),
        (safetensors({"__metadata__": {"other": "{}"}}), ' has no "separation" entry in its metadata'),
        (safetensors({"__metadata__": {"separation": 3}}), " is not a safetensors file: "),
        (safetensors({"__metadata__": {"separation": "{"}}), " metadata is not JSON: "),
        (safetensors({"__metadata__": {"separation": '{"a": NaN}'}}), " metadata: NaN is not a number"),
        (safetensors({"__metadata__": {"separation": "[]"}}), ": the metadata must be one JSON object"),
        (safetensors({"__metadata__": {"separation": "[" * 9000 + "]" * 9000}}), " metadata nests too deeply"),
        (safetensors({"__metadata__": {"separation": REFERENCE % 1}}), ": a must be a two-dimensional integer tensor"),
        (with_metadata(REFERENCE % 1, a={**TENSOR, "shape": [2]}), ": a must be a two-dimensional integer tensor"),
        (with_metadata(REFERENCE % 1, a={**TENSOR, "dtype": "F64"}), ": a must be a two-dimensional integer tensor"),
        (with_metadata(REFERENCE % 1, a={**TENSOR, "dtype": "U64"}), ": a must be a two-dimensional integer tensor"),
        (with_metadata(REFERENCE % 1, a={**TENSOR, "shape": [1, 8], "dtype": "BF16"}), " is not a safetensors file: "),
        (with_metadata(REFERENCE % 0, a=TENSOR), "a.denominator must be an integer >= 1, got 0"),
        (with_metadata(REFERENCE % 1.5, a=TENSOR), "a.denominator must be an exact number"),
        (with_metadata(REFERENCE % 1, a={**TENSOR, "data_offsets": [0, 99]}), " is not a safetensors file: "),
        (with_metadata(REFERENCE % 1, a=TENSOR)[:-1], " is not a safetensors file: "),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_malformed_safetensors(data: bytes, text: str, tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_model_file(path)
    assert text in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("number", [-(2**63), 2**63 - 1, 2**62])
def test_the_ends_of_int64(number: int, tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    for denominator in (1, 2):
        header = {"__metadata__": {"separation": REFERENCE % denominator}, "a": TENSOR}
        path.write_bytes(safetensors(header, struct.pack("<qq", number, 2)))
        matrix = read_model_file(path)["positions"]
        assert (matrix + matrix).fractions() == [[Fraction(2 * number, denominator), Fraction(4, denominator)]]
