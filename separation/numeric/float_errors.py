"""By how much floats are off: a linear map of the stream, nothing where all partial sums are numbers of the type; and a
read-out, next to the real-number read-out of the same weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import exp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import ExactMatrix
from separation.models import RowTable
from separation.numeric.arithmetic import (
    EXPONENTIAL_ULPS,
    LONGEST_BLOCK,
    QUICK_CHUNK,
    Arithmetic,
    Format,
    TooLong,
    gamma,
    roundings,
)
from separation.proving import kernel
from separation.proving.kernel import Rational, absolute
from separation.proving.kernel_forms import Form, Noise

Vector = NDArray[np.float64]
Exponents = NDArray[np.int64]

OUTWARD = 1 + 2.0**-40
"""Bounds are worked out in float64, whose own rounding this covers at every step."""
OFF_GRID = -(1 << 40)
ALWAYS_ZERO = 1 << 40


@dataclass(frozen=True)
class Values:
    """What the floats of a list of coordinates are: |exact| ≤ size, |float − exact| ≤ error, exact ∈ 2^grid·ℤ.

    A coordinate of unknown grid has the exponent `OFF_GRID`; it may well be without error.
    """

    size: Vector
    error: Vector
    grid: Exponents

    @property
    def reach(self) -> Vector:
        """No float is larger."""
        return (self.size + self.error) * OUTWARD

    @property
    def is_exact(self) -> NDArray[np.bool_]:
        """Which floats are the exact numbers, and multiples of a power of two."""
        known: NDArray[np.bool_] = (self.error == 0) & (self.grid > OFF_GRID)
        return known

    def with_error(self, error: Vector) -> Values:
        return replace(self, error=error)


def values_of(forms: Sequence[Mapping[Any, Rational]], error: Vector | None = None) -> Values:
    """Floats that are these forms up to ``error``, noise included: multiples of a power of two if they have none."""
    size, grid = [], []
    for form in forms:
        size.append(float(sum(absolute(c) * noise_radius(s) for s, c in form.items())) * OUTWARD)
        exact = all(noise_of(s) is None for s in form)
        grid.append(min((power_of_two(Fraction(c)) for c in form.values()), default=ALWAYS_ZERO) if exact else OFF_GRID)
    return Values(np.array(size), np.zeros(len(size)) if error is None else error, np.array(grid, dtype=np.int64))


def noise_of(symbol: Any) -> kernel.Noise | Noise | None:
    """The noise that a symbol is, or that a symbol of a program's form has as a factor."""
    return symbol if isinstance(symbol, kernel.Noise) else None if isinstance(symbol, str) else symbol[1]


def noise_radius(symbol: Any) -> Rational:
    noise = noise_of(symbol)
    return 1 if noise is None else noise.radius


def with_noise(forms: Sequence[Form], radii: Vector) -> list[Form]:
    """Each form is off by at most its radius."""
    return [
        {**form, ((), Noise(Fraction(float(radius)))): 1} if radius else form
        for form, radius in zip(forms, radii, strict=True)
    ]


def power_of_two(number: Fraction) -> int:
    """The largest e with number ∈ 2^e·ℤ; a number that is no multiple of a power of two has none."""
    if number == 0:
        return ALWAYS_ZERO
    if number.denominator & (number.denominator - 1):
        return OFF_GRID
    return (number.numerator & -number.numerator).bit_length() - number.denominator.bit_length()


def fits(size: Vector, grid: Exponents, form: Format) -> NDArray[np.bool_]:
    """Are all multiples of 2^grid up to ±size numbers of this type?"""
    known: NDArray[np.bool_] = grid > OFF_GRID
    exponents = np.clip(grid, -1000, 900) + form.digits
    whole: NDArray[np.bool_] = known & (size <= np.exp2(exponents.astype(np.float64))) & (size < form.largest)
    held: NDArray[np.bool_] = whole & (grid >= form.smallest_exponent) | (size == 0)
    return held


