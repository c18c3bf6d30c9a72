from __future__ import annotations

import json
import struct
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from random_models import batch, document_of, fractions_of, random_model

from separation.arithmetic import ExactMatrix, Precision
from separation.files import InputError, write_whole
from separation.models import Declared, Segment, Stored, model_from_document, model_to_document, run
from separation.models.document import (
    MAX_ENTRIES,
    MODEL_KEYS,
    fields,
    matrix_from_document,
)
from separation.models.model_file import read_model_file, to_safetensors

SEEDS = range(20)


def sample() -> dict[str, Any]:
    """A document with two heads in its first layer, declared positions and stored tokens."""
    for seed in range(200):
        model, _ = random_model(seed)
        if (
            model.layers[0].heads
            and isinstance(model.positions, Declared)
            and isinstance(model.tokens, Stored)
            and model.layers[0].mlp.w_1.shape[0]
        ):
            return document_of(model)
    raise AssertionError


def read_back(path: Path, data: str | bytes) -> Any:
    write_whole(path, data)
    return model_from_document(read_model_file(path))


@pytest.mark.parametrize("seed", SEEDS)
def test_round_trip_in_json(seed: int, tmp_path: Path) -> None:
    model, prompts = random_model(seed)
    document = model_to_document(model)
    assert set(document) == set(MODEL_KEYS)
    again = read_back(tmp_path / "model.json", json.dumps(document))
    assert again == model
    assert model_to_document(again) == document
    assert fractions_of(run(again, batch(prompts))) == fractions_of(run(model, batch(prompts)))


@pytest.mark.parametrize("seed", SEEDS)
def test_round_trip_in_safetensors(seed: int, tmp_path: Path) -> None:
    model, prompts = random_model(seed)
    document = model_to_document(model)
    again = read_back(tmp_path / "model.safetensors", to_safetensors(document))
    assert again == model
    assert model_to_document(again) == document
    assert fractions_of(run(again, batch(prompts))) == fractions_of(run(model, batch(prompts)))
    # A document read from safetensors can be written again.
    kept = read_model_file(tmp_path / "model.safetensors")
    assert to_safetensors(kept) == to_safetensors(document)


def test_a_changed_number_is_a_changed_model() -> None:
    document = sample()
    model = model_from_document(document)
    document["layers"][0]["heads"][0]["shift"] = "1/7"
    assert model_from_document(document) != model


def test_large_numbers_go_through_json_only(tmp_path: Path) -> None:
    model, _ = random_model(3)
    head = model.layers[0].heads[0]
    numbers = {
        "w_q": Fraction(10**30, 7),
        "w_k": Fraction(1, 2**80),
        "w_v": Fraction(2**53 + 1),
        "w_o": Fraction(-(2**61)),
    }
    changed = replace(head, **{name: getattr(head, name).with_entry(0, 0, n) for name, n in numbers.items()})
    model = replace(model, layers=(replace(model.layers[0], heads=(changed,)), *model.layers[1:]))
    document = model_to_document(model)
    assert read_back(tmp_path / "x.json", json.dumps(document)) == model
    with pytest.raises(InputError, match=r"^layers\.0\.heads\.0\.W_Q has numbers beyond 64 bits: use the JSON form$"):
        to_safetensors(document)


@pytest.mark.parametrize("number", [2**62 - 1, -(2**62) + 1, 2**53 + 1])
def test_safetensors_keep_62_bits(number: int, tmp_path: Path) -> None:
    document = sample()
    document["unembedding"]["stored"]["entries"] = [[0, 0, str(number)]]
    again = read_back(tmp_path / "x.safetensors", to_safetensors(document))
    assert again.unembedding.matrix.entry(0, 0) == number


def test_integers_of_any_width_are_read(tmp_path: Path) -> None:
    from safetensors.numpy import load, save

    document = sample()
    model = model_from_document(document)
    data = to_safetensors(document)
    (header,) = [json.loads(data[8 : 8 + struct.unpack("<Q", data[:8])[0]])["__metadata__"]]
    narrow = {name: tensor.astype(np.int8) for name, tensor in load(data).items()}
    assert read_back(tmp_path / "x.safetensors", save(narrow, metadata=header)) == model


Edit = Callable[[dict[str, Any]], Any]


def put(*path: Any) -> Edit:
    """An edit that sets the last of the path at the place the others lead to."""
    *way, key, value = path

    def edit(document: dict[str, Any]) -> None:
        place: Any = document
        for step in way:
            place = place[step]
        place[key] = value

    return edit


def drop(*path: Any) -> Edit:
    *way, key = path

    def edit(document: dict[str, Any]) -> None:
        place: Any = document
        for step in way:
            place = place[step]
        del place[key]

    return edit


HEAD = ("layers", 0, "heads", 0)
MLP = ("layers", 0, "mlp")
ENTRIES = ("tokens", "stored", "entries")
SEGMENT = ("positions", "declared", 0)

