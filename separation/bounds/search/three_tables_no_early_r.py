"""Short prompts of Theorem A3 in its form without early R."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from separation.bounds.search.one_full_layer import most_reached
from separation.bounds.search.two_full_layers import first_that_holds, least_that_holds
from separation.bounds.theorems.outcome import Impossibility
from separation.bounds.theorems.theorem_a3 import theorem_a3_no_early_r

LOG_2 = math.log(2)
GRID, WIDTHS = 0.2, (0.2, 0.06, 0.02, 0.006, 0.002)  # of the logarithms, and of the numbers close by
BELOW, BEFORE = np.linspace(-0.03, 0.0, 16), np.arange(-8.0, 3.0)  # of Θ_1, as a share and as a number
MOST_ONE_VALUE_BETA = 30
MOST_HALVINGS = 120


@dataclass(frozen=True)
class NoEarlyR:
    """Theorem A3 with Λ_0 = Λ_1 = 0: β, λ_2, and k: the cost of a prompt is m·(1 + n_1 + k·n_1·n_2)."""

    beta: int
    late: int
    weight: int

    def least_m(self, n1: np.ndarray, n2: np.ndarray, v: np.ndarray, theta1: np.ndarray) -> np.ndarray:
        """The least m ≥ Θ_1·v at which the last inequality holds (∞ if none does), with the largest Θ_2.

        n_2·Θ_2·log2(m·W) − β·n_1·m grows up to m = n_2·Θ_2/(β·n_1·ln 2): where Θ_1·v is too small, that side is halved.
        """
        theta2 = np.maximum(1.0, np.ceil(n1 * theta1 * v * np.exp2(-self.beta * n2 / theta1)))
        W = n1 * n2
        fixed = self.beta * (W + theta1 + n1 * theta1 * v - (n1 - 1) * theta1 + W * theta1) + theta2 * self.late

        def slack(m: np.ndarray) -> np.ndarray:
            return np.asarray(n2 * theta2 * np.log2(m * W) - fixed - self.beta * n1 * m)

        low = np.maximum(theta1 * v, 2.0)
        high = np.maximum(low, np.ceil(n2 * theta2 / (self.beta * n1 * LOG_2)))
        high = np.where(slack(low) > 0, low, np.where(slack(high) > 0, high, np.inf))
        while np.any(wide := np.isfinite(high) & (high > low) & (high - low > 1e-13 * high) & (high - low >= 1)):
            middle = np.where(wide, np.floor((low + high) / 2), low)
            good = slack(middle) > 0
            high, low = np.where(wide & good, middle, high), np.where(wide & ~good, middle + 1, low)
        return high

    def least_theta1(self, n1: np.ndarray, n2: np.ndarray, v: np.ndarray, most: float) -> np.ndarray:
        """The least Θ_1 at which the last inequality holds with m = Θ_1·v, by halving: Θ_2 grows faster; ∞ if none."""

        def holds(theta1: np.ndarray) -> np.ndarray:
            theta2 = np.maximum(1.0, np.ceil(n1 * theta1 * v * np.exp2(-self.beta * n2 / theta1)))
            m, W = np.maximum(theta1 * v, 2.0), n1 * n2
            heard = W + m + theta1 + n1 * theta1 * v + (n1 - 1) * (m - theta1) + W * theta1
            return np.asarray(n2 * theta2 * np.log2(m * W) > self.beta * heard + theta2 * self.late)

        low, high = np.ones_like(n1), np.full_like(n1, most)
        found = np.where(holds(low), 1.0, np.where(holds(high), high, np.inf))
        low, high = np.where(found < most, found, low), np.where(np.isfinite(found), found, 1.0)
        for _ in range(MOST_HALVINGS):
            wide = (high - low > 1) & (high - low > 1e-13 * high)
            if not np.any(wide):
                break
            middle = np.floor(np.where(high > 4 * low, np.sqrt(low * high), (low + high) / 2))
            good = holds(np.where(wide, middle, low))
            low, high = np.where(wide & ~good, middle, low), np.where(wide & good, middle, high)
        return np.where(np.isfinite(found), high, np.inf)

    def cost(self, m: np.ndarray, n1: np.ndarray, n2: np.ndarray) -> np.ndarray:
        return np.asarray(m * (1 + n1 + self.weight * n1 * n2))


@dataclass(frozen=True)
class _Found:
    """A point of `NoEarlyR` and its cost."""

    cost: float
    m: int
    n1: int
    n2: int
    v: int
    theta1: int


def shortest_a3_no_early_r(beta: int, linear: Sequence[int], identity_tables: int = 0) -> Impossibility | None:
    """For every n_1, n_2 and v of a grid the least Θ_1 with m = Θ_1·v; then integers close to the best of them.

    None if floats are too short for these numbers.
    """
    problem = NoEarlyR(beta, linear[2], 1 + identity_tables)
    top = beta.bit_length() + linear[2].bit_length()
    n2 = np.unique(np.round(np.exp2(np.arange(0, top + 3, GRID))))
    v = np.unique(np.round(np.exp2(np.arange(0, beta.bit_length() + 2, GRID))))
    most = 64.0 * 4.0**top
    simple = _one_value(beta, linear, identity_tables)
    best = _best_of(problem, n2, v, most, close=False)
    if best is None:
        return simple
    for width in WIDTHS:
        here = _best_of(problem, _close(best.n2, width), _close(best.v, width), most, close=True)
        best = here if here is not None and here.cost < best.cost else best
    n = (best.n1, best.n2, *(1,) * identity_tables)
    theta2 = most_reached(best.n1 * best.theta1, best.n1 * best.theta1 * best.v, beta * best.n1 * best.n2)
    found = best

    def outcome(m: int) -> Impossibility:
        return theorem_a3_no_early_r(m, n, found.theta1, found.v, theta2, beta, linear)

    refined = least_that_holds(outcome, best.m, max(2, best.theta1 * best.v))
    return min(filter(None, (simple, refined)), key=lambda outcome: outcome.tokens, default=None)


def _one_value(beta: int, linear: Sequence[int], identity_tables: int) -> Impossibility | None:
    """m = 2, all numbers 1 but n_2: each entry of table 3 has more than the 2β bits that w hears in two layers."""
    if beta > MOST_ONE_VALUE_BETA:
        return None

    def outcome(n2: int) -> Impossibility:
        return theorem_a3_no_early_r(2, (1, n2, *(1,) * identity_tables), 1, 1, 1, beta, linear)

    return first_that_holds(outcome, 0)


def _best_of(problem: NoEarlyR, n2: np.ndarray, v: np.ndarray, most: float, *, close: bool) -> _Found | None:
    """The best over n_1 = 1, 2 and these n_2 and v: m = Θ_1·v with the least Θ_1, or every Θ_1 ``close`` to it."""
    n1, n2, v = (axis.ravel() for axis in np.meshgrid(np.array([1.0, 2.0]), n2, v, indexing="ij"))
    theta1 = problem.least_theta1(n1, n2, v, most)
    kept = np.isfinite(theta1)
    n1, n2, v, theta1 = n1[kept], n2[kept], v[kept], theta1[kept]
    if close:
        theta1 = np.concatenate([np.round(theta1 * (1 + BELOW[:, None])), theta1 + BEFORE[:, None]])
        n1, n2, v, theta1 = (axis.ravel() for axis in np.broadcast_arrays(n1, n2, v, np.maximum(1, theta1)))
        m = problem.least_m(n1, n2, v, theta1)
    else:
        m = np.maximum(theta1 * v, 2.0)
    cost = problem.cost(m, n1, n2)
    if not len(cost) or not math.isfinite(cost[index := int(np.argmin(cost))]):
        return None
    return _Found(float(cost[index]), *(int(array[index]) for array in (m, n1, n2, v, theta1)))


def _close(centre: int, width: float) -> np.ndarray:
    """Integers within this share of a number, and its neighbours."""
    near = np.union1d(centre + np.arange(-3, 4), np.round(centre * (1 + np.linspace(-width, width, 9))))
    return np.unique(np.maximum(1.0, near))
