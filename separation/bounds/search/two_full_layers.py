"""The least prompt of Theorem B2: for each n_1, v and x_0 the least m has a closed form."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from separation.bounds.search.one_full_layer import most_reached
from separation.bounds.theorems.outcome import Impossibility
from separation.bounds.theorems.theorem_b2 import theorem_b2
from separation.files import InputError

MOST_ROWS = 6_000  # pairs (n_1, v) that are looked through one by one; beyond that only a grid is, and then refined
MOST_COLUMNS = 400_000
MOST_TRIES, MOST_LESS = 60, 8  # of m, where floats were a little too short, or too long
MOST_PAIRS, WINDOW = 4_000, 48  # pairs (n_1, v) near the best one, and values of x_0 near the least for each


@dataclass
class _Best:
    cost: float
    m: int
    n1: int
    x0: int
    v: int


@dataclass(frozen=True)
class TwoFullLayers:
    """β, Λ_1, λ_2, and k: the cost of a prompt is m·(1 + k·n_1)."""

    beta: int
    beside: int
    late: int
    weight: int

    def least_m(self, n1: np.ndarray, v: np.ndarray, x0: np.ndarray) -> np.ndarray:
        """max(2, x_0·v, ⌊2^((R + Θ·λ_2)/(n_1·Θ))/n_1⌋ + 1), R = Λ_1 + β(n_1 + x_0 + x_0·v + n_1·x_0), Θ the
        largest there is."""
        theta = np.maximum(1.0, np.ceil(x0 * v * np.exp2(-(self.beta * n1 + self.beside) / x0)))
        told = self.beside + self.beta * (n1 + x0 + x0 * v + n1 * x0) + theta * self.late
        exponent = np.minimum(told / (n1 * theta), 1000.0)
        return np.asarray(np.maximum(np.maximum(x0 * v, 2), np.floor(np.exp2(exponent) / n1) + 1))

    def cost(self, m: np.ndarray, n1: np.ndarray) -> np.ndarray:
        return np.asarray(m * (1 + self.weight * n1))

    def entries(self, n1: int, v: int, best: float) -> Iterator[tuple[int, int]]:
        """Ranges of x_0 outside of which no prompt is cheaper than ``best``.

        With M the largest m allowed and a = n_1·log2(M·n_1) − λ_2, a·(v·2^(−K/x_0) + 1/x_0) > β(1+v+n_1) is needed,
        K = β·n_1 + Λ_1: one of the two terms is at least half of it, and then the first at least the rest.
        """
        most = int((best - 1) // (1 + self.weight * n1))
        gain = n1 * math.log2(max(most * n1, 1)) - self.late
        need = self.beta * (1 + v + n1)
        if most < v or gain <= 0:
            return
        low, high = 1, min(most // v, int(2 * gain / need))
        if low <= high:
            yield low, high
        first = 0.0
        for _ in range(4):
            rest = need - gain / first if first else need / 2
            ratio = gain * v / rest if rest > 0 else math.inf
            if ratio <= 1:
                return
            first = max((self.beta * n1 + self.beside) / math.log2(ratio), 1.0) if ratio < math.inf else 1.0
        low = max(high + 1, math.floor(first))
        if low <= most // v:
            yield low, most // v

    def most_n1(self, best: float) -> int:
        """n_1 beyond this costs more than ``best``: x_0 ≥ β·n_1/log2(…), or the prompt is so long that log2 N > 2β."""
        if math.log2(best + 2) > 2 * self.beta:
            return int(best)
        logarithm = math.log2(4 * best * math.log2(best + 2) + 4)
        return int(math.sqrt(best * logarithm / (self.beta * self.weight))) + 1


def shortest_b2(beta: int, linear: Sequence[int], identity_tables: int = 0) -> tuple[Impossibility, bool]:
    """The least m·(1 + k·n_1) + 2 of Theorem B2, k = 1 + ``identity_tables``; and whether the search was exhaustive."""
    problem = TwoFullLayers(beta, linear[1], linear[2] - linear[1], 1 + identity_tables)
    best = _coarse(problem)
    exhaustive = _scan(problem, best)
    if not exhaustive:
        _refine(problem, best)
    n = (best.n1, *(1,) * identity_tables)
    theta = most_reached(best.x0, best.x0 * best.v, beta * best.n1 + linear[1])

    def outcome(m: int) -> Impossibility:
        return theorem_b2(m, n, best.x0, best.v, theta, beta, linear)

    found = least_that_holds(outcome, best.m, max(2, best.x0 * best.v))
    if found is None:
        raise InputError("no prompt of Theorem B2 was found; the numbers are too large for this search")
    return found, exhaustive


def first_that_holds(outcome: Callable[[int], Impossibility], low: int) -> Impossibility:
    """The outcome at the least number above ``low`` where it holds, if it holds from there on."""
    high = low + 1
    while not outcome(high).holds:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if outcome(middle).holds else (middle, high)
    return outcome(high)


def least_that_holds(outcome: Callable[[int], Impossibility], m: int, least: int) -> Impossibility | None:
    """The outcome at m, or at the next larger m where it holds, or at smaller ones: floats are wrong in the last
    digits."""
    step = 1
    for _ in range(MOST_TRIES):
        found = outcome(m)
        if found.holds:
            break
        m, step = m + step, 2 * step if step > 4 else step + 1
    else:
        return None
    for _ in range(MOST_LESS):
        if m <= least or not (shorter := outcome(m - 1)).holds:
            break
        m, found = m - 1, shorter
    return found


def _coarse(problem: TwoFullLayers) -> _Best:
    """The best pair on a grid of powers, with m as large as it must be."""
    top = (problem.beta + problem.beside + problem.late).bit_length()
    n1 = np.unique(np.round(np.exp2(np.arange(0, top + 4, 0.25))))
    x0 = np.unique(np.round(np.exp2(np.arange(0, 2 * top + 8, 0.25))))
    # v·log2 N must exceed β, so the grid of v grows with β
    v = np.union1d([1.0, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 64], np.round(np.exp2(np.arange(0, top + 1, 0.5))))
    return _best_of(problem, *(axis.ravel() for axis in np.meshgrid(n1, v, x0, indexing="ij")))


def _best_of(problem: TwoFullLayers, n1: np.ndarray, v: np.ndarray, x0: np.ndarray) -> _Best:
    m = problem.least_m(n1, v, x0)
    cost = problem.cost(m, n1)
    index = int(np.argmin(cost))
    return _Best(float(cost[index]), int(m[index]), int(n1[index]), int(x0[index]), int(v[index]))


def _scan(problem: TwoFullLayers, best: _Best) -> bool:
    """Every (n_1, v, x_0) that could be cheaper; False if they are too many."""
    rows = columns = 0
    # From the best n_1 outwards, so that the ranges are short from the beginning.
    for n1 in sorted(range(1, min(problem.most_n1(best.cost), MOST_ROWS) + 1), key=lambda n1: abs(n1 - best.n1)):
        v = 0
        while (v + 1) * (1 + problem.weight * n1) < best.cost:
            v += 1
            rows += 1
            ranges = list(problem.entries(n1, v, best.cost))
            columns += sum(high - low + 1 for low, high in ranges)
            if rows > MOST_ROWS or columns > 40 * MOST_COLUMNS or any(b - a > MOST_COLUMNS for a, b in ranges):
                return False
            for low, high in ranges:
                x0 = np.arange(low, high + 1, dtype=float)
                here = _best_of(problem, np.full_like(x0, n1), np.full_like(x0, v), x0)
                if here.cost < best.cost:
                    best.cost, best.m, best.n1, best.x0, best.v = here.cost, here.m, here.n1, here.x0, here.v
            if not ranges and v > _enough_values(problem, n1, best.cost):
                break
    return problem.most_n1(best.cost) <= MOST_ROWS


def _enough_values(problem: TwoFullLayers, n1: int, best: float) -> float:
    """Beyond this v an empty range stays empty: x_0·v ≤ M with x_0 ≥ K/log2(a·v/…) only gets harder."""
    most = best / (1 + problem.weight * n1)
    gain = n1 * math.log2(max(most * n1, 2)) - problem.late
    need = (problem.beta * n1 + problem.beside) / max(math.log2(max(2 * gain / problem.beta, 2)), 1)
    return most / max(need, 1)


def _refine(problem: TwoFullLayers, best: _Best) -> None:
    """Grids around the best point, each narrower than the one before; then all pairs (n_1, v) close by."""
    width = 0.5
    while width > 1e-9:
        steps = np.linspace(-width, width, 41)
        n1 = np.unique(np.maximum(1, np.round(best.n1 * (1 + steps))))
        x0 = np.unique(np.maximum(1, np.round(best.x0 * (1 + steps))))
        v = np.union1d(np.arange(max(1, best.v - 2), best.v + 3), np.round(best.v * (1 + steps[::4]))).clip(min=1)
        here = _best_of(problem, *(axis.ravel() for axis in np.meshgrid(n1, v, x0, indexing="ij")))
        if here.cost < best.cost:
            best.cost, best.m, best.n1, best.x0, best.v = here.cost, here.m, here.n1, here.x0, here.v
        width *= 0.6
    for _ in range(3):
        here = _near_crossings(problem, best)
        if not here.cost < best.cost:
            break
        best.cost, best.m, best.n1, best.x0, best.v = here.cost, here.m, here.n1, here.x0, here.v


def _near_crossings(problem: TwoFullLayers, best: _Best) -> _Best:
    """For n_1 and v near the best ones: x_0·v grows with x_0 and the other bound of m falls; the least is where they
    meet."""
    spread = max(2, min(best.n1 // 30, 20))
    n1 = np.arange(max(1, best.n1 - spread), best.n1 + spread + 1, dtype=float)
    spread = max(3, min(best.v // 20, MOST_PAIRS // len(n1) // 2))
    v = np.arange(max(1, best.v - spread), best.v + spread + 1, dtype=float)
    n1, v = (axis.ravel() for axis in np.meshgrid(n1, v, indexing="ij"))
    low, high = np.ones_like(n1), np.full_like(n1, 2.0 * best.x0 + 2)
    while np.any(high - low > 1):
        middle = np.floor((low + high) / 2)
        met = problem.least_m(n1, v, middle) <= middle * v
        low, high = np.where(met, low, middle), np.where(met, middle, high)
    x0 = np.maximum(1, high + np.arange(-WINDOW, 4)[:, None])
    return _best_of(problem, *(axis.ravel() for axis in np.broadcast_arrays(n1, v, x0)))
