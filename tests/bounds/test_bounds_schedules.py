from __future__ import annotations

import pytest
from bounds_cases import rule_for
from naive_bounds import certified

from separation.bounds import (
    Rule,
    golden_exponent,
    golden_parameters,
    least_golden,
)
from separation.bounds.schedules import fibonacci


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
