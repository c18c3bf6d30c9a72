from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

from random_models import document_of, model_with_a_head

from separation.models import HEAD_TYPES, Layer

MODELS = {kind: model_with_a_head(f"{kind} head", 0)[0] for kind in HEAD_TYPES}


def cells(part: Any) -> int:
    """The entries that all matrices of a document have, written out."""
    if isinstance(part, dict):
        return prod(part["shape"]) if "entries" in part else sum(map(cells, part.values()))
    return sum(map(cells, part)) if isinstance(part, list) else 0


def test_numbers_of_a_model() -> None:
    for model in MODELS.values():
        assert model.width == model.stream.width
        assert model.heads == max(len(layer.heads) for layer in model.layers)
        assert model.parameters == cells(document_of(model))
        assert replace(model, layers=()).heads == 0


def test_words() -> None:
    def letter(*kinds: str) -> str:
        return Layer(tuple(MODELS[kind].layers[0].heads[0] for kind in kinds), ()).letter

    assert [letter(kind) for kind in HEAD_TYPES] == ["F", "R", "R", "R", "S", "R"]
    assert (letter(), letter("linear", "delta"), letter("linear", "full", "full")) == ("", "R", "[FR]")
    assert (letter("sparse", "full"), letter("sparse", "delta", "full")) == ("[FS]", "[FRS]")
    assert replace(MODELS["sparse"], layers=MODELS["sparse"].layers[:1] * 2).word == "SS"
