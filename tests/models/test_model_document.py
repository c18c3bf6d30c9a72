from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from document_cases import read_back, sample
from hypothesis import given, settings
from hypothesis import strategies as st
from random_models import Prompts, batch, document_of, fractions_of, model_with_a_head, random_model

from separation.files import InputError
from separation.models import (
    HEAD_TYPES,
    MAX_ENTRIES,
    MODEL_KEYS,
    Model,
    matrix_from_document,
    model_from_document,
    model_to_document,
    read_model_file,
    run,
    to_safetensors,
)


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6))
def test_any_model_comes_back_from_json_and_safetensors(seed: int) -> None:
    comes_back(*random_model(seed))


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


EMPTY = {"shape": [1, 1], "entries": []}
WRONG = (None, 0.5, -1, "x", [])
"""Of each type one; some of them are right in some places."""


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all members; of a list the first alone, as the others are alike."""
    pairs = list(value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ())
    for key, child in pairs:
        yield (*path, key)
        yield from places(child, (*path, key)) if key != "entries" else ()


def name_of(path: tuple[Any, ...]) -> str:
    """layers[0].heads[0].W_Q"""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)[1:]


def holder_of(document: Any, path: tuple[Any, ...]) -> Any:
    for key in path[:-1]:
        document = document[key]
    return document


def refusal(document: dict[str, Any]) -> str:
    """One short line; "" if the document is taken."""
    said = ""
    try:
        model_from_document(document)
    except InputError as error:
        said = str(error)
    assert said.isprintable()
    assert len(said) < 240  # the longest lists all families
    return said


@pytest.mark.parametrize("kind", [*HEAD_TYPES, "retnet"])
def test_every_field_is_needed_and_has_its_type_and_no_other_is_known(kind: str) -> None:
    """What is refused is named with its place: a member that is missing, unknown, or of another type."""
    whole = document_of(model_with_a_head(kind, 0)[0]) if kind == "retnet" else sample(kind)
    assert refusal(whole) == ""
    taken = 0
    for path in places(whole):
        key, known = path[-1], [name_of(path[: end + 1]) for end in range(len(path))]
        for wrong in WRONG:
            document = copy.deepcopy(whole)
            holder_of(document, path)[key] = wrong
            said = refusal(document)
            taken += not said
            assert not said or said.startswith(tuple(known)), (path, wrong, said)
            assert said or isinstance(wrong, int | str | list), path
        document = copy.deepcopy(whole)
        holder = holder_of(document, path)
        if isinstance(holder, dict):
            value = holder.pop(key)
            of_two = key in ("stored", "declared", "type")
            assert refusal(document).startswith(name_of(path[:-1]) if of_two else f"{known[-1]} is missing"), path
            if not of_two and len(path) > 1:  # a model's file has a task and invariants too
                holder |= {key: value, "a\nb": 3}
                assert " is not a known key" in refusal(document), path
    assert taken < 40  # texts as names, 0 entries, a negative shift


MALFORMED: list[tuple[str, tuple[Any, ...], Any, str]] = [
    ("full", ("precision", "P"), 4097, "precision.P must be an integer in 0..4096, got 4097"),
    ("full", ("precision", "fraction"), 4000, "precision needs P >= 0 and 0 <= f <= p"),
    ("full", ("slots", 0, "name"), "x" * 65, "slots[0].name must be a text of 1 to 64 printable characters"),
    ("full", ("slots", 0, "name"), "\x1b[2J", "slots[0].name must be a text of 1 to 64 printable characters"),
    ("full", ("slots", 1, "name"), "one", "slot one is named twice"),
    ("full", ("slots", 0, "width"), 2, "positions has width "),
    ("full", ("layers", 0, "heads", 0, "W_Q", "shape"), [2**20, 2**20], "the matrices have more than 16777216 "),
    ("full", ("layers", 0, "heads", 0, "W_Q"), EMPTY, "layer 1: W_Q has shape (1, 1), wanted (1, "),
    ("full", ("layers", 0, "mlps", 0, "b_2"), EMPTY, "layer 1: b_2 has shape (1, 1), wanted ("),
    ("full", ("tokens", "stored", "entries"), [[0, 0]], "tokens.stored.entries[0] must be [row, column, number]"),
    ("full", ("tokens", "stored", "entries"), [[0, 0, 1]] * 2, "tokens.stored.entries[1] repeats the entry (0, 0)"),
    ("full", ("tokens", "stored", "entries"), [[-1, 0, 1]], "tokens.stored.entries[0] row must be an integer in 0.."),
    (
        "full",
        ("tokens", "stored", "entries"),
        [[0, 99, 1]],
        "tokens.stored.entries[0] column must be an integer ",
    ),
    ("full", ("positions", "declared", 0, "start"), 1, "positions.declared: segments must start at 0 and follow each "),
    ("full", ("positions", "declared", 0, "mirror"), 4, "positions.declared[0].matrix: mirror must be the one radix, "),
    ("full", ("positions", "declared", 0, "radices"), [2**40], "positions.declared[0].matrix: a segment of radices ("),
    ("linear", ("layers", 0, "heads", 0, "b_Q"), {"shape": [9, 1], "entries": []}, "layer 1: b_Q has shape (9, 1), "),
    ("delta", ("layers", 0, "heads", 0, "W_A"), {"shape": [2, 3], "entries": []}, "layer 1: W_A has shape (2, 3), "),
    ("sparse", ("layers", 0, "heads", 0, "block"), 7, "layer 1: C_K has shape ("),
    ("sparse", ("attention",), "both", "layer 1: attention both ways is for full attention, not for S"),
    ("retnet", ("layers", 0, "heads", 0, "family"), "gla", "layer 1: W_X has shape"),
    ("retnet", ("layers", 0, "heads", 0, "count"), 2, "count is 1 for the family retnet, got 2"),
    ("retnet", ("layers", 0, "heads", 0, "b_C", "entries"), [[0, 0, 2]], "the constant gamma of retnet lies in 0..1"),
]


def test_what_does_not_fit_is_refused_in_words() -> None:
    for kind, path, value, text in MALFORMED:
        document = document_of(model_with_a_head(kind, 0)[0]) if kind == "retnet" else copy.deepcopy(sample(kind))
        holder_of(document, path)[path[-1]] = value
        assert refusal(document).startswith(text), (path, value)


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
