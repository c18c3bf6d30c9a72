from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from exact_oracles import near_integer
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_model import floor_exp

from separation.arithmetic import Precision, PrecisionOverflow, attention_weights

POWERS = [0, 1, 8, 40, 41, 100]


def weights(exponents: list[Fraction], power: int, shift: Fraction = Fraction(0)) -> list[int]:
    """attention_weights of scores exponent + shift, over their common denominator."""
    scores = [exponent + shift for exponent in exponents]
    denominator = math.lcm(*(score.denominator for score in scores))
    numerators = np.array([int(score * denominator) for score in scores], dtype=object)
    if max(abs(n) for n in numerators) < 2**62:
        numerators = numerators.astype(np.int64)
    return [int(weight) for weight in attention_weights(numerators, denominator, shift, power)]


def float_weights(exponents: list[Fraction], power: int) -> list[int]:
    """The broken twin: float64 decides every floor."""
    return [math.floor(2.0**power * math.exp(exponent)) for exponent in exponents]


def hard_cases(power: int, scale: int, count: int) -> list[tuple[Fraction, int]]:
    """Multiples x ≤ 0 of 1/scale with 2^P·exp(x) extremely close to an integer, on either side of it, and its floor."""
    rng = random.Random(1000 * power + count)
    wholes = {rng.randrange(1, 2 ** rng.randint(1, power)) for _ in range(count)} if power else set()
    cases = [(Fraction(0), 2**power)]
    for whole in wholes:
        below, above = near_integer(power, whole, scale)
        cases += [(below, whole - 1), (above, whole)]
    # Just below 2^P itself: exp(x) with x the smallest step below 0.
    cases.append((Fraction(-1, scale), 2**power - 1))
    return cases


@pytest.mark.parametrize("power", POWERS)
@settings(max_examples=30)
@given(
    scores=st.lists(st.fractions(-80, 0, max_denominator=10**6), min_size=1, max_size=8),
    shift=st.fractions(-50, 50, max_denominator=30),
)
def test_floors_of_rationals(power: int, scores: list[Fraction], shift: Fraction) -> None:
    assert weights(scores, power, shift) == [floor_exp(power, score) for score in scores]


@pytest.mark.parametrize("power", POWERS)
def test_floors_next_to_integers(power: int) -> None:
    """2^P·exp(x) lies within 2^-closer of an integer, and never on it."""
    for closer in (3, 12, 44, 52, 160, 960):
        cases = hard_cases(power, 2 ** (power + closer), 15)
        assert weights([exponent for exponent, _ in cases], power) == [floor for _, floor in cases]
        assert [floor_exp(power, exponent) for exponent, _ in cases] == [floor for _, floor in cases]


def cases_for_floats(power: int) -> list[list[tuple[Fraction, int]]]:
    """Hard cases by scale whose numerators and denominators float64 holds: it is asked first, and cannot tell."""
    scales = (2**48, 2**48 - 59, 3**30, 5**20 + 4)
    found = [(scale, hard_cases(power, scale, 200)) for scale in scales]
    return [[(x, floor) for x, floor in cases if abs(x) * scale < 2**53] for scale, cases in found]


def test_float64_hands_over_what_it_cannot_tell() -> None:
    wrong = 0
    for power in (8, 25, 40):
        for cases in cases_for_floats(power):
            assert len(cases) > 100
            exponents, floors = [x for x, _ in cases], [floor for _, floor in cases]
            assert weights(exponents, power) == floors
            wrong += sum(one != floor for one, floor in zip(float_weights(exponents, power), floors, strict=True))
    assert wrong > 10, "float64 alone is wrong next to integers"


@settings(max_examples=100)
@given(st.integers(0, 120), st.fractions(-(10**9), 10**9), st.integers(1, 2**70))
def test_a_score_at_the_shift_weighs_two_to_the_power(power: int, shift: Fraction, factor: int) -> None:
    scores = np.array([shift.numerator * factor], dtype=object)
    (weight,) = attention_weights(scores, shift.denominator * factor, shift, power)
    assert int(weight) == 2**power


@settings(max_examples=100)
@given(st.integers(0, 120), st.fractions(-(10**9), 10**9), st.fractions(0, 10**9).filter(bool))
def test_a_score_above_the_shift_is_an_error(power: int, shift: Fraction, excess: Fraction) -> None:
    with pytest.raises(PrecisionOverflow, match="above the head's shift"):
        weights([Fraction(0), Fraction(-3), excess], power, shift)


def test_a_huge_score_above_the_shift_is_the_same_error() -> None:
    with pytest.raises(PrecisionOverflow) as caught:
        attention_weights(np.array([10**400], dtype=object), 1, Fraction(-(10**500)), 8)
    assert str(caught.value) == "a score of 2^1328 or so is above the head's shift -2^1660 or so"


@pytest.mark.parametrize("power", POWERS)
@pytest.mark.parametrize("magnitude", [2**52, 2**53, 2**61, 2**62, 2**63 - 1, 2**64, 10**30, 10**1000])
def test_far_below_the_shift_nothing_wraps(power: int, magnitude: int) -> None:
    # score·shift.denominator − shift.numerator·denominator would wrap in int64; the weights are 0, never large.
    scores = np.array([-magnitude, -magnitude + 1, 0], dtype=object if magnitude >= 2**63 else np.int64)
    for shift in (Fraction(magnitude), Fraction(magnitude, 3), Fraction(10**30)):
        assert attention_weights(scores, 1, shift, power).tolist() == [0, 0, 0]
    assert attention_weights(scores, 1, Fraction(1, 3), power).tolist() == [0, 0, floor_exp(power, Fraction(-1, 3))]


@pytest.mark.parametrize("numbers", [(-1, 8, 4), (8, -1, 0), (8, 4, 5), (8, 4, -1), (0, 0, 1)])
def test_precisions_that_are_none(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="precision needs P >= 0 and 0 <= f <= p"):
        Precision(*numbers)