MALFORMED: list[tuple[Edit, str]] = [
    *((drop(key), f"{key} is missing") for key in MODEL_KEYS),
    (put("precision", 8), "precision must be an object with the keys P, p, fraction"),
    (put("precision", "P", -1), "precision.P must be an integer in 0..4096, got -1"),
    (put("precision", "P", 4097), "precision.P must be an integer in 0..4096, got 4097"),
    (put("precision", "P", 8.0), "precision.P must be an exact number"),
    (put("precision", "p", True), "precision.p must be an exact number"),
    (put("precision", "p", "1/2"), "precision.p must be an integer in 0..4096, got 1/2"),
    (put("precision", "fraction", 4000), "precision needs P >= 0 and 0 <= f <= p"),
    (put("precision", "bits", 3), "precision.bits is not a known key; known are P, p, fraction"),
    (drop("precision", "p"), "precision.p is missing"),
    (put("slots", {}), "slots must be a list"),
    (put("slots", 0, []), "slots[0] must be an object with the keys name, width"),
    (put("slots", 0, "name", ""), "slots[0].name must be a text of 1 to 64 characters"),
    (put("slots", 0, "name", "x" * 65), "slots[0].name must be a text of 1 to 64 characters"),
    (put("slots", 1, "name", "one"), "slot one is named twice"),
    (put("slots", 1, "width", -1), "slots[1].width must be an integer in 0..65536, got -1"),
    (put("slots", 0, "width", 2), "positions has width "),
    (put("slots", []), "slots must have at least one coordinate together"),
    (put("slots", 0, "a\nb", 2), "slots[0].a\\nb is not a known key"),
    (put("layers", "x"), "layers must be a list"),
    (put("layers", 0, []), "layers[0] must be an object with the keys heads, mlp"),
    (drop("layers", 0, "mlp"), "layers[0].mlp is missing"),
    (put("layers", 0, "heads", {}), "layers[0].heads must be a list"),
    (put("layers", 0, "norm", {}), "layers[0].norm is not a known key; known are heads, mlp"),
    (drop(*HEAD, "W_K"), "layers[0].heads[0].W_K is missing"),
    (put(*HEAD, "w_q", {}), "layers[0].heads[0].w_q is not a known key"),
    (put(*HEAD, "shift", 0.5), "layers[0].heads[0].shift must be an exact number"),
    (put(*HEAD, "shift", "1/0"), "layers[0].heads[0].shift has denominator 0"),
    (put(*HEAD, "shift", None), "layers[0].heads[0].shift must be an exact number"),
    (put(*HEAD, "W_Q", []), "layers[0].heads[0].W_Q must be an object with the keys shape, entries"),
    (put(*HEAD, "W_Q", "shape", [1]), "layers[0].heads[0].W_Q.shape must have two numbers"),
    (put(*HEAD, "W_Q", "shape", 3), "layers[0].heads[0].W_Q.shape must be a list"),
    (put(*HEAD, "W_Q", "shape", [1, -1]), "layers[0].heads[0].W_Q.shape must be an integer in "),
    (put(*HEAD, "W_Q", "shape", [2**20, 2**20]), "the matrices have more than 16777216 entries in all"),
    (put(*HEAD, "W_Q", {"shape": [1, 1], "entries": []}), "layer 1: W_Q has shape (1, 1), wanted (1, "),
    (put(*MLP, "W_1", "entries", {}), "layers[0].mlp.W_1.entries must be a list"),
    (drop(*MLP, "b_1"), "layers[0].mlp.b_1 is missing"),
    (put(*MLP, "b_2", {"shape": [1, 1], "entries": []}), "layer 1: b_2 has shape (1, 1), wanted ("),
    (put(*ENTRIES, [[0, 0]]), "tokens.stored.entries[0] must be [row, column, number]"),
    (put(*ENTRIES, [7]), "tokens.stored.entries[0] must be a list"),
    (put(*ENTRIES, [[0, 0, 1], [0, 0, 2]]), "tokens.stored.entries[1] repeats the entry (0, 0)"),
    (put(*ENTRIES, [[-1, 0, 1]]), "tokens.stored.entries[0] row must be an integer in 0.."),
    (put(*ENTRIES, [[0, 99, 1]]), "tokens.stored.entries[0] column must be an integer in 0.."),
    (put(*ENTRIES, [[0, 0, 1.5]]), "tokens.stored.entries[0] must be an exact number"),
    (put("tokens", {}), 'tokens must have the one key "stored" or the one key "declared"'),
    (put("tokens", "declared", []), 'tokens must have the one key "stored" or the one key "declared"'),
    (put("tokens", []), 'tokens must have the one key "stored" or the one key "declared"'),
    (put("tokens", {"stored": {"shape": [0, 3], "entries": []}}), "tokens has "),
    (put("tokens", {"declared": []}), "tokens.declared must have at least one segment"),
    (put("tokens", {"declared": 4}), "tokens.declared must be a list"),
    (put(*SEGMENT, 3), "positions.declared[0] must be an object with the keys start, radices, matrix"),
    (put(*SEGMENT, "start", -1), "positions.declared[0].start must be an integer >= 0, got -1"),
    (put(*SEGMENT, "start", 1), "positions.declared: segments must start at 0 and follow each other without a gap"),
    (put(*SEGMENT, "radices", 4), "positions.declared[0].radices must be a list"),
    (put(*SEGMENT, "radices", [0]), "positions.declared[0].radices must be an integer >= 1, got 0"),
    (
        put(*SEGMENT, "radices", [2**40]),
        "positions.declared[0].matrix: a segment of radices (1099511627776,) cannot have ",
    ),
]


