"""The real problem behind the search: its derivatives are those of its values, and its values those of the theorems."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from separation.bounds.recursion import Rule, run_recursion
from separation.bounds.search.monomials import Sum, relaxed_conditions
from separation.bounds.search.newton import Box, Vector, box_barrier, newton
from separation.bounds.search.relaxation import LOG2_E, PlainSides, Relaxation, _log_difference, _log_ratio, _log_rest
from separation.bounds.search.slack import SearchProblem, largest_cover
from separation.bounds.search.two_tables import _draws, _left_of_f, _pairs, _shorter, shortest_two_tables

QUESTIONS = [(rule, L, chosen) for rule in Rule for L in (2, 3) for chosen in (False, True)]
STEP = 1e-5


def problem(rule: Rule, L: int, chosen: bool) -> tuple[Relaxation, Vector, Box]:
    """β = 3 and Λ = 5 everywhere but before the first layer, and a point far inside a box."""
    linear = [0 if rule is not Rule.A else 2, *([5] * (L - 1 + (rule is Rule.B)))]
    relaxation = Relaxation(rule, L, 3, linear, chosen)
    z = np.array([4.0 + 3 * place for place in range(relaxation.count)]) + 0.3
    z[2 * L - 1] = 40.0  # m is large, and Θ_ℓ below
    z[2 * L :] = [5.0 + level for level in range(relaxation.count - 2 * L)]
    return relaxation, z, Box(np.zeros(len(z)), np.full(len(z), 90.0))


def slopes_of(function: Callable[[Vector], Vector], z: Vector) -> Vector:
    """Central differences: row k is the derivative by z_k."""
    steps = STEP * np.eye(len(z))
    return np.array([(function(z + step) - function(z - step)) / (2 * STEP) for step in steps])


@pytest.mark.parametrize(("rule", "L", "chosen"), QUESTIONS)
def test_derivatives_of_the_inequalities(rule: Rule, L: int, chosen: bool) -> None:
    relaxation, z, _ = problem(rule, L, chosen)
    values, gradients, hessian = relaxation._values(z)
    assert len(values) == relaxation.rows + 1
    assert pytest.approx(gradients, abs=1e-6) == slopes_of(lambda at: relaxation._values(at)[0], z).T
    for row in range(len(values)):
        scale = np.eye(len(values))[row]
        bends = slopes_of(lambda at, row=row: relaxation._values(at)[1][row], z)
        assert bends == pytest.approx(hessian(scale), abs=1e-6)


@pytest.mark.parametrize(("rule", "L", "chosen"), QUESTIONS)
def test_derivatives_of_the_potentials(rule: Rule, L: int, chosen: bool) -> None:
    relaxation, z, box = problem(rule, L, chosen)
    extended = np.append(z, relaxation.at(z).violation + 1.0)
    inside = relaxation.most_slack(box, z, enough=-0.02)
    cases = [(relaxation._slack_potential(box, 2.0), extended)]
    if inside.violation < 0:
        cases.append((relaxation._length_potential(box, 2.0), inside.z))
    for potential, place in cases:

        def part(at: Vector, which: int, potential: object = potential) -> Vector:
            found = potential(at)  # type: ignore[operator]
            assert found is not None
            return np.asarray(found[0] if which == 0 else found[1]()[0])

        here = potential(place)
        assert here is not None
        gradient, matrix = here[1]()
        scale = 1e-4 * (1 + np.abs(matrix).max())
        assert slopes_of(lambda at, part=part: part(at, 0), place) == pytest.approx(gradient, rel=1e-4, abs=scale)
        assert slopes_of(lambda at, part=part: part(at, 1), place) == pytest.approx(matrix, rel=1e-3, abs=scale)


def test_potentials_end_at_the_walls() -> None:
    relaxation, z, box = problem(Rule.A, 2, False)
    assert relaxation._length_potential(box, 1.0)(z - 100) is None
    assert relaxation._slack_potential(box, 1.0)(np.append(z - 100, 1e9)) is None
    assert relaxation._slack_potential(box, 1.0)(np.append(z, relaxation.at(z).violation)) is None


@pytest.mark.parametrize("rule", Rule)
def test_values_are_those_of_the_recursion(rule: Rule) -> None:
    """At whole numbers with an even product, the length and (F) are what exact integers give."""
    relaxation, z, _ = problem(rule, 3, False)
    x, n, m = [4, 6, 2], [8, 10], 1 << 30
    z = np.log2(np.array([*x, *n, m], dtype=float))
    linear = [0 if rule is not Rule.A else 2, *([5] * (2 + (rule is Rule.B)))]
    recursion = run_recursion(rule, 3, linear, m, n, x)
    values = relaxation._values(z)[0]
    assert values[0] == pytest.approx(math.log2(sum(recursion.N)))
    right = math.log2(n[-1] * recursion.theta[-1]) + math.log2(math.log2(recursion.N[-1]))
    assert math.log2(recursion.D[-1]) - right == pytest.approx(
        min(values[1:], key=lambda v: abs(v - math.log2(recursion.D[-1]) + right))
    )
    assert relaxation.at(z).violation == max(values[1:])


def test_demands_by_name() -> None:
    for rule in Rule:
        for L in (1, 2, 3):
            linear = [0 if rule is not Rule.A else 2, *([5] * (L - 1 + (rule is Rule.B)))]
            names = [demand.name for demand in relaxed_conditions(rule, L, 3, linear, False)[1]]
            free = rule is Rule.A_FREE
            expected = [
                "x_0",
                *(f"E_{k}" for k in range(2 if free else 1, L)),
                "F",
                *(["Θ_1"] if free and L > 1 else []),
            ]
            assert names == ([name for name in expected if name != "F"] if free and L == 1 else expected)
    (last,) = [d for d in relaxed_conditions(Rule.A_FREE, 2, 3, [0, 5], False)[1] if d.name == "Θ_1"]
    assert (last.form, last.formula) == ("order", "x_0·x_1 ≤ m")
    assert (last.left.terms, last.right.terms) == ({(1, 1, 0, 0): 1}, {(0, 0, 0, 1): 1})


@pytest.mark.parametrize(
    ("curve", "function", "places", "edge"),
    [
        (_log_rest, lambda s: math.log(1 - 2**s), [-9.0, -2.0, -0.5], math.log2(0.99)),
        (_log_ratio, math.log, [1.5, 4.0, 60.0], 1.0),
        (_log_difference, lambda s: math.log2(math.exp(s) - LOG2_E), [0.7, 2.0, 9.0], math.log(LOG2_E + 0.05)),
    ],
)
def test_curves(
    curve: Callable[[Vector], tuple[Vector, ...]], function: Callable[[float], float], places: list[float], edge: float
) -> None:
    """The function with its two derivatives; beyond the edge its tangent, which has no bend."""
    values, slopes, bends = curve(np.array(places))
    for place, value, slope, bend in zip(places, values, slopes, bends, strict=True):
        assert value == pytest.approx(function(place))
        assert slope == pytest.approx((function(place + STEP) - function(place - STEP)) / (2 * STEP), rel=1e-6)
        second = (function(place + 1e-4) - 2 * function(place) + function(place - 1e-4)) * 1e8
        assert bend == pytest.approx(second, rel=1e-3)
    outward = 1.0 if curve is _log_rest else -1.0
    at, beyond = curve(np.array([edge])), curve(np.array([edge + outward]))
    assert (beyond[1], beyond[2]) == (pytest.approx(at[1]), [0.0])
    assert beyond[0] == pytest.approx(at[0] + outward * at[1])


def test_a_wall_and_a_box() -> None:
    box = Box(np.array([1.0, 2.0, 0.0]), np.array([3.0, 2.0, np.inf]))
    assert list(box.free) == [0, 2]
    found = box_barrier(box, np.array([1.5, 2.0, 4.0]))
    assert found is not None
    value, gradient, diagonal = found
    assert value == pytest.approx(-math.log(0.5) - math.log(1.5) - math.log(4))
    assert gradient == pytest.approx([1 / 1.5 - 2, 0, -0.25])
    assert diagonal == pytest.approx([1 / 1.5**2 + 4, 0, 1 / 16])
    for outside in (1.0, 3.0, 0.5, 3.5):
        assert box_barrier(box, np.array([outside, 2.0, 4.0])) is None
    assert list(box.interior(np.array([0.0, 9.0, 0.0]))) == [1.05, 2.0, 0.05]
    assert list(box.interior(np.array([9.0, 2.0, 7.0]))) == [2.95, 2.0, 7.0]
    assert list(Box(np.array([0.0]), np.array([0.1])).interior(np.array([1.0]))) == [pytest.approx(0.075)]


def test_newton_finds_the_least_value() -> None:
    """(z_0 − 3)⁴ + (z_1 + 1)² from afar; a place that is not asked for stays."""

    def potential(z: Vector) -> tuple[float, Callable[[], tuple[Vector, Vector]]]:
        a, b = z[0] - 3, z[1] + 1
        return float(a**4 + b**2), lambda: (np.array([4 * a**3, 2 * b]), np.diag([12 * a**2, 2.0]))

    found = newton(potential, np.array([9.0, 5.0]), np.array([0, 1]))
    assert potential(found)[0] < 1e-3
    assert newton(potential, np.array([9.0, 5.0]), np.array([1]))[0] == 9.0
    assert newton(potential, np.array([9.0, 5.0]), np.array([0, 1]), enough=5.0)[1] == 5.0


def test_sums_of_monomials() -> None:
    a, b = Sum.variables(2)
    total = (a + 2 * b + Fraction(1, 2)) * (a + 1)
    assert total.terms == {(2, 0): 1, (1, 0): Fraction(3, 2), (1, 1): 2, (0, 1): 2, (0, 0): Fraction(1, 2)}
    logarithms, exponents = (b * Fraction(3, 8)).logarithms()
    assert logarithms == pytest.approx([math.log2(3 / 8)])
    assert exponents.tolist() == [[0.0, 1.0]]
    assert Sum.constant(2, 0).terms == {}


# --- the search of all prompts of two tables ---


@pytest.mark.parametrize("rule", Rule)
def test_the_last_left_side_is_that_of_the_recursion(rule: Rule) -> None:
    linear = {Rule.A: (2, 7), Rule.A_FREE: (0, 7), Rule.B: (0, 4, 9)}[rule]
    problem = SearchProblem(rule, 2, 3, linear, False)
    for x0, x1, n1, m in ((2, 3, 5, 64), (1, 1, 1, 2), (7, 4, 9, 100)):
        found = _left_of_f(problem, m, np.array([float(x0)]), np.array([float(x1)]), np.array([float(n1)]))
        assert found == [run_recursion(rule, 3, linear, m, [n1], [x0, x1]).D[-1]]


def test_pairs() -> None:
    for m, largest, share in ((5, 4, 1.0), (7, 7, 2 / math.e), (2, 1, 1.0)):
        x0, x1 = _pairs(m, largest, share)
        expected = [(a, b) for b in range(1, largest + 1) for a in range(1, min(m, math.floor(share * m / b) + 1) + 1)]
        assert list(zip(x0.tolist(), x1.tolist(), strict=True)) == expected
        assert x0.dtype == x1.dtype == np.float64


def test_draws() -> None:
    x0, x1 = np.array([1.0, 3.0, 6.0]), np.array([1.0, 2.0, 5.0])
    theta, most = _draws(SearchProblem(Rule.A_FREE, 2, 3, (0, 7), False), 20, 9, x0, x1)
    assert (theta.tolist(), most.tolist()) == ([1.0, 6.0, 20.0], [9.0, 9.0, 9.0])
    theta, most = _draws(SearchProblem(Rule.A, 2, 3, (2, 7), False), 100, 9, x0, x1)
    assert theta.tolist() == [1.0, 3.0, 15.0]
    assert most.tolist() == [
        9.0 if 1 + 2 * b <= t * math.log2(100 / (math.e * t)) else 0.0 for b, t in zip(x1, theta, strict=True)
    ]
    theta, most = _draws(SearchProblem(Rule.B, 2, 1, (0, 1, 1), False), 10**4, 50, x0, x1)
    for b, t, n in zip(x1, theta, most, strict=True):
        right = t * math.log2(10**4 / (math.e * t))
        allowed = [n for n in range(51) if 1 + b * (n + 1) <= right]
        assert max(n, 0) == max(allowed, default=0)


def test_no_shorter_prompt_of_two_tables_is_left() -> None:
    """Every integer choice up to the length found, tried one by one."""
    problem = SearchProblem(Rule.A_FREE, 2, 1, (0, 1), False)
    found = shortest_two_tables(problem, (2, 2, 40, 40))
    from separation.bounds.evaluation import evaluate

    def holds(candidate: tuple[int, ...]) -> bool:
        return evaluate(problem.rule, problem.parameters(candidate), problem.beta, problem.linear).certified

    assert holds(found)
    least = problem.length(found)
    for m in range(2, least):
        for n1 in range(1, (least - 3) // m):
            for x0 in range(1, m + 1):
                for x1 in range(1, m + 1):
                    assert m * (1 + n1) + 2 >= least or not holds((x0, x1, n1, m))
    assert _shorter(problem, found[3], found[2]) is not None
    assert _shorter(problem, found[3], found[2] - 1) is None


@pytest.mark.parametrize(("left", "tries", "size"), [(5, 40, 1000), (100, 90, 10**9), (1, 2, 50), (10**6, 10, 20)])
def test_the_largest_number_of_values_reached(left: int, tries: int, size: int) -> None:
    def enough(theta: int) -> bool:
        return left <= (tries - theta) * math.log2(size / theta) - theta * LOG2_E

    allowed = [theta for theta in range(1, tries + 1) if enough(theta)]
    assert largest_cover(left, tries, size) == (allowed[-1] if allowed else 0)


def test_right_sides_without_draws() -> None:
    """b + f·z + log2(d + g·z) for a count, b + f·z for an order."""
    _, found = relaxed_conditions(Rule.A_FREE, 2, 3, [0, 5], False)
    plain = PlainSides([demand for demand in found if demand.form != "draw"], 4)
    z = np.log2(np.array([2.0, 3.0, 8.0, 32.0]))  # x_0, x_1, n_1, m
    values, gradients, _ = plain.at(z)
    by_name = dict(zip([d.name for d in found if d.form != "draw"], zip(values, gradients, strict=True), strict=True))
    assert by_name["F"][0] == pytest.approx(math.log2(8 * 6 * math.log2(8 * 32)))
    inside = math.log(2) * math.log2(8 * 32)
    assert by_name["F"][1] == pytest.approx([1, 1, 1 + 1 / inside, 1 / inside])
    assert by_name["Θ_1"][0] == pytest.approx(5.0)
