"""The one form that every inequality of a theorem has, over any kind of number, and its verdict on each kind."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from separation.bounds.log_sums import FIRST_DIGITS, Inequality, LogSum, compare, decimals_down, decimals_up

# An integer, a ball, an array of floats, a sympy expression or a sum of monomials: all that is needed is +, − and ·.
Number = Any
LOG2_E = math.log2(math.e)
ROBBINS = math.log2(25 / 157)  # as in `log_sums.binomial_terms`
SQUARED = 1e-7  # of a Θ, by which Newton's last step may move it: the next one would by the square of that
EXACT = 1e-13  # of a Θ: with so much less its floor is not above what its condition allows
TRIES = 60  # of Newton's steps; a few are needed


class Condition(NamedTuple):
    """bits + nats·log2 𝖾 + Σ log2 C(N, k) + Σ k·log2(𝖾·N/k) < factor·log2(above/below), or ≤ if not ``strict``.

    where ``binomials`` and ``loose_binomials`` are the pairs (N, k); (𝖾·N/k)^k is at least C(N, k). A ``below`` of 0
    makes it hold, if ``factor`` is above 0.
    """

    name: str
    formula: str
    bits: Number
    factor: Number
    above: Number
    below: Number = 1
    binomials: tuple[tuple[Number, Number], ...] = ()
    loose_binomials: tuple[tuple[Number, Number], ...] = ()
    nats: Number = 0
    strict: bool = True


class Order(NamedTuple):
    """left ≤ right."""

    name: str
    formula: str
    left: Number
    right: Number


Conditions = list[Condition | Order]


def largest(theta: Number, bits: Number, tries: Number, size: Number, drawn: bool = True) -> Number:
    """Θ itself; or, where it is a function, what that makes of bits + log2 C(N, Θ−1) ≤ tries·log2(N/(Θ−1)), without
    the binomial if no set is ``drawn``: a search takes the largest Θ that this allows, N = ``size``."""
    return theta(bits, tries, size, drawn) if callable(theta) else theta


def largest_drawn(t: float, bits: float, size: float, near: float) -> float:
    """The largest s = k/N with log2 C(N, k) + bits ≤ t·log2(N/k), in floats: bits and t are those over N = ``size``.

    k < 1 if there is none. One side minus the other grows with s and is concave, so Newton's steps stay below the root;
    they begin ``near`` one.
    """
    s, least = max(min(near, 0.5), 1e-300), 1 / size
    half, robbins = 0.5 * least, ROBBINS - math.log2(size)
    for _ in range(TRIES):
        logarithm, last = -math.log2(s), -math.log1p(-s) * LOG2_E
        over = s * logarithm + (1 - s) * last + half * (robbins + logarithm + last) + bits - t * logarithm
        slope = logarithm - last + t * LOG2_E / s
        step = over / slope if slope > 0 else s
        s = min(s - min(step, 0.9 * s), 1 - EXACT)
        if abs(step) < SQUARED * s or s < 0.1 * least:
            break
    return s


def verdict(condition: Condition | Order) -> Inequality:
    """The verdict on integers: it is always reached (see `compare`)."""
    if isinstance(condition, Order):
        left, right = condition.left, condition.right
        return Inequality(condition.name, condition.formula, left, right, left <= right)
    bits, factor = condition.bits, condition.factor
    if factor < 0 or any(bottom > top for top, bottom in condition.binomials):  # outside of what the formula means
        return Inequality(condition.name, condition.formula, bits, 0, False)
    loose = condition.loose_binomials
    nats = condition.nats + sum(bottom for _, bottom in loose)
    more = tuple((bottom, top) for top, bottom in loose)
    left = LogSum(bits, ((factor, condition.below), *more), condition.binomials, nats)
    right = LogSum(0, ((factor, condition.above), *((bottom, bottom) for _, bottom in loose)))
    found = compare(condition.name, condition.formula, left, right, strict=condition.strict)
    if condition.binomials or left.is_zero:
        return found
    if bits == 0 and nats:  # 𝖾·below < above: without logarithms it is easier to read
        context = (decimals_down if found.holds else decimals_up)(FIRST_DIGITS + condition.above.bit_length() // 3)
        power = context.exp(Decimal(nats))
        power = context.next_plus(power) if found.holds else context.next_minus(power)
        right_side = Fraction(context.divide(Decimal(condition.above), power))
        return Inequality(found.name, found.formula, condition.below, right_side, found.holds)
    # Everything but the bits belongs to the right side: so the left one is shown exactly.
    return Inequality(found.name, found.formula, bits, found.right - (found.left - bits), found.holds)


def verdict_in_balls(condition: Condition | Order) -> Inequality:
    """The verdict on balls, at the current precision of Arb; None where they do not decide."""
    from flint import arb

    if isinstance(condition, Order):
        left, right, strict = condition.left, condition.right, False
    elif not isinstance(condition.bits, arb) and condition.bits == 0 and condition.nats:
        left, right, strict = condition.below, condition.above / arb.const_e() ** condition.nats, True
    else:
        left, strict = arb(condition.bits), condition.strict
        ratio = (arb(condition.above) / condition.below).log()
        loose = sum((k * ((arb(top) / k).log() + 1) for top, k in condition.loose_binomials), arb(0))
        right = (condition.factor * ratio - condition.nats - loose) / arb.const_log2()
    yes = left < right if strict else left <= right
    no = left >= right if strict else left > right
    return Inequality(condition.name, condition.formula, left, right, True if yes else False if no else None)


def slack(condition: Condition | Order) -> Any:
    """log2 of the right side over the left one, for arrays of floats, infinite for an order that holds.

    Nothing of it is trusted.
    """
    import numpy as np

    if isinstance(condition, Order):
        ratio = np.asarray(condition.right, dtype=float) / condition.left
        return np.where(ratio >= 1, np.inf, np.log2(ratio))
    left = condition.bits + condition.nats * LOG2_E
    for top, bottom in condition.binomials:
        left = left + log2_binomial(np.asarray(top, dtype=float), np.asarray(bottom, dtype=float))
    for top, bottom in condition.loose_binomials:
        left = left + bottom * (np.log2(top) - np.log2(bottom) + LOG2_E)
    right = condition.factor * (np.log2(condition.above) - np.log2(condition.below))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.log2(np.maximum(right, 0) / left)
    return np.where(np.asarray(condition.below) == 0, np.inf, found)


def log2_binomial(top: Any, bottom: Any) -> Any:
    """log2 C(N, k) in floats by Robbins' bound from above, as `log_sums` writes it; 0 for k = 0 and k = N."""
    import numpy as np

    small = np.minimum(bottom, top - bottom)
    k = np.maximum(small, 1.0)
    rest = np.maximum(top - k, 1.0)
    powers = k * np.log2(top / k) + rest * np.log1p(k / rest) * LOG2_E
    return np.where(small > 0, powers + 0.5 * np.log2(25 * top / (157 * k * rest)), np.where(small < 0, np.inf, 0.0))


