"""Named breakages of C1: one weight or one group of weights each, for tests of what is said about them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from construction_changes import matrix_at, with_head, with_matrix, with_whole_bits

from constructions.c1 import build
from separation.arithmetic import ExactMatrix
from separation.proving import Construction
from separation.tasks.funccomp import Sizes

SIZES = Sizes(4, (4, 4))


def whole(sizes: Sizes = SIZES) -> Construction:
    """C1 with two more whole bits, so that no change fails for size before it fails for what it is."""
    return with_whole_bits(build(sizes), 2)


def _query_row(c: Construction, layer: int, column: int) -> int:
    matrix = matrix_at(c, (layer, "heads", 0, "w_q"))
    return next(row for row in range(matrix.shape[0]) if matrix.entry(row, column) != 0)


def flipped_query_sign(c: Construction, layer: int = 2, bit: int = 1) -> Construction:
    """The query's bit of the pointer has the other sign."""
    path, column = (layer, "heads", 0, "w_q"), c.model.stream["pointer"][bit]
    matrix, row = matrix_at(c, path), _query_row(c, layer, column)
    return with_matrix(c, path, matrix.with_entry(row, column, -matrix.entry(row, column)))


def blind_to_the_pointer(c: Construction, layer: int = 2) -> Construction:
    """The query does not read the pointer."""
    path = (layer, "heads", 0, "w_q")
    numerators = matrix_at(c, path).numerators.copy()
    numerators[:, list(c.model.stream["pointer"])] = 0
    return with_matrix(c, path, ExactMatrix(numerators))


def cold(c: Construction, factor: Fraction = Fraction(1, 3)) -> Construction:
    """Temperature and shift of every head times the factor."""
    for number in range(len(c.model.layers)):
        c = with_matrix(c, (number, "heads", 0, "w_q"), matrix_at(c, (number, "heads", 0, "w_q")).scaled(factor))
        c = with_head(c, number, shift=c.model.layers[number].heads[0].shift * factor)  # type: ignore[union-attr]
    return c


def shift_far_above_the_match(c: Construction, layer: int = 2) -> Construction:
    return with_head(c, layer, shift=c.model.layers[layer].heads[0].shift + 100)  # type: ignore[union-attr]


def swapped_query_bits(c: Construction, layer: int = 2) -> Construction:
    """The query asks for bit 1 of the pointer where bit 0 stands, and for bit 0 where bit 1 stands."""
    path, pointer = (layer, "heads", 0, "w_q"), c.model.stream["pointer"]
    numerators = matrix_at(c, path).numerators.copy()
    numerators[:, [pointer[0], pointer[1]]] = numerators[:, [pointer[1], pointer[0]]]
    return with_matrix(c, path, ExactMatrix(numerators))


def keys_that_know_values(c: Construction, layer: int = 2) -> Construction:
    """A key adds the value's lowest bit to the lowest bit of its index."""
    path = (layer, "heads", 0, "w_k")
    matrix = matrix_at(c, path)
    row = next(r for r in range(matrix.shape[0]) if matrix.entry(r, c.model.stream["index"][0]) != 0)
    changed = with_matrix(c, path, matrix.with_entry(row, c.model.stream["value"][0], 1))
    return with_head(changed, layer, shift=Fraction(99))


def crossed_values(c: Construction, layer: int = 2) -> Construction:
    """What is handed on as bit 0 is bit 1."""
    path, value = (layer, "heads", 0, "w_v"), c.model.stream["value"]
    matrix = matrix_at(c, path).with_entry(0, value[0], 0)
    return with_matrix(c, path, matrix.with_entry(0, value[1], 1))


def clip_that_does_not_snap(c: Construction, layer: int = 2) -> Construction:
    """clip(x) = relu(2x) − relu(2x−2) − 1 is right at ±1 and nowhere near it."""
    path = (layer, "mlps", 0, "b_1")
    numerators = matrix_at(c, path).numerators.copy()
    width = len(c.model.stream["pointer"])
    numerators[:width] -= 1
    numerators[width : 2 * width] -= 1
    return with_matrix(c, path, ExactMatrix(numerators))


def clip_of_slope_one(c: Construction, layer: int = 2) -> Construction:
    path = (layer, "mlps", 0, "w_1")
    matrix = matrix_at(c, path)
    numerators = np.where(matrix.numerators == 2, 1, matrix.numerators)
    return with_matrix(c, path, ExactMatrix(numerators))
