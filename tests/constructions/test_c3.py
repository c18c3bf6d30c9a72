"""C3: linear attention alone, proved, and its state counted."""

from __future__ import annotations

import numpy as np
import pytest
from construction_changes import (
    head_of,
    proof_of,
)

from constructions.c3 import build
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
