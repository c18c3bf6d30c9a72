"""Integers from outside, and log2 of numbers too large to write down."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from task_cases import quick, refused

from separation.tasks.checks import floor_log2_of_powers, require_integer, shown


@pytest.mark.parametrize(
    ("value", "low", "high", "text"),
    [
        (True, 0, 9, "k is True; an integer is needed"),
        (1.0, 0, 9, "k is 1.0; an integer is needed"),
        ("1", 0, 9, "k is '1'; an integer is needed"),
        (np.int64(3), 0, 9, "k is np.int64(3); an integer is needed"),
        (-1, 0, 9, "k is -1; allowed are 0..9"),
        (10, 0, 9, "k is 10; allowed are 0..9"),
        (1, 2, None, "k is 1; allowed are 2 and above"),
        pytest.param(10**5000, 0, 9, "k is an integer of 16610 bits; allowed are 0..9", id="huge"),
    ],
)
def test_refusals(value: object, low: int, high: int | None, text: str) -> None:
    refused(lambda: require_integer("k", value, low, high), text)


def is_one_short_line(text: str) -> bool:
    return "\n" not in text and len(text) < 250


def test_large_things_are_one_short_line() -> None:
    assert all(is_one_short_line(shown(each)) for each in ([10**5000], np.zeros((30, 30))))


@quick
@given(st.one_of(st.integers(), st.text(), st.binary(), st.lists(st.text()), st.floats()))
def test_shown_is_one_short_line(value: object) -> None:
    assert is_one_short_line(shown(value))
    assert not isinstance(value, int) or require_integer("k", abs(value), 0) == abs(value)


def by_decimal(pairs: list[tuple[int, int]], digits: int = 500) -> int:
    """Σ exponent·ln base / ln 2 with so many digits that only a product very near a power of two could be missed."""
    with localcontext() as context:
        context.prec = digits
        total = sum((Decimal(exponent) * Decimal(base).ln() for base, exponent in pairs), Decimal(0))
        quotient = total / Decimal(2).ln()
        assert abs(quotient - quotient.to_integral_value()) > Decimal(10) ** (-digits // 4)
        return int(quotient)


@quick
@given(st.lists(st.tuples(st.integers(1, 10**6), st.integers(0, 300)), max_size=5), st.sampled_from([None, 1, 2, 3, 7]))
def test_equals_the_bit_length_of_the_product(pairs: list[tuple[int, int]], bits: int | None) -> None:
    product = math.prod(base**exponent for base, exponent in pairs)
    assert floor_log2_of_powers(pairs, bits) == product.bit_length() - 1


@quick
@given(st.lists(st.tuples(st.integers(3, 2**70).map(lambda x: x | 1), st.integers(1, 2**150)), min_size=1, max_size=4))
def test_huge_exponents_against_decimals(pairs: list[tuple[int, int]]) -> None:
    assert floor_log2_of_powers(pairs) == by_decimal(pairs)


def test_floats_would_be_wrong() -> None:
    """The broken twin: the same sum in floats."""
    pairs = [(2**60 - 1, 2**10)]
    assert floor_log2_of_powers(pairs) == 60 * 2**10 - 1
    assert math.floor(sum(exponent * math.log2(base) for base, exponent in pairs)) != 60 * 2**10 - 1
