"""The one search: against least values by hand, and against what is certified with one entry less."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest

from separation.bounds.condition import least_near
from separation.bounds.quasi_newton import least
from separation.bounds.search import Length, PromptQuestion, Question, real_optimum, shortest, with_most_slack
from separation.bounds.theorem import Theorem
from separation.bounds.theorems.theorem_a import TheoremA
from separation.bounds.theorems.theorem_a3 import TheoremA3
from separation.bounds.theorems.theorem_al import TheoremAL
from separation.bounds.theorems.theorem_b import TheoremB
from separation.bounds.theorems.theorem_bl import TheoremBL

# log2 of the prompts that an interior point method found, with integers near its point.
QUESTIONS: list[tuple[Theorem, int, int, tuple[int, ...], float]] = [
    (TheoremAL(), 4, 64, (8, 8, 8, 8), 49.33125),
    (TheoremAL(), 5, 1000, (1000,) * 5, 142.61346),
    (TheoremBL(), 3, 64, (0, 0, 8, 8), 48.63101),
    (TheoremBL(), 4, 64, (0, 0, 0, 0, 0), 92.4442),
    (TheoremBL(), 8, 64, (0,) * 9, 413.73431),
    (TheoremA3(), 3, 64, (64, 128, 192), 28.16795),
    (TheoremA(), 3, 1000, (0, 1000, 1000), 86.17553),
    (TheoremB(), 4, 64, (0,) * 5, 240.61672),
    (TheoremB(), 5, 64, (0,) * 6, 596.01263),
]


def valley(z: Sequence[float]) -> tuple[float, list[float]]:
    """Narrow, and least at (1, 0), as the second number cannot become −1."""
    return 100 * (z[0] - 1) ** 2 + (z[0] - 1) * z[1] + (z[1] + 1) ** 2, [*z]


def slopes(z: Sequence[float], _cost: float) -> list[float]:
    return [200 * (z[0] - 1) + z[1], z[0] - 1 + 2 * (z[1] + 1)]


def test_a_number_that_would_become_negative_is_held_at_zero() -> None:
    found = least(valley, slopes, [5.0, 3.0], 1e-12)
    assert found is not None
    assert found.z == pytest.approx((1, 0), abs=1e-5)
    assert found.inverse[0][0] == pytest.approx(1 / 200, rel=1e-3)
    assert least(lambda z: (math.inf, [*z]), slopes, [5.0, 3.0], 1e-12) is None
    assert least(valley, lambda z, cost: [-each for each in slopes(z, cost)], [5.0, 3.0], 1e-12) is None, "upwards"


def solved(question: Question[Any]) -> tuple[float, Any]:
    """The least real length, and what was found."""
    optimum = real_optimum(question)
    assert optimum is not None
    return optimum.cost, shortest(question, optimum)


@pytest.mark.parametrize(("theorem", "tables", "beta", "bits", "known"), QUESTIONS)
def test_prompts_are_as_short_as_an_interior_point_method_finds_them(
    theorem: Theorem, tables: int, beta: int, bits: tuple[int, ...], known: float
) -> None:
    cost, found = solved(PromptQuestion(theorem, tables, beta, bits))
    assert found is not None
    assert found.certified
    assert cost - 0.01 < found.tokens_log2() < known + 1e-3


def test_with_one_entry_less_nothing_is_certified() -> None:
    question = PromptQuestion(TheoremBL(), 3, 12, (0, 0, 0, 0))
    found = solved(question)[1]
    moved = [*map(int, (found.m, *found.n)), *(int(v) for name, v in found.chosen if not name.startswith("Theta"))]
    assert question.certified(moved) is not None
    assert question.certified([moved[0] - 1, *moved[1:]]) is None


@pytest.mark.parametrize("long", [False, True])
def test_the_length_is_that_of_the_whole_schedule_and_slopes_are_its_differences(long: bool) -> None:
    """In floats, and in the decimals that stand for numbers that are no floats."""
    question = PromptQuestion(TheoremAL(), 4, 64, (8, 8, 8, 8))
    question.long = long
    lengths = Length(question)
    first, second = (lengths.cost(start) for start in list(question.starts())[3:5])
    assert first[0] == pytest.approx(second[0], abs=1e-6)
    cost, point = first
    for place, slope in enumerate(lengths.gradient(point, cost)):
        moved = [each + 1e-4 * (k == place) for k, each in enumerate(point)]
        assert (lengths.cost(moved)[0] - cost) / 1e-4 == pytest.approx(slope, abs=1e-2)


@pytest.mark.parametrize(("theorem", "tables", "beta", "bits"), [each[:4] for each in QUESTIONS[:7] if each[1] < 8])
def test_floats_and_integers_agree_around_a_prompt_and_floats_of_cheaper_messages_do_not(
    theorem: Theorem, tables: int, beta: int, bits: tuple[int, ...]
) -> None:
    """What floats promise, exact arithmetic certifies; what they refuse by more than rounding, it refuses too."""
    found = solved(PromptQuestion(theorem, tables, beta, bits))[1]
    given = {name: int(value) for name, value in found.chosen}
    disagreed = 0
    for percent in (50, 80, 90, 99, 101, 110, 150, 300):
        question, cheaper = (PromptQuestion(theorem, tables, each, bits) for each in (beta, beta - beta // 4))
        moving = [given[question.variables[k]] for k in question.moving]
        numbers = [max(2, int(found.m) * percent // 100), *map(int, found.n), *moving]
        certified = question.certified(numbers) is not None
        slack = question.slack([*map(float, numbers)], True)
        assert abs(slack) < 1e-9 or (slack > 0) == certified
        disagreed += (cheaper.slack([*map(float, numbers)], True) > 0) != certified
    assert disagreed > 0


@pytest.mark.parametrize(("theorem", "tables", "beta", "bits"), [each[:4] for each in QUESTIONS[:7] if each[1] < 8])
def test_at_the_sizes_of_a_prompt_and_at_longer_ones_integers_are_found(
    theorem: Theorem, tables: int, beta: int, bits: tuple[int, ...]
) -> None:
    found = solved(PromptQuestion(theorem, tables, beta, bits))[1]
    for more, certified in ((0.9, False), (1.1, True), (2, True)):
        sizes = int(found.m * more), *found.n
        assert (with_most_slack(PromptQuestion(theorem, tables, beta, bits, (), sizes)) is not None) == certified


@pytest.mark.parametrize("near", [3, 40, 700, 701, 10**6])
def test_the_least_number_is_found_from_any_other_also_behind_a_jump(near: int) -> None:
    """As the slack of B2c and A3c is: it falls until it jumps above 0, and then it is smooth."""
    for least_number in (3, 4, 700, 12_345):

        def slack(number: int, jump: int = least_number) -> float:
            return number**2 - (jump - 1) ** 2 if number >= jump else -number

        assert least_near(slack, near, 3) == least_number
