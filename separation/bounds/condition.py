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
LOG2_10 = math.log2(10)
ROBBINS = math.log2(25 / 157)  # as in `log_sums.binomial_terms`
SQUARED = 1e-7  # of a Θ, by which Newton's last step may move it: the next one would by the square of that
EXACT = 10**13  # with one part in so many less, the floor of a Θ is not above what its condition allows
LEAST_SHARE = 1e-9  # of the tries, from which a Θ is looked for
LEAST_GAP = -40.0  # bits of log2(N/t)
BINOMIAL, LOOSE, REACHED = "binomial", "loose", "reached"
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


class Largest:
    """A Θ as a function: the largest that its condition allows, an integer if ``whole``, else as far as that goes.

    With t = ``tries`` from N = ``size`` values, bits + what is ``drawn`` ≤ t·log2(N/k): log2 C(N, k), k = Θ − 1, for
    BINOMIAL, k·log2(𝖾·N/k), k = Θ, for LOOSE; nothing, k = Θ − 1, for REACHED. Numbers are floats, or decimals where
    these are too short.
    """

    def __init__(self) -> None:
        self.whole, self.share = False, 0.5
        self.found: Any = 1.0

    def at(self, bits: Any, tries: Any, size: Any, drawn: str) -> Any:
        told, gap = min(float(bits / tries), 1000.0), log2(size / tries)
        if drawn == REACHED or gap < LEAST_GAP:  # then what is drawn is nothing beside the tries
            k = size * type(size)(2.0**-told) if bits else size - 1
        else:
            share = largest_drawn(gap, told, float(1 / tries), self.share, drawn == LOOSE)
            self.share = share if share > 0 else LEAST_SHARE
            k = tries * type(tries)(share)
        if self.whole and bits:
            k = math.floor(k - k / EXACT)
        self.found = max(k, 1) if self.whole and drawn == LOOSE else k if drawn == LOOSE else 1 + (k if k >= 1 else 0)
        return self.found


def largest(theta: Number, bits: Number, tries: Number, size: Number, drawn: str) -> Number:
    """Θ itself; or, where a search leaves it open, the largest one."""
    return theta.at(bits, tries, size, drawn) if isinstance(theta, Largest) else theta


def largest_drawn(gap: float, told: float, least: float, near: float, loose: bool) -> float:
    """The largest u = k/t of `Largest`, in floats, with log2(N/t) = ``gap``, bits/t = ``told`` and 1/t = ``least``.

    k < 1 if there is none. One side minus the other grows with u and is concave, so Newton's steps stay below the root;
    they begin ``near`` one.
    """
    t, most = 2.0 ** -min(gap, 1000.0), min(1.0, 2.0**gap) * (1 - 1 / EXACT) if gap < 1000 else 1.0
    u, half, robbins = max(min(near, 0.5 * most), LEAST_SHARE), 0.5 * least, ROBBINS + math.log2(max(least * t, 1e-300))
    for _ in range(TRIES):
        logarithm = gap - math.log2(u)
        if loose or gap > 500:
            rest, last = u * LOG2_E, 0.0
            slope = logarithm + LOG2_E / u
        else:
            last = -math.log1p(-u * t) * LOG2_E
            rest = (1 - u * t) * last / t + half * (robbins + logarithm + last)
            slope = logarithm - last + LOG2_E / u
        step = (u * logarithm + rest + told - logarithm) / slope if slope > 0 else u
        u = min(u - min(step, 0.9 * u), most)
        if abs(step) < SQUARED * u or u < 0.1 * least or u < LEAST_SHARE / 10:
            break
    return u


def log2(number: Any) -> float:
    """Of a float, an integer, or a decimal number, which may be no float."""
    if not isinstance(number, Decimal):
        return math.log2(number)
    if not number:
        return -math.inf
    tens = number.adjusted()
    return math.log2(number.scaleb(-tens)) + tens * LOG2_10  # Decimal.ln takes twenty times as long


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