def least_table(bits: int) -> int:
    """The least N ≥ 2 with bits < N·log2 N: the smallest table that does not fit into these bits."""
    return least_that(lambda size: verdict(Condition("", "", bits, size, size)).holds is True, 2)


def least_that(holds: Callable[[int], bool], first: int) -> int:
    """The least number from ``first`` on that holds, when all larger ones do."""
    low, high = first - 1, first
    while not holds(high):
        low, high = high, 2 * high
    return least_between(holds, low, high)


def least_near(slack: Callable[[int], float], near: int, first: int) -> int:
    """The least number from ``first`` on with a slack above 0, when all larger ones have it.

    From ``near``, that of a question like this one, up to one that has it; then by secants from above, where the slack
    is smooth, with halves where these do not end.
    """
    low, high, step = first - 1, near, 1 + near // 64
    while not (here := slack(high)) > 0:
        low, high, step = high, high + step, 2 * step
    other = high + step
    there, secant = slack(other), True
    while high - low > 1:
        at = (low + high) // 2
        if secant and there > here:
            at = min(max(low + 1, high - int(here * (other - high) / (there - here))), high - 1)
        if (found := slack(at)) > 0:
            other, there, high, here, secant = high, here, at, found, True
        else:
            low, secant = at, not secant
    return high


def least_between(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The least number above ``low`` that holds, when ``high`` and all between the two do."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
