"""Whether all activations, the states of recurrent heads included, are multiples of 2^-f: p bits and a sign."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import TYPE_CHECKING

import numpy as np

from separation.arithmetic import ExactMatrix
from separation.models.heads import AnyHead, DeltaHead, LinearHead, RecurrentHead, SparseHead
from separation.models.tables import RowTable, Stored

if TYPE_CHECKING:
    from separation.models.transformer import Model

Grid = list[int]
"""g_r: coordinate r is an integer times g_r · 2^-f, at all tokens; 0 if it is 0."""


class _OffGrid(Exception):
    pass


def is_on_grid(model: Model) -> bool:
    """Row r of W x is an integer times gcd_c(W_rc g_c) · 2^-f, if these are integers; relu keeps multiples.

    A mean is rounded to multiples of 2^-f. False means that nothing is known.
    """
    try:
        _follow(model)
    except _OffGrid:
        return False
    return True


def _follow(model: Model) -> None:
    unit = 1 << model.precision.fraction_bits
    grid = [0] * model.width
    for table in (model.positions, model.tokens):
        for matrix in _codes(table):
            grid = _multiples(matrix, [unit] * matrix.shape[1], grid)
    for layer in model.layers:
        outputs = [_head(head, grid, unit) for head in layer.heads]
        for head, output in zip(layer.heads, outputs, strict=True):
            grid = _multiples(head.w_o, output, grid)
        for mlp in layer.mlps:
            hidden = _affine(mlp.w_1, mlp.b_1, grid, unit)
            grid = _multiples(mlp.w_2, hidden, _multiples(mlp.b_2, [unit], grid))


def _codes(table: RowTable) -> list[ExactMatrix]:
    """Matrices whose columns, times ±1, add up to all rows."""
    return [table.matrix.T] if isinstance(table, Stored) else [part.matrix for part in table.segments]


def _head(head: AnyHead, grid: Grid, unit: int) -> Grid:
    """The grid of a head's output."""
    if isinstance(head, LinearHead):
        return _linear(head, grid, unit)
    if isinstance(head, RecurrentHead):
        # States and outputs are rounded to multiples of 2^-f.
        _affine(head.w_x, head.b_x, grid, unit)
        return [1] * head.d_v
    key, value = _multiples(head.w_k, grid), _multiples(head.w_v, grid)
    query = _multiples(head.w_q, grid)
    if isinstance(head, DeltaHead):
        gates = [*_affine(head.w_a, head.b_a, grid, unit), *_affine(head.w_b, head.b_b, grid, unit)]
        # Gates in {0, 1} and integer keys make the state an integer combination of values.
        _require(all(number % unit == 0 for number in (*key, *gates)))
        return _products(value, gcd(*query), unit)
    if isinstance(head, SparseHead):
        _multiples(head.c_k, key * head.block)
        _multiples(head.c_v, value * head.block)
    return [1] * len(value)


def _linear(head: LinearHead, grid: Grid, unit: int) -> Grid:
    query, key = _affine(head.w_q, head.b_q, grid, unit), _affine(head.w_k, head.b_k, grid, unit)
    value = _multiples(head.w_v, grid)
    _products(value, gcd(*key), unit)
    if head.normalised:
        return [1] * len(value)
    return _products(value, gcd(*(q * k for q, k in zip(query, key, strict=True))), unit**2)


def _products(grid: Grid, factor: int, unit: int) -> Grid:
    """The grid of products: of numbers on a · 2^-f and b · 2^-f they lie on ab · 2^-2f."""
    _require(all(factor * number % unit == 0 for number in grid))
    return [factor * number // unit for number in grid]


def _affine(matrix: ExactMatrix, bias: ExactMatrix, grid: Grid, unit: int) -> Grid:
    return _multiples(bias, [unit], _multiples(matrix, grid))


def _multiples(matrix: ExactMatrix, grid: Sequence[int], start: Grid | None = None) -> Grid:
    """For each row r of W: the gcd of start_r and all W_rc g_c."""
    result = [0] * matrix.shape[0] if start is None else list(start)
    rows, columns = np.nonzero(matrix.numerators)
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        product = int(matrix.numerators[row, column]) * grid[column]
        _require(product % matrix.denominator == 0)
        result[row] = gcd(result[row], product // matrix.denominator)
    return result


def _require(holds: bool) -> None:
    if not holds:
        raise _OffGrid
