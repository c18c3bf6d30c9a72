from __future__ import annotations

import math
from fractions import Fraction

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_model import floor_exp

from separation.arithmetic import exp_ball, lower_fraction, upper_fraction
from separation.arithmetic.balls import EXTREME_BITS, ball

exponents = st.fractions(-200, 200, max_denominator=10**12)


def brackets_exp(low: Fraction, high: Fraction, exponent: Fraction, power: int = 400) -> bool:
    """low ≤ exp(exponent) ≤ high, by an oracle that knows exp to a step of 2^-power."""
    floor = floor_exp(power, exponent)
    slack = 1 if exponent else 0
    return low * 2**power <= floor + slack and floor <= high * 2**power


@settings(max_examples=200)
@given(exponents)
def test_a_ball_contains_exp(exponent: Fraction) -> None:
    number = exp_ball(exponent)
    low, high = lower_fraction(number), upper_fraction(number)
    assert brackets_exp(low, high, exponent)
    # and not much else
    assert high - low <= high * Fraction(1, 2**120)


@pytest.mark.parametrize("exponent", [Fraction(1), Fraction(-1, 3), Fraction(50)])
def test_a_float_contains_nothing(exponent: Fraction) -> None:
    wrong = Fraction(math.exp(exponent))
    assert not brackets_exp(wrong, wrong, exponent)


@settings(max_examples=200)
@given(st.fractions(), st.integers(-400, 400))
def test_fractions_bracket_the_number(number: Fraction, power: int) -> None:
    number *= Fraction(2) ** power
    around = ball(number)
    low, high = lower_fraction(around), upper_fraction(around)
    assert low <= number <= high
    assert high - low <= abs(number) * Fraction(1, 2**150)


def test_the_midpoint_alone_does_not_bracket() -> None:
    third = ball(Fraction(1, 3))
    middle = arb(third.mid())
    assert not lower_fraction(middle) <= Fraction(1, 3) <= upper_fraction(middle)


@pytest.mark.parametrize("exponent", [-(10**6), -(10**12), -(10**100)])
def test_tiny_numbers_are_bracketed_without_filling_memory(exponent: int) -> None:
    number = exp_ball(exponent)
    tiny = Fraction(1, 1 << EXTREME_BITS)
    assert -tiny <= lower_fraction(number) <= 0 < upper_fraction(number) == tiny
    assert -tiny == lower_fraction(-number) < 0 <= upper_fraction(-number) <= tiny


def test_the_least_number_that_is_told_apart() -> None:
    for power in (EXTREME_BITS - 1, EXTREME_BITS):
        assert lower_fraction(arb(2) ** -power) == upper_fraction(arb(2) ** -power) == Fraction(1, 1 << power)
    below = arb(2) ** -(EXTREME_BITS + 2)
    assert lower_fraction(below) == 0
    assert upper_fraction(below) == Fraction(1, 1 << EXTREME_BITS)


@pytest.mark.parametrize("exponent", [10**6, 10**12, 10**100])
def test_huge_numbers_are_an_error(exponent: int) -> None:
    with pytest.raises(OverflowError):
        upper_fraction(exp_ball(exponent))
    with pytest.raises(OverflowError):
        lower_fraction(-exp_ball(exponent))
