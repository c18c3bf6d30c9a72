"""Files of models with recurrent heads: every family comes back, and what makes no sense is refused by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from dense_models import dense_model
from document_cases import read_back
from random_models import batch, document_of, fractions_of

from separation.files import InputError
from separation.models import model_from_document, model_to_document, run, to_safetensors
from separation.recurrences import FAMILIES


@pytest.mark.parametrize("family", FAMILIES)
def test_round_trip(family: str, tmp_path: Path) -> None:
    model, prompts = dense_model("RF", [family], 1)
    document = model_to_document(model)
    assert document["layers"][0]["heads"][0]["family"] == family
    for name, data in (("x.json", json.dumps(document)), ("x.safetensors", to_safetensors(document))):
        again = read_back(tmp_path / name, data)
        assert again == model
        assert fractions_of(run(again, batch(prompts))) == fractions_of(run(model, batch(prompts)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"family": "lstm"}, "layers[0].heads[0].family must be one of linear, linear-normalised, retnet"),
        ({"family": 3}, "layers[0].heads[0].family must be one of linear"),
        ({"family": ["gla"]}, "layers[0].heads[0].family must be one of linear"),
        ({"family": "gla"}, "layer 1: W_X has shape"),
        ({"d_k": 0}, "layers[0].heads[0].d_k must be an integer in 1.."),
        ({"d_v": "1/2"}, "layers[0].heads[0].d_v must be an integer in 1.."),
        ({"count": True}, "layers[0].heads[0].count must be an exact number"),
        ({"count": 2}, "count is 1 for the family retnet, got 2"),
        ({"b_C": {"shape": [1, 1], "entries": [[0, 0, 2]]}}, "the constant gamma of retnet lies in 0..1"),
        ({"b_C": {"shape": [0, 1], "entries": []}}, "layer 1: b_C has shape (0, 1), wanted (1, 1)"),
        ({"shift": 0}, "layers[0].heads[0].shift is not a known key; known are type, W_X, b_X, b_C, W_O, family"),
        ({"d_k": None}, "layers[0].heads[0].d_k must be an exact number"),
    ],
)
def test_malformed_heads(change: dict[str, Any], message: str) -> None:
    model, _ = dense_model("R", ["retnet"], 2)
    document = document_of(model)
    assert model_from_document(document) == model
    document["layers"][0]["heads"][0] |= change
    with pytest.raises(InputError) as error:
        model_from_document(document)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("key", ["W_X", "b_X", "b_C", "W_O", "family", "d_k", "d_v", "count"])
def test_a_missing_key_is_named(key: str) -> None:
    model, _ = dense_model("R", ["rnn"], 2)
    document = document_of(model)
    del document["layers"][0]["heads"][0][key]
    with pytest.raises(InputError, match=rf"^layers\[0\]\.heads\[0\]\.{key} is missing$"):
        model_from_document(document)
