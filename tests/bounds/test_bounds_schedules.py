from __future__ import annotations

import pytest
from naive_bounds import certified

from separation.bounds import (
    Rule,
    cpw_parameters,
    evaluate,
    golden_exponent,
    golden_parameters,
    least_golden,
    theorem_b,
)
from separation.bounds.schedules import fibonacci, rule_for


def test_golden_numbers() -> None:
    point = golden_parameters(Rule.A, 3, 10, 4)
    assert point.x == (8, 10**3, 10)
    assert point.n == (10**5, 10**2)
    assert point.m == 6 * 8 * 10**4
    point = golden_parameters(Rule.B, 3, 10)
    assert point.x == (10**8, 10**3, 10)
    assert point.x[0] == 10 * point.n[0] * point.n[1]
    assert point.m == 6 * 10**12
    assert [golden_exponent(Rule.A, L) for L in (2, 3, 4)] == [3, 11, 32]
    assert [golden_exponent(Rule.B, L) for L in (2, 3, 4)] == [6, 19, 53]
    assert golden_parameters(Rule.B, 1, 5).m == 30


@pytest.mark.parametrize("L", range(2, 7))
@pytest.mark.parametrize("rule", list(Rule))
def test_the_last_size_is_the_closed_form(rule: Rule, L: int) -> None:
    y = 12
    point = golden_parameters(rule, L, y, 3)
    last = point.m
    for size in point.n:
        last = last * size  # type: ignore[operator]
    assert last == 6 * (1 if rule is Rule.B else point.x[0]) * y ** golden_exponent(rule, L)
    assert fibonacci(10) == 55


@pytest.mark.parametrize(
    ("theorem", "L", "state_bits", "y"),
    [
        ("A", 2, [8, 8], 8),
        ("A", 3, [8] * 3, 72),
        ("A", 4, [8] * 4, 201),
        ("A", 3, [0] * 3, 53),
        ("B", 2, [0, 0, 8], 10),
        ("B", 3, [0, 0, 8, 8], 133),
    ],
)
def test_least_constants(theorem: str, L: int, state_bits: list[int], y: int) -> None:
    rule = rule_for(theorem, state_bits)
    golden = least_golden(rule, L, 8, state_bits)
    assert golden.y == y
    assert golden.constant * 8 == y
    for value, holds in ((y, True), (y - 1, False)):
        point = golden_parameters(rule, L, value, state_bits[0])
        arguments = theorem, 8, state_bits, point.m, list(point.n), list(point.x)
        assert certified(*arguments, free=rule is Rule.A_FREE) is holds


def test_the_constant_of_a_level_does_not_depend_on_beta() -> None:
    """c for L = 3 and Λ = β: 9 is enough for every β tried, and it is needed at some."""
    constants = [least_golden(Rule.A, 3, beta, [beta] * 3).constant for beta in (1, 2, 5, 8, 64, 1000, 2**30)]
    assert max(constants) == 9
    assert min(constants) > 8.9


def test_golden_with_many_tables() -> None:
    golden = least_golden(Rule.A_FREE, 40, 8, [0] * 40)
    assert golden.evaluation.certified
    assert golden.evaluation.parameters.tokens_log2() > 1e17
    low = golden_parameters(Rule.A_FREE, 40, golden.y - (golden.y >> 18), 0)
    assert not evaluate(Rule.A_FREE, low, 8, [0] * 40).certified


def test_cpw_sizes() -> None:
    point = cpw_parameters(2, 3)
    K = (3 * 2) ** 8 * 8**8
    assert point.x == (K**8, K)
    assert point.n == (K**4,)
    assert point.m == K ** (1 + 9)
    assert theorem_b(point, 6, [0, 0, 10**9]).certified
