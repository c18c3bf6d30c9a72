"""Invariants from the weights alone: they prove what stated ones prove, they are true, and they prove nothing false."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import separation
from separation.arithmetic import ExactMatrix
from separation.models import Stored
from separation.progress import silent
from separation.proving import Construction, certified_proof, infer_stages
from separation.proving.inference import invariant_of, noise_left
from separation.proving.kernel import plus
from separation.proving.prover import Prover

CASES: list[tuple[str, Any, dict[str, Any]]] = [
    ("C1", separation.Sizes(3, (2, 5)), {}),
    ("C2", separation.Sizes(3, (2,)), {"word": "RFF"}),
    ("C2", separation.Sizes(3, (2,)), {"word": "FRF", "family": "delta"}),
    ("C3", separation.Sizes(3, (2,)), {}),
    ("C4", separation.Sizes(3, (2, 2)), {}),
    ("C5", separation.Sizes(3, (2,)), {"word": "FR"}),
    ("C5", separation.Sizes(3, (2,)), {"word": "F"}),
    ("C6", separation.TwoSumSizes(16, 33), {}),
    ("C7", separation.TwoSumSizes(16, 33), {"block": 4}),
    ("RFFRF", separation.Sizes(3, (2,)), {}),
]


def bare(name: str, sizes: Any, options: dict[str, Any]) -> Construction:
    return replace(separation.build(name, sizes, **options), stages=())


@pytest.mark.parametrize(("name", "sizes", "options"), CASES)
def test_every_construction_is_proved_from_its_weights_alone(name: str, sizes: Any, options: dict[str, Any]) -> None:
    """By invariants that say no less of the tokens that answer than those that are stated."""
    whole = separation.build(name, sizes, **options)
    stated, found = certified_proof(whole), certified_proof(replace(whole, stages=()))
    assert (found.verdict, found.inferred, stated.inferred) == ("proved", True, False)
    assert (found.proof.margin, found.proof.state_bits) == (stated.proof.margin, stated.proof.state_bits)
    assert found.certificate is not None
    assert len(found.certificate["model"]["invariants"]) == len(found.construction.model.layers) + 1
    readers = {str(emission.reader) for emission in whole.shape.emissions} if name in ("C1", "C2", "C3", "C4") else ()
    rules = Prover(whole, "closed", silent, integral=False)
    for ours, theirs in zip(found.construction.stages, whole.stages, strict=True):
        for kind in readers:
            rules.contain(ours[kind].as_forms()[0], theirs[kind].as_forms())  # raises if it says less


def test_a_shift_that_scores_exceed_stops_the_inference() -> None:
    right = bare("C1", separation.Sizes(3, (2,)), {})
    (head,) = right.model.layers[1].heads
    low = replace(right.model.layers[1], heads=(replace(head, shift=head.shift - 1),))
    layers = (right.model.layers[0], low, right.model.layers[2])
    report = separation.infer(replace(right, model=replace(right.model, layers=layers)))
    assert not report.ok
    assert len(report.construction.stages) == 2
    assert [failure.rule for failure in report.proof.failures][:1] == ["P3"]
    assert report.document()["margin"] is None


def test_stored_rows_of_two_sum_are_solved_for() -> None:
    right = bare("C6", separation.TwoSumSizes(5, 9), {})
    rows = right.model.tokens.rows(np.arange(right.model.tokens.height))
    stored = Stored(ExactMatrix(rows, right.model.tokens.denominator))
    assert certified_proof(replace(right, model=replace(right.model, tokens=stored))).ok
    rows[3] = rows[4]
    wrong = Stored(ExactMatrix(rows, right.model.tokens.denominator))
    assert not certified_proof(replace(right, model=replace(right.model, tokens=wrong))).ok


def test_noise_is_shared_where_columns_are_independent_and_boxed_where_not() -> None:
    stages, _ = infer_stages(bare("C1", separation.Sizes(3, ()), {}))
    junk = stages[1]["table 1"]
    assert noise_left(junk) > 0
    again = invariant_of(junk.as_forms()[0])
    assert noise_left(again) == noise_left(junk)
    # Two symbols for each coordinate: their columns are the same.
    doubled = [plus(*pair) for pair in zip(junk.as_forms()[0], junk.as_forms()[0], strict=True)]
    boxed = invariant_of(doubled)
    assert noise_left(boxed) == 2 * noise_left(junk)
    assert all(len(column) == 1 for _, column in boxed.noise)


def test_infer_needs_a_task_for_bare_weights() -> None:
    model = bare("C1", separation.Sizes(2, ()), {}).model
    with pytest.raises(separation.InputError, match="give the task"):
        separation.infer(model)
    by_task = separation.infer(model, separation.FuncComp(separation.Sizes(2, ())))
    assert by_task.answers
    assert by_task.proof.margin == Fraction(2)
    assert "After layer 2" in str(by_task)
    with pytest.raises(separation.InputError, match="bring their own task"):
        separation.infer(by_task.construction, separation.Sizes(2, ()))
