"""Broken twins of C1: each is rejected with layer, kind and slot, and really is wrong on some input."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from weight_changes import count_wrong, matrix_at, proof_of, random_change, with_matrix, with_stored_tables

from constructions.c1 import build
from separation.arithmetic import ExactMatrix
from separation.models import run
from separation.proving import Construction, construction_certificate, construction_to_document
from separation.proving.kernel import check_certificate
from separation.tasks.funccomp import FAMILIES, Sizes, answer, token_ids

SIZES = Sizes(3, (2,))
SMALL = Sizes(2, (2,))
"""Every one of its 4,096 inputs is run."""


def _shape_of(construction: Construction) -> dict[str, range]:
    stream = construction.model.stream
    return {name: stream[name] for name, _ in stream.slots}


def dropped_value_column(c: Construction, layer: int) -> Construction:
    path = (layer, 0, "w_v")
    return with_matrix(c, path, matrix_at(c.model, path).with_entry(0, _shape_of(c)["value"][0], 0))


def dropped_key_bit(c: Construction, layer: int) -> Construction:
    path = (layer, 0, "w_k")
    row = matrix_at(c.model, path).shape[0] - 1
    return with_matrix(c, path, matrix_at(c.model, path).with_entry(row, _shape_of(c)["index"][-1], 0))


def flipped_key_bit(c: Construction, layer: int) -> Construction:
    path = (layer, 0, "w_k")
    row = matrix_at(c.model, path).shape[0] - 1
    return with_matrix(c, path, matrix_at(c.model, path).with_entry(row, _shape_of(c)["index"][-1], -1))


def halved_temperature(c: Construction, layer: int) -> Construction:
    del layer
    tau = c.model.layers[0].heads[0].shift / matrix_at(c.model, (0, 0, "w_q")).shape[0]
    for number in range(len(c.model.layers)):
        c = with_matrix(c, (number, 0, "w_q"), matrix_at(c.model, (number, 0, "w_q")).scaled(Fraction(1, 2)))
        layer_now = c.model.layers[number]
        head = replace(layer_now.heads[0], shift=layer_now.heads[0].shift / 2)
        layers = list(c.model.layers)
        layers[number] = replace(layer_now, heads=(head,))
        c = replace(c, model=replace(c.model, layers=tuple(layers)))
    assert tau >= 2
    return c


def off_by_one_positions(c: Construction, layer: int) -> Construction:
    del layer
    rows = c.model.positions.matrix  # type: ignore[union-attr]
    start = c.sizes.table_start(2)
    order = list(range(rows.shape[0]))
    order[start : start + c.sizes.N[1]] = np.roll(order[start : start + c.sizes.N[1]], 1).tolist()
    return with_matrix(c, ("positions",), rows.rows(order))


def swapped_layers(c: Construction, layer: int) -> Construction:
    del layer
    first, second, third = c.model.layers
    return replace(c, model=replace(c.model, layers=(first, third, second)))


def shifted_clip(c: Construction, layer: int) -> Construction:
    path = (layer, "mlp", "b_1")
    bias = matrix_at(c.model, path)
    return with_matrix(c, path, ExactMatrix(bias.numerators - 1, bias.denominator))


def clip_of_slope_one(c: Construction, layer: int) -> Construction:
    path = (layer, "mlp", "w_1")
    matrix = matrix_at(c.model, path)
    numerators = np.where(matrix.numerators == 2, 1, matrix.numerators)
    return with_matrix(c, path, ExactMatrix(numerators))


def pointer_kept(c: Construction, layer: int) -> Construction:
    """The old pointer is not erased."""
    path = (layer, "mlp", "w_2")
    matrix = matrix_at(c.model, path)
    width = len(c.model.stream["pointer"])
    numerators = matrix.numerators.copy()
    numerators[np.array(c.model.stream["pointer"]), 2 * width : 4 * width] = 0
    return with_matrix(c, path, ExactMatrix(numerators))


def flipped_unembedding(c: Construction, layer: int) -> Construction:
    del layer
    rows = c.model.unembedding.matrix  # type: ignore[union-attr]
    return with_matrix(c, ("unembedding",), rows.with_entry(1, c.model.stream["pointer"][0], -1))


TWINS = {
    # name: (the change, layer it is made in, the failure it must name: layer, kind, slot)
    "dropped value column": (dropped_value_column, 1, (2, "w", "pointer[0]")),
    "dropped key bit": (dropped_key_bit, 1, (2, "w", "pointer[0]")),
    "flipped key bit": (flipped_key_bit, 2, (3, "w", "pointer[0]")),
    "off-by-one position table": (off_by_one_positions, 0, (0, "table 2", None)),
    "swapped layers": (swapped_layers, 1, (2, "w", "pointer[0]")),
    "shifted clip": (shifted_clip, 1, (2, "w", "pointer[0]")),
    "pointer kept": (pointer_kept, 1, (2, "w", "pointer[0]")),
    "flipped unembedding": (flipped_unembedding, 0, (4, "w", "pointer[0]")),
}


@pytest.mark.parametrize("name", TWINS)
def test_a_broken_twin_is_rejected_where_it_is_broken(name: str) -> None:
    change, layer, (number, kind, slot) = TWINS[name]
    whole = with_stored_tables(build(SIZES))
    # Two more whole bits, so that no change fails for size before it fails for what it is.
    precision = replace(whole.model.precision, bits=whole.model.precision.bits + 2)
    whole = replace(whole, model=replace(whole.model, precision=precision))
    assert proof_of(whole).ok
    proof = proof_of(change(whole, layer))
    assert not proof.ok
    first = next(f for f in proof.failures if f.kind == kind)
    assert first.layer == number
    assert slot is None or first.slot == slot
    place = f"layer {number}" if number else "embedding"
    assert f"{place}, kind {kind}, slot {first.slot}" in str(first)


@pytest.mark.parametrize("name", TWINS)
def test_a_broken_twin_is_wrong_on_some_input(name: str) -> None:
    change, layer, _ = TWINS[name]
    whole = with_stored_tables(build(SMALL))
    assert count_wrong(whole) == 0
    assert count_wrong(change(whole, layer)) > 0


def test_half_the_temperature_is_rejected_and_wrong_on_some_input() -> None:
    # τ = 1 and 64 keys: the keys at distance 1 and 2 together outweigh the match, and here they all say the opposite.
    broken = halved_temperature(build(Sizes(64, ()), temperature=2), 0)
    proof = proof_of(broken)
    assert not proof.ok
    assert any(failure.kind == "w" and failure.slot.startswith("pointer") for failure in proof.failures)
    cases = list(FAMILIES["opposite_bits"](broken.sizes, 0))
    answers = run(broken.model, np.stack([token_ids(case) for case in cases])).answers
    assert [int(found) for found in answers] != [answer(case) for case in cases]


def test_a_clip_of_slope_one_is_rejected() -> None:
    proof = proof_of(clip_of_slope_one(build(SIZES), 1))
    assert any(failure.layer == 2 and failure.kind == "w" for failure in proof.failures)


@pytest.mark.parametrize(("bits", "score_bits"), [(2, None), (3, None), (1, 8)])
def test_too_few_bits_are_rejected(bits: int, score_bits: int | None) -> None:
    assert not proof_of(build(SIZES, bits=bits, score_bits=score_bits)).ok


def test_few_bits_are_enough() -> None:
    # The match weighs 2^P exactly, whatever P is.
    assert proof_of(build(SIZES, score_bits=0)).ok
    assert proof_of(build(SIZES, bits=4, score_bits=0)).ok
    assert count_wrong(build(SMALL, bits=4, score_bits=0)) == 0


def test_100_single_entry_changes_are_rejected_or_harmless() -> None:
    """Prover and kernel alike; whatever one of them accepts is right on every input."""
    rng = np.random.default_rng(20)
    outcomes: Counter[str] = Counter()
    for sizes, count in ((Sizes(3, (1,)), 60), (SMALL, 40)):
        whole = with_stored_tables(build(sizes))
        good = construction_certificate(whole, proof_of(whole), "test")
        for _ in range(count):
            path, changed = random_change(whole, rng)
            accepted = proof_of(changed).ok
            kernel = _kernel_accepts(changed, good)
            wrong = count_wrong(changed)
            assert not (accepted and wrong), f"a change of {path} was proved and is wrong on {wrong} inputs"
            assert not (kernel and wrong), f"the kernel accepted a change of {path} that is wrong on {wrong} inputs"
            assert kernel == accepted, f"prover and kernel disagree on a change of {path}"
            outcomes["harmless" if accepted else "wrong" if wrong else "rejected"] += 1
    assert sum(outcomes.values()) == 100
    assert outcomes["wrong"] >= 40  # most changes break the model for real …
    assert outcomes["harmless"] >= 2  # … and the prover does not just reject everything


def _kernel_accepts(changed: Construction, good: dict) -> bool:  # type: ignore[type-arg]
    claim = {**good["claim"], "integral": changed.model.is_integral}
    return check_certificate({**good, "claim": claim, "model": construction_to_document(changed)}).ok
