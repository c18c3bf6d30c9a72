"""Broken twins of C2 to C7: each is rejected for the right cause, and wrong on some input of a tiny size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from construction_changes import (
    Change,
    check_twin,
    head_of,
    matrix_at,
    off_by_one_positions,
    shifted,
    with_entries,
    with_every_head,
    with_head,
    with_layer,
    with_matrix,
    with_whole_bits,
)

from constructions import c2, c3, c4, c5, c6, c7
from proofs_checks.statements.c5 import VARIANTS
from separation.arithmetic import ExactMatrix
from separation.models import Stored
from separation.proving import Construction
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes

Place = Callable[[Construction], int]
"""Which layer of a construction."""


def recurrent(c: Construction) -> int:
    return c.model.word.index("R")


def full(c: Construction) -> int:
    return c.model.word.index("F")


def layer(number: int) -> Place:
    return lambda _: number


def changed(place: Place, names: str, change: Callable[[ExactMatrix], ExactMatrix], head: int = 0) -> Change:
    """Some matrices of one head, by the names that it has of these."""

    def change_all(c: Construction) -> Construction:
        part = head_of(c, place(c), head)
        found = {name: change(getattr(part, name)) for name in names.split() if hasattr(part, name)}
        assert found, names
        return with_head(c, place(c), head, **found)

    return change_all


def emptied(matrix: ExactMatrix) -> ExactMatrix:
    return ExactMatrix.zeros(*matrix.shape)


def by(step: int) -> Callable[[ExactMatrix], ExactMatrix]:
    return lambda matrix: shifted(matrix, step)


def rolled(matrix: ExactMatrix) -> ExactMatrix:
    return matrix.rows(np.roll(np.arange(matrix.shape[0]), 1))


def without_the_last_row(matrix: ExactMatrix) -> ExactMatrix:
    return matrix.rows(range(matrix.shape[0] - 1))


def entry(place: Place, name: str, row: int, slot: str, value: Any, head: int = 0, bit: int = 0) -> Change:
    """One entry of a matrix, in the column of a slot; rows count from the end if they are negative."""

    def change(c: Construction) -> Construction:
        path = (place(c), "heads", head, name)
        return with_entries(c, path, (row % matrix_at(c, path).shape[0], c.model.stream[slot][bit], value))

    return change


def of_slot(name: str, slot: str, value: int) -> Change:
    """In layer 2: the first entry of a slot in a matrix: 0 drops it, −1 flips it."""

    def change(c: Construction) -> Construction:
        row = int(np.flatnonzero(getattr(head_of(c, 1), name).numerators[:, c.model.stream[slot][0]])[0])
        return entry(layer(1), name, row, slot, value)(c)

    return change


def key_or_gate(linear: str, delta: str, change: Callable[[ExactMatrix], ExactMatrix]) -> Change:
    """Of the recurrent head, whichever it is."""
    return lambda c: changed(recurrent, linear if head_of(c, recurrent(c)).TYPE == "linear" else delta, change)(c)


def keeps_table_1(c: Construction) -> Construction:
    """The recurrence keeps table 1 (tag 1), not z_0 (tag 0)."""
    name = "w_k" if head_of(c, recurrent(c)).TYPE == "linear" else "w_b"
    return entry(recurrent, name, 0, "tag", 1)(c)


def everything_is_kept(c: Construction) -> Construction:
    """Key feature or gate open at every token: tables too."""
    return key_or_gate("b_k", "b_b", by(2 * len(c.model.stream["tag"])))(c)


def hands_on_z0_again(c: Construction) -> Construction:
    """FRF, but R hands on z_0 and not what z_0's token read."""
    plan = c2.Plan(c.sizes, head_of(c, 1).TYPE)
    return with_layer(c, 1, heads=plan.hand_over("value").heads)


def flipped_rows(slot: str, *rows: int) -> Change:
    """Rows of the unembedding (all, if none is named), of which one slot changes its sign."""

    def change(c: Construction) -> Construction:
        table = c.model.unembedding.stored().matrix  # type: ignore[union-attr]
        numerators = table.numerators.copy()
        numerators[list(rows) or slice(None), c.model.stream[slot][0]] *= -1
        return replace(c, model=replace(c.model, unembedding=Stored(ExactMatrix(numerators, table.denominator))))

    return change


def w_waits_too(c: Construction) -> Construction:
    rows = c.model.positions.stored().matrix  # type: ignore[union-attr]
    changed_rows = rows.with_entry(rows.shape[0] - 1, c.model.stream["waits"][0], 1)
    return replace(c, model=replace(c.model, positions=Stored(changed_rows)))


def flipped_last_thought(c: Construction) -> Construction:
    """One row of the group that is said last says another lowest bit."""
    row = next(group.start for group in c.sizes.groups if group.name == c.sizes.emitted[-1])
    return flipped_rows("pointer", row)(c)


