"""What is particular to C6 and C7: the least bits and temperature that are enough, and what heads open and say."""

from __future__ import annotations

from fractions import Fraction

from construction_changes import (
    head_of,
    proof_of,
    with_every_head,
)
from test_c_twins import both_heads_of_one_offset, compressor_that_takes_the_mean

from constructions import c6, c7
from proofs_checks.kit.measurements import summary_bits
from separation.arithmetic import ExactMatrix, exp_ball, upper_fraction
from separation.proving import Construction, Proof
from separation.tasks.shape import bit_count
from separation.tasks.two_sum import TwoSumSizes

SMALL = TwoSumSizes(5, 5)


def proved(construction: Construction, path: str = "closed") -> Proof:
    proof = proof_of(construction, path)
    assert proof.ok, (construction.model.word, proof.failures[:1])
    return proof


def test_the_least_temperature_of_c6_is_the_least() -> None:
    def share(keys: int, tau: int) -> Fraction:
        leak = (keys - 1) * upper_fraction(exp_ball(-2 * tau))
        return leak / (1 + leak)

    for keys, bits in ((1, 2), (2, 2), (100, 7), (65536, 33), (2**40, 2)):
        tau = c6.least_temperature(keys, bits)
        assert share(keys, tau) <= Fraction(1, 4 * bits)
        assert tau == 1 or share(keys, tau - 1) > Fraction(1, 4 * bits)
    sizes = TwoSumSizes(4096, 129)
    chosen = int(head_of(c6.build(sizes), 0).shift) // sizes.code_bits
    assert not proof_of(c6.build(sizes, temperature=chosen - 1)).ok


def test_the_least_bits_of_c6_are_enough_and_a_fraction_of_one_bit_less_is_not() -> None:
    for sizes in (TwoSumSizes(4, 5), TwoSumSizes(30, 257), TwoSumSizes(65536, 65536**2 + 1)):
        precision = c6.build(sizes).model.precision
        least = precision.bits - precision.fraction_bits + bit_count(4 * bit_count(sizes.modulus))
        proved(c6.build(sizes, bits=least, score_bits=0))
        assert not proof_of(c6.build(sizes, bits=least - 1)).ok


def test_blocks_of_c7_are_opened_by_the_first_heads_first_and_keys_are_counted() -> None:
    assert [c7.opened_by_head(4, opened) for opened in (0, 1, 10)] == [[0, 0, 0, 0], [1, 0, 0, 0], [3, 3, 2, 2]]
    assert c7.opened_by_head(1, 3) == [3]
    keys = [c7.most_keys(*sizes) for sizes in ((8, 4, 1), (9, 4, 0), (3, 4, 0), (7, 1, 0))]
    assert keys == [1 + 4 + 4, 2 + 4, 4, 7]
    sizes = TwoSumSizes(2000, 65537)
    proved(c7.build(sizes, 2, 0))
    assert not proof_of(with_every_head(c7.build(sizes, 2, 0), opened=2**20)).ok


def test_summary_bits_count_what_is_read_and_count_it_once() -> None:
    for length, modulus, block, opened in ((1, 3, 1, 0), (7, 3, 3, 5), (2, 5, 4, 1), (3, 9, 8, 2)):
        model = c7.build(TwoSumSizes(length, modulus), block, opened).model
        assert summary_bits(model) == block * bit_count(modulus)
    whole = c7.build(SMALL, 2, 0)
    nothing, mirror = ExactMatrix.zeros(*head_of(whole, 0).c_k.shape), head_of(whole, 0).w_q
    for construction, codes in (
        (compressor_that_takes_the_mean(whole), 1),
        (both_heads_of_one_offset(whole), 1),
        (with_every_head(whole, c_k=nothing, c_v=nothing), 0),
        (with_every_head(whole, w_v=mirror), 2 * 2),
    ):
        assert summary_bits(construction.model) == codes * SMALL.code_bits
