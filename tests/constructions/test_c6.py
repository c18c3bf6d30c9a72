"""C6: proved for all inputs at many sizes, run on all inputs of tiny ones; broken twins are rejected and wrong."""

from __future__ import annotations

from fractions import Fraction

import pytest
from construction_changes import (
    Cause,
    Change,
    check_twin,
    count_wrong,
    matrix_at,
    proof_of,
    with_entries,
    with_head,
    with_matrix,
    with_whole_bits,
)

from constructions.c6 import build, least_temperature
from separation.arithmetic import ExactMatrix, exp_ball, upper_fraction
from separation.proving import Construction
from separation.tasks.shape import bit_count
from separation.tasks.two_sum import TwoSumSizes

SMALL = TwoSumSizes(4, 7)
"""Every one of its 1,296 inputs is run."""


def test_least_temperature_is_the_least() -> None:
    def share(keys: int, tau: int) -> Fraction:
        leak = (keys - 1) * upper_fraction(exp_ball(-2 * tau))
        return leak / (1 + leak)

    for keys, bits in ((1, 2), (2, 2), (100, 7), (65536, 33), (2**40, 2)):
        tau = least_temperature(keys, bits)
        assert share(keys, tau) <= Fraction(1, 4 * bits)
        assert tau == 1 or share(keys, tau - 1) > Fraction(1, 4 * bits)


def test_the_least_bits_are_enough_and_a_fraction_of_one_bit_less_is_not() -> None:
    for length, modulus in ((4, 5), (30, 257), (65536, 65536**2 + 1)):
        model = build(TwoSumSizes(length, modulus)).model
        whole = model.precision.bits - model.precision.fraction_bits
        least = whole + bit_count(4 * bit_count(modulus))
        assert proof_of(build(TwoSumSizes(length, modulus), bits=least, score_bits=0)).ok
        assert not proof_of(build(TwoSumSizes(length, modulus), bits=least - 1)).ok
    assert count_wrong(build(SMALL, score_bits=0)) == 0
    assert not proof_of(build(SMALL, bits=2)).ok


def dropped_key_bit(c: Construction) -> Construction:
    return with_entries(c, (0, "heads", 0, "w_k"), (0, c.model.stream["code"][0], 0))


def flipped_key_bit(c: Construction) -> Construction:
    return with_entries(c, (0, "heads", 0, "w_k"), (0, c.model.stream["code"][0], -1))


def dropped_value_column(c: Construction) -> Construction:
    return with_entries(c, (0, "heads", 0, "w_v"), (0, c.model.stream["code"][0], 0))


def query_for_x_itself(c: Construction) -> Construction:
    (head,) = c.model.layers[0].heads
    return with_head(c, 0, 0, w_q=head.w_k.scaled(head.shift / head.w_k.shape[0]))


def shift_too_low(c: Construction) -> Construction:
    return with_head(c, 0, 0, shift=c.model.layers[0].heads[0].shift - 1)


def shift_so_high_that_all_weights_vanish(c: Construction) -> Construction:
    return with_head(c, 0, 0, shift=c.model.layers[0].heads[0].shift + c.model.precision.score_bits)


def flipped_unembedding(c: Construction) -> Construction:
    return with_matrix(c, ("unembedding", 0), -matrix_at(c, ("unembedding", 0)))


def unembedding_offset_doubled(c: Construction) -> Construction:
    return with_entries(c, ("unembedding", 0), (c.model.stream["one"][0], 1, -4))


TWINS: dict[str, tuple[Change, Cause]] = {
    "dropped key bit": (dropped_key_bit, ("P11", "missing bit", "")),
    "flipped key bit": (flipped_key_bit, ("P11", "wrong sign", "")),
    "dropped value column": (dropped_value_column, ("P11", "value", "")),
    "query for x itself": (query_for_x_itself, ("P11", "wrong bit", "")),
    "shift too low": (shift_too_low, ("P3", "score above the shift", "")),
    "all weights vanish": (shift_so_high_that_all_weights_vanish, ("P11", "match below the shift", "")),
    "flipped unembedding": (flipped_unembedding, ("answer", "wrong sign", "")),
    "unembedding offset doubled": (unembedding_offset_doubled, ("answer", "margin", "")),
}


@pytest.mark.parametrize("name", TWINS)
def test_a_broken_twin_is_rejected_and_wrong_on_some_input(name: str) -> None:
    whole = with_whole_bits(build(SMALL), 2)
    check_twin(name, *TWINS[name], whole, whole)


def test_one_step_of_temperature_less_is_rejected() -> None:
    sizes = TwoSumSizes(4096, 129)
    tau = int(build(sizes).model.layers[0].heads[0].shift) // sizes.code_bits
    assert not proof_of(build(sizes, temperature=tau - 1)).ok


def test_what_the_layer_leaves_behind_must_be_claimed() -> None:
    # Right on all inputs, but the slot that is said to be empty is not.
    whole = build(SMALL)
    matrix = matrix_at(whole, (0, "mlps", 1, "w_2"))
    numerators = matrix.numerators.copy()
    numerators[whole.model.stream["distance"][0]] = 0
    untidy = with_matrix(whole, (0, "mlps", 1, "w_2"), ExactMatrix(numerators))
    proof = proof_of(untidy)
    assert [failure.slot for failure in proof.failures] == ["distance"]
    assert count_wrong(untidy) == 0