def dropped_digit_of_the_query(c: Construction) -> Construction:
    return entry(full, "w_q", len(c.model.stream["tag"]), "asked", 0)(c)


def query_for_x_itself(c: Construction) -> Construction:
    head = head_of(c, 0)
    return with_head(c, 0, w_q=head.w_k.scaled(head.shift / head.w_k.shape[0]))


def shift_by(more: Callable[[Construction], int]) -> Change:
    return lambda c: with_head(c, 0, shift=head_of(c, 0).shift + more(c))


def flipped_unembedding(c: Construction) -> Construction:
    return with_matrix(c, ("unembedding", 0), -matrix_at(c, ("unembedding", 0)))


def offset(value: int) -> Change:
    """The constant of the answer 1: with −6 in C7 all heads are asked for, and not one."""
    return lambda c: with_entries(c, ("unembedding", 0), (c.model.stream["one"][0], 1, value))


def both_heads_of_one_offset(c: Construction) -> Construction:
    return with_head(c, 0, 1, c_k=head_of(c, 0).c_k, c_v=head_of(c, 0).c_v)


def keys_and_values_of_different_offsets(c: Construction) -> Construction:
    return with_head(c, 0, c_v=head_of(c, 0, 1).c_v)


def compressor_that_takes_the_mean(c: Construction) -> Construction:
    mean = (head_of(c, 0).c_k + head_of(c, 0, 1).c_k).scaled(Fraction(1, 2))
    return with_every_head(c, c_k=mean, c_v=mean)


SIZES, SMALLEST = Sizes(3, (2,)), Sizes(2, (2,))
SUM = TwoSumSizes(4, 7), TwoSumSizes(5, 5)
Built = tuple[Construction, ...]
"""The construction in which the cause is asked for, and those of which all inputs are run."""


def of_c2(word: str, family: str) -> Built:
    return with_whole_bits(c2.build(SIZES, word, family), 4), c2.build(SMALLEST, word, family)


def of_c3() -> Built:
    return with_whole_bits(c3.build(SIZES, bits=16), 4), c3.build(SMALLEST)


def of_c4() -> Built:
    return with_whole_bits(c4.build(Sizes(3, (2, 2))), 2), *(c4.build(sizes) for sizes in (SMALLEST, Sizes(2, (1, 2))))


def of_c5(word: str, family: str) -> Built:
    """None is run on all inputs: what its thoughts need is not needed where there are few."""
    return (with_whole_bits(c5.build(Sizes(2, (2, 2)), word, family), 2),)


def of_c6() -> Built:
    return (with_whole_bits(c6.build(SUM[0]), 2),) * 2


def of_c7() -> Built:
    return (with_whole_bits(c7.build(SUM[1], 2, 0), 2),) * 2


