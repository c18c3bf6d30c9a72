"""Theorem C: R layers alone need as many bits as the last table has."""

from __future__ import annotations

from dataclasses import dataclass

from separation.bounds.inequality import Inequality, judge
from separation.bounds.ladder import Demand
from separation.tasks.checks import require_integer
from separation.tasks.funccomp import Sizes


@dataclass(frozen=True)
class RecurrentOnly:
    """Λ < N_{L-1}·log2 N_{L-1}: if it holds, no word in R alone with Λ state bits solves FuncComp at these sizes.

    Any number of tokens of a chain of thought does not help: all that is known of table L passes one boundary.
    """

    sizes: Sizes
    linear: int
    inequality: Inequality

    @property
    def certified(self) -> bool:
        return self.inequality.holds is True


def theorem_c(sizes: Sizes, linear: int) -> RecurrentOnly:
    """With tables z_1..z_{L-1} the identity, (z_0, w) can ask for every entry of z_L, so N^N ≤ 2^Λ, N = N_{L-1}."""
    require_integer("lambda", linear, 0)
    last = sizes.N[-1]
    L = sizes.L
    demand = Demand("G", "count", f"Λ < N_{L - 1}·log2 N_{L - 1}", linear, last, last)
    return RecurrentOnly(sizes, linear, judge(demand))


def shortest_for_recurrent_only(L: int, linear: int) -> RecurrentOnly:
    """The shortest prompt with N_{L-1}·log2 N_{L-1} > Λ.

    With L = 1 it is the least m. With L ≥ 2 all tables but the last have two entries: m = a instead of 2 makes each of
    the L−1 tables longer by a−2 ≥ 1, and the last, a multiple of a, at most 1 shorter than the least even number.
    """
    require_integer("L", L, 1)
    least = least_table(linear)
    if L == 1:
        return theorem_c(Sizes(least, ()), linear)
    return theorem_c(Sizes(2, (1,) * (L - 2) + (-(-least // 2),)), linear)


def least_table(bits: int) -> int:
    """The least N ≥ 2 with bits < N·log2 N."""
    low, high = 1, 2
    while not _outgrows(high, bits):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if _outgrows(middle, bits):
            high = middle
        else:
            low = middle
    return high


def _outgrows(size: int, bits: int) -> bool:
    return judge(Demand("", "count", "", bits, size, size)).holds is True
