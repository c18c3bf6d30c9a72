"""C4: the encoder that doubles pointers, run over all inputs, proved, and its broken twins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from construction_changes import (
    count_wrong,
    head_of,
    matrix_at,
    off_by_one_positions,
    proof_of,
    with_head,
    with_matrix,
    with_stored_tables,
    with_whole_bits,
)

from constructions.c4 import Plan, build
from proofs_checks.statements.c4 import attention_one_way, one_layer_fewer, only_w_takes_over
from separation.arithmetic import ExactMatrix
from separation.models import Stored, run
from separation.proving import Construction
from separation.tasks.funccomp import FAMILIES, Sizes, answer, samples, token_ids
from separation.tasks.shape import bit_count

SMALL = [
    *(Sizes(m, n) for m, n in ((5, ()), (3, (5,)), (3, (2, 4)), (2, (64, 1)), (7, (1, 3, 1)), (2, (1,) * 7))),
]
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


def with_factor(slot: str, factor: int) -> Callable[[Construction], Construction]:
    """The first key coordinate of a slot times a factor, in layer 2: 0 drops it, −1 flips it."""

    def change(c: Construction) -> Construction:
        keys, row = slot_row(c, 1, "w_k", slot)
        return with_head(c, 1, w_k=keys.with_entry(row, c.model.stream[slot][0], factor))

    return change


def dropped_value_column(c: Construction) -> Construction:
    values, row = slot_row(c, 1, "w_v", "pointer")
    return with_head(c, 1, w_v=values.with_entry(row, c.model.stream["pointer"][0], 0))


def no_digits_of_w(c: Construction) -> Construction:
    """The tables do not get w's digits in layer 1."""
    out = head_of(c, 0).w_o.numerators.copy()
    out[np.array(c.model.stream["query"])] = 0
    return with_head(c, 0, w_o=ExactMatrix(out))


def w_waits_too(c: Construction) -> Construction:
    rows = c.model.positions.stored().matrix
    changed = rows.with_entry(rows.shape[0] - 1, c.model.stream["waits"][0], 1)
    return replace(c, model=replace(c.model, positions=Stored(changed)))


def ignored_gate(c: Construction) -> Construction:
    """In layer 2 who is done takes over what it reads, too."""
    path = (1, "mlps", 0, "w_1")
    numerators = matrix_at(c, path).numerators.copy()
    gate = c.model.stream["done"][0]
    bias = matrix_at(c, (1, "mlps", 0, "b_1")).numerators - numerators[:, [gate]]
    numerators[:, gate] = 0
    return with_matrix(with_matrix(c, path, ExactMatrix(numerators)), (1, "mlps", 0, "b_1"), ExactMatrix(bias))


def old_pointer_kept(c: Construction) -> Construction:
    """What it held is not taken off a pointer when a new one is added."""
    path = (1, "mlps", 0, "w_2")
    w_1, w_2 = matrix_at(c, (1, "mlps", 0, "w_1")), matrix_at(c, path).numerators.copy()
    pointer = np.array(c.model.stream["pointer"])
    units = np.flatnonzero((w_1.numerators[:, pointer] != 0).any(axis=1))
    w_2[np.ix_(pointer, units)] = 0
    return with_matrix(c, path, ExactMatrix(w_2))


def flipped_unembedding(c: Construction) -> Construction:
    rows = c.model.unembedding.stored().matrix
    changed = rows.with_entry(1, c.model.stream["pointer"][0], -1)
    return replace(c, model=replace(c.model, unembedding=Stored(changed)))


TWINS: dict[str, tuple[Callable[[Construction], Construction], int, str]] = {
    # name: (the change, the layer it must fail in, a slot that fails there)
    "dropped value column": (dropped_value_column, 2, "pointer[0]"),
    "dropped key bit": (with_factor("index", 0), 2, "pointer[0]"),
    "flipped key bit": (with_factor("index", -1), 2, "pointer[0]"),
    "flipped tag bit": (with_factor("tag", -1), 2, "pointer[0]"),
    "no digits of w": (no_digits_of_w, 1, "query"),
    "off-by-one position table": (off_by_one_positions, 0, ""),
    "w waits too": (w_waits_too, 0, "waits"),
    "ignored gate": (ignored_gate, 2, "pointer[0]"),
    "old pointer kept": (old_pointer_kept, 2, "pointer[0]"),
    "flipped unembedding": (flipped_unembedding, 0, ""),
}


@pytest.mark.parametrize("name", TWINS)
def test_a_broken_twin_is_rejected_where_it_is_broken_and_wrong_on_some_input(name: str) -> None:
    change, layer, slot = TWINS[name]
    whole = with_whole_bits(build(SIZES), 2)
    assert proof_of(whole).ok
    proof = proof_of(change(whole))
    assert not proof.ok
    if slot:
        assert any(f.layer == layer and f.slot.startswith(slot) for f in proof.failures), proof.failures
    assert any(count_wrong(change(build(sizes))) for sizes in SMALLEST)


@pytest.mark.parametrize("change", [one_layer_fewer, only_w_takes_over, attention_one_way])
def test_what_makes_it_short_is_needed(change: Callable[[Sizes], Construction]) -> None:
    broken = change(SIZES)
    assert not proof_of(broken).ok
    cases = list(samples(SIZES, 1, 200))
    answers = run(broken.model, np.stack([token_ids(case) for case in cases])).answers
    assert answers.tolist() != [answer(case) for case in cases]


def test_half_the_temperature_is_rejected_and_wrong_on_some_input() -> None:
    # τ = 1 and 256 keys: those at distance 1 and 2 together outweigh the match, and here they all say the opposite.
    sizes = Sizes(256, ())
    assert Plan(sizes).temperature // 2 == 1
    broken = build(sizes, temperature=1)
    assert any(failure.slot.startswith("pointer") for failure in proof_of(broken).failures)
    cases = list(FAMILIES["opposite_bits"](sizes, 0))
    answers = run(broken.model, np.stack([token_ids(case) for case in cases])).answers
    assert answers.tolist() != [answer(case) for case in cases]


@pytest.mark.parametrize(("bits", "score_bits"), [(4, None), (1, 8)])
def test_too_few_bits_are_rejected(bits: int, score_bits: int | None) -> None:
    assert not proof_of(build(SIZES, bits=bits, score_bits=score_bits)).ok


def test_few_bits_are_enough() -> None:
    # The match weighs 2^P exactly, whatever P is; three whole bits and two of the fraction do.
    assert proof_of(build(SIZES, bits=5, score_bits=0)).ok
    assert count_wrong(build(SMALLEST[0], bits=5, score_bits=0)) == 0
