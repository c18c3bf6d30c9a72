"""C3: linear attention alone, run over all inputs, proved, its state counted, and its broken twins."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from layer_changes import (
    count_wrong,
    head_of,
    in_other_coordinates,
    proof_of,
    random_change,
    with_head,
    with_layer,
    with_stored_tables,
)

from constructions.c3 import build
from separation.arithmetic import ExactMatrix
from separation.models import Stored, run
from separation.proving import Construction
from separation.tasks.funccomp import Sizes, answer, sample, token_ids
from separation.tasks.shape import bit_count

SMALL = [
    *(Sizes(m, ()) for m in (2, 3, 5, 8, 16)),
    *(Sizes(m, (n,)) for m, n in ((2, 1), (2, 2), (3, 1), (3, 5), (8, 8), (7, 1))),
    *(Sizes(m, n) for m, n in ((2, (1, 1)), (3, (2, 4)), (2, (1, 5)), (4, (4, 4)), (2, (2, 2, 2)), (2, (1,) * 6))),
    Sizes(5, (5, 1)),  # table 2 has a longer address than table 3
]
TINY = [*(Sizes(m, ()) for m in (2, 3, 4, 5)), *(Sizes(m, (n,)) for m, n in ((2, 1), (2, 2), (3, 1))), Sizes(2, (1, 1))]
SIZES = Sizes(3, (2,))
SMALLEST = Sizes(2, (2,))
"""Every one of its 4,096 inputs is run."""


@pytest.mark.parametrize("sizes", TINY, ids=str)
def test_every_input_of_a_tiny_size_is_answered(sizes: Sizes) -> None:
    assert count_wrong(build(sizes)) == 0


@pytest.mark.parametrize("sizes", SMALL, ids=str)
def test_proved(sizes: Sizes) -> None:
    construction = build(sizes)
    proof = proof_of(construction)
    assert proof.ok, proof.failures[:1]
    assert proof.margin == 2
    assert [step.match.fact.kind for step in proof.look_ups if step.kind == "w"] == [
        "z0",
        *(f"table {level}" for level in range(1, sizes.L + 1)),
    ]
    assert construction.model.word == "R" * (sizes.L + 1)
    assert construction.model.is_integral
    assert construction.model.heads == 1


@pytest.mark.parametrize("sizes", [Sizes(4, ()), Sizes(3, (2,)), Sizes(3, (1, 4))], ids=str)
def test_proved_after_a_random_exact_change_of_basis(sizes: Sizes) -> None:
    proof = proof_of(in_other_coordinates(build(sizes), 1))
    assert proof.ok, proof.failures[:1]
    assert proof.margin == 2


@pytest.mark.parametrize("sizes", SMALL, ids=str)
def test_the_state_holds_a_bit_for_each_bit_of_the_tables(sizes: Sizes) -> None:
    construction = build(sizes)
    entries = [head_of(construction, number).state_entries for number in range(sizes.L + 1)]
    assert entries == [bit_count(sizes.m), *(size * bit_count(size) for size in sizes.N)]
    assert proof_of(construction).state_bits == sum(entries)


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


def test_4096_tokens_are_built_at_once_and_answered() -> None:
    sizes = Sizes.for_tokens(2, 4096)
    start = time.perf_counter()
    construction = build(sizes)
    assert time.perf_counter() - start < 2
    instance = sample(sizes, 5)
    assert run(construction.model, token_ids(instance)).answers[0] == answer(instance)


def test_few_bits_are_enough_and_too_few_are_not() -> None:
    # 2T + 2b − 1 ≤ 16 for T = 2 bits of tag and b = 3 of address: four whole bits, and one for the halves of the code.
    assert proof_of(build(SIZES, bits=5, score_bits=0)).ok
    assert not proof_of(build(SIZES, bits=3)).ok


def bias(matrix: ExactMatrix, step: int) -> ExactMatrix:
    return ExactMatrix(matrix.numerators + step, matrix.denominator)


def one_address_without_a_feature(c: Construction) -> Construction:
    head = head_of(c, 2)
    rows = range(head.w_k.shape[0] - 1)
    fewer = {name: getattr(head, name).rows(rows) for name in ("w_q", "b_q", "w_k", "b_k")}
    return with_head(c, 2, **fewer)


def peaks_two_bits_wide(c: Construction) -> Construction:
    return with_head(c, 2, b_k=bias(head_of(c, 2).b_k, 2))


def peaks_below_zero(c: Construction) -> Construction:
    return with_head(c, 2, b_k=bias(head_of(c, 2).b_k, -1))


def query_peaks_two_bits_wide(c: Construction) -> Construction:
    return with_head(c, 2, b_q=bias(head_of(c, 2).b_q, 2))


def features_off_by_one(c: Construction) -> Construction:
    """The query's feature a is the one of address a+1."""
    head = head_of(c, 2)
    order = np.roll(np.arange(head.w_q.shape[0]), 1)
    return with_head(c, 2, w_q=head.w_q.rows(order), b_q=head.b_q.rows(order))