@pytest.mark.parametrize(("edit", "text"), MALFORMED, ids=lambda value: value[:50] if isinstance(value, str) else "")
def test_malformed_documents_are_refused_with_the_name_of_the_field(edit: Edit, text: str) -> None:
    document = sample()
    model_from_document(document)
    edit(document)
    with pytest.raises(InputError) as caught:
        model_from_document(document)
    assert str(caught.value).startswith(text)
    assert len(str(caught.value)) < 200
    assert str(caught.value).isprintable()


def test_segments_of_different_widths_are_refused() -> None:
    parts = [(0, 3), (1, 1)]
    declared = [
        {"start": start, "radices": [], "matrix": {"shape": [width, 1], "entries": []}} for start, width in parts
    ]
    document = {**sample(), "tokens": {"declared": declared}}
    with pytest.raises(InputError, match=r"^tokens\.declared: segments must all have the same width$"):
        model_from_document(document)


def test_the_largest_shape() -> None:
    with pytest.raises(InputError, match="at most 16777216 are read"):
        matrix_from_document({"shape": [MAX_ENTRIES, 2], "entries": []}, "x")
    assert matrix_from_document({"shape": [0, MAX_ENTRIES], "entries": []}, "x").shape == (0, MAX_ENTRIES)
    with pytest.raises(InputError, match=r"^x\.entries\[0\] row must be an integer in 0\.\.-1, got 0$"):
        matrix_from_document({"shape": [0, 1], "entries": [[0, 0, 1]]}, "x")


def test_many_large_shapes_in_a_small_document_are_refused_before_they_are_built() -> None:
    empty = {"shape": [MAX_ENTRIES // 4, 1], "entries": []}
    heads = [{"W_Q": empty, "W_K": empty, "W_V": empty, "W_O": empty, "shift": 0}]
    document = {**sample(), "layers": [{"heads": heads, "mlp": {"W_1": empty}}]}
    with pytest.raises(InputError, match="more than 16777216 entries in all"):
        model_from_document(document)


def test_fields() -> None:
    assert fields({"a": 1, "b": 2}, "x", ("b", "a")) == {"a": 1, "b": 2}
    with pytest.raises(InputError, match=r"^x\.b is missing$"):
        fields({"a": 1}, "x", ("a", "b"))


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
        (safetensors({"__metadata__": None}), ' has no "separation" entry in its metadata'),
        (safetensors({"__metadata__": {"other": "{}"}}), ' has no "separation" entry in its metadata'),
        (safetensors({"__metadata__": {"separation": 3}}), " is not a safetensors file: "),
        (safetensors({"__metadata__": {"separation": "{"}}), " metadata is not JSON: "),
        (safetensors({"__metadata__": {"separation": '{"a": NaN}'}}), " metadata: NaN is not a number"),
        (safetensors({"__metadata__": {"separation": "[]"}}), ": the metadata must be one JSON object"),
        (safetensors({"__metadata__": {"separation": "[" * 600 + "]" * 600}}), " metadata nests too deeply"),
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


def test_a_well_formed_reference_is_read(tmp_path: Path) -> None:
    # So that the refusals above are for what they say.
    path = tmp_path / "x.safetensors"
    path.write_bytes(with_metadata(REFERENCE % 3, a=TENSOR))
    assert read_model_file(path) == {"positions": ExactMatrix.zeros(1, 2)}


@pytest.mark.parametrize("number", [-(2**63), 2**63 - 1, 2**62])
def test_the_ends_of_int64(number: int, tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    for denominator in (1, 2):
        header = {"__metadata__": {"separation": REFERENCE % denominator}, "a": TENSOR}
        path.write_bytes(safetensors(header, struct.pack("<qq", number, 2)))
        matrix = read_model_file(path)["positions"]
        assert (matrix + matrix).fractions() == [[Fraction(2 * number, denominator), Fraction(4, denominator)]]


@pytest.mark.parametrize("data", [b"[]", b"[1]"])
def test_a_json_model_is_one_object(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(data)
    with pytest.raises(InputError, match="must hold one JSON object"):
        read_model_file(path)


def test_declared_tables_of_any_size_are_read() -> None:
    document = sample()
    model = model_from_document(document)
    wide = Declared((Segment(0, (10**30, 3), ExactMatrix.zeros(model.width, 1 + 100 + 2)),))
    changed = replace(model, tokens=wide, precision=Precision(4096, 4096, 4096))
    again = model_from_document(document_of(changed))
    assert again == changed
    assert again.tokens.height == 3 * 10**30