def mapped(values: Values, matrix: ExactMatrix, arithmetic: Arithmetic, bias: ExactMatrix | None = None) -> Values:
    """W x + b: the sum in the wide type, in any order, then rounded to the type of results."""
    weights = np.abs(np.asarray(matrix.numerators, dtype=np.float64)) / matrix.denominator
    used = weights != 0
    size, carried = weights @ values.size, weights @ values.error
    grid = _map_grid(matrix, values.grid)
    terms = (used & (values.reach > 0)[None, :]).sum(axis=1)
    if bias is not None:
        offsets = np.abs(np.asarray(bias.numerators[:, 0], dtype=np.float64)) / bias.denominator
        size, terms = size + offsets, terms + (offsets != 0)
        grid = np.minimum(grid, [power_of_two(bias.entry(row, 0)) for row in range(bias.shape[0])])
    size, carried = size * OUTWARD, carried * OUTWARD
    reach = size + carried
    require_range(reach, arithmetic.result)
    require_range(weights.max(axis=1, initial=0.0), arithmetic.stored)
    rough = _rounded_weights(matrix, arithmetic) | (False if bias is None else _rounded_weights(bias, arithmetic))
    exact = ~(used & ~values.is_exact[None, :]).any(axis=1) & ~rough
    # One term, times a power of two: nothing is rounded, whatever the number.
    plain = _powers_of_two(matrix)
    copied = (terms <= 1) & plain & ~rough
    # k terms are added up in k − 1 roundings, one more for products with other weights than powers of two.
    counts = np.maximum(terms - 1, 0) + ~plain
    sums = np.array([float(gamma(int(count), arithmetic.wide.unit)) for count in counts])
    kept = exact & fits(size, grid, arithmetic.wide) | copied
    error = np.where(kept, 0.0, sums * reach + float(arithmetic.wide.tiny))
    results = 1 if bias is None else 2
    if arithmetic.result != arithmetic.wide:
        rounding = results * (float(arithmetic.result.unit) * reach * 1.01 + float(arithmetic.result.tiny))
        error = error + np.where(exact & fits(size, grid, arithmetic.result) | copied, 0.0, rounding)
    error = error + np.where(rough, 2 * float(arithmetic.stored.unit) * reach, 0.0)
    return Values(size, (carried + error) * OUTWARD, np.where(exact, grid, OFF_GRID))


def embedding_error(tables: Sequence[RowTable], arithmetic: Arithmetic) -> float:
    """positions + tokens: two rows rounded to the stored type, and their sum."""
    size = float(sum(table.bound for table in tables))
    grid = min(power_of_two(Fraction(1, table.denominator)) for table in tables)
    fit = fits(np.array([size]), np.array([grid]), arithmetic.stored)[0]
    return 0.0 if fit else 3 * float(arithmetic.stored.unit) * size


def stored(values: Values, arithmetic: Arithmetic) -> Values:
    """Rounded to the type in which keys, values and the stream are kept."""
    require_range(values.reach, arithmetic.stored)
    exact = values.is_exact & fits(values.size, values.grid, arithmetic.stored)
    if arithmetic.result == arithmetic.stored:
        return values
    lost = values.reach * float(arithmetic.stored.unit) + float(arithmetic.stored.tiny)
    return values.with_error(np.where(exact, values.error, values.error + lost) * OUTWARD)


def require_range(reach: Vector, form: Format) -> None:
    """Nothing overflows."""
    if reach.size and reach.max() >= form.largest:
        raise TooLong(f"a number may reach {reach.max():.3g}, beyond {form.name}")


def _map_grid(matrix: ExactMatrix, grid: Exponents) -> Exponents:
    """The least exponent of the terms of each row."""
    if matrix.denominator & (matrix.denominator - 1) or matrix.numerators.dtype == object:
        return np.full(matrix.shape[0], OFF_GRID, dtype=np.int64)
    numerators = matrix.numerators
    powers = np.full(numerators.shape, ALWAYS_ZERO, dtype=np.int64)
    places = numerators != 0
    lowest = numerators[places] & -numerators[places]
    powers[places] = np.log2(lowest.astype(np.float64)).astype(np.int64) - (matrix.denominator.bit_length() - 1)
    terms = np.where(places & (grid[None, :] > OFF_GRID), powers + grid[None, :], ALWAYS_ZERO)
    terms = np.where(places & (grid[None, :] == OFF_GRID), OFF_GRID, terms)
    least: Exponents = terms.min(axis=1, initial=ALWAYS_ZERO)
    return least


def _powers_of_two(matrix: ExactMatrix) -> NDArray[np.bool_]:
    """For each row: is every weight 0 or ± a power of two?"""
    if matrix.denominator & (matrix.denominator - 1) or matrix.numerators.dtype == object:
        return np.full(matrix.shape[0], False)
    whole: NDArray[np.bool_] = (np.abs(matrix.numerators) & (np.abs(matrix.numerators) - 1) == 0).all(axis=1)
    return whole


def _rounded_weights(matrix: ExactMatrix, arithmetic: Arithmetic) -> NDArray[np.bool_]:
    """For each row: is some weight no number of the stored type?"""
    height = matrix.shape[0]
    if matrix.denominator & (matrix.denominator - 1) or matrix.numerators.dtype == object:
        return np.full(height, bool(matrix.numerators.any()))
    numerators = np.abs(matrix.numerators)
    odd = numerators // np.maximum(numerators & -numerators, 1)
    small = -(matrix.denominator.bit_length() - 1) >= arithmetic.stored.smallest_exponent
    rough = np.asarray((odd >= 1 << arithmetic.stored.digits).any(axis=1), dtype=bool)
    return rough if small else np.full(height, True)


SMALLEST_MATCH = 40
"""A match may weigh e^-40 at least: far from the smallest numbers of every type that weights have."""


