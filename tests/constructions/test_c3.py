"""C3: linear attention alone, run over all inputs, proved, its state counted, and its broken twins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from construction_changes import (
    Cause,
    Change,
    check_twin,
    head_of,
    proof_of,
    shifted,
    with_head,
    with_whole_bits,
)

from constructions.c3 import build
from separation.arithmetic import ExactMatrix
from separation.models import Stored
from separation.proving import Construction
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count

SMALL = [Sizes(5, ()), Sizes(3, (2, 4)), Sizes(5, (5, 1))]  # the last: table 2 has a longer address than table 3
SIZES = Sizes(3, (2,))
SMALLEST = Sizes(2, (2,))
"""Every one of its 4,096 inputs is run."""


@pytest.mark.parametrize("sizes", SMALL, ids=str)
def test_proved(sizes: Sizes) -> None:
    construction = build(sizes)
    proof = proof_of(construction)
    assert proof.ok, proof.failures[:1]
    assert [step.match.fact.kind for step in proof.look_ups if step.kind == "w"] == [
        "z0",
        *(f"table {level}" for level in range(1, sizes.L + 1)),
    ]
    assert construction.model.word == "R" * (sizes.L + 1)
    assert construction.model.heads == 1
    entries = [head_of(construction, number).state_entries for number in range(sizes.L + 1)]
    assert entries == [bit_count(sizes.m), *(size * bit_count(size) for size in sizes.N)]
    assert proof.state_bits == sum(entries)


@pytest.mark.parametrize("sizes", SMALL, ids=str)
def test_one_token_at_most_adds_to_an_entry_of_the_state_and_it_adds_a_bit(sizes: Sizes) -> None:
    model = build(sizes).model
    places = model.positions.rows(np.arange(model.positions.height))
    words = model.tokens.rows(np.arange(model.tokens.height)) // model.tokens.denominator
    slots = model.stream
    for number in range(sizes.L + 1):
        head = head_of(build(sizes), number)
        for slot in ("value", "query", "pointer", "found"):  # all that is not known from the position
            assert not head.w_k.numerators[:, np.array(slots[slot], dtype=int)].any()
        features = np.maximum(places @ head.w_k.numerators.T + head.b_k.numerators.T, 0)
        assert (features.sum(axis=0) == 1).all()
        assert (features.max(axis=0) == 1).all()
        assert set(np.unique(words @ head.w_v.numerators.T)) <= {0, 1}


def test_few_bits_are_enough_and_too_few_are_not() -> None:
    # 2T + 2b − 1 ≤ 16 for T = 2 bits of tag and b = 3 of address: four whole bits, and one for the halves of the code.
    assert proof_of(build(SIZES, bits=5, score_bits=0)).ok
    assert not proof_of(build(SIZES, bits=3)).ok


def one_address_without_a_feature(c: Construction) -> Construction:
    head = head_of(c, 2)
    rows = range(head.w_k.shape[0] - 1)
    fewer = {name: getattr(head, name).rows(rows) for name in ("w_q", "b_q", "w_k", "b_k")}
    return with_head(c, 2, **fewer)


def peaks_two_bits_wide(c: Construction) -> Construction:
    return with_head(c, 2, b_k=shifted(head_of(c, 2).b_k, 2))


def peaks_below_zero(c: Construction) -> Construction:
    return with_head(c, 2, b_k=shifted(head_of(c, 2).b_k, -1))


def query_peaks_two_bits_wide(c: Construction) -> Construction:
    return with_head(c, 2, b_q=shifted(head_of(c, 2).b_q, 2))


def features_off_by_one(c: Construction) -> Construction:
    """The query's feature a is the one of address a+1."""
    head = head_of(c, 2)
    order = np.roll(np.arange(head.w_q.shape[0]), 1)
    return with_head(c, 2, w_q=head.w_q.rows(order), b_q=head.b_q.rows(order))


def dropped_value_bit(c: Construction) -> Construction:
    return with_head(c, 2, w_v=head_of(c, 2).w_v.with_entry(0, c.model.stream["value"][0], 0))


def flipped_logits(c: Construction) -> Construction:
    """Σ_j code(v)_j · (2·pointer_j + 1)."""
    rows = c.model.unembedding.stored().matrix  # type: ignore[union-attr]
    numerators = rows.numerators.copy()
    numerators[:, c.model.stream["one"][0]] *= -1
    return replace(c, model=replace(c.model, unembedding=Stored(ExactMatrix(numerators))))


TWINS: dict[str, tuple[Change, Cause]] = {
    "one address without a feature": (one_address_without_a_feature, ("P9", "missing address", "")),
    "peaks two bits wide": (peaks_two_bits_wide, ("P9", "other keys", "")),
    "peaks below zero": (peaks_below_zero, ("P9", "no feature", "")),
    "query peaks two bits wide": (query_peaks_two_bits_wide, ("P9", "not a peak", "")),
    "features off by one": (features_off_by_one, ("P9", "wrong sign", "")),
    "logits with a flipped constant": (flipped_logits, ("answer", "constant", "")),
}


@pytest.mark.parametrize("name", TWINS)
def test_a_broken_twin_is_rejected_and_wrong_on_some_input(name: str) -> None:
    check_twin(name, *TWINS[name], with_whole_bits(build(SIZES, bits=16), 4), build(SMALLEST))
