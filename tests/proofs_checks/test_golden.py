"""T.golden: no schedule has a smaller exponent, and what the theorems ask of exponents is all needed."""

from __future__ import annotations

import pytest
import z3

from proofs_checks import CheckFailed
from proofs_checks.kit.solvers import require_no_numbers
from proofs_checks.statements.t_golden import STATEMENT, Golden, _no_smaller, exponent_conditions
from separation.bounds import Rule
from separation.bounds.schedules import fibonacci, golden_exponent


@pytest.mark.parametrize("rule", list(Rule))
def test_no_schedule_has_a_smaller_exponent(rule: Rule) -> None:
    """The least exponent is the golden one, and only the golden schedule has it."""
    for L in (2, 3, 4, 6):
        x, n, m, conditions = exponent_conditions(rule, L)
        total, least = m + z3.Sum(n), golden_exponent(rule, L)
        require_no_numbers([*conditions, total < least], "smaller")
        with pytest.raises(CheckFailed, match="not larger"):
            require_no_numbers([*conditions, total <= least], "not larger")
        for k in range(1, L):
            for found, wanted in ((n[k - 1], fibonacci(2 * (L - k) + 1)), (x[k], fibonacci(2 * (L - k)))):
                require_no_numbers([*conditions, total == least, found != wanted], "another schedule")


def test_without_one_condition_the_exponent_is_smaller() -> None:
    x, n, m, conditions = exponent_conditions(Rule.A, 3)
    smaller = 0
    for number in range(2 * 3, len(conditions)):
        try:
            require_no_numbers([*conditions[:number], *conditions[number + 1 :], m + z3.Sum(n) < 11], "smaller")
        except CheckFailed:
            smaller += 1
    assert golden_exponent(Rule.A, 3) == 11
    assert smaller >= 3
    assert len(x) == 3


@pytest.mark.parametrize("twin", ["odd and even swapped", "n twice x", "one index late"])
def test_a_schedule_with_other_exponents_is_refused(twin: str) -> None:
    _no_smaller(Golden())
    with pytest.raises(CheckFailed, match="theorem A, L = "):
        _no_smaller(STATEMENT.twins[twin])
