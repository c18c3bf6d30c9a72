"""One head of each type by hand, in a model in which every token brings its own inputs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from naive_model import evaluate
from random_models import document_of, fractions_of
from run_cases import with_rows

from separation.arithmetic import ExactMatrix, Precision
from separation.models import AnyHead, DeltaHead, LinearHead, Model, RecurrentHead, SparseHead, run

Number = Fraction | int
Step = tuple[Number, Number, Number, Number, Number]
"""α, β, the two coordinates of k, v."""

NONE = ExactMatrix.zeros(1, 1)
COARSE = Precision(0, 60, 10)


def reads(width: int, *places: int) -> ExactMatrix:
    return ExactMatrix.from_entries((len(places), width), [(row, place, 1) for row, place in enumerate(places)])


def writes(width: int) -> ExactMatrix:
    return ExactMatrix.from_entries((width, 1), [(width - 1, 0, 1)])


def linear(keys: list[Any], values: list[Any], precision: Precision, normalised: bool, query: Number = 1) -> Model:
    """Stream one ⊕ (key, value) ⊕ out: one feature, φ_q = ``query`` and φ_k = relu(key)."""
    w_q = ExactMatrix.from_rows([[query, 0, 0, 0]])
    head = LinearHead(w_q, NONE, reads(4, 1), NONE, reads(4, 2), writes(4), normalised)
    return with_rows([[1, key, value, 0] for key, value in zip(keys, values, strict=True)], precision, head)


def delta(steps: list[Step], precision: Precision, query: tuple[Number, Number] = (1, 0)) -> Model:
    """Stream one ⊕ (α, β, k, v) ⊕ out; every token has a step of its own, and all ask with the same query."""
    w_q = ExactMatrix.from_entries((2, 7), [(row, 0, number) for row, number in enumerate(query)])
    head = DeltaHead(w_q, reads(7, 3, 4), reads(7, 5), reads(7, 1), NONE, reads(7, 2), NONE, writes(7))
    return with_rows([[1, *step, 0] for step in steps], precision, head)


def sparse(
    keys: list[Any],
    values: list[Any],
    block: int,
    opened: int,
    precision: Precision = COARSE,
    summary: tuple[Number, Number] = (0, 0),
    shift: Number = 0,
) -> Model:
    """Stream one ⊕ (key, value) ⊕ out; q = 1. A summary's key and value are those of the block's first token, scaled.

    With P = 0 a token weighs 1 if it scores the shift, else 0.
    """
    c_k, c_v = (ExactMatrix.from_rows([[number, *[0] * (block - 1)]]) for number in summary)
    head = SparseHead(reads(4, 0), reads(4, 1), reads(4, 2), c_k, c_v, writes(4), Fraction(shift), block, opened)
    return with_rows([[1, key, value, 0] for key, value in zip(keys, values, strict=True)], precision, head)


def recurrent(family: str, rows: list[list[Any]], precision: Precision, constants: tuple[Number, ...] = ()) -> Model:
    """Every token brings all inputs of a family with d_k = d_v = 1 as they are; the stream is one ⊕ inputs ⊕ out."""
    inputs = len(rows[0])
    b_c = ExactMatrix.from_entries((len(constants), 1), [(row, 0, x) for row, x in enumerate(constants)])
    w_x = reads(inputs + 2, *range(1, inputs + 1))
    head = RecurrentHead(w_x, ExactMatrix.zeros(inputs, 1), b_c, writes(inputs + 2), family, 1, 1)
    return with_rows([[1, *row, 0] for row in rows], precision, head)


def outs(model: Model) -> list[Fraction]:
    """What the head wrote at every token, by run() of each prefix, of the whole, and by the naive evaluator alike."""
    tokens = model.positions.height
    ids = np.zeros(tokens, dtype=np.int64)
    rows = fractions_of(run(model, ids, every_row=True))
    assert rows == evaluate(document_of(model), ids.tolist()).logits
    assert rows == [fractions_of(run(model, ids[:count]))[0] for count in range(1, tokens + 1)]
    return [row[-1] for row in rows]


def with_head(model: Model, **changed: Any) -> Model:
    """The one head of the one layer, changed."""
    (layer,) = model.layers
    (head,) = layer.heads
    part: AnyHead = replace(head, **changed)
    return replace(model, layers=(replace(layer, heads=(part,)),))
