"""Grids of activations: of which multiples of 2^-f they are, followed from matrix to matrix."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

import numpy as np

from separation.arithmetic import ExactMatrix

Grid = list[int]
"""g_r: coordinate r is an integer times g_r · 2^-f, at all tokens; 0 if it is 0."""


class OffGrid(Exception):
    """Nothing is known: a number need not be a multiple of 2^-f."""


def products(grid: Grid, factor: int, unit: int) -> Grid:
    """The grid of products: of numbers on a · 2^-f and b · 2^-f they lie on ab · 2^-2f."""
    require(all(factor * number % unit == 0 for number in grid))
    return [factor * number // unit for number in grid]


def affine(matrix: ExactMatrix, bias: ExactMatrix, grid: Grid, unit: int) -> Grid:
    return multiples(bias, [unit], multiples(matrix, grid))


def multiples(matrix: ExactMatrix, grid: Sequence[int], start: Grid | None = None) -> Grid:
    """For each row r of W: the gcd of start_r and all W_rc g_c."""
    result = [0] * matrix.shape[0] if start is None else list(start)
    rows, columns = np.nonzero(matrix.numerators)
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        product = int(matrix.numerators[row, column]) * grid[column]
        require(product % matrix.denominator == 0)
        result[row] = gcd(result[row], product // matrix.denominator)
    return result


def require(holds: bool) -> None:
    if not holds:
        raise OffGrid