LINEAR, DELTA = [("RFF", "linear"), ("FRF", "linear")], [("RFF", "delta"), ("FRF", "delta")]
Twin = tuple[Callable[..., Built], list[tuple[str, ...]], Change, str, str, Any]
TWINS: dict[str, Twin] = {
    # name: the construction and its variants, the change, and rule, clause and words (or details) of the cause
    "C2 dropped value": (of_c2, LINEAR + DELTA, changed(recurrent, "w_v", emptied), "P7", "value", "no head hands on"),
    "C2 linear, flipped tag bit": (of_c2, LINEAR[:1], keeps_table_1, "P9", "no feature", "no key of z0"),
    "C2 delta, flipped tag bit": (of_c2, DELTA[:1], keeps_table_1, "P10", "state", "table 1"),
    "C2 linear, all kept": (of_c2, LINEAR, everything_is_kept, "P9", "other keys", "table 2"),
    "C2 delta, all kept": (of_c2, DELTA, everything_is_kept, "P10", "state", "table 2"),
    "C2 linear, none kept": (of_c2, LINEAR[:1], key_or_gate("b_k", "b_b", by(-1)), "P9", "no feature", "no key of z0"),
    "C2 delta, none kept": (of_c2, DELTA[:1], key_or_gate("b_k", "b_b", by(-1)), "P7", "value", "written by nobody"),
    "C2 forgetful": (of_c2, DELTA, changed(recurrent, "b_a", emptied), "P10", "state", "leave the state alone"),
    "C2 linear, blind": (of_c2, LINEAR, key_or_gate("b_q", "w_q", emptied), "P9", "no feature", "of the query"),
    "C2 delta, blind": (of_c2, DELTA, key_or_gate("b_q", "w_q", emptied), "P7", "value", "query of head 0 is 0"),
    "C2 linear, z_0 again": (of_c2, LINEAR[1:], hands_on_z0_again, "P9", "no feature", "finds z0"),
    "C2 delta, z_0 again": (of_c2, DELTA[1:], hands_on_z0_again, "P7", "value", "holds i0.0"),
    "C3 an address without a feature": (
        *(of_c3, [()], changed(layer(2), "w_q b_q w_k b_k", without_the_last_row)),
        *("P9", "missing address", ""),
    ),
    "C3 peaks two bits wide": (of_c3, [()], changed(layer(2), "b_k", by(2)), "P9", "other keys", ""),
    "C3 peaks below zero": (of_c3, [()], changed(layer(2), "b_k", by(-1)), "P9", "no feature", ""),
    "C3 query peaks two bits wide": (of_c3, [()], changed(layer(2), "b_q", by(2)), "P9", "not a peak", ""),
    "C3 features off by one": (of_c3, [()], changed(layer(2), "w_q b_q", rolled), "P9", "wrong sign", ""),
    "C3 logits with a flipped constant": (of_c3, [()], flipped_rows("one"), "answer", "constant", ""),
    "C4 dropped value": (of_c4, [()], of_slot("w_v", "pointer", 0), "P7", "value", {"not_handed_on": "i1.0"}),
    "C4 dropped key bit": (of_c4, [()], of_slot("w_k", "index", 0), "P4", "missing bit", {"reads": "table 1"}),
    "C4 flipped key bit": (of_c4, [()], of_slot("w_k", "index", -1), "P4", "wrong sign", {"reads": "table 1"}),
    "C4 flipped tag bit": (
        *(of_c4, [()], of_slot("w_k", "tag", -1)),
        *("P4", "weight floors to 0", {"finds": {"reads": "z0", "at": []}}),
    ),
    "C4 off-by-one position table": (of_c4, [()], off_by_one_positions, "P1", "embedding", ""),
    "C4 w waits too": (of_c4, [()], w_waits_too, "P7", "value", {"holds": "1"}),
    "C4 flipped unembedding": (of_c4, [()], flipped_rows("pointer", 1), "P1", "embedding", {"table": "unembedding"}),
    "C5 flipped key bit": (of_c5, VARIANTS, entry(full, "w_k", -1, "index", -1, bit=-1), "P4", "leak", ""),
    "C5 dropped digit": (
        *(of_c5, [("F", "linear"), ("RF", "linear")], dropped_digit_of_the_query),
        *("P4", "missing bit", ""),
    ),
    "C5 flipped unembedding": (of_c5, VARIANTS, flipped_last_thought, "P1", "embedding", ""),
    "C5 gate that forgets": (
        *(of_c5, [("RF", "delta"), ("FR", "delta")], changed(recurrent, "b_a", emptied, head=1)),
        *("P10", "state", ""),
    ),
    "C6 dropped key bit": (of_c6, [()], entry(layer(0), "w_k", 0, "code", 0), "P11", "missing bit", ""),
    "C6 flipped key bit": (of_c6, [()], entry(layer(0), "w_k", 0, "code", -1), "P11", "wrong sign", ""),
    "C6 dropped value column": (of_c6, [()], entry(layer(0), "w_v", 0, "code", 0), "P11", "value", ""),
    "C6 query for x itself": (of_c6, [()], query_for_x_itself, "P11", "wrong bit", ""),
    "C6 shift too low": (of_c6, [()], shift_by(lambda _: -1), "P3", "score above the shift", ""),
    "C6 all weights vanish": (
        *(of_c6, [()], shift_by(lambda c: c.model.precision.score_bits)),
        *("P11", "match below the shift", ""),
    ),
    "C6 flipped unembedding": (of_c6, [()], flipped_unembedding, "answer", "wrong sign", ""),
    "C6 unembedding offset doubled": (of_c6, [()], offset(-4), "answer", "margin", ""),
    "C7 flipped key bit": (of_c7, [()], entry(layer(0), "w_k", 0, "code", -1, head=1), "P11", "wrong sign", ""),
    "C7 both heads of one offset": (of_c7, [()], both_heads_of_one_offset, "answer", "unseen tokens", ""),
    "C7 different offsets": (of_c7, [()], keys_and_values_of_different_offsets, "P11", "summary", ""),
    "C7 the mean": (of_c7, [()], compressor_that_takes_the_mean, "P11", "summary", ""),
    "C7 all heads instead of one": (of_c7, [()], offset(-6), "answer", "margin", ""),
}


@pytest.mark.parametrize("name", TWINS)
def test_a_broken_twin_is_rejected_and_wrong_on_some_input(name: str) -> None:
    build, variants, change, *cause = TWINS[name]
    for variant in variants:
        check_twin(f"{name}, {variant}", change, tuple(cause), *build(*variant))  # type: ignore[arg-type]
