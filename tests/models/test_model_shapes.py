from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

import pytest
from random_models import document_of, unfitted_model

from separation.models import (
    HEAD_TYPES,
    Layer,
    Model,
)


def is_rich(model: Model, kind: str) -> bool:
    """Two layers, the last head of each of one kind, and some MLP in each."""
    return len(model.layers) == 2 and all(x.mlps and x.heads and kind == x.heads[-1].TYPE for x in model.layers)


MODELS = {
    kind: next(m for m, _ in (unfitted_model(seed, kinds=(kind,)) for seed in range(200)) if is_rich(m, kind))
    for kind in HEAD_TYPES
}


def cells(part: Any) -> int:
    """The entries that all matrices of a document have, written out."""
    if isinstance(part, dict):
        return prod(part["shape"]) if "entries" in part else sum(map(cells, part.values()))
    return sum(map(cells, part)) if isinstance(part, list) else 0


@pytest.mark.parametrize("kind", HEAD_TYPES)
def test_numbers_of_a_model(kind: str) -> None:
    model = MODELS[kind]
    assert model.width == model.stream.width
    assert model.heads == max(len(layer.heads) for layer in model.layers)
    assert model.parameters == cells(document_of(model))
    assert replace(model, layers=()).heads == 0


def test_words() -> None:
    head = {kind: model.layers[0].heads[-1] for kind, model in MODELS.items()}

    def letter(*kinds: str) -> str:
        return Layer(tuple(head[kind] for kind in kinds), ()).letter

    assert [letter(kind) for kind in HEAD_TYPES] == ["F", "R", "R", "R", "S", "R"]
    assert (letter(), letter("linear", "delta"), letter("linear", "full", "full")) == ("", "R", "[FR]")
    assert (letter("sparse", "full"), letter("sparse", "delta", "full")) == ("[FS]", "[FRS]")
    assert MODELS["sparse"].word == "SS"
