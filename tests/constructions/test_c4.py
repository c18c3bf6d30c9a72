"""C4: the encoder that doubles pointers, run over all inputs, proved, and its broken twins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from construction_changes import (
    Cause,
    Change,
    check_twin,
    count_wrong,
    head_of,
    off_by_one_positions,
    proof_of,
    with_head,
    with_stored_tables,
    with_whole_bits,
)

from constructions.c4 import build
from separation.arithmetic import ExactMatrix
from separation.models import Stored
from separation.proving import Construction
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


def slot_row(c: Construction, layer: int, matrix: str, slot: str) -> tuple[ExactMatrix, int]:
    """A head's matrix, and the first of its rows (W_Q, W_K, W_V) or columns (W_O) that belong to a slot."""
    found = getattr(head_of(c, layer), matrix)
    across = found.numerators.T if matrix == "w_o" else found.numerators
    return found, int(np.flatnonzero(across[:, c.model.stream[slot][0]])[0])


def with_factor(slot: str, factor: int) -> Change:
    """The first key coordinate of a slot times a factor, in layer 2: 0 drops it, −1 flips it."""

    def change(c: Construction) -> Construction:
        keys, row = slot_row(c, 1, "w_k", slot)
        return with_head(c, 1, w_k=keys.with_entry(row, c.model.stream[slot][0], factor))

    return change


def dropped_value_column(c: Construction) -> Construction:
    values, row = slot_row(c, 1, "w_v", "pointer")
    return with_head(c, 1, w_v=values.with_entry(row, c.model.stream["pointer"][0], 0))


def w_waits_too(c: Construction) -> Construction:
    rows = c.model.positions.stored().matrix
    changed = rows.with_entry(rows.shape[0] - 1, c.model.stream["waits"][0], 1)
    return replace(c, model=replace(c.model, positions=Stored(changed)))


def flipped_unembedding(c: Construction) -> Construction:
    rows = c.model.unembedding.stored().matrix
    changed = rows.with_entry(1, c.model.stream["pointer"][0], -1)
    return replace(c, model=replace(c.model, unembedding=Stored(changed)))


TWINS: dict[str, tuple[Change, Cause]] = {
    "dropped value column": (dropped_value_column, ("P7", "value", {"not_handed_on": "i1.0"})),
    "dropped key bit": (with_factor("index", 0), ("P4", "missing bit", {"reads": "table 1"})),
    "flipped key bit": (with_factor("index", -1), ("P4", "wrong sign", {"reads": "table 1"})),
    "flipped tag bit": (with_factor("tag", -1), ("P4", "weight floors to 0", {"finds": {"reads": "z0", "at": []}})),
    "off-by-one position table": (off_by_one_positions, ("P1", "embedding", "")),
    "w waits too": (w_waits_too, ("P7", "value", {"holds": "1"})),
    "flipped unembedding": (flipped_unembedding, ("P1", "embedding", {"table": "unembedding"})),
}


@pytest.mark.parametrize("name", TWINS)
def test_a_broken_twin_is_rejected_and_wrong_on_some_input(name: str) -> None:
    check_twin(name, *TWINS[name], with_whole_bits(build(SIZES), 2), *map(build, SMALLEST))


@pytest.mark.parametrize(("bits", "score_bits"), [(4, None), (1, 8)])
def test_too_few_bits_are_rejected(bits: int, score_bits: int | None) -> None:
    assert not proof_of(build(SIZES, bits=bits, score_bits=score_bits)).ok


def test_few_bits_are_enough() -> None:
    # The match weighs 2^P exactly, whatever P is; three whole bits and two of the fraction do.
    assert proof_of(build(SIZES, bits=5, score_bits=0)).ok
    assert count_wrong(build(SMALLEST[0], bits=5, score_bits=0)) == 0
