"""How far a read-out in floats is from the real-number read-out of the same weights."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import exp

import numpy as np

from separation.numeric.arithmetic import (
    EXPONENTIAL_ULPS,
    LONGEST_BLOCK,
    QUICK_CHUNK,
    Arithmetic,
    TooLong,
    gamma,
    roundings,
)
from separation.numeric.maps import OFF_GRID, OUTWARD, Values, Vector, fits, power_of_two

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
