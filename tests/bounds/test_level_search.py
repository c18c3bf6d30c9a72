"""The search of A_L and B_L: against least values by hand, against the search for all theorems, and one entry less."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from separation.bounds import search
from separation.bounds.condition import least_near
from separation.bounds.level_search import LeastM, Question, real_optimum, shortest
from separation.bounds.quasi_newton import least
from separation.bounds.theorem import Theorem
from separation.bounds.theorems.theorem_al import TheoremAL
from separation.bounds.theorems.theorem_bl import TheoremBL

QUESTIONS: list[tuple[Theorem, int, int, tuple[int, ...]]] = [
    (TheoremAL(), 4, 64, (8, 8, 8, 8)),
    (TheoremAL(), 4, 300, (0, 50, 100, 150)),
    (TheoremBL(), 3, 64, (0, 0, 8, 8)),
    (TheoremBL(), 4, 20, (0, 0, 0, 0, 0)),
]


def valley(z: Sequence[float]) -> float:
    """Narrow, and least at (1, 0), as the second number cannot become −1."""
    return 100 * (z[0] - 1) ** 2 + (z[0] - 1) * z[1] + (z[1] + 1) ** 2


def slopes(z: Sequence[float], _cost: float) -> list[float]:
    return [200 * (z[0] - 1) + z[1], z[0] - 1 + 2 * (z[1] + 1)]


def test_a_number_that_would_become_negative_is_held_at_zero() -> None:
    found = least(valley, slopes, [5.0, 3.0], 1e-12)
    assert found is not None
    assert found.z == pytest.approx((1, 0), abs=1e-5)
    assert found.inverse[0][0] == pytest.approx(1 / 200, rel=1e-3)
    assert least(lambda _: math.inf, slopes, [5.0, 3.0], 1e-12) is None
    assert least(valley, lambda z, cost: [-each for each in slopes(z, cost)], [5.0, 3.0], 1e-12) is None, "upwards"


@pytest.mark.parametrize(("theorem", "tables", "beta", "bits"), QUESTIONS)
def test_the_prompt_is_no_longer_than_that_of_the_search_for_all_theorems(
    theorem: Theorem, tables: int, beta: int, bits: tuple[int, ...]
) -> None:
    question = Question(theorem, tables, 0, beta, bits)
    optimum = real_optimum(question)
    assert optimum is not None
    found = shortest(question, optimum)
    assert found is not None
    assert found.certified
    assert optimum.cost - 1e-3 < found.tokens_log2() < optimum.cost + 0.01
    other = search.PromptProblem(theorem, tables, 0, beta, bits)
    by_all = search.shortest(other, search.real_starts(other))
    assert by_all is not None
    assert found.tokens_log2() <= by_all.tokens_log2()


def test_with_one_entry_less_nothing_is_certified() -> None:
    question = Question(TheoremBL(), 3, 0, 12, (0, 0, 0, 0))
    optimum = real_optimum(question)
    assert optimum is not None
    found = shortest(question, optimum)
    assert found is not None
    moved = [*map(int, found.n), *(int(value) for name, value in found.chosen if not name.startswith("Theta"))]  # type: ignore[arg-type]
    assert question.certified(int(found.m), moved) is not None  # type: ignore[arg-type]
    assert question.certified(int(found.m) - 1, moved) is None  # type: ignore[arg-type]


def test_slopes_are_differences_of_the_cost() -> None:
    question = Question(TheoremAL(), 4, 0, 64, (8, 8, 8, 8))
    start = next(question.starts())
    lengths = LeastM(question, max(start), len(start))
    cost = lengths.cost(start)
    for place, slope in enumerate(lengths.gradient(start, cost)):
        moved = [each + 1e-4 * (k == place) for k, each in enumerate(start)]
        assert (lengths.cost(moved) - cost) / 1e-4 == pytest.approx(slope, abs=1e-2)


@pytest.mark.parametrize("near", [3, 40, 700, 701, 10**6])
def test_the_least_number_is_found_from_any_other_also_behind_a_jump(near: int) -> None:
    """As the slack of B2c and A3c is: it falls until it jumps above 0, and then it is smooth."""
    for least_number in (3, 4, 700, 12_345):

        def slack(number: int, jump: int = least_number) -> float:
            return number**2 - (jump - 1) ** 2 if number >= jump else -number

        assert least_near(slack, near, 3) == least_number
