"""C4: the encoder that doubles pointers, proved by both paths."""

from __future__ import annotations

from dataclasses import replace

import pytest
from construction_changes import (
    count_wrong,
    proof_of,
    with_stored_tables,
)

from constructions.c4 import build
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count

SMALL = [Sizes(5, ()), Sizes(2, (64, 1)), Sizes(7, (1, 3, 1))]
SIZES = Sizes(3, (2, 2))
SMALLEST = Sizes(2, (2,)), Sizes(2, (1, 2))
"""Every one of their 4,096 and, if none of these is wrong, 16,384 inputs is run."""


@pytest.mark.parametrize("sizes", SMALL, ids=str)
def test_proved_by_both_paths_and_every_kind_reads_the_table_that_doubling_says(sizes: Sizes) -> None:
    proof = proof_of(build(sizes), "both")
    assert (proof.ok, proof.margin) == (True, 2), proof.failures[:1]
    read = {(step.layer, step.kind): step.match.fact.kind for step in proof.look_ups}
    levels = {"z0": 0, "w": 0, **{f"table {level}": level for level in range(1, sizes.L + 1)}}
    for kind, level in levels.items():
        assert read[1, kind] == ("z0" if kind == "w" else "w")
        for layer in range(2, 2 + bit_count(sizes.L + 1)):
            # Who is done asks for the tag L+1, which is w's, and what it reads there is dropped.
            table = level + 2 ** (layer - 2)
            assert read[layer, kind] == (f"table {table}" if table <= sizes.L else "w")


def test_layers_after_the_first_have_the_same_weights_and_more_of_them_do_no_harm() -> None:
    whole = build(SIZES)
    first, second, *rest = whole.model.layers
    assert first != second
    assert all(layer == second for layer in rest)
    longer = replace(whole, stages=[*whole.stages, whole.stages[-1]])
    longer = replace(longer, model=replace(whole.model, layers=(*whole.model.layers, second)))
    assert proof_of(longer).ok


def test_stored_tables_are_read_row_by_row() -> None:
    assert proof_of(with_stored_tables(build(Sizes(3, (2, 1, 2)))), "both").ok


@pytest.mark.parametrize(("bits", "score_bits"), [(4, None), (1, 8)])
def test_too_few_bits_are_rejected(bits: int, score_bits: int | None) -> None:
    assert not proof_of(build(SIZES, bits=bits, score_bits=score_bits)).ok


def test_few_bits_are_enough() -> None:
    # The match weighs 2^P exactly, whatever P is; three whole bits and two of the fraction do.
    assert proof_of(build(SIZES, bits=5, score_bits=0)).ok
    assert count_wrong(build(SMALLEST[0], bits=5, score_bits=0)) == 0
