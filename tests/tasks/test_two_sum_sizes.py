from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from two_sum_cases import TINY, quick, small_sizes

from separation.files import InputError
from separation.tasks.two_sum import TwoSumSizes, enumerate_inputs


def test_the_numbers_of_one_example() -> None:
    sizes = TwoSumSizes(4, 11)
    assert sizes.values == 10
    assert sizes.code_bits == 4
    assert sizes.count_inputs() == 10_000
    assert sizes.inputs_log2_floor() == 13
    assert sizes.inputs_log2() == pytest.approx(4 * math.log2(10))


@pytest.mark.parametrize(
    ("length", "modulus", "text"),
    [
        (0, 5, "length is 0; allowed are 1 and above"),
        (-3, 5, "length is -3; allowed are 1 and above"),
        (True, 5, "length is True; an integer is needed"),
        (2.0, 5, "length is 2.0; an integer is needed"),
        (2, 1, "modulus is 1; allowed are 3 and above"),
        (2, 2, "modulus is 2; allowed are 3 and above"),
        (2, 4, "modulus is 4; an odd integer is needed"),
        (2, "5", "modulus is '5'; an integer is needed"),
        (2, None, "modulus is None; an integer is needed"),
        pytest.param(2, 2**9000, "modulus is an integer of 9001 bits; an odd integer is needed", id="huge"),
    ],
)
def test_bad_sizes(length: Any, modulus: Any, text: str) -> None:
    with pytest.raises(InputError) as caught:
        TwoSumSizes(length, modulus)
    assert str(caught.value) == text


def test_sizes_are_values() -> None:
    sizes = TwoSumSizes(3, 7)
    assert sizes == TwoSumSizes(3, 7)
    assert hash(sizes) == hash(TwoSumSizes(3, 7))
    with pytest.raises(dataclasses.FrozenInstanceError):
        sizes.length = 4  # type: ignore[misc]


@quick
@given(st.integers(1, 2**70).map(lambda k: 2 * k + 1))
def test_codes_are_just_long_enough(modulus: int) -> None:
    bits = TwoSumSizes(1, modulus).code_bits
    assert 2 ** (bits - 1) < modulus <= 2**bits


@quick
@given(small_sizes)
def test_logarithms_of_the_count(sizes: TwoSumSizes) -> None:
    count = sizes.count_inputs()
    assert count == (sizes.modulus - 1) ** sizes.length
    assert sizes.inputs_log2_floor() == count.bit_length() - 1
    assert sizes.inputs_log2() == pytest.approx(math.log2(count), rel=1e-12)


def test_logarithms_at_huge_sizes() -> None:
    sizes = TwoSumSizes(2**40, 2**70 + 1)
    assert sizes.inputs_log2_floor() == 70 * 2**40
    assert sizes.inputs_log2() == pytest.approx(70 * 2**40)
    beyond = TwoSumSizes(2**2000, 5)
    assert beyond.inputs_log2_floor() == 2**2001
    assert beyond.inputs_log2() == math.inf


def test_count_is_refused_when_it_is_too_long() -> None:
    with pytest.raises(InputError) as caught:
        TwoSumSizes(10**6, 3).count_inputs()
    assert str(caught.value) == "the number of inputs has 1000001 bits; at most 1000000 are written out"
    assert TwoSumSizes(10**6 - 1, 3).count_inputs() == 2 ** (10**6 - 1)


@pytest.mark.parametrize("sizes", TINY)
def test_count_is_the_number_of_inputs(sizes: TwoSumSizes) -> None:
    assert len(set(enumerate_inputs(sizes))) == sizes.count_inputs()
