from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from dense_models import dense_model
from document_cases import read_back, sample
from hypothesis import given, settings
from hypothesis import strategies as st
from random_models import Prompts, batch, document_of, fractions_of, random_model

from separation.arithmetic import ExactMatrix
from separation.files import InputError
from separation.models import (
    HEAD_TYPES,
    MAX_ENTRIES,
    MODEL_KEYS,
    Declared,
    Model,
    Segment,
    matrix_from_document,
    model_from_document,
    model_to_document,
    paper_name,
    read_model_file,
    run,
    to_safetensors,
)
from separation.recurrences import FAMILIES


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6))
def test_any_model_comes_back_from_json_and_safetensors(seed: int) -> None:
    comes_back(*random_model(seed))


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_comes_back(family: str) -> None:
    model, prompts = dense_model("RF", [family], 1)
    assert document_of(model)["layers"][0]["heads"][0]["family"] == family
    comes_back(model, prompts)


def comes_back(model: Model, prompts: Prompts) -> None:
    document = model_to_document(model)
    assert set(document) == set(MODEL_KEYS)
    with TemporaryDirectory() as folder:
        for name, data in (("x.json", json.dumps(document)), ("x.safetensors", to_safetensors(document))):
            again = read_back(Path(folder) / name, data)
            assert again == model
            assert model_to_document(again) == document
            assert fractions_of(run(again, batch(prompts))) == fractions_of(run(model, batch(prompts)))
        # A document read from safetensors can be written again.
        assert to_safetensors(read_model_file(Path(folder) / "x.safetensors")) == to_safetensors(document)


def test_a_changed_number_is_a_changed_model() -> None:
    document = sample()
    model = model_from_document(document)
    document["layers"][0]["heads"][0]["shift"] = "1/7"
    assert model_from_document(document) != model


def test_large_numbers_go_through_json_only(tmp_path: Path) -> None:
    model = model_from_document(sample())
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


Edit = Callable[[dict[str, Any]], Any]


def put(*path: Any) -> Edit:
    """An edit that sets the last of the path at the place the others lead to."""
    *way, key, value = path

    def edit(document: dict[str, Any]) -> None:
        place: Any = document
        for step in way:
            place = place[step]
        if value is GONE:
            del place[key]
        else:
            place[key] = value

    return edit


GONE = object()


def drop(*path: Any) -> Edit:
    return put(*path, GONE)


