"""The error bounds hold against exact arithmetic, are not idle, and can be broken."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from separation.recurrences import (
    FAMILIES,
    Inputs,
    Recurrence,
    Tracked,
    chunked_error,
    floats,
    parallel_error,
    recurrence_error,
)
from separation.recurrences.algebra import unit_lower_solve
from separation.recurrences.tracked import UNIT, UNIT_32

SIZES = {"d_k": 4, "d_v": 3, "d": 4, "w": 5, "n_h": 2}
TOKENS = 24
RATIONAL = [family for family in FAMILIES.values() if family.id != "sliding-window"]  # exp is not rational

rational_family = pytest.mark.parametrize("family", RATIONAL, ids=[family.id for family in RATIONAL])


def exactly(xs: Inputs) -> Inputs:
    """The same floats as fractions."""
    return xs.replaced(**{name: _fractions(array) for name, array in xs.arrays.items()})


def _fractions(array: object) -> object:
    return np.frompyfunc(lambda number: Fraction(float(number)), 1, 1)(array)


def off(found: np.ndarray, exact: np.ndarray) -> np.ndarray:
    return np.abs(_fractions(found) - exact).astype(np.float64)


@rational_family
def test_float64_is_within_the_bound_of_exact_arithmetic(family: Recurrence) -> None:
    xs = floats(family, TOKENS, SIZES, seed=1)
    exact = family.run(exactly(xs))
    bound = recurrence_error(family, xs)
    assert (off(family.run(xs), exact) <= bound).all()
    assert bound.max() < 1e-10
    bound = parallel_error(family, xs)
    assert (off(family.parallel(xs), exact) <= bound).all()
    assert bound.max() < 1e-10
    for size in (1, 5, 8):
        bound = chunked_error(family, xs, size)
        assert (off(family.chunked(xs, size), exact) <= bound).all()
        assert bound.max() < 1e-10


@rational_family
def test_float32_is_within_its_bound_and_outside_of_that_of_float64(family: Recurrence) -> None:
    xs = floats(family, TOKENS, SIZES, seed=2, bits=32)
    narrow = xs.replaced(**{name: np.float32(array) for name, array in xs.arrays.items()})
    wide = narrow.replaced(**{name: np.float64(array) for name, array in narrow.arrays.items()})
    exact = family.run(exactly(wide))
    found = off(family.run(narrow), exact)
    assert (found <= recurrence_error(family, wide, UNIT_32)).all()
    assert (found > recurrence_error(family, wide, UNIT)).any()
    found = off(family.chunked(narrow, 7), exact)
    assert (found <= chunked_error(family, wide, 7, UNIT_32)).all()
    assert (found > chunked_error(family, wide, 7, UNIT)).any()


def test_a_triangular_system_whose_right_side_may_be_another() -> None:
    """Others' right sides lie within the slack: their solutions within the slack that comes out, rounded as bounded."""
    source = np.random.default_rng(1)
    lower, right = np.tril(source.standard_normal((9, 9)), -1) / 3, source.standard_normal((9, 2))
    slack = np.full_like(right, 1e-6)
    found = unit_lower_solve(Tracked.of(lower, UNIT), Tracked(right, 0 * right, slack, UNIT))
    for _ in range(20):
        others = right + slack * source.uniform(-1, 1, right.shape)
        theirs = unit_lower_solve(lower, others)
        assert (np.abs(theirs - found.value) <= found.slack + 2 * found.error).all()
        assert (off(theirs, unit_lower_solve(_fractions(lower), _fractions(others))) <= found.error).all()
    assert found.slack.max() < 1e-4
    assert found.error.max() < 1e-13
    with pytest.raises(ArithmeticError, match="that others may have another of"):
        unit_lower_solve(Tracked(lower, 0 * lower, 1e-6 + 0 * lower, UNIT), Tracked.of(right, UNIT))


def test_gates_that_are_off_cost_what_they_are_off() -> None:
    family = FAMILIES["retnet"]
    xs = floats(family, TOKENS, SIZES, seed=3)
    moved = xs.replaced(gamma=xs["gamma"] * (1 + 50 * UNIT))
    difference = np.abs(family.run(moved) - family.run(xs))
    assert (difference <= 2 * recurrence_error(family, xs, gate_roundings=50)).all()
    assert recurrence_error(family, xs, gate_roundings=50).max() > 5 * recurrence_error(family, xs).max()


def test_a_denominator_that_may_be_zero_is_an_error() -> None:
    small = Tracked(np.array([1e-17]), np.array([1e-16]), np.array([0.0]), UNIT)
    with pytest.raises(ZeroDivisionError, match="may be 0"):
        Tracked.of(np.array([1.0]), UNIT) / small
