"""P9 and P10: features and states against brute force, and against the states that real runs go through."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_models import states_of

from constructions import build
from separation.arithmetic import ExactMatrix
from separation.models import DeltaHead
from separation.proving import ONE, Construction, Forms, ProofFailed, bit, gate, prove
from separation.proving.delta import common_grid, form_entries
from separation.proving.linear import classify
from separation.tasks.funccomp import Sizes, Thoughts, enumerate_token_ids

BITS = [bit("a", place) for place in range(3)]
small = st.integers(-4, 4)


@settings(max_examples=80)
@given(st.lists(small, min_size=4, max_size=4))
def test_a_peak_is_a_peak(numbers: list[int]) -> None:
    """relu(c + Σ c_b b) over all signs: a peak has its height at its pattern alone, zero is 0 everywhere."""
    (feature,) = classify(Forms([ONE, *BITS], ExactMatrix.from_rows([numbers])))
    mentioned = [place for place, number in enumerate(numbers[1:]) if number]
    for signs in product((-1, 1), repeat=3):
        value = max(0, numbers[0] + sum(c * s for c, s in zip(numbers[1:], signs, strict=True)))
        assert value <= feature.most
        if feature.pattern is not None:
            there = all(dict(feature.pattern)[BITS[place]] == signs[place] for place in mentioned)
            assert value == (feature.most if there else 0)


@settings(max_examples=40)
@given(st.lists(st.fractions(-3, 3, max_denominator=4), min_size=4, max_size=4))
def test_the_grid_of_a_form_holds_its_values(numbers: list[Fraction]) -> None:
    (entry,) = form_entries(Forms([ONE, *BITS], ExactMatrix.from_rows([numbers])))
    values = {
        numbers[0] + sum(c * s for c, s in zip(numbers[1:], signs, strict=True)) for signs in product((-1, 1), repeat=3)
    }
    assert (min(values), max(values)) == (entry.low, entry.high)
    assert entry.grid is not None
    assert entry.grid == common_grid(values)
    bits = entry.bits(None)
    assert bits is not None
    assert len(values) <= 2**bits


RECURRENT = {
    "C2 linear": ("C2", Sizes(3, ()), {"family": "linear"}),
    "C2 delta": ("C2", Sizes(2, (1,)), {"family": "delta", "word": "FRF"}),
    "C3": ("C3", Sizes(2, (1,)), {}),
    "C5 RF": ("C5", Sizes(2, (1,)), {"word": "RF"}),
    "C5 FR": ("C5", Sizes(2, (1,)), {"word": "FR", "family": "delta"}),
}


@pytest.mark.parametrize("case", RECURRENT)
def test_states_of_real_runs_stay_within_the_proved_bits(case: str) -> None:
    """Over all inputs and all tokens: no entry leaves its range, and no entry takes more values than its bits allow."""
    name, sizes, options = RECURRENT[case]
    subject = build(name, sizes, **options)
    proof = prove(subject.model, subject.stages, subject.shape)
    ids = np.concatenate([block for block, _ in enumerate_token_ids(sizes, 4096)])[:: 1 if sizes.length < 6 else 3]
    assert proof.states
    for state in proof.states:
        seen: dict[int, set[Fraction]] = {}
        for run_states in states_of(subject.model, ids.tolist(), state.layer, state.head):
            for entries in run_states:
                for place, number in enumerate(entries):
                    seen.setdefault(place, {Fraction(0)}).add(number)
        assert len(seen) == state.entries
        assert max(abs(number) for numbers in seen.values() for number in numbers) <= state.largest
        assert state.bits is not None
        used = sum((len(numbers) - 1).bit_length() for numbers in seen.values())
        assert used <= state.bits
        if isinstance(subject.sizes, Thoughts) or name == "C3":
            assert used == state.bits  # nothing is charged that no input uses


def with_head(subject: Construction, layer: int, **changes: object) -> Construction:
    model = subject.model
    old = model.layers[layer - 1]
    head = replace(old.heads[0], **changes)  # type: ignore[arg-type]
    layers = (*model.layers[: layer - 1], replace(old, heads=(head,)), *model.layers[layer:])
    return replace(subject, model=replace(model, layers=layers))


def rejected_at(subject: Construction) -> str:
    proof = prove(subject.model, subject.stages, subject.shape)
    assert not proof.ok
    return str(proof.failures[0])


def test_a_gate_that_depends_on_the_input_or_forgets_is_rejected() -> None:
    subject = build("C2", Sizes(3, ()), word="RF", family="delta")
    head = subject.model.layers[0].heads[0]
    assert isinstance(head, DeltaHead)
    value = subject.model.stream["value"][0]
    assert "state" in rejected_at(with_head(subject, 1, w_b=head.w_b.with_entry(0, value, 1)))
    assert "not all leave the state alone" in rejected_at(with_head(subject, 1, b_a=ExactMatrix.from_rows([[0]])))


def test_gates_are_clipped_and_one_that_is_not_known_is_refused() -> None:
    half = Fraction(1, 2)
    for one, x, clipped in ((2, 0, 1), (half, 0, half), (0, 0, 0), (-3, 0, 0), (3, 2, 1), (-3, 2, 0), (half, 1, None)):
        forms = Forms([ONE, BITS[0]], ExactMatrix.from_rows([[one, x]]))
        if clipped is not None:
            assert gate(forms, "a gate") == clipped
    with pytest.raises(ProofFailed, match="ranges over"):
        gate(forms, "a gate")