HEAD = ("layers", 0, "heads", 0)
MLP = ("layers", 0, "mlps", 0)
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
    (put("slots", 0, "name", ""), "slots[0].name must be a text of 1 to 64 printable characters"),
    (put("slots", 0, "name", "x" * 65), "slots[0].name must be a text of 1 to 64 printable characters"),
    (put("slots", 0, "name", "\x1b[2J"), "slots[0].name must be a text of 1 to 64 printable characters"),
    (put("slots", 1, "name", "one"), "slot one is named twice"),
    (put("slots", 1, "width", -1), "slots[1].width must be an integer in 0..65536, got -1"),
    (put("slots", 0, "width", 2), "positions has width "),
    (put("slots", []), "slots must have at least one coordinate together"),
    (put("slots", 0, "a\nb", 2), "slots[0].a\\nb is not a known key"),
    (put("layers", "x"), "layers must be a list"),
    (put("attention", "forward"), "attention must be causal or both, got 'forward'"),
    (put("attention", ["both"]), "attention must be causal or both, got \"['both']\""),
    (put("layers", 0, []), "layers[0] must be an object with the keys heads, mlps"),
    (drop("layers", 0, "mlps"), "layers[0].mlps is missing"),
    (put("layers", 0, "mlps", {}), "layers[0].mlps must be a list"),
    (put("layers", 0, "mlps", 0, 4), "layers[0].mlps[0] must be an object with the keys W_1, b_1, W_2, b_2"),
    (put("layers", 0, "norm", {}), "layers[0].norm is not a known key; known are heads, mlps"),
    (
        put(*HEAD, "type", {}),
        "layers[0].heads[0].type must be one of full, linear, delta, product, sparse, recurrent, got '{}'",
    ),
    (put(*HEAD, []), "layers[0].heads[0].type must be one of full, linear, delta, product, sparse"),
    (put(*HEAD, "type", "linear"), "layers[0].heads[0].b_Q is missing"),
    (put(*HEAD, "normalised", True), "layers[0].heads[0].normalised is not a known key"),
    (drop(*HEAD, "W_K"), "layers[0].heads[0].W_K is missing"),
    (put(*HEAD, "w_q", {}), "layers[0].heads[0].w_q is not a known key"),
    (put(*HEAD, "shift", 0.5), "layers[0].heads[0].shift must be an exact number"),
    (put(*HEAD, "shift", "1/0"), "layers[0].heads[0].shift has denominator 0"),
    (put(*HEAD, "W_Q", []), "layers[0].heads[0].W_Q must be an object with the keys shape, entries"),
    (put(*HEAD, "W_Q", "shape", [1]), "layers[0].heads[0].W_Q.shape must have two numbers"),
    (put(*HEAD, "W_Q", "shape", [1, -1]), "layers[0].heads[0].W_Q.shape must be an integer in "),
    (put(*HEAD, "W_Q", "shape", [2**20, 2**20]), "the matrices have more than 16777216 entries in all"),
    (put(*HEAD, "W_Q", {"shape": [1, 1], "entries": []}), "layer 1: W_Q has shape (1, 1), wanted (1, "),
    (put(*MLP, "W_1", "entries", {}), "layers[0].mlps[0].W_1.entries must be a list"),
    (drop(*MLP, "b_1"), "layers[0].mlps[0].b_1 is missing"),
    (put(*MLP, "b_2", {"shape": [1, 1], "entries": []}), "layer 1: b_2 has shape (1, 1), wanted ("),
    (put(*ENTRIES, [[0, 0]]), "tokens.stored.entries[0] must be [row, column, number]"),
    (put(*ENTRIES, [[0, 0, 1], [0, 0, 2]]), "tokens.stored.entries[1] repeats the entry (0, 0)"),
    (put(*ENTRIES, [[-1, 0, 1]]), "tokens.stored.entries[0] row must be an integer in 0.."),
    (put(*ENTRIES, [[0, 99, 1]]), "tokens.stored.entries[0] column must be an integer in 0.."),
    (put(*ENTRIES, [[0, 0, 1.5]]), "tokens.stored.entries[0] must be an exact number"),
    (put("tokens", {}), 'tokens must have the one key "stored" or the one key "declared"'),
    (put("tokens", "declared", []), 'tokens must have the one key "stored" or the one key "declared"'),
    (put("tokens", {"stored": {"shape": [0, 3], "entries": []}}), "tokens has "),
    (put("tokens", {"declared": []}), "tokens.declared must have at least one segment"),
    (put(*SEGMENT, 3), "positions.declared[0] must be an object with the keys start, radices, matrix"),
    (put(*SEGMENT, "start", -1), "positions.declared[0].start must be an integer >= 0, got -1"),
    (put(*SEGMENT, "start", 1), "positions.declared: segments must start at 0 and follow each other without a gap"),
    (put(*SEGMENT, "mirror", 0.5), "positions.declared[0].mirror must be an exact number"),
    (put(*SEGMENT, "mirror", -3), "positions.declared[0].mirror must be an integer >= 0, got -3"),
    (
        put(*SEGMENT, "mirror", 4),
        "positions.declared[0].matrix: mirror must be the one radix, odd and at least 3, got 4",
    ),
    (put(*SEGMENT, "mirrors", 4), "positions.declared[0].mirrors is not a known key; known are start, radices, matrix"),
    (put(*SEGMENT, "radices", [0]), "positions.declared[0].radices must be an integer >= 1, got 0"),
    (
        put(*SEGMENT, "radices", [2**40]),
        "positions.declared[0].matrix: a segment of radices (1099511627776,) cannot have ",
    ),
]


