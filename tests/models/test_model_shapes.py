from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_models import unfitted_model
from run_cases import identity

from separation.arithmetic import ExactMatrix
from separation.models import (
    HEAD_TYPES,
    MLP,
    Declared,
    Head,
    Layer,
    Model,
    Segment,
    Stored,
    Stream,
    inverse_matrix,
)


def is_rich(model: Model, kind: str) -> bool:
    """Two layers, the last head of each of one kind, and some MLP in each."""
    return len(model.layers) == 2 and all(x.mlps and x.heads and kind == x.heads[-1].TYPE for x in model.layers)


MODELS = {
    kind: next(m for m, _ in (unfitted_model(seed, kinds=(kind,)) for seed in range(200)) if is_rich(m, kind))
    for kind in HEAD_TYPES
}
MODEL = MODELS["full"]


def test_numbers_of_a_model() -> None:
    assert MODEL.width == MODEL.stream.width
    assert MODEL.heads == max(len(layer.heads) for layer in MODEL.layers)
    assert replace(MODEL, layers=()).heads == 0
    width = 3
    zeros = ExactMatrix.zeros
    head = Head(zeros(2, width), zeros(2, width), zeros(1, width), zeros(width, 1), Fraction(0))
    mlp = MLP(zeros(5, width), zeros(5, 1), zeros(width, 5), zeros(width, 1))
    tables: dict[str, Any] = {
        "positions": Declared((Segment(0, (4, 5), zeros(width, 6)), Segment(20, (), zeros(width, 1)))),
        "tokens": Stored(zeros(7, width)),
        "unembedding": Stored(zeros(2, width)),
    }
    model = Model(
        Stream([("x", width)]), layers=(Layer((head, head), (mlp, mlp)),), precision=MODEL.precision, **tables
    )
    assert model.parameters == 2 * (6 + 6 + 3 + 3) + 2 * (15 + 5 + 15 + 3) + (18 + 3) + 21 + 6


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
