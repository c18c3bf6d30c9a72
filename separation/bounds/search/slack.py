"""How much slack a candidate leaves in the inequalities, in floats: fast, and not certified.

The search asks here; what it finds is certified by `evaluation` in exact arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb, ctx

from separation.bounds.evaluation import half_cover_ball, smaller_ball
from separation.bounds.parameters import Parameters
from separation.bounds.recursion import Number, Recursion, Rule, half_cover, run_recursion

LOG2_E = 1 / math.log(2)
INFEASIBLE = -1e9
HALVINGS, NEWTON_STEPS, CLOSE = 48, 12, 1e-13
# Numbers have this many leading digits, then zeros: more would lengthen a certificate and shorten no prompt.
LEADING_BITS = 48
# Longer numbers are balls of this precision, in which products of the theorem's recursion take no time.
LONG_BITS, LONG_PRECISION = 1_000, 320
SPARED_BITS = 30  # a large Θ is reduced by 2^-SPARED_BITS of it, which is more than floats can be wrong


@dataclass(frozen=True)
class SearchProblem:
    """Minimise the length of the prompt under a rule of Theorem A or B, for L tables, β and Λ.

    A candidate is the list x_0..x_{L-1}, n_1..n_{L-1}, m. Θ_ℓ is t_ℓ/2, or if ``chosen`` the largest that (E_ℓ) allows.
    """

    rule: Rule
    L: int
    beta: int
    linear: tuple[int, ...]
    chosen: bool

    def slack(self, candidate: Sequence[int]) -> float:
        """log2(right/left) of the tightest inequality: all hold if it is positive, up to the accuracy of floats."""
        x, n, m = self.split(candidate)
        if x[0] > m:
            return INFEASIBLE
        recursion = self._run_recursion(x, n, m)
        theta = self._reached(recursion, x, n, m)
        if theta is None:
            return INFEASIBLE
        counted = (n[-1] if n else 1) * theta[-1]
        last = math.log2(_log2(recursion.N[-1])) - _log2_ratio(recursion.D[-1], counted)
        return last if self.chosen else min(self._slack_in_draws(recursion, x), last)

    def parameters(self, candidate: Sequence[int]) -> Parameters:
        """The candidate as parameters of the theorem, with the largest Θ_ℓ if they are chosen."""
        x, n, m = self.split(candidate)
        if not self.chosen:
            return Parameters(m, n, x)
        reached = self._reached(self._run_recursion(x, n, m), x, n, m)
        return Parameters(m, n, x, tuple((reached or [1] * self.L)[1:]))

    def split(self, candidate: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...], int]:
        """(x, n, m)."""
        L = self.L
        return tuple(candidate[:L]), tuple(candidate[L : 2 * L - 1]), candidate[2 * L - 1]

    def length(self, candidate: Sequence[int]) -> int:
        """Σ N_{ℓ-1} + 2."""
        total = size = candidate[2 * self.L - 1]
        for factor in candidate[self.L : 2 * self.L - 1]:
            size = multiply(size, factor)
            total += size
        return total + 2

    def _run_recursion(self, x: Sequence[int], n: Sequence[int], m: int) -> Recursion:
        # D_ℓ does not depend on Θ_ℓ, so chosen values can be filled in afterwards.
        cover = (lambda _level, _product: (1, 1)) if self.chosen else None
        if sum(map(int.bit_length, (m, *n, *x))) <= LONG_BITS:
            return run_recursion(self.rule, self.beta, self.linear, m, n, x, cover or half_cover)
        with ctx.workprec(LONG_PRECISION):
            linear, n_balls, x_balls = (list(map(arb, values)) for values in (self.linear, n, x))
            return run_recursion(
                self.rule, arb(self.beta), linear, arb(m), n_balls, x_balls, cover or half_cover_ball, smaller_ball
            )

    def _reached(self, recursion: Recursion, x: Sequence[int], n: Sequence[int], m: int) -> list[Number] | None:
        """Θ_0..Θ_{L-1}; chosen: each the largest that (E_ℓ) allows, which is best for all that follows."""
        if not self.chosen:
            return recursion.theta
        theta = [x[0]]
        for level in range(1, self.L):
            tries = multiply(multiply(x[level], theta[-1]), n[level - 2] if level > 1 else 1)
            if self.rule is Rule.A_FREE and level == 1:
                theta.append(min(tries, m))
                continue
            left = 1 + x[level] * recursion.D[level - 1]
            most = largest_cover(left, tries, recursion.N[level - 1])
            if most < 1:
                return None
            theta.append(most)
        return theta

    def _slack_in_draws(self, recursion: Recursion, x: Sequence[int]) -> float:
        """log2(right/left) of the tightest (E_ℓ)."""
        slack = math.inf
        for level in range(2 if self.rule is Rule.A_FREE else 1, self.L):
            theta = recursion.theta[level]
            factor = _log2_ratio(recursion.N[level - 1], theta) - LOG2_E
            if factor <= 0:
                return INFEASIBLE
            slack = min(slack, math.log2(factor) - _log2_ratio(1 + x[level] * recursion.D[level - 1], theta))
        return slack


def multiply(a: int, b: int) -> int:
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


def largest_cover(left: Number, tries: int, size: Number) -> int:
    """The largest Θ with left ≤ (t−Θ)·log2(N/Θ) − Θ·log2 𝖾, up to the accuracy of floats; 0 if there is none.

    The right side falls as Θ grows: halving finds the share κ = Θ/t at which (1−κ)·(log2(N/t) − log2 κ) − κ·log2 𝖾 is
    left/t.
    """
    required, ratio = _log2_ratio(left, tries), _log2_ratio(size, tries)
    least = 2.0**required if required < 1000 else math.inf  # compared without a logarithm where it is a float

    def enough(log_share: float) -> bool:
        share = 2.0**log_share if log_share > -1000 else 0.0
        right = (1 - share) * (ratio - log_share) - share * LOG2_E
        return right > 0 and (right >= least if least < math.inf else math.log2(right) >= required)

    low, high = -math.log2(tries), 0.0
    if not enough(low):
        return 0
    if (root := _log_share(least, ratio, low)) is not None and enough(root):
        low = root
    for _ in range(HALVINGS if root is None or low < root else 0):
        middle = (low + high) / 2
        if enough(middle):
            low = middle
        else:
            high = middle
    shift = 60 - math.ceil(low)
    most = multiply(int(2.0 ** (low + shift)), tries) >> shift
    cut = max(0, most.bit_length() - LEADING_BITS)
    return max(1, (most - (most >> SPARED_BITS)) >> cut << cut)


def _log_share(least: float, ratio: float, low: float) -> float | None:
    """log2 κ with (1−κ)·(ratio − log2 κ) − κ·log2 𝖾 = least, a little below, by Newton's steps; None if they fail."""
    if least == math.inf:
        return None
    here = max(low, min(ratio - least, -0.01))
    for _ in range(NEWTON_STEPS):
        share, apart = 2.0**here, ratio - here
        step = ((1 - share) * apart - share * LOG2_E - least) / (1 + share * apart / LOG2_E)
        here += step
        if not low <= here <= 0:
            return None
        if abs(step) < CLOSE:
            return here - CLOSE if here - CLOSE > low else None
    return None