OTHER_HEADS: list[tuple[str, Edit, str]] = [
    *(
        (kind, drop(*HEAD, name), f"layers[0].heads[0].{name} is missing")
        for kind, part in HEAD_TYPES.items()
        for name in (*map(paper_name, part.MATRICES), *part.NUMBERS)
    ),
    ("linear", put(*HEAD, "normalised", 1), "layers[0].heads[0].normalised must be true or false, got '1'"),
    ("linear", put(*HEAD, "shift", 0), "layers[0].heads[0].shift is not a known key"),
    ("linear", put(*HEAD, "b_Q", {"shape": [9, 1], "entries": []}), "layer 1: b_Q has shape (9, 1), wanted ("),
    ("delta", put(*HEAD, "W_A", {"shape": [2, 3], "entries": []}), "layer 1: W_A has shape (2, 3), wanted (1, "),
    ("delta", put(*HEAD, "b_B", {"shape": [1, 2], "entries": []}), "layer 1: b_B has shape (1, 2), wanted (1, 1)"),
    ("sparse", put(*HEAD, "block", 0), "layers[0].heads[0].block must be an integer in 1..16777216, got 0"),
    ("sparse", put(*HEAD, "block", 7), "layer 1: C_K has shape ("),
    ("sparse", put(*HEAD, "opened", -1), "layers[0].heads[0].opened must be an integer in 0..16777216, got -1"),
    ("sparse", put(*HEAD, "opened", "1/2"), "layers[0].heads[0].opened must be an integer in 0..16777216, got 1/2"),
    ("sparse", put("attention", "both"), "layer 1: attention both ways is for full attention, not for S"),
    (
        "retnet",
        put(*HEAD, "family", "lstm"),
        "layers[0].heads[0].family must be one of linear, linear-normalised, retnet",
    ),
    ("retnet", put(*HEAD, "family", ["gla"]), "layers[0].heads[0].family must be one of linear"),
    ("retnet", put(*HEAD, "family", "gla"), "layer 1: W_X has shape"),
    ("retnet", put(*HEAD, "d_k", 0), "layers[0].heads[0].d_k must be an integer in 1.."),
    ("retnet", put(*HEAD, "d_v", "1/2"), "layers[0].heads[0].d_v must be an integer in 1.."),
    ("retnet", put(*HEAD, "count", 2), "count is 1 for the family retnet, got 2"),
    ("retnet", put(*HEAD, "b_C", "entries", [[0, 0, 2]]), "the constant gamma of retnet lies in 0..1"),
    ("retnet", put(*HEAD, "b_C", "entries", [[0, 0, -1]]), "the constant gamma of retnet lies in 0..1"),
    ("retnet", put(*HEAD, "b_C", {"shape": [0, 1], "entries": []}), "layer 1: b_C has shape (0, 1), wanted (1, 1)"),
    ("retnet", put(*HEAD, "shift", 0), "layers[0].heads[0].shift is not a known key; known are type, W_X, b_X"),
]


def test_malformed_documents_are_refused_with_the_name_of_the_field() -> None:
    for kind, edit, text in [*(("full", edit, text) for edit, text in MALFORMED), *OTHER_HEADS]:
        document = document_of(dense_model("R", [kind], 2)[0]) if kind == "retnet" else sample(kind)
        model_from_document(document)
        edit(document)
        with pytest.raises(InputError) as caught:
            model_from_document(document)
        assert str(caught.value).startswith(text)
        assert len(str(caught.value)) < 240  # the longest lists all families
        assert str(caught.value).isprintable()


def test_a_mirror_comes_back_and_is_written_only_where_it_is() -> None:
    document = sample()
    assert "mirror" not in json.dumps(document)
    model = model_from_document(document)
    modulus = 2**40 + 1
    mirrored = Declared((Segment(0, (modulus,), ExactMatrix.zeros(model.width, 1 + 2 * 41), modulus),))
    changed = replace(model, tokens=mirrored)
    again = document_of(changed)
    (segment,) = again["tokens"]["declared"]
    assert (segment["mirror"], segment["radices"]) == (modulus, [modulus])
    assert model_from_document(again) == changed != model


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
    heads = [{"type": "full", "W_Q": empty, "W_K": empty, "W_V": empty, "W_O": empty, "shift": 0}]
    document = {**sample(), "layers": [{"heads": heads, "mlps": [{"W_1": empty}]}]}
    with pytest.raises(InputError, match="more than 16777216 entries in all"):
        model_from_document(document)


@pytest.mark.parametrize("data", [b"[]", b"[1]"])
def test_a_json_model_is_one_object(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(data)
    with pytest.raises(InputError, match="must hold one JSON object"):
        read_model_file(path)
