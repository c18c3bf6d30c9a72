"""The states of recurrent heads: what `states` says is what the naive evaluator goes through."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from naive_model import evaluate
from plain_states import State, final_states, states
from random_models import batch, document_of
from run_cases import CASES, MIXED, case

from separation.arithmetic import ExactMatrix, Precision
from separation.models import STATEFUL, Layer, LinearHead, Model, Stored, Stream

RECURRENT = [place for place in CASES if place[0] in (MIXED, "linear", "delta", "recurrent")]


@pytest.mark.parametrize(("kind", "seed"), RECURRENT[::2])
def test_states_are_the_naive_ones(kind: str, seed: int) -> None:
    model, prompts, _ = case(kind, seed)
    results = [evaluate(document_of(model), prompt) for prompt in prompts]
    for number, layer in enumerate(model.layers, start=1):
        for index, head in enumerate(layer.heads):
            if not isinstance(head, STATEFUL):
                with pytest.raises(ValueError, match=rf"^layer {number}: head {index} has the type {head.TYPE}"):
                    states(model, batch(prompts), number, index)
                continue
            found = states(model, batch(prompts), number, index)
            for rows, result in zip(found, results, strict=True):
                wanted = result.states[number, index]
                has_normaliser = isinstance(head, LinearHead) and head.normalised
                assert [state.matrix for state in rows] == [tuple(map(tuple, matrix)) for matrix, _ in wanted]
                assert [state.normaliser for state in rows] == [tuple(n) if has_normaliser else () for _, n in wanted]
                assert {len(state.entries) for state in rows} == {head.state_entries}
            assert final_states(model, batch(prompts), number, index) == [rows[-1] for rows in found]


def counter(normalised: bool) -> Model:
    """Tokens 0 and 1 as features; values 1: the state counts the ones."""
    width = 2
    head = LinearHead(
        w_q=ExactMatrix.from_rows([[1, 0]]),
        b_q=ExactMatrix.zeros(1, 1),
        w_k=ExactMatrix.from_rows([[0, 1]]),
        b_k=ExactMatrix.zeros(1, 1),
        w_v=ExactMatrix.from_rows([[1, 0]]),
        w_o=ExactMatrix.zeros(width, 1),
        normalised=normalised,
    )
    return Model(
        Stream([("one", 1), ("bit", 1)]),
        Stored(ExactMatrix.from_rows([[1, 0]] * 4)),
        Stored(ExactMatrix.from_rows([[0, 0], [0, 1]])),
        (Layer((head,), ()),),
        Stored(ExactMatrix.from_rows([[1, 0], [0, 1]])),
        Precision(4, 8, 2),
    )


@pytest.mark.parametrize("normalised", [False, True])
def test_the_states_of_all_inputs(normalised: bool) -> None:
    """A counter of four bits has five states, whatever came first: log2 5 bits are all that later tokens learn."""
    inputs = np.array(list(product([0, 1], repeat=4)))
    found = final_states(counter(normalised), inputs, 1)
    assert found == [State(((Fraction(s),),), (Fraction(s),) * normalised) for s in inputs.sum(axis=1)]
    assert len(set(found)) == 5
