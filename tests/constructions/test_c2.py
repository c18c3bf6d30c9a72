"""C2: L full layers and one recurrent layer, proved in both orders and with few bits."""

from __future__ import annotations

import pytest
from construction_changes import (
    head_of,
    proof_of,
)

from constructions.c2 import FAMILIES, build
from separation.proving import Construction
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count

SMALL = [Sizes(5, ()), Sizes(3, (2, 4))]
SIZES = Sizes(3, (2,))
SMALLEST = Sizes(2, (2,))
"""Every one of its 4,096 inputs is run."""


def words(sizes: Sizes) -> list[str]:
    return ["R" + "F" * sizes.L, "FR" + "F" * (sizes.L - 1)]


def variants(sizes: Sizes) -> list[Construction]:
    return [build(sizes, word, family) for word in words(sizes) for family in FAMILIES]


@pytest.mark.parametrize("sizes", SMALL, ids=str)
def test_proved_in_both_orders_and_families(sizes: Sizes) -> None:
    for construction in variants(sizes):
        proof = proof_of(construction)
        assert proof.ok, (construction.model.word, proof.failures[:1])
        head = head_of(construction, construction.model.word.index("R"))
        linear = head.TYPE == "linear"
        assert head.state_entries == bit_count(sizes.m) + linear
        assert proof.state_bits == 2 * bit_count(sizes.m) + linear
        read = [step.match.fact.kind for step in proof.look_ups if step.kind == "w"]
        tables = [f"table {level}" for level in range(1, sizes.L + 1)]
        assert [kind for kind in read if kind != "z0"] == (tables if construction.model.word[0] == "R" else tables[1:])


def test_few_bits_are_enough_and_too_few_are_not() -> None:
    for word in words(SIZES):
        for family in FAMILIES:
            assert proof_of(build(SIZES, word, family, score_bits=0)).ok
            assert not proof_of(build(SIZES, word, family, bits=2)).ok
