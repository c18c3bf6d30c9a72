"""Which layers must be computed at other tokens than the last, and that leaving out the rest changes nothing."""

from __future__ import annotations

import importlib
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from random_models import Prompts, batch, fractions_of, naive_logits, random_model, with_fitting_shifts

from separation.arithmetic import ExactMatrix, Precision, PrecisionOverflow
from separation.models import (
    MLP,
    AnyHead,
    Blocks,
    Head,
    Layer,
    Model,
    Stored,
    Stream,
    columns_read,
    layers_others_need,
    run,
)

RUN = importlib.import_module("separation.models.forward")
TOKENS = 5
STREAM = Stream([("one", 1), ("place", TOKENS), ("value", 1), ("noted", 1), ("passed", 1), ("heard", 1), ("unused", 1)])
ONE = Stream([("one", 1)])
SHARP = 40


def place(number: int) -> int:
    return STREAM["place"][number]


def head(reads: str, writes: str, target: int | None = None) -> Head:
    """Copies the slot ``reads`` into ``writes``: from the token at ``target``, or the average over all tokens seen."""
    w_q, w_k = Blocks(ONE, STREAM), Blocks(ONE, STREAM)
    if target is not None:
        w_q.copy("one", "one", SHARP)
        w_k.put(0, place(target), 1)
    return Head(
        w_q=w_q.build(),
        w_k=w_k.build(),
        w_v=Blocks(ONE, STREAM).copy("one", reads).build(),
        w_o=Blocks(STREAM, ONE).copy(writes, "one").build(),
        shift=Fraction(SHARP if target is not None else 0),
    )


def layer(*heads: AnyHead, b_2: Blocks | None = None) -> Layer:
    parts = (Blocks(ONE, STREAM), Blocks(ONE, ONE), Blocks(STREAM, ONE), b_2 or Blocks(STREAM, ONE))
    return Layer(heads, (MLP(*(part.build() for part in parts)),))


def chain(*layers: Layer) -> Model:
    """Layers of a few slots by hand, in which tokens note, pass on and hear numbers.

    Tokens are 0, 1, 2, 3 in the slot ``value``; every slot of the last token is a logit.
    """
    rows = Blocks(STREAM, Stream([("token", TOKENS)]))
    for number in range(TOKENS):
        rows.put(STREAM["one"][0], number, 1).put(place(number), number, 1)
    values = Blocks(STREAM, Stream([("id", 4)]))
    for number in range(4):
        values.put(STREAM["value"][0], number, number)
    identity = ExactMatrix.from_entries((STREAM.width, STREAM.width), [(i, i, 1) for i in range(STREAM.width)])
    return Model(
        STREAM, Stored(rows.build().T), Stored(values.build().T), layers, Stored(identity), Precision(30, 40, 4)
    )


def slot(model: Model, prompt: list[int], name: str, **options: bool) -> Fraction:
    (logits,) = fractions_of(run(model, np.array(prompt), **options))
    return logits[STREAM[name][0]]


def test_rows_that_were_left_out_cannot_trip_a_later_size_check() -> None:
    # ``unused`` is at its limit at token 0; layer 1 takes 8 off it, layer 2 puts 8 on it and writes what is needed.
    down = layer(b_2=Blocks(STREAM, ONE).constants("unused", [-8]))
    up = layer(b_2=Blocks(STREAM, ONE).constants("unused", [8]).constants("noted", [1]))
    model = chain(down, up, layer(head("noted", "heard", target=0)))
    positions = model.positions
    assert isinstance(positions, Stored)
    limit = model.precision.limit
    full = positions.matrix.with_entry(0, STREAM["unused"][0], limit)
    model = replace(model, positions=Stored(full))
    assert layers_others_need(model) == [False, True, False]
    assert slot(model, [0] * 5, "heard") == slot(model, [0] * 5, "heard", all_rows=True) == 1


def sparse_model(seed: int) -> tuple[Model, Prompts]:
    """A random model with few entries, in which some layers are needed and some are not."""
    model, prompts = random_model(seed, integral=True)
    rng = np.random.default_rng(seed)

    def thin(part: Any) -> Any:
        changed = {}
        for name in part.MATRICES:
            kept = [entry for entry in getattr(part, name).entries() if rng.random() < 0.4]
            changed[name] = ExactMatrix.from_entries(getattr(part, name).shape, kept)
        return replace(part, **changed)

    layers = tuple(Layer(tuple(map(thin, old.heads)), tuple(map(thin, old.mlps))) for old in model.layers)
    return with_fitting_shifts(replace(model, layers=layers), prompts), prompts


def test_what_is_left_out_changes_no_sparse_model() -> None:
    needs = set()
    for seed in range(1000, 1030):
        model, prompts = sparse_model(seed)
        found = fractions_of(run(model, batch(prompts)))
        assert found == fractions_of(run(model, batch(prompts), all_rows=True)) == naive_logits(model, prompts)
        needs.add(tuple(layers_others_need(model)))
    assert {(False, False), (True, False), (True, True, False)} <= needs


@pytest.mark.parametrize("name", ["positions", "tokens"])
def test_coordinates_that_nobody_reads_are_checked_all_the_same(name: str) -> None:
    """Only those that some head reads are made of other tokens than the last."""
    direct = chain(layer(head("value", "noted")), layer(head("value", "heard", target=2)))
    limit = direct.precision.limit
    table = getattr(direct, name)
    for excess, row in ((0, 0), (1, 0)):
        large = table.matrix.with_entry(row, STREAM["unused"][0], limit + excess)
        model = replace(direct, **{name: Stored(large)})
        prompt = [0, 1, 2, 3, 1]
        if not excess:
            assert slot(model, prompt, "heard") == 2
            continue
        assert len(columns_read(model)) == STREAM.width
        with pytest.raises(PrecisionOverflow, match=r"^layer 0: an activation \(embedding\) needs more than"):
            run(model, np.array(prompt))