def pointer_read_as_signs(c: Construction) -> Construction:
    """The query takes the pointer's 0 and 1 for −1 and 1."""
    head = head_of(c, 2)
    w_q = head.w_q.numerators.copy()
    w_q[:, np.array(c.model.stream["pointer"])] //= 2
    return with_head(c, 2, w_q=ExactMatrix(w_q), b_q=bias(head_of(c, 0).b_q.rows([0] * len(w_q)), -3))


def another_table_stored(c: Construction) -> Construction:
    """Layer 3 keys with the tag of table 1."""
    head = head_of(c, 2)
    tag = np.array(c.model.stream["tag"])
    w_k = head.w_k.numerators.copy()
    w_k[:, tag] = head_of(c, 1).w_k.numerators[0, tag]
    return with_head(c, 2, w_k=ExactMatrix(w_k))


def dropped_value_bit(c: Construction) -> Construction:
    return with_head(c, 2, w_v=head_of(c, 2).w_v.with_entry(0, c.model.stream["value"][0], 0))


def swapped_layers(c: Construction) -> Construction:
    first, second, third = c.model.layers
    return replace(c, model=replace(c.model, layers=(first, third, second)))


def pointer_kept(c: Construction) -> Construction:
    (mlp,) = c.model.layers[2].mlps
    w_2 = mlp.w_2.numerators.copy()
    w_2[:, : len(c.model.stream["pointer"])] = 0
    return with_layer(c, 2, mlps=(replace(mlp, w_2=ExactMatrix(w_2)),))


def found_kept(c: Construction) -> Construction:
    """What layer 2 found is added to what layer 3 finds."""
    (mlp,) = c.model.layers[1].mlps
    w_2 = mlp.w_2.numerators.copy()
    w_2[np.array(c.model.stream["found"])] = 0
    return with_layer(c, 1, mlps=(replace(mlp, w_2=ExactMatrix(w_2)),))


def off_by_one_positions(c: Construction) -> Construction:
    rows = c.model.positions.stored().matrix  # type: ignore[union-attr]
    start, count = c.sizes.table_start(2), c.sizes.N[1]
    order = np.arange(rows.shape[0])
    order[start : start + count] = np.roll(order[start : start + count], 1)
    return replace(c, model=replace(c.model, positions=Stored(rows.rows(order))))


def flipped_logits(c: Construction) -> Construction:
    """Σ_j code(v)_j · (2·pointer_j + 1)."""
    rows = c.model.unembedding.stored().matrix  # type: ignore[union-attr]
    numerators = rows.numerators.copy()
    numerators[:, c.model.stream["one"][0]] *= -1
    return replace(c, model=replace(c.model, unembedding=Stored(ExactMatrix(numerators))))


TWINS: dict[str, Callable[[Construction], Construction]] = {
    "one address without a feature": one_address_without_a_feature,
    "peaks two bits wide": peaks_two_bits_wide,
    "peaks below zero": peaks_below_zero,
    "query peaks two bits wide": query_peaks_two_bits_wide,
    "features off by one": features_off_by_one,
    "pointer read as signs": pointer_read_as_signs,
    "another table stored": another_table_stored,
    "dropped value bit": dropped_value_bit,
    "swapped layers": swapped_layers,
    "pointer kept": pointer_kept,
    "found kept": found_kept,
    "off-by-one position table": off_by_one_positions,
    "logits with a flipped constant": flipped_logits,
}


@pytest.mark.parametrize("name", TWINS)
def test_a_broken_twin_is_rejected_and_wrong_on_some_input(name: str) -> None:
    whole = build(SIZES, bits=16)
    # Four more whole bits, so that no change fails for size before it fails for what it is.
    precision = replace(whole.model.precision, bits=whole.model.precision.bits + 4)
    whole = replace(whole, model=replace(whole.model, precision=precision))
    assert proof_of(whole).ok
    proof = proof_of(TWINS[name](whole))
    assert not proof.ok
    assert proof.failures
    assert count_wrong(TWINS[name](build(SMALLEST))) > 0


def test_60_single_entry_changes_are_rejected_or_harmless() -> None:
    rng = np.random.default_rng(3)
    outcomes: Counter[str] = Counter()
    for sizes in (Sizes(2, (1,)), Sizes(3, ())):
        whole = with_stored_tables(build(sizes))
        for _ in range(30):
            path, changed = random_change(whole, rng)
            accepted, wrong = proof_of(changed).ok, count_wrong(changed)
            assert not (accepted and wrong), f"a change of {path} was proved and is wrong on {wrong} inputs"
            outcomes["harmless" if accepted else "wrong" if wrong else "rejected"] += 1
    assert outcomes["wrong"] >= 20
    assert outcomes["harmless"] >= 2
