"""Models that the tests of the forward pass share."""

from __future__ import annotations

import importlib
from fractions import Fraction
from functools import cache

from random_models import Prompts, batch, fractions_of, naive_logits, random_model

from separation.arithmetic import ExactMatrix, Precision
from separation.models import HEAD_TYPES, MLP, AnyHead, Head, Layer, Model, Stored, Stream, run

SOURCE = importlib.import_module("separation.models.reading")
MIXED = "mixed"


@cache
def case(kind: str, seed: int) -> tuple[Model, Prompts, list[list[Fraction]]]:
    """A random model with heads of one type, or of all of them, its prompts, and the naive evaluator's logits."""
    model, prompts = random_model(seed, kinds=tuple(HEAD_TYPES) if kind == MIXED else (kind,))
    return model, prompts, naive_logits(model, prompts)


def identity(width: int) -> ExactMatrix:
    return ExactMatrix.from_entries((width, width), [(i, i, 1) for i in range(width)])


def no_mlp(width: int) -> MLP:
    zeros = ExactMatrix.zeros
    return MLP(zeros(0, width), zeros(0, 1), zeros(width, 0), zeros(width, 1))


def with_rows(rows: list[list[Fraction | int]], precision: Precision, *heads: AnyHead) -> Model:
    """One token, as many positions as rows; the stream starts with the slots one and value and ends with out."""
    width = len(rows[0])
    return Model(
        stream=Stream([("one", 1), ("value", width - 2), ("out", 1)]),
        positions=Stored(ExactMatrix.from_rows(rows)),
        tokens=Stored(ExactMatrix.zeros(1, width)),
        layers=(Layer(heads, (no_mlp(width),)),),
        unembedding=Stored(identity(width)),
        precision=precision,
    )


def one_head(
    values: list[Fraction | int], precision: Precision, shift: Fraction | int = 0, w_o: int = 1, heads: int = 1
) -> Model:
    """Stream one ⊕ value ⊕ out; as many tokens as values; every key scores 0, and ``out`` gets W_O · average."""
    head = Head(
        w_q=ExactMatrix.zeros(1, 3),
        w_k=ExactMatrix.zeros(1, 3),
        w_v=ExactMatrix.from_rows([[0, 1, 0]]),
        w_o=ExactMatrix.from_rows([[0], [0], [w_o]]),
        shift=Fraction(shift),
    )
    return with_rows([[1, value, 0] for value in values], precision, *(head,) * heads)


def outputs(model: Model) -> Fraction:
    """What the head wrote at the last token, by run() and by the naive evaluator alike."""
    prompt = [[0] * model.positions.height]
    (found,) = fractions_of(run(model, batch(prompt)))
    assert fractions_of(run(model, batch(prompt), all_rows=True)) == [found] == naive_logits(model, prompt)
    return found[-1]
