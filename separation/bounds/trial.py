"""How much room a choice of integers leaves in the inequalities, in floats: fast, and certified by nobody.

The search asks here; what it finds is certified by `evaluation` in exact arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb, ctx

from separation.bounds.evaluation import half_ball, smaller_ball
from separation.bounds.ladder import Ladder, Number, Rule, climb, half_cover
from separation.bounds.point import Point

LOG2_E = 1 / math.log(2)
NOWHERE = -1e9
HALVINGS = 48
# Numbers have this many leading digits, then zeros: more would lengthen a certificate and shorten no prompt.
LEADING_BITS = 48
# Longer numbers are balls of this precision, in which products of the theorem's recursion take no time.
LONG_BITS, LONG_PRECISION = 1_000, 320
SPARED_BITS = 30  # a large Θ is taken smaller by this share, which is more than floats can be wrong


@dataclass(frozen=True)
class Trial:
    """One question: Theorem A or B by a rule, for L tables, β and Λ; ``chosen`` says how Θ_ℓ comes about.

    A candidate is the list x_0..x_{L-1}, n_1..n_{L-1}, m.
    """

    rule: Rule
    L: int
    beta: int
    linear: tuple[int, ...]
    chosen: bool

    def room(self, candidate: Sequence[int]) -> float:
        """log2(right/left) of the tightest inequality: all hold if it is positive, up to the accuracy of floats."""
        x, n, m = self.split(candidate)
        if x[0] > m:
            return NOWHERE
        ladder = self._climb(x, n, m)
        theta = self._reached(ladder, x, n, m)
        if theta is None:
            return NOWHERE
        counted = (n[-1] if n else 1) * theta[-1]
        last = math.log2(_log2(ladder.N[-1])) - _log2_ratio(ladder.D[-1], counted)
        return last if self.chosen else min(self._room_in_draws(ladder, x), last)

    def point(self, candidate: Sequence[int]) -> Point:
        """The candidate as a point, with the largest Θ_ℓ if they are chosen."""
        x, n, m = self.split(candidate)
        if not self.chosen:
            return Point(m, n, x)
        reached = self._reached(self._climb(x, n, m), x, n, m)
        return Point(m, n, x, tuple((reached or [1] * self.L)[1:]))

    def split(self, candidate: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...], int]:
        """(x, n, m)."""
        L = self.L
        return tuple(candidate[:L]), tuple(candidate[L : 2 * L - 1]), candidate[2 * L - 1]

    def length(self, candidate: Sequence[int]) -> int:
        """Σ N_{ℓ-1} + 2."""
        total = size = candidate[2 * self.L - 1]
        for factor in candidate[self.L : 2 * self.L - 1]:
            size = times(size, factor)
            total += size
        return total + 2

    def _climb(self, x: Sequence[int], n: Sequence[int], m: int) -> Ladder:
        # D_ℓ does not depend on Θ_ℓ, so chosen values can be filled in afterwards.
        cover = (lambda _level, _product: (1, 1)) if self.chosen else None
        if sum(map(int.bit_length, (m, *n, *x))) <= LONG_BITS:
            return climb(self.rule, self.beta, self.linear, m, n, x, cover or half_cover)
        with ctx.workprec(LONG_PRECISION):
            linear, n_balls, x_balls = (list(map(arb, values)) for values in (self.linear, n, x))
            return climb(self.rule, arb(self.beta), linear, arb(m), n_balls, x_balls, cover or half_ball, smaller_ball)

    def _reached(self, ladder: Ladder, x: Sequence[int], n: Sequence[int], m: int) -> list[Number] | None:
        """Θ_0..Θ_{L-1}; chosen: each the largest that (E_ℓ) allows, which is best for all that follows."""
        if not self.chosen:
            return ladder.theta
        theta = [x[0]]
        for level in range(1, self.L):
            tries = times(times(x[level], theta[-1]), n[level - 2] if level > 1 else 1)
            if self.rule is Rule.A_FREE and level == 1:
                theta.append(min(tries, m))
                continue
            left = 1 + x[level] * ladder.D[level - 1]
            most = largest_reached(left, tries, ladder.N[level - 1])
            if most < 1:
                return None
            theta.append(most)
        return theta

    def _room_in_draws(self, ladder: Ladder, x: Sequence[int]) -> float:
        room = math.inf
        for level in range(2 if self.rule is Rule.A_FREE else 1, self.L):
            theta = ladder.theta[level]
            factor = _log2_ratio(ladder.N[level - 1], theta) - LOG2_E
            if factor <= 0:
                return NOWHERE
            room = min(room, math.log2(factor) - _log2_ratio(1 + x[level] * ladder.D[level - 1], theta))
        return room


def times(a: int, b: int) -> int:
    """a·b; of long numbers only the digits before the zeros at the end are multiplied."""
    if a.bit_length() + b.bit_length() <= LONG_BITS or not a or not b:
        return a * b
    zeros_a, zeros_b = (a & -a).bit_length() - 1, (b & -b).bit_length() - 1
    return (a >> zeros_a) * (b >> zeros_b) << zeros_a + zeros_b


def _log2(value: Number) -> float:
    """log2 of a positive integer or ball."""
    if isinstance(value, int):
        return math.log2(value)
    mantissa, exponent = value.mid().man_exp()
    return math.log2(int(mantissa)) + int(exponent)


def _log2_ratio(a: Number, b: Number) -> float:
    return _log2(a) - _log2(b)


def largest_reached(left: Number, tries: int, size: Number) -> int:
    """The largest Θ with left ≤ (t−Θ)·log2(N/Θ) − Θ·log2 𝖾, up to the accuracy of floats; 0 if there is none.

    The right side falls as Θ grows: halving finds the share κ = Θ/t at which (1−κ)·(log2(N/t) − log2 κ) − κ·log2 𝖾 is
    left/t.
    """
    need, ratio = _log2_ratio(left, tries), _log2_ratio(size, tries)

    def enough(log_share: float) -> bool:
        share = 2.0**log_share if log_share > -1000 else 0.0
        right = (1 - share) * (ratio - log_share) - share * LOG2_E
        return right > 0 and math.log2(right) >= need

    low, high = -math.log2(tries), 0.0
    if not enough(low):
        return 0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if enough(middle) else (low, middle)
    shift = 60 - math.ceil(low)
    most = times(int(2.0 ** (low + shift)), tries) >> shift
    cut = max(0, most.bit_length() - LEADING_BITS)
    return max(1, (most - (most >> SPARED_BITS)) >> cut << cut)
