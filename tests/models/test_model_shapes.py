from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
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
    change_basis,
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


def with_part(number: int, part: str, name: str, matrix: ExactMatrix, model: Model = MODEL) -> Model:
    layer = model.layers[number]
    if part == "mlp":
        layer = replace(layer, mlps=(*layer.mlps[:-1], replace(layer.mlps[-1], **{name: matrix})))
    else:
        layer = replace(layer, heads=(*layer.heads[:-1], replace(layer.heads[-1], **{name: matrix})))
    return replace(model, layers=tuple(layer if i == number else old for i, old in enumerate(model.layers)))


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


@pytest.mark.parametrize("kind", [kind for kind in HEAD_TYPES if kind != "full"])
def test_attention_both_ways_is_for_full_heads(kind: str) -> None:
    letter = MODELS[kind].layers[0].letter
    with pytest.raises(ValueError, match=rf"^layer 1: attention both ways is for full attention, not for {letter}$"):
        replace(MODELS[kind], causal=False)
    assert replace(MODEL, causal=not MODEL.causal) != MODEL


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        ("sparse", {"block": 0}, "a block has at least 1 token and 0 or more are opened"),
        ("sparse", {"opened": -1}, "a block has at least 1 token and 0 or more are opened"),
        ("recurrent", {"family": "lstm"}, "family must be one of linear, linear-normalised, .*, got 'lstm'"),
        ("recurrent", {"d_k": 0}, "d_k, d_v and count are at least 1, got 0, "),
    ],
)
def test_heads_that_make_no_sense(kind: str, change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replace(MODELS[kind].layers[0].heads[-1], **change)


def test_models_are_values() -> None:
    assert replace(MODEL) == MODEL
    entry = MODEL.layers[0].heads[0].w_q.entry(0, 0)
    changed = MODEL.layers[0].heads[-1].w_q.with_entry(0, 0, entry + 17)
    assert with_part(0, "head", "w_q", changed) != MODEL
    with pytest.raises(FrozenInstanceError):
        MODEL.precision = None  # type: ignore[misc, assignment]


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


@settings(max_examples=10)
@given(st.integers(0, 10**6))
def test_there_and_back(seed: int) -> None:
    model, _ = unfitted_model(seed)
    size = model.width
    basis = ExactMatrix.from_rows([[Fraction(1 + (i == j), 1 + i) for j in range(size)] for i in range(size)])
    moved = change_basis(model, basis)
    back = change_basis(moved, inverse_matrix(basis))
    assert moved.stream == Stream([("basis", size)])
    assert replace(back, stream=model.stream) == model
    assert replace(change_basis(moved, basis), stream=model.stream) != model
    assert replace(change_basis(model, identity(size)), stream=model.stream) == model
