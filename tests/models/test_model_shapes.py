from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_models import document_of, unfitted_model
from run_cases import identity

from separation.arithmetic import ExactMatrix
from separation.models import (
    HEAD_TYPES,
    Layer,
    Model,
    inverse_matrix,
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


@st.composite
def invertible(draw: Any, unimodular: bool = False) -> ExactMatrix:
    """Lower times upper triangular: unimodular with ones on the diagonals and integers elsewhere."""
    size = draw(st.integers(1, 4))
    entries = st.integers(-4, 4) if unimodular else st.fractions(-3, 3, max_denominator=5)
    diagonal = st.sampled_from([1, -1]) if unimodular else st.fractions(-3, 3, max_denominator=5).filter(bool)
    lower = [[draw(entries) if j < i else int(i == j) for j in range(size)] for i in range(size)]
    upper = [[draw(entries) if j > i else (draw(diagonal) if i == j else 0) for j in range(size)] for i in range(size)]
    return ExactMatrix.from_rows(lower) @ ExactMatrix.from_rows(upper)


@settings(max_examples=60)
@given(st.booleans().flatmap(lambda unimodular: st.tuples(invertible(unimodular), st.just(unimodular))))
def test_inverse(drawn: tuple[ExactMatrix, bool]) -> None:
    matrix, unimodular = drawn
    inverse = inverse_matrix(matrix)
    assert inverse.is_integral or not unimodular
    assert matrix @ inverse == identity(matrix.shape[0]) == inverse @ matrix
    assert inverse_matrix(inverse) == matrix


def test_matrices_without_an_inverse() -> None:
    with pytest.raises(ZeroDivisionError):
        inverse_matrix(ExactMatrix.from_rows([[1, 2], [2, 4]]))
    with pytest.raises(ValueError):
        inverse_matrix(ExactMatrix.zeros(2, 3))
