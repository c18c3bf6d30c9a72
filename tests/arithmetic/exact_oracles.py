"""Oracles of exact arithmetic that share no code with it: Python's integers, Fractions, and mpmath's intervals."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from mpmath import iv
from mpmath.libmp import round_floor, to_int

Rows = list[list[Fraction]]


def python_product(left: Any, right: Any) -> list[list[int]]:
    """The product of two matrices in Python integers."""
    left, right = np.asarray(left).tolist(), np.asarray(right).tolist()
    columns = len(right[0])
    return [[sum(a * right[k][j] for k, a in enumerate(row)) for j in range(columns)] for row in left]


def same_integers(found: Any, wanted: list[list[int]]) -> bool:
    """Equal as Python integers, whatever NumPy type holds them."""
    return bool([[int(entry) for entry in row] for row in found] == wanted)


def fraction_product(left: Rows, right: Rows) -> Rows:
    result = [[Fraction(0)] * len(right[0]) for _ in left]
    for i, j, k in product(range(len(left)), range(len(right[0])), range(len(right))):
        result[i][j] += left[i][k] * right[k][j]
    return result


def fraction_sum(left: Rows, right: Rows) -> Rows:
    return [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(left, right, strict=True)]


def near_integer(power: int, whole: int, scale: int) -> tuple[Fraction, Fraction]:
    """Neighbours x < y among the multiples of 1/scale with 2^power·exp(x) < whole < 2^power·exp(y).

    They come from a logarithm, so what their floors are (whole − 1 and whole) is known without any exp.
    """
    precision = 64
    while True:
        iv.prec = precision
        ends = (scale * iv.log(iv.mpf(whole) / iv.mpf(2) ** power))._mpi_
        low, high = (int(to_int(end, round_floor)) for end in ends)
        if low == high:
            return Fraction(low, scale), Fraction(low + 1, scale)
        precision *= 2
