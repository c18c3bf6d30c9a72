"""The shortest prompt of B2c and A3c: at given sizes the proof's best integers are a formula, and sizes are searched.

Both inequalities are C·A > r·g·(2μ + β·(4q + e + 2v + (r+1)·g)), C = 2q·log2 N − 2γ·λ, A = r·g·v − (v−1)·(ω·r·β + f +
g·λ_1): linear in v, a parabola in g, and in m they only gain. q is the last n_ℓ; r the rows of table 2 (1 in B2c).
Floats choose; what is returned was certified in exact arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from separation.bounds.condition import least_near, least_that
from separation.bounds.theorem import Impossibility, Theorem, prompt_tokens
from separation.bounds.theorems.theorem_a3c import TheoremA3c
from separation.bounds.theorems.theorem_b2c import TheoremB2c

CUBE = (TheoremB2c, TheoremA3c)

STARTS, VALLEYS = 5, 2  # powers of two from which it goes down, and ends of that which are searched closely
MOST_WITH_ONE_VALUE = 8  # of m: a larger one is never best where one value is enough
MOST_BITS = 100  # of β and the states: beyond, products of the four numbers and squares of them are no floats


class CubeSearch:
    """B2c (two tables) or A3c (three) for one β; ``identity_tables`` more are the identity."""

    def __init__(
        self, theorem: Theorem, tables: int, identity_tables: int, beta: int, state_bits: Sequence[int]
    ) -> None:
        self.theorem, self.tables, self.identity = theorem, tables, (1,) * identity_tables
        self.beta, self.state_bits = beta, tuple(state_bits)
        self.middle, self.late = state_bits[1], state_bits[2] - state_bits[1]
        self.near = MOST_WITH_ONE_VALUE  # the m of the sizes before: those of neighbours differ little

    def choice(self, m: int, n: Sequence[int]) -> tuple[float, tuple[int, ...]]:
        """(slack, the integers of the proof) at these sizes, the most slack there is; it holds if that is above 0."""
        rows, last = (n[0] if len(n) > 1 else 1), n[-1]
        logarithm = math.log2(m) + math.log2(rows) + math.log2(last)
        if not self.late:
            slack, g, v = self._entries(m, rows, last, 1, 2 * last * logarithm)
            return slack, (g, v)
        best: tuple[float, tuple[int, ...]] = (-math.inf, (1, 1, 1, last))
        for size in self._group_sizes(m, last, logarithm):
            groups = -(-last // size)
            slack, g, v = self._entries(m, rows, last, size, 2 * last * logarithm - 2 * groups * self.late)
            best = max(best, (slack, (g, v, size, groups)))
        return best

    def _entries(self, m: int, rows: int, last: int, size: int, asked: float) -> tuple[float, int, int]:
        """(slack, g, v) for groups of ω queries, where ``asked`` is C."""
        three = self.tables == 3
        fixed, each = (0, self.middle) if three else (self.middle, 0)
        most = m * rows if three else m
        best = (-math.inf, 1, 1)
        for v, largest in ((most, m), (1, 1)):  # one value needs no cube: one entry is best
            received = rows * (2 * self.middle + self.beta * (4 * last + (rows + 1) * m * three + 2 * v))
            gain, square = asked * (rows * v - (v - 1) * each) - received, rows * self.beta * (rows + 1)
            top = math.floor(min(float(largest), max(1.0, gain / (2 * square))))
            for g in {top, min(largest, top + 1)}:
                lost = (v - 1) * (size * rows * self.beta + fixed)
                if rows * g * v - (v - 1) * each * g > lost:  # A ≥ 1
                    best = max(best, (gain * g - square * g * g - asked * lost, g, v))
        return best

    def _group_sizes(self, m: int, last: int, logarithm: float) -> Iterator[int]:
        """ω near √(λ·m/(β·log2 N)), where (log2 N − λ/ω)·(m − ω·β) is largest; no larger than needed for its γ."""
        best = math.sqrt(self.late * m / (self.beta * logarithm))
        for size in {1, last, *(math.floor(best * share) + more for share in (0.5, 0.7, 1, 1.4) for more in (0, 1))}:
            if 1 <= size <= last and 2 * last * logarithm > -(-last // size) * 2 * self.late:
                yield -(-last // -(-last // size))

    def least_m(self, n: Sequence[int]) -> int | None:
        """The least m that is hard with these n_ℓ; with one value only a small one, as m costs more than it gains."""
        small = next((m for m in self._small(n) if self.choice(m, n)[0] > 0), None)
        if small is not None or not self.choice(1 << 2 * MOST_BITS, n)[0] > 0:
            return small
        self.near = least_near(lambda m: self.choice(m, n)[0], self.near, MOST_WITH_ONE_VALUE)
        return self.near

    def _small(self, n: Sequence[int]) -> range:
        """The m that may be enough with one value: none of them if the last asks for more and the first is told less.

        With more values g ≥ β·(v−1)/v entries survive, at least β/2.
        """
        rows, last = (n[0] if len(n) > 1 else 1), n[-1]
        asked = 2 * last * math.log2(MOST_WITH_ONE_VALUE * rows * last)
        told = rows * self.beta * (4 * last + 2 * (rows + 1) * (self.tables == 3))
        fewest = 2 if asked * rows > told or self.beta < 2 * MOST_WITH_ONE_VALUE else MOST_WITH_ONE_VALUE
        return range(fewest, MOST_WITH_ONE_VALUE)

    def shortest(self, near: tuple[int, ...] = ()) -> Impossibility | None:
        """From the best powers of two to neighbours by ever shorter steps, as long as the prompt becomes shorter.

        ``near``: the n_ℓ of the answer to a question like this one, from which it begins instead.
        """
        if max(self.beta, self.state_bits[-1]).bit_length() > MOST_BITS:
            return None
        known: dict[tuple[int, ...], tuple[int, int]] = {}

        def cost(n: tuple[int, ...]) -> int:
            if n not in known:
                m = self.least_m(n)
                known[n] = (1 << 4 * MOST_BITS, 0) if m is None else (prompt_tokens(m, (*n, *self.identity)), m)
            return known[n][0]

        starts = [near] if near else sorted(self._first(), key=cost)[:STARTS]
        ends = [_descended(n, 3, cost) for n in starts]
        best = min((self._refined(n, cost) for n in sorted(set(ends), key=cost)[:VALLEYS]), key=cost)
        m = known[best][1]
        while m:
            n = (*best, *self.identity)
            found = self.theorem.at(m, n, self.choice(m, best)[1], self.beta, self.state_bits, self.tables)
            if found.certified:
                return found
            m += 1 + (m >> 45)  # floats err in the last digits
        return None

    @staticmethod
    def _refined(n: tuple[int, ...], cost: Callable[[tuple[int, ...]], int]) -> tuple[int, ...]:
        for step in (9, 33):
            n = min(_lines(_descended(n, step, cost)), key=cost)
        for step in (129, 513, 4097, 1 << MOST_BITS):
            n = _descended(n, step, cost)
        return n

    def _first(self) -> Iterator[tuple[int, ...]]:
        bits = 2 * (self.beta + self.late + self.middle).bit_length() + 2
        lasts = [1 << k for k in range(0, bits, 1 + bits // 40)]
        for rows in {1, *((k * self.middle) // 2 + 1 for k in (2, 3, 4, 8, 16, 32))} if self.tables == 3 else {1}:
            for last in lasts:
                yield (rows, last) if self.tables == 3 else (last,)
        if self.choice(2, (1, 1 << MOST_BITS))[0] > 0:  # two values of m, and a last table as long as that takes
            yield (*(1,) * (self.tables - 2), least_that(lambda last: self.choice(2, (1, last))[0] > 0, 1))


def _descended(n: tuple[int, ...], step: int, cost: Callable[[tuple[int, ...]], int]) -> tuple[int, ...]:
    """Each n_ℓ, and all of them, longer or shorter by 1/``step`` (at least 1), while that is better."""
    while True:
        moves = [(0,) * len(n)]
        for place in range(len(n)):
            moves = [(*m[:place], s, *m[place + 1 :]) for m in moves for s in (-1, 0, 1)]
        near = [tuple(max(1, k + s * (1 + k // step)) for k, s in zip(n, move, strict=True)) for move in moves]
        better = min(near, key=cost)
        if not cost(better) < cost(n):
            return n
        n = better


def _lines(n: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """One of them changed by up to a quarter in 24 steps, the others by at most 1: groups make the cost uneven."""
    yield n
    for place, value in enumerate(n):
        reach = max(3, value // 4)
        for moved in range(max(1, value - reach), value + reach + 1, 1 + reach // 12):
            for other in (-1, 0, 1) if len(n) > 1 else (0,):
                yield tuple(moved if k == place else max(1, old + other) for k, old in enumerate(n))
