"""C6: the least temperature and bits are enough, and less is not."""

from __future__ import annotations

from fractions import Fraction

from construction_changes import (
    count_wrong,
    matrix_at,
    proof_of,
    with_matrix,
)

from constructions.c6 import build, least_temperature
from separation.arithmetic import ExactMatrix, exp_ball, upper_fraction
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
