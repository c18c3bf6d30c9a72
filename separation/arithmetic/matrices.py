"""Exact matrices over ℚ: integer numerators over one common denominator."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any, TypeVar

import numpy as np
from flint import fmpz_mat
from numpy.typing import NDArray

Changed = TypeVar("Changed")

IntegerArray = NDArray[Any]
"""int64, or Python integers (dtype object) where 64 bits are not enough."""

FLOAT_EXACT = 2**53
INT64_EXACT = 2**63


def largest(array: IntegerArray) -> int:
    """max |a|, as a Python integer (0 for an empty array)."""
    return max(int(array.max()), -int(array.min())) if array.size else 0


def integer_matmul(left: IntegerArray, right: IntegerArray) -> IntegerArray:
    """left · right, exactly, with NumPy's rules for leading dimensions (both have at least two).

    The bound max_i Σ_k |left_ik| · max |right| covers every partial sum in every order. Below 2^53 all of them are
    float64 numbers, so the BLAS product is exact; below 2^63 int64 cannot wrap; beyond, FLINT's big integers.
    """
    left, right = _at_least_int64(left), _at_least_int64(right)
    bound = _largest_row_sum(left) * largest(right)
    if left.dtype != object and right.dtype != object and bound < INT64_EXACT:
        if bound < FLOAT_EXACT:
            product: IntegerArray = np.matmul(left.astype(np.float64), right.astype(np.float64)).astype(np.int64)
            return product
        return narrow(np.matmul(left, right))
    if left.shape[-1] != right.shape[-2]:
        raise ValueError(f"matrices of shapes {left.shape} and {right.shape} have no product")
    batch = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    result: IntegerArray = np.zeros((*batch, left.shape[-2], right.shape[-1]), dtype=object)
    if right.ndim == 2 and left.size:
        return narrow(_flint_product(left.reshape(-1, left.shape[-1]), right).reshape(result.shape))
    left = np.broadcast_to(left, (*batch, *left.shape[-2:]))
    right = np.broadcast_to(right, (*batch, *right.shape[-2:]))
    for place in np.ndindex(batch):
        result[place] = _flint_product(left[place], right[place])
    return narrow(result)


def _at_least_int64(array: IntegerArray) -> IntegerArray:
    return array if array.dtype == object else array.astype(np.int64, casting="same_kind", copy=False)


def _flint_product(left: IntegerArray, right: IntegerArray) -> IntegerArray:
    if not left.size or not right.size:
        return np.zeros((left.shape[0], right.shape[1]), dtype=object)
    product = fmpz_mat(left.tolist()) * fmpz_mat(right.tolist())
    entries = np.array([int(entry) for entry in product.entries()], dtype=object)
    return entries.reshape(left.shape[0], right.shape[1])


def _largest_row_sum(array: IntegerArray) -> int:
    if not array.size:
        return 0
    # A row may add up to more than int64 holds: such rows are summed in Python integers.
    if array.dtype != object and largest(array) * array.shape[-1] >= INT64_EXACT:
        array = array.astype(object)
    return int(np.abs(array).sum(axis=-1).max())


def _common_divisor(array: IntegerArray) -> int:
    """The greatest common divisor of all entries, 0 if there is none but 0."""
    used = array[array != 0]
    return gcd(*used.tolist()) if used.dtype == object else int(np.gcd.reduce(used)) if used.size else 0


def narrow(array: IntegerArray) -> IntegerArray:
    """The same integers as int64 when a sum of two still fits, else as Python integers."""
    if largest(array) >= 2**62:
        return array.astype(object, copy=False)
    return array.astype(np.int64) if array.dtype == object else _at_least_int64(array)


def widen(array: IntegerArray, factor: int) -> IntegerArray:
    """array · factor, in Python integers if int64 might wrap."""
    if factor == 1:
        return array
    # The factor itself must be an int64 too, even where all it multiplies is 0.
    if array.dtype != object and max(largest(array), 1) * abs(factor) >= 2**62:
        array = array.astype(object)
    return array * factor


class ExactMatrix:
    """numerators / denominator, in lowest terms; immutable by convention."""

    __slots__ = ("denominator", "numerators")

    def __init__(self, numerators: IntegerArray, denominator: int = 1) -> None:
        numerators = narrow(numerators)
        if denominator != 1:
            common = gcd(denominator, _common_divisor(numerators))
            # Zeros over a denominator beyond 64 bits: int64 could not be divided by it.
            numerators = numerators // common if numerators.any() else numerators
            denominator //= common
        self.numerators: IntegerArray = numerators
        self.denominator: int = denominator

    @classmethod
    def zeros(cls, rows: int, columns: int) -> ExactMatrix:
        return cls(np.zeros((rows, columns), dtype=np.int64))

    @classmethod
    def from_entries(cls, shape: tuple[int, int], entries: Iterable[tuple[int, int, Fraction | int]]) -> ExactMatrix:
        """The matrix with the given entries (row, column, number) and zeros elsewhere."""
        entries = [(row, column, Fraction(number)) for row, column, number in entries]
        denominator = lcm(*(number.denominator for _, _, number in entries))
        numerators = np.zeros(shape, dtype=object)
        for row, column, number in entries:
            numerators[row, column] = int(number * denominator)
        return cls(numerators, denominator)

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[Fraction | int]]) -> ExactMatrix:
        width = len(rows[0]) if rows else 0
        triples = ((i, j, number) for i, row in enumerate(rows) for j, number in enumerate(row))
        return cls.from_entries((len(rows), width), triples)

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.numerators.shape
        return int(rows), int(columns)

    @property
    def is_integral(self) -> bool:
        return self.denominator == 1

    @property
    def T(self) -> ExactMatrix:
        return ExactMatrix(self.numerators.T, self.denominator)

    def entry(self, row: int, column: int) -> Fraction:
        return Fraction(int(self.numerators[row, column]), self.denominator)

    def entries(self) -> list[tuple[int, int, Fraction]]:
        """The non-zero entries, row by row."""
        return self.mapped_entries(lambda number: number)

    def mapped_entries(self, change: Callable[[Fraction], Changed]) -> list[tuple[int, int, Changed]]:
        """The non-zero entries, row by row, with ``change`` of each number: it is asked once for equal ones."""
        rows, columns = np.nonzero(self.numerators)
        values = [int(value) for value in self.numerators[rows, columns]]
        changed = {value: change(Fraction(value, self.denominator)) for value in set(values)}
        return [(i, j, changed[v]) for i, j, v in zip(rows.tolist(), columns.tolist(), values, strict=True)]

    def with_entry(self, row: int, column: int, number: Fraction | int) -> ExactMatrix:
        """A copy in which one entry is another."""
        kept = [(i, j, value) for i, j, value in self.entries() if (i, j) != (row, column)]
        return ExactMatrix.from_entries(self.shape, [*kept, (row, column, number)])

    def __matmul__(self, other: ExactMatrix) -> ExactMatrix:
        return ExactMatrix(integer_matmul(self.numerators, other.numerators), self.denominator * other.denominator)

    def __add__(self, other: ExactMatrix) -> ExactMatrix:
        if self.shape != other.shape:
            raise ValueError(f"matrices of shapes {self.shape} and {other.shape} have no sum")
        common = lcm(self.denominator, other.denominator)
        left = widen(self.numerators, common // self.denominator)
        right = widen(other.numerators, common // other.denominator)
        return ExactMatrix(left + right, common)

    def __neg__(self) -> ExactMatrix:
        return ExactMatrix(-self.numerators, self.denominator)

    def __sub__(self, other: ExactMatrix) -> ExactMatrix:
        return self + (-other)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ExactMatrix):
            return NotImplemented
        same = self.denominator == other.denominator and self.shape == other.shape
        return same and bool(np.array_equal(self.numerators, other.numerators))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"ExactMatrix(shape={self.shape}, denominator={self.denominator})"

    def scaled(self, factor: Fraction | int) -> ExactMatrix:
        factor = Fraction(factor)
        return ExactMatrix(widen(self.numerators, factor.numerator), self.denominator * factor.denominator)

    def columns(self, chosen: Sequence[int] | NDArray[Any]) -> ExactMatrix:
        return ExactMatrix(self.numerators[:, np.asarray(chosen, dtype=np.int64)], self.denominator)

    def rows(self, chosen: Sequence[int] | NDArray[Any]) -> ExactMatrix:
        return ExactMatrix(self.numerators[np.asarray(chosen, dtype=np.int64), :], self.denominator)

    def hstack(self, other: ExactMatrix) -> ExactMatrix:
        """(self | other)."""
        common = lcm(self.denominator, other.denominator)
        parts = [widen(part.numerators, common // part.denominator) for part in (self, other)]
        return ExactMatrix(np.concatenate(parts, axis=1), common)

    def absolute(self) -> ExactMatrix:
        return ExactMatrix(np.abs(self.numerators), self.denominator)

    def fractions(self) -> list[list[Fraction]]:
        return [[Fraction(int(n), self.denominator) for n in row] for row in self.numerators]
