from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from exact_oracles import Rows, fraction_product, fraction_sum
from hypothesis import given, settings
from hypothesis import strategies as st

from separation.arithmetic import ExactMatrix

# Small and huge, integral and not: sums and products cross 2^62 and 2^63.
numbers = st.one_of(
    st.integers(-3, 3).map(Fraction),
    st.integers(-(2**64), 2**64).map(Fraction),
    st.fractions(-5, 5, max_denominator=12),
    st.sampled_from([Fraction(2**62 - 1), Fraction(2**62), Fraction(-(2**63)), Fraction(1, 2**70), Fraction(2**61, 3)]),
)
quick = settings(max_examples=60)


@st.composite
def rows_of(draw: Any, height: int, width: int) -> Rows:
    return [[draw(numbers) for _ in range(width)] for _ in range(height)]


@st.composite
def two_squares(draw: Any) -> tuple[Rows, Rows]:
    size = draw(st.integers(1, 3))
    return draw(rows_of(size, size)), draw(rows_of(size, size))


def exact(rows: Rows) -> ExactMatrix:
    return ExactMatrix.from_rows(rows)


def in_lowest_terms(matrix: ExactMatrix) -> bool:
    entries = [int(number) for number in matrix.numerators.reshape(-1)]
    return matrix.denominator >= 1 and math.gcd(matrix.denominator, *entries) == 1


@quick
@given(two_squares(), numbers)
def test_against_fractions(squares: tuple[Rows, Rows], factor: Fraction) -> None:
    left, right = squares
    a, b = exact(left), exact(right)
    for matrix in (a, b):
        matrix.numerators.setflags(write=False)  # no operation writes on its operands
    assert a.fractions() == left
    assert (a @ b).fractions() == fraction_product(left, right)
    assert (a + b).fractions() == fraction_sum(left, right)
    assert (a + a + a).fractions() == [[3 * number for number in row] for row in left]
    assert (a - b).fractions() == fraction_sum(left, [[-number for number in row] for row in right])
    assert (-a).fractions() == [[-number for number in row] for row in left]
    assert a.absolute().fractions() == [[abs(number) for number in row] for row in left]
    assert a.T.fractions() == [list(column) for column in zip(*left, strict=True)]
    assert a.scaled(factor).fractions() == [[factor * number for number in row] for row in left]
    for matrix in (a, a @ b, a + b, a - b, a.T, a.scaled(factor), a.with_entry(0, 0, 7)):
        assert in_lowest_terms(matrix)
        assert matrix.is_integral == all(n.denominator == 1 for row in matrix.fractions() for n in row)
    assert (a.fractions(), b.fractions()) == squares
    with pytest.raises(ValueError, match="read-only"):
        a.numerators += 1


def test_a_product_beyond_2_62_does_not_wrap_in_the_next_sum() -> None:
    product = ExactMatrix.from_rows([[2**31]]) @ ExactMatrix.from_rows([[2**31]])
    assert (product + product).fractions() == [[2**63]]
    assert (product + product + product + product).fractions() == [[2**64]]


@pytest.mark.parametrize("operation", [operator.add, operator.sub, operator.matmul])
@pytest.mark.parametrize("huge", [1, 2**70])
def test_shapes_that_do_not_fit(operation: Callable[..., Any], huge: int) -> None:
    # NumPy would broadcast (1, 3) to (2, 3) in a sum.
    with pytest.raises(ValueError):
        operation(ExactMatrix.zeros(2, 3), ExactMatrix.from_rows([[huge, 1, 1]]))


def test_from_entries() -> None:
    matrix = ExactMatrix.from_entries((2, 3), [(0, 1, Fraction(1, 6)), (1, 2, Fraction(-3, 4)), (1, 0, 2)])
    assert matrix.fractions() == [[0, Fraction(1, 6), 0], [2, 0, Fraction(-3, 4)]]
    assert matrix.denominator == 12
    assert matrix.numerators.tolist() == [[0, 2, 0], [24, 0, -9]]
    assert matrix.entry(1, 2) == Fraction(-3, 4)
    assert matrix.entries() == [(0, 1, Fraction(1, 6)), (1, 0, 2), (1, 2, Fraction(-3, 4))]
    assert ExactMatrix.from_entries((2, 2), []) == ExactMatrix.zeros(2, 2)
    with pytest.raises(IndexError):
        ExactMatrix.from_entries((2, 2), [(2, 0, 1)])


@quick
@given(rows_of(3, 2), st.integers(0, 2), st.integers(0, 1), numbers)
def test_with_entry(rows: Rows, row: int, column: int, number: Fraction) -> None:
    matrix = exact(rows)
    changed = matrix.with_entry(row, column, number)
    assert matrix.fractions() == rows
    rows[row][column] = number
    assert changed.fractions() == rows
    assert (changed == matrix) == (matrix.entry(row, column) == number)
    assert in_lowest_terms(changed)


@quick
@given(rows_of(3, 2), rows_of(3, 4))
def test_parts(left: Rows, right: Rows) -> None:
    a, b = exact(left), exact(right)
    both = a.hstack(b)
    assert both.fractions() == [x + y for x, y in zip(left, right, strict=True)]
    assert both.columns([0, 1]) == a
    assert both.columns(range(2, 6)) == b
    assert both.columns([5, 0, 5]).fractions() == [[y[3], x[0], y[3]] for x, y in zip(left, right, strict=True)]
    assert both.rows([2, 2, 0]).fractions() == [(left[i] + right[i]) for i in (2, 2, 0)]
    assert both.columns([]).shape == (3, 0)
    assert both.rows([]).shape == (0, 6)
    with pytest.raises(ValueError):
        a.hstack(ExactMatrix.zeros(2, 1))


def test_equality() -> None:
    half = ExactMatrix.from_rows([[Fraction(1, 2)]])
    assert half == ExactMatrix(np.array([[5]]), 10)
    assert half != ExactMatrix.from_rows([[1]])
    assert half != ExactMatrix.from_rows([[Fraction(1, 2), 0]])
    assert half != [[Fraction(1, 2)]]
    assert ExactMatrix(np.array([[2**61]], dtype=object)) == ExactMatrix(np.array([[2**61]]))
    with pytest.raises(TypeError):
        hash(half)


def test_narrow_integers_are_taken_and_floats_are_not() -> None:
    small = ExactMatrix(np.array([[2**30]], dtype=np.int32))
    assert (small @ small).fractions() == [[2**60]]
    assert small.scaled(2**20).fractions() == [[2**50]]
    with pytest.raises(TypeError):
        ExactMatrix(np.array([[0.5]]))
