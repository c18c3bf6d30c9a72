"""The search over real numbers: derivatives that differences confirm, known minima, and starts from outside."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from separation.bounds.recursion import Rule
from separation.bounds.schedules import least_golden
from separation.bounds.search.branch_and_bound import golden_start, sizes_box
from separation.bounds.search.estimated import TwoTables
from separation.bounds.search.fixed_point import least_consistent
from separation.bounds.search.interior_point import least_cost
from separation.bounds.search.jets import Jet, derivatives, log_of_sum, variables
from separation.bounds.search.many_tables import LogProblem, ManyTables, one_value
from separation.bounds.search.relaxation import Relaxation
from separation.bounds.search.rounding import real_optimum, rounded_optimum
from separation.bounds.search.schedule_start import schedule_start
from separation.bounds.search.slack import SearchProblem
from separation.bounds.search.three_tables import AnyR, ThreeTables, shortest_a3

STEP = 1e-4


def differences(formula: Any, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """First and second derivatives from values alone."""
    size = len(point)
    unit = STEP * np.eye(size)
    first = np.array([(formula(point + e) - formula(point - e)) / (2 * STEP) for e in unit])
    second = [
        [
            (formula(point + a + b) - formula(point + a - b) - formula(point - a + b) + formula(point - a - b))
            for b in unit
        ]
        for a in unit
    ]
    return first, np.array(second) / (4 * STEP**2)


FORMULAS = {
    "sums": lambda p: log_of_sum(p[0] + 2 * p[1], p[1] - p[2], 1.5, 3 * p[2] - p[0]),
    "pairs": lambda p: np.logaddexp2(p[0] * p[1], p[2]) - np.exp2(-p[1]),
    "quotients": lambda p: np.log2(p[0] / (1 + p[2]) + 2.0) * p[1] - 3.0 / p[0],
    "rests": lambda p: np.log1p(p[0]) - np.expm1(-p[1]) + np.maximum(p[2], 0.1) - np.minimum(p[0], p[2]),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_jets_carry_the_derivatives_that_differences_find(name: str) -> None:
    formula, point = FORMULAS[name], np.array([1.3, 0.7, 0.4])
    free = np.arange(3)
    jet = formula(variables(point, free))
    (value,), (gradient,), (hessian,) = derivatives([jet], 3)
    first, second = differences(lambda p: float(formula(list(p))), point)
    assert value == pytest.approx(float(formula(list(point))))
    assert gradient == pytest.approx(first, abs=1e-6)
    assert hessian == pytest.approx(second, abs=1e-5)


def test_a_wrong_derivative_is_seen() -> None:
    """The check above refuses a product whose mixed derivative is dropped."""
    a, b = variables(np.array([2.0, 3.0]), np.arange(2))
    wrong = Jet(a.value * b.value, a.value * b.gradient + b.value * a.gradient, np.zeros((2, 2)))
    _, second = differences(lambda p: float(p[0] * p[1]), np.array([2.0, 3.0]))
    assert wrong.hessian != pytest.approx(second, abs=1e-5)
    assert (a * b).hessian == pytest.approx(second, abs=1e-5)


def test_constants_among_variables_are_not_moved() -> None:
    """min x + y with x·y ≥ 16 in logarithms, where x = 2^1 stays: y = 2^3."""
    found = least_cost(lambda p: (log_of_sum_or_float(p), [p[0] + p[1] - 4.0]), np.array([1.0, 9.0]), np.array([1]))
    assert found.point == pytest.approx([1.0, 3.0], abs=1e-5)


def log_of_sum_or_float(p: Any) -> Any:
    return np.logaddexp2(p[0], p[1])


@pytest.mark.parametrize("start", [[3.0, 3.0], [0.0, 0.0], [9.0, 0.1]])
def test_a_known_minimum_from_inside_and_outside(start: list[float]) -> None:
    """x + y is least under x·y ≥ 16 at x = y = 4."""
    found = least_cost(lambda p: (log_of_sum_or_float(p), [p[0] + p[1] - 4.0]), np.array(start), np.arange(2))
    assert found.point == pytest.approx([2.0, 2.0], abs=1e-3)
    assert found.cost == pytest.approx(3.0, abs=1e-5)
    assert found.slack >= 0


def test_what_cannot_be_met_is_said_to_have_no_slack() -> None:
    found = least_cost(lambda p: (p[0], [p[0] - 2.0, 1.0 - p[0]]), np.array([1.0]), np.arange(1))
    assert found.slack < 0


@pytest.mark.parametrize(("kind", "tables", "beta"), [("A", 4, 64), ("A", 8, 10**6), ("B", 3, 64), ("B", 6, 10**4)])
def test_the_schedule_is_a_start_with_slack_and_the_optimum_is_much_shorter(kind: str, tables: int, beta: int) -> None:
    linear = (0,) * (tables if kind == "A" else tables + 1)
    problem = LogProblem(kind, tables, beta, linear, 1)
    start = schedule_start(kind, tables, beta, linear, problem.evaluate)
    assert float(np.min(problem.evaluate(start)[1])) > 0
    best = real_optimum(problem)
    assert best is not None
    assert float(np.min(problem.evaluate(best)[1])) >= 0
    assert float(problem.evaluate(best)[0]) < float(problem.evaluate(start)[0]) - 10


@pytest.mark.parametrize(
    ("kind", "tables", "beta", "bits"), [("A", 4, 64, 64), ("A", 5, 64, 64), ("A", 6, 2000, 10**6), ("B", 3, 64, 0)]
)
def test_integers_cost_little_more_than_real_numbers(kind: str, tables: int, beta: int, bits: int) -> None:
    linear = (bits,) * tables if kind == "A" else (0,) * (tables + 1)
    found = rounded_optimum(LogProblem(kind, tables, beta, linear, 1), 0)
    assert found is not None
    assert found.holds
    assert math.log2(found.tokens) < ManyTables(kind, tables, linear).real_length(beta) + 0.05


def test_a3_costs_little_more_than_real_numbers_and_ends_where_floats_are_short() -> None:
    linear = (51511296, 103022592, 103022592)
    found = shortest_a3(493168, linear)
    assert found is not None
    assert found.holds
    assert math.log2(found.tokens) < ThreeTables(linear).real_length(493168) + 0.01


@pytest.mark.parametrize(
    ("beta", "linear", "most"), [(8, (0, 8, 8), 47_500), (8, (64, 64, 64), 41_700), (8, (8, 8, 8), 10_490)]
)
def test_prompts_of_a3_are_at_most_the_best_known(beta: int, linear: tuple[int, ...], most: int) -> None:
    found = shortest_a3(beta, linear)
    assert found is not None
    assert found.holds
    assert found.tokens <= most


def test_the_logarithms_of_a3_agree_with_its_integers() -> None:
    """Where a certified point is put into the formula for real numbers, its slacks are above 0, nearly."""
    found = shortest_a3(64, (64, 64, 64))
    assert found is not None
    chosen = dict(found.parameters)
    numbers = [found.m, *found.n, chosen["g"], chosen["u"], chosen["Theta_1"], chosen["x_2"], chosen["Theta_2"]]
    cost, slack = AnyR(64, 64, 0, 0, 1).logarithms(np.log2(np.array(numbers, dtype=float)))
    assert cost == pytest.approx(math.log2(found.tokens - 2))
    assert min(slack) > -0.02
    numbers[-1] *= 2  # twice as many values reached are not
    assert min(AnyR(64, 64, 0, 0, 1).logarithms(np.log2(np.array(numbers, dtype=float)))[1]) < -0.02


@pytest.mark.parametrize(("kind", "tables", "beta"), [("W", 5, 64), ("W", 8, 10**5), ("B", 4, 1000), ("B", 7, 30_000)])
def test_starts_that_break_inequalities_lead_to_the_same_optimum(kind: str, tables: int, beta: int) -> None:
    problem = LogProblem(kind, tables, beta, (0,) * (tables + (kind == "B")), 1)
    near, further, far = problem.starts()
    assert float(np.min(problem.evaluate(near)[1])) < 0 < float(np.min(problem.evaluate(far)[1]))
    free = np.arange(problem.size)
    one, other = (least_cost(problem.evaluate, start, free) for start in (near, further))
    assert one.cost == pytest.approx(other.cost, abs=1e-4 * tables)
    assert min(one.slack, other.slack) > -1e-6


def test_the_optimum_of_another_beta_is_a_start_and_not_an_answer() -> None:
    """A search that was asked for another β before says of this one what a fresh search says."""
    linear = (8192,) * 5
    asked = ManyTables("W", 5, linear)
    before = asked.real_length(10_000)
    again, fresh = asked.real_length(40_000), ManyTables("W", 5, linear).real_length(40_000)
    assert again == pytest.approx(fresh, abs=1e-2)
    assert again > before + 10
    found = asked(40_000)
    assert found is not None
    assert found.holds
    assert found.beta == 40_000


@pytest.mark.parametrize("chosen", [False, True])
@pytest.mark.parametrize(("rule", "L", "bits"), [(Rule.A, 4, 1000), (Rule.A_FREE, 3, 0), (Rule.B, 5, 0)])
def test_the_relaxation_has_one_optimum_by_both_methods(rule: Rule, L: int, bits: int, chosen: bool) -> None:
    beta, linear = 1000, (bits,) * rule.linear_count(L)
    problem, relaxation = SearchProblem(rule, L, beta, linear, chosen), Relaxation(rule, L, beta, linear, chosen)
    start = golden_start(problem, least_golden(rule, L, beta, linear))
    box = sizes_box(problem, relaxation.count, start)
    slow, soon = relaxation.shortest(box, start), relaxation.shortest_from(box, start)
    assert slow is not None
    assert soon is not None
    assert soon.length == pytest.approx(slow.length, abs=1e-3)
    assert soon.violation < 1e-6
    cramped = relaxation.shortest_from(box, 0 * start)
    assert cramped is None or cramped.length == pytest.approx(slow.length, abs=1e-3)


@pytest.mark.parametrize("beta", [1, 8, 64, 1000, 13_000])
@pytest.mark.parametrize("linear", [(0, 0, 0), (0, 0, 1000), (0, 64, 10**5)])
def test_the_estimate_of_b2_is_from_below_and_near(beta: int, linear: tuple[int, ...]) -> None:
    search = TwoTables(linear)
    found = search(beta)
    assert found.holds
    assert 0 <= math.log2(found.tokens) - search.real_length(beta) < 0.5


def test_the_least_consistent_k_needs_few_estimates() -> None:
    """log2 n(k) = E·log2(c + k): the least k above the fixed point, and none where nothing is found."""
    for exponent, constant in ((50, 1000), (2000, 10_000), (5, 3)):
        asked: list[int] = []

        def estimate(k: int, exponent: int = exponent, constant: int = constant, asked: list[int] = asked) -> float:
            asked.append(k)
            return exponent * math.log2(constant + k)

        found = least_consistent(estimate, lambda at_two: 1.25 * at_two)
        assert found is not None
        assert estimate(found) <= found
        assert estimate(found - 1) > found - 1
        assert len(asked) <= 9
    assert least_consistent(lambda _: math.inf, lambda at_two: at_two) is None


def test_one_value_of_every_table_is_the_least() -> None:
    for beta, bits in ((1, 0), (8, 8), (64, 100)):
        problem = LogProblem("A", 4, beta, (bits,) * 4, 1)
        found = one_value(problem, 0)
        assert found is not None
        assert found.holds
        fewer = found.n[-1] - max(1, found.n[-1] >> 39)
        assert fewer == 0 or not problem.outcome([2, *(1,) * 6, fewer, 1, 1], 0).holds
