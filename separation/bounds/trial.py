"""How much room a choice of integers leaves in the inequalities, in floats: fast, and certified by nobody.

The search asks here; what it finds is certified by `evaluation` in exact arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from separation.bounds.ladder import Ladder, Rule, climb, half_cover
from separation.bounds.point import Point

LOG2_E = 1 / math.log(2)
NOWHERE = -1e9
HALVINGS = 48
# Numbers have this many leading digits, then zeros: more would lengthen a certificate and shorten no prompt.
LEADING_BITS = 48
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
        theta = self._reached(ladder, x, n)
        if theta is None:
            return NOWHERE
        counted = (n[-1] if n else 1) * theta[-1]
        last = math.log2(math.log2(ladder.N[-1])) - _log2_ratio(ladder.D[-1], counted)
        return last if self.chosen else min(self._room_in_draws(ladder, x), last)

    def point(self, candidate: Sequence[int]) -> Point:
        """The candidate as a point, with the largest Θ_ℓ if they are chosen."""
        x, n, m = self.split(candidate)
        if not self.chosen:
            return Point(m, n, x)
        reached = self._reached(self._climb(x, n, m), x, n)
        return Point(m, n, x, tuple((reached or [1] * self.L)[1:]))

    def split(self, candidate: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...], int]:
        """(x, n, m)."""
        L = self.L
        return tuple(candidate[:L]), tuple(candidate[L : 2 * L - 1]), candidate[2 * L - 1]

    def length(self, candidate: Sequence[int]) -> int:
        """Σ N_{ℓ-1} + 2."""
        total = size = candidate[2 * self.L - 1]
        for factor in candidate[self.L : 2 * self.L - 1]:
            size *= factor
            total += size
        return total + 2

    def _climb(self, x: Sequence[int], n: Sequence[int], m: int) -> Ladder:
        # D_ℓ does not depend on Θ_ℓ, so chosen values can be filled in afterwards.
        cover = (lambda _level, _product: (1, 1)) if self.chosen else half_cover
        return climb(self.rule, self.beta, self.linear, m, n, x, cover)

    def _reached(self, ladder: Ladder, x: Sequence[int], n: Sequence[int]) -> list[int] | None:
        """Θ_0..Θ_{L-1}; chosen: each the largest that (E_ℓ) allows, which is best for all that follows."""
        if not self.chosen:
            return ladder.theta
        theta = [x[0]]
        for level in range(1, self.L):
            tries = x[level] * theta[-1] * (n[level - 2] if level > 1 else 1)
            if self.rule is Rule.A_FREE and level == 1:
                theta.append(min(tries, ladder.N[0]))
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


def _log2_ratio(a: int, b: int) -> float:
    return math.log2(a) - math.log2(b) if a else -math.inf


def largest_reached(left: int, tries: int, size: int) -> int:
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
    most = int(2.0 ** (low + shift)) * tries >> shift
    cut = max(0, most.bit_length() - LEADING_BITS)
    return max(1, (most - (most >> SPARED_BITS)) >> cut << cut)
