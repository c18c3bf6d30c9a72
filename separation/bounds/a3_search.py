"""The shortest prompt of Theorem A3: all but four of its numbers are formulas of the others, and these are searched.

Given n_1, n_2, the draws x_2 and Θ_1: g makes g + c·2^(Λ_0/g) least, c = (x_2−1)·n_1 + 1, as both g and u = 1 +
(Θ_1−1)·2^(Λ_0/g) are charged; Θ_2 is the largest that (b) allows; and m the least with (c). Floats choose, first real
numbers by steps in their logarithms, then integers near them; what is returned was certified in exact arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product

from separation.bounds.condition import EXACT, LOG2_E, TRIES, largest_drawn
from separation.bounds.entropy import halved
from separation.bounds.theorem import Impossibility, block_bits
from separation.bounds.theorems.theorem_a3 import TheoremA3

COARSE, FINE = 1 / 32, 1 / 1024  # bits: where steps in the logarithms end, before integers are tried and without that
ROUNDED = 4e-16  # what a product of two floats may be too small by
SMALL = 64.0  # numbers up to this are tried one by one next to the best
ENDS = 6  # shapes with the least real costs, of which the integers are found
MOST_BITS = 200  # of β and the states: products of them and of sizes are floats

Integers = tuple[int, int, int, int, int]
"""g, u, Θ_1, x_2, Θ_2."""


class A3Search:
    """Theorem A3 for one β and states; ``identity_tables`` more are the identity."""

    def __init__(self, beta: int, state_bits: Sequence[int], identity_tables: int = 0) -> None:
        self.beta, self.state_bits, self.identity = beta, tuple(state_bits), (1,) * identity_tables
        self.early, self.middle, self.late = block_bits(state_bits)
        self.fits = max(beta, state_bits[-1]).bit_length() <= MOST_BITS
        self.known_entries: dict[float, float] = {}
        # What was found last, where the next search begins.
        self.m, self.share = 4.0 * (beta + 1) ** 3 * (1 + self.middle) + 8.0 * self.early, 0.5

    def _entries(self, c: float) -> float:
        """The g ≥ 1 with the least g + c·2^(Λ_0/g), where g² = c·Λ_0·ln 2·2^(Λ_0/g)."""
        if self.early and c not in self.known_entries:
            bits = self.early / LOG2_E
            low, high = 1.0, 1.0
            while 2 * math.log(high) < math.log(c * bits) + bits / high:
                low, high = high, 2 * high
            _, high = halved(low, high, lambda g: 2 * math.log(g) < math.log(c * bits) + bits / g, 40)
            self.known_entries[c] = high
        return self.known_entries.get(c, 1.0)

    def _table_one(self, m: float, n1: float, x2: float, theta: float) -> tuple[float, float] | None:
        """(g, u); None where they are above m."""
        g = self._entries((x2 - 1) * n1 + 1)
        if 1 < theta < m:
            g = max(g, self.early / math.log2((m - 1) / (theta - 1)) * (1 + EXACT))
        u = 1 + (theta - 1) * 2 ** min(self.early / g, 1000)
        return (g, u) if u <= m and g <= m else None

    def _covered(self, m: float, n1: float, n2: float, x2: float, theta: float) -> float:
        """Θ_2 − 1, the largest that (b) allows."""
        N, tries = m * n1, x2 * n1 * theta
        bits = x2 * (n1 * self.early + self.beta * n1 * n2 + theta * self.middle) + (self.middle > 0)
        k = N * largest_drawn(tries / N, bits / N, N, self.share * tries / N)
        self.share = max(k / tries, 1e-9)
        return k if k >= 1 else 0.0

    def _slack(
        self, m: float, n1: float, n2: float, x2: float, theta: float, g: float, u: float, reached: float
    ) -> float:
        """log2 of the right side of (c) over the left one."""
        W, copies = n1 * n2, x2 * theta
        heard = W + 1 + m + g * (theta - 1) + x2 * n1 * u + (n1 - 1) * (m - u) + W * theta
        states = self.early + self.middle + (self.middle > 0) * (1 + copies * self.middle) + copies * self.late
        return math.log2(n2 * reached * math.log2(m * W) / (states + self.beta * heard))

    def _real_slack(self, m: float, n1: float, n2: float, x2: float, theta: float) -> float:
        first = self._table_one(m, n1, x2, theta)
        if first is None:
            return -math.inf
        return self._slack(m, n1, n2, x2, theta, *first, 1 + self._covered(m, n1, n2, x2, theta))

    def _least_m(self, n1: float, n2: float, x2: float, theta: float) -> float:
        """The least m at which (c) holds, from that of the last question; infinite if none was found."""
        least = max(2.0, theta)
        low, high, lower, upper, step = 0.0, math.inf, 0.0, 0.0, 1.05
        m = max(self.m, 1.01 * least)
        for _ in range(TRIES):
            slack = self._real_slack(m, n1, n2, x2, theta)
            low, lower, high, upper = (low, lower, m, slack) if slack > 0 else (m, slack, high, upper)
            if m <= least or high < low * (1 + 1e-7) or m > 1e300 or 0 < slack < 1e-9:
                break
            if not low:
                m = max(m / step, least)
            elif high == math.inf:
                m *= step
            else:
                share = 0.5 if lower < -5 else min(max(lower / (lower - upper), 0.02), 0.98)
                m = low * (high / low) ** share
            step = min(step**2, 4.0)
        self.m = high if high < math.inf else self.m
        return high

    def _cost(self, logarithms: Sequence[float]) -> float:
        """log2 of the tokens at log2 of n_1, n_2, x_2, Θ_1."""
        n1, n2, x2, theta = (2**value for value in logarithms)
        return math.log2(self._least_m(n1, n2, x2, theta) * (1 + n1 + n1 * n2 * (1 + len(self.identity))))

    def real_optimum(self) -> tuple[list[float], float]:
        """(log2 of n_1, n_2, x_2 and Θ_1, of the tokens); infinite if none were found."""
        fixed = 0 if self.middle else 1  # without states between the full layers n_1 = 1 is best
        rows = math.log2(2 * self.middle) if self.middle else 0.0
        starts = ([rows, y, y, 2 * y] for y in (math.log2(self.beta + 1) + more for more in range(-1, 6)))
        start = next((at for at in starts if self.fits and self._cost(at) < math.inf), None)
        if start is None:
            return [], math.inf
        found = descended(start, self._cost, fixed)
        return found if max(found[0][:3]) < math.log2(SMALL) else descended(found[0], self._cost, fixed, COARSE, FINE)

    def near(self, at: Sequence[float]) -> Impossibility | None:
        """The shapes (n_1, n_2, x_2) of integers next to the best real ones, and the other integers of a few."""
        fixed = 0 if self.middle else 1
        known: dict[tuple[int, ...], tuple[float, float]] = {}

        def cost(shape: tuple[int, ...]) -> float:
            """With the best Θ_1, from that of the best shape."""
            if shape not in known:
                near = min(known.values(), default=(0.0, at[3]))[1]
                found, least = descended([*map(math.log2, shape), near], self._cost, 3, 0.25)
                known[shape] = least, found[3]
            return known[shape][0]

        best: tuple[int, ...] = tuple(max(1, round(2**value)) for value in at[:3])
        while (shorter := min(_next_to(best, fixed), key=cost)) != best:
            best = shorter
        found: list[Impossibility] = []
        for shape in [shape for shape in sorted(known, key=cost)[:ENDS] if cost(shape) < math.inf]:
            near = descended([*map(math.log2, shape), known[shape][1]], self._cost, 3, COARSE, FINE)[0][3]
            shifts = (
                (0.0,) if found else (0.0, -COARSE / 2, COARSE / 2, -COARSE / 4, COARSE / 4)
            )  # g and u are integers
            found += filter(None, (self._with_integers(shape, 2 ** (near + shift)) for shift in shifts))
        return min(found, key=lambda each: each.tokens_log2(), default=None)

    def _with_integers(self, shape: tuple[int, ...], theta: float) -> Impossibility | None:
        """The least m with integers of the proof."""
        n1, n2, x2 = shape
        first = m = math.ceil(self._least_m(n1, n2, x2, theta))

        def slack(m: int) -> float:
            return max(self._choices(m, n1, n2, x2, theta), default=(-1.0, None))[0] if m >= 2 else -1.0

        unit = step = 1 + (m >> 45)
        up = 1 if slack(m) <= 0 else -1
        while 1 < m + up * step < 2 * first and (slack(m + up * step) > 0) == (up < 0):
            m, step = m + up * step, 2 * step
        low, high = (m, m + step) if up > 0 else (m - step, m)
        while high - low > unit:
            middle = (low + high) // 2
            low, high = (low, middle) if slack(middle) > 0 else (middle, high)
        m = high
        for _ in range(TRIES):
            for _, chosen in sorted(self._choices(m, n1, n2, x2, theta), reverse=True)[:1]:
                found = TheoremA3().at(m, (n1, n2, *self.identity), chosen, self.beta, self.state_bits, 3)
                if found.certified:
                    return found
            m += 1 + (m >> 40)  # floats err in the last digits
        return None

    def _choices(self, m: int, n1: int, n2: int, x2: int, near: float) -> Iterator[tuple[float, Integers]]:
        """(slack, integers) next to a real Θ_1."""
        for theta in _near(min(near, m)):
            first = self._table_one(m, n1, x2, theta)
            if first is None:
                continue
            covered = math.floor(self._covered(m, n1, n2, x2, theta)) + 1
            for g in _near(first[0]) if self.early else [1]:
                u = math.floor(1 + (theta - 1) * (1 + ROUNDED) * 2 ** min(self.early / g, 1000))
                if u <= m and g <= m:
                    yield self._slack(m, n1, n2, x2, theta, g, u, covered), (g, u, theta, x2, covered)

    def choice(self, m: int, n: Sequence[int]) -> tuple[float, Integers]:
        """(slack, the integers of the proof) at these sizes, the most slack that was found; it holds if above 0."""
        n1, n2 = n
        y, most = math.log2(self.beta + 1), math.log2(m)

        def lost(at: Sequence[float]) -> float:
            return -self._real_slack(m, n1, n2, *(2**value for value in at))

        starts = [[k * y, share * most] for k in range(4) for share in (0.25, 0.5, 0.7, 0.8, 0.9, 0.98)]
        ends = {descended(start, lost)[0][0] for start in sorted(starts, key=lost)[:3]}
        best: tuple[float, Integers] = (-math.inf, (1, 1, 1, 1, 1))
        for draws in {near for end in ends for near in _near(2**end)}:
            start = min(([math.log2(draws), share * most] for share in (0.25, 0.5, 0.7, 0.8, 0.9, 0.98)), key=lost)
            near = descended(start, lost, 1, 0.5, FINE)[0][1]
            for shift in (0.0, -COARSE / 2, COARSE / 2, -COARSE / 4, COARSE / 4):
                best = max([best, *self._choices(m, n1, n2, draws, 2 ** (near + shift))])
        return best


def descended(
    start: Sequence[float],
    cost: Callable[[Sequence[float]], float],
    fixed: int = 0,
    step: float = 1.0,
    finest: float = COARSE,
) -> tuple[list[float], float]:
    """(point, cost): every number but the first ``fixed`` moved, none below 0, by ever shorter steps."""
    at, least = list(start), cost(start)
    while step >= finest:
        moved = False
        for place, sign in product(range(fixed, len(at)), (1, -1)):
            while True:
                there = [max(0.0, value + sign * step * (k == place)) for k, value in enumerate(at)]
                if not (further := cost(there)) < least:
                    break
                at, least, moved = there, further, True
        step = step if moved else step / 2
    return at, least


def _near(value: float) -> list[int]:
    """Integers up to 2 from a number; of a large one itself alone."""
    middle = round(value)
    return [k for k in range(middle - 2, middle + 3) if k > 0] if value < 1 << 20 else [middle]


def _next_to(shape: tuple[int, ...], fixed: int) -> Iterator[tuple[int, ...]]:
    """Each number by at most 1, if it is small."""
    moves = [(0,) if k < fixed or value > SMALL else (-1, 0, 1) for k, value in enumerate(shape)]
    for move in product(*moves):
        there = tuple(value + by for value, by in zip(shape, move, strict=True))
        if min(there) > 0:
            yield there
