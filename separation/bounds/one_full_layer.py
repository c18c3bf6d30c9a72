"""The least prompt of Theorem A2, by exhaustion: both inequalities only gain from a larger m or n_1."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from decimal import Decimal

from separation.bounds.condition import least_between
from separation.bounds.log_sums import LogSum, compare, decimals_down
from separation.bounds.theorem import Impossibility
from separation.bounds.theorems.theorem_a2 import theorem_a2

# Floats decide only where both sides differ by more than this share; the rest is decided with balls.
SAFE_SHARE = 1e-12
FLOAT_BITS = 900
# Intervals of n_1 that are looked at; with sizes beyond floats every look is slow.
MOST_INTERVALS = 4_000
MOST_LONG_INTERVALS = 40


def most_reached(count: int, values: int, bits: int) -> int:
    """The largest Θ with (Θ−1)^count·2^bits < values^count, that is Θ−1 < values·2^(−bits/count); at least 1."""
    if bits == 0:
        return values
    if bits >= count * values.bit_length():
        return 1
    if values.bit_length() <= 50:
        bound: float = values * math.exp2(-bits / count)
        nearest = round(bound)
        if abs(bound - nearest) > SAFE_SHARE * max(1.0, bound):
            return math.floor(bound) + 1
    else:
        context = decimals_down((values.bit_length() + bits.bit_length()) // 3 + 20)
        logarithm = context.divide(context.multiply(Decimal(-bits), context.ln(Decimal(2))), Decimal(count))
        nearest = round(context.multiply(Decimal(values), context.exp(logarithm)))
    # The bound lies close to this integer: Θ − 1 is that integer, or one less.
    theta: int
    for theta in (nearest + 2, nearest + 1, nearest):
        sides = LogSum(bits, ((count, max(theta - 1, 0)),)), LogSum(0, ((count, values),))
        if theta >= 1 and compare("", "", *sides, strict=True).holds:
            return theta
    return 1


def is_hard(m: int, n1: int, beta: int, early: int, late: int) -> bool:
    """Whether Theorem A2 holds at (m, n_1) with the largest Θ, which is the best one: n_1·log2 N > λ_1 is needed
    anyway."""
    if (early + m * late + beta * n1).bit_length() < FLOAT_BITS and (m * n1).bit_length() < FLOAT_BITS:

        def by_floats(theta: float) -> bool | None:
            left, right = early + theta * late + beta * n1, n1 * theta * math.log2(m * n1)
            return left < right if abs(left - right) > SAFE_SHARE * right else None

        reached = m * math.exp2(-early / m)  # Θ is between this and 1 more: often that is all one needs to know
        if by_floats(reached + 1) is False or by_floats(reached):
            return by_floats(reached) is True
        if (known := by_floats(most_reached(m, m, early))) is not None:
            return known
    theta = most_reached(m, m, early)
    left = early + theta * late + beta * n1
    return compare("", "", LogSum(left), LogSum(0, ((n1 * theta, m * n1),)), strict=True).holds is True


def least_m(n1: int, most: int, beta: int, early: int, late: int) -> int | None:
    """The least m ≤ ``most`` with (m, n_1) hard."""
    if most < 2 or not is_hard(most, n1, beta, early, late):
        return None
    return least_between(lambda m: is_hard(m, n1, beta, early, late), 1, most)


def shortest_a2(beta: int, state_bits: Sequence[int], identity_tables: int = 0) -> tuple[Impossibility, bool]:
    """The least m·(1 + k·n_1) + 2 with (m, n_1) hard, k = 1 + ``identity_tables``; and whether the search was
    exhaustive.

    On n_1 ∈ [a, b] the cost is at least m(b)·(1 + k·a), m(b) the least m at n_1 = b, because m(n_1) never grows:
    intervals
    that cannot beat the best pair are dropped, the others are halved.
    """
    early, late = state_bits[0], state_bits[1] - state_bits[0]
    weight = 1 + identity_tables
    best_m, best_n = _some_hard_pair(beta, early, late, weight)
    best = best_m * (1 + weight * best_n)
    intervals = [(0, 1, 1)]
    while intervals[-1][2] <= best // (2 * weight):
        end = intervals[-1][2]
        intervals.append((0, end + 1, 2 * end))
    heapq.heapify(intervals)
    visited, most = 0, MOST_INTERVALS if best_m.bit_length() <= 50 else MOST_LONG_INTERVALS
    while intervals and visited < most:
        bound, first, last = heapq.heappop(intervals)
        if bound >= best:
            break
        visited += 1
        m = least_m(last, (best - 1) // (1 + weight * first), beta, early, late)
        if m is None:
            continue
        if m * (1 + weight * last) < best:
            best, best_m, best_n = m * (1 + weight * last), m, last
        if first < last:
            middle = (first + last) // 2
            for a, b in ((first, middle), (middle + 1, last)):
                heapq.heappush(intervals, (m * (1 + weight * a), a, b))
    theta = most_reached(best_m, best_m, early)
    n = (best_n, *(1,) * identity_tables)
    exhaustive = not intervals or intervals[0][0] >= best or visited < most
    return theorem_a2(best_m, n, theta, beta, state_bits), exhaustive


def _some_hard_pair(beta: int, early: int, late: int, weight: int) -> tuple[int, int]:
    """A cheap hard pair among n_1 = 1, 2, 4, …: m doubled until it is hard, then made least."""
    pairs = []
    powers = late.bit_length() + early.bit_length() + 2
    for power in range(0, powers, 1 + powers // 80):
        n1, m = 1 << power, 2
        while not is_hard(m, n1, beta, early, late) and m <= 4 * (beta + early + late + 4):
            m *= 2
        found = least_m(n1, m, beta, early, late)
        if found is not None:
            pairs.append((found, n1))
    return min(pairs, key=lambda pair: pair[0] * (1 + weight * pair[1]))