@dataclass(frozen=True)
class KeySide:
    """The keys and values of the tokens of one kind, as floats."""

    key: Values
    value: Values


def score_error(query: Values, key: Values, shift: Fraction, arithmetic: Arithmetic) -> float:
    """|float score − score|, with the subtraction of the shift: 0 if all are multiples of a power of two that fit."""
    carried = query.error @ key.reach + query.size @ key.error
    terms = query.reach * key.reach
    size = float(terms.sum()) + abs(float(shift))
    together = np.array([size * OUTWARD])
    live = (query.size != 0) & (key.size != 0)
    grids = np.append((query.grid + key.grid)[live], power_of_two(shift) if shift else 0)
    exact = bool((query.is_exact & key.is_exact)[live].all()) and not np.any(grids < OFF_GRID // 2)
    grid = np.array([grids.min()])
    if exact and fits(together, grid, arithmetic.weighed if arithmetic.path == "rows" else arithmetic.stored)[0]:
        return float(carried) * OUTWARD
    unit = float(arithmetic.weighed.unit if arithmetic.path == "rows" else arithmetic.stored.unit)
    # The query is rounded to the type of the scores, the sum is taken, the score is rounded, the shift taken off.
    rounding = float(gamma(len(terms) + 2, arithmetic.weighed.unit)) * size + 3 * unit * size
    return (float(carried) + rounding) * OUTWARD


def weight_error(score: float, arithmetic: Arithmetic) -> float:
    """ε: a weight is off by a factor within 1 ± ε."""
    if score > 0.5:
        raise TooLong(f"scores may be off by {score:.3g}")
    error = exp(score) * (1 + 2 * EXPONENTIAL_ULPS * float(arithmetic.weighed.unit)) - 1
    if error >= 0.5:
        raise TooLong(f"weights may be off by a factor 1 ± {error:.3g}")
    return error * OUTWARD


def sum_error(arithmetic: Arithmetic, keys: int) -> float:
    """s: Σ w v and Σ w are off by at most s·Σ w|v| and s·Σ w, once weights and values are given."""
    if arithmetic.path == "rows":
        inside = QUICK_CHUNK if keys > LONGEST_BLOCK and arithmetic.wide != arithmetic.weighed else 0
        return float(gamma(roundings(arithmetic, keys), arithmetic.wide.unit) + gamma(inside, arithmetic.weighed.unit))
    # torch promises no order, rescales running sums whenever it meets a larger score, and may round the weights of
    # the numerator, but not those of the denominator, to the stored type.
    return float(gamma(3 * keys + 16, arithmetic.wide.unit) + 2 * arithmetic.stored.unit)


def read_error(
    leak: Fraction,
    weights: float,
    match: Values,
    others: list[Values],
    hull: tuple[Vector, Vector],
    arithmetic: Arithmetic,
    keys: int,
) -> Vector:
    """2·D·δ·ε/(1−ε) + E_match + λ'·E_others + 2·s·V/(1−s) + the last roundings, for each coordinate.

    where δ = λ/(1+λ) is the share of other keys, D the length of the hull of all values, V its largest absolute value:
    Σ w_j ε_j (v_j − v̄) / Σ w_j (1+ε_j) is all that factors 1 + ε_j change, and v_j − v̄ is at most δ·D at the match.
    """
    low, high = hull
    ratio = float(leak)
    share = ratio / (1 + ratio)
    spread, largest = high - low, np.maximum(np.abs(low), np.abs(high))
    off = np.max([other.error for other in others], axis=0) if others else np.zeros_like(low)
    largest = largest + np.maximum(off, match.error)
    sums = sum_error(arithmetic, keys)
    moved = 2 * spread * share * weights / (1 - weights)
    carried = match.error + ratio * (1 + weights) / (1 - weights) * off
    added = 2 * sums / (1 - sums) * largest
    # Weights so small that they become 0 or lose digits; then the quotient, and the result's own type.
    lost = keys * float(arithmetic.weighed.tiny) * exp(SMALLEST_MATCH) * spread
    last = 2 * float(arithmetic.wide.unit) * largest + float(arithmetic.result.unit) * largest * 1.01
    if arithmetic.stored.digits < arithmetic.wide.digits and arithmetic.path == "full":
        last = last + float(arithmetic.stored.tiny)
    total: Vector = (moved + carried + added + lost + last) * OUTWARD
    return total


def any_read_error(hull: tuple[Vector, Vector], values: list[Values], arithmetic: Arithmetic, keys: int) -> Vector:
    """How far a float mean of values may leave their hull, whatever the weights."""
    low, high = hull
    off = np.max([value.error for value in values], axis=0)
    largest = np.maximum(np.abs(low), np.abs(high)) + off
    sums = sum_error(arithmetic, keys)
    total: Vector = (off + (2 * sums / (1 - sums) + 4 * float(arithmetic.result.unit)) * largest) * OUTWARD
    return total
