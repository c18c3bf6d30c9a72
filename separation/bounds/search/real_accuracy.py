"""Theorem E over real numbers: the least cost of a prompt at which the terms of a ceiling add up to a given accuracy.

Every number is given by its logarithm, so there is no size beyond which nothing is found.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from separation.bounds.schedules import fibonacci
from separation.bounds.search.blas_threads import one_blas_thread
from separation.bounds.search.interior_point import RealMinimum, least_cost
from separation.bounds.search.log_numbers import LogNumber, log_of, log_sum
from separation.bounds.theorems.theorem_e import told_bits

Vector = npt.NDArray[np.float64]
LOG_2 = math.log(2)
LEAST_GAP = 0.02
LEAST_SHARE_BITS, MOST_SHARE_BITS = 1e-9, 300.0  # of −log2 p: p = 1 has no logarithm of 1 − p
ROOM_BITS = 6.0
STEPS_OF_Y = np.arange(0.0, 400.0, 1.0)
ENOUGH_SLACK = 0.01
START_SCALES = (1.0, 0.9, 1.001, 1.01)  # beyond floats the method may lose its way from one of them
FIRST_SHARE = 0.2  # −log2 of a share


@dataclass(frozen=True)
class RealAccuracy:
    """log2 of m, n_1..n_{L-1}, x_0..x_{L-1}, and −log2 of the L shares, as rows; each column is a point."""

    kind: str
    payment: str
    tables: int
    beta: int
    linear: tuple[int, ...]
    accuracy: float

    @property
    def sizes(self) -> range:
        """The rows that become integers: all but the shares."""
        return range(2 * self.tables)

    def evaluate(self, point: Any) -> tuple[Any, list[Any]]:
        """log2 of the cost, and the slack of every inequality: Σp ≤ accuracy, and those of `terms`."""
        sizes, slack = self.terms(point)
        return log_sum(*sizes), [math.log2(self.accuracy) - self._sum(point), *slack]

    def evaluate_sum(self, point: Any) -> tuple[Any, list[Any]]:
        """log2 of Σp in place of the cost."""
        return self._sum(point), self.terms(point)[1]

    def _sum(self, point: Any) -> Any:
        return log_sum(*(-share for share in point[2 * self.tables :]))

    def terms(self, point: Any) -> tuple[list[Any], list[Any]]:
        """log2 of N_0..N_{L-1}, and the slacks of x_0 ≤ m, and of q ≤ p and D(p‖q) ≥ κ for every term."""
        L = self.tables
        m, n, x, shares = point[0], point[1:L], point[L : 2 * L], point[2 * L :]
        N = [m]
        for step in n:
            N.append(N[-1] + step)
        arguments = LogNumber(m), [LogNumber(step) for step in n], [LogNumber(copies) for copies in x]
        bits = [log_of(told) for told in told_bits(self.kind, self.payment, *arguments, self.beta, self.linear)]
        slack = [m - x[0]]
        reached, entries = x[0], m
        for level in range(1, L):
            reached = reached + x[level] + (n[level - 2] if level > 1 else 0.0)
            slack += _enough(shares[level - 1], reached - 1 - N[level - 1], bits[level - 1], entries)
            entries = n[level - 1] + reached
        return N, slack + _enough(shares[L - 1], -N[-1], bits[-1], entries)

    def start(self) -> Vector:
        """Powers of y as in the golden schedule, the least y with slack everywhere."""
        L = self.tables
        y = math.log2(self.beta + 2 * self.linear[-1] + 2) - math.log2(self.accuracy) + STEPS_OF_Y
        n = [y * fibonacci(2 * (L - level) + 1) for level in range(1, L)]
        x = [y * fibonacci(2 * (L - level)) for level in range(1, L)]
        first = y * fibonacci(2 * L) if self.kind == "B" else np.full_like(y, math.log2(2 * self.linear[0] + 1))
        room = ROOM_BITS + math.log2(L) - math.log2(self.accuracy)
        m = room + first + sum(x)
        share = np.full_like(y, math.log2(L) - math.log2(self.accuracy) + 0.05)
        points = np.array([m, *n, first, *x, *[share] * L])
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            slack = np.min(np.array(np.broadcast_arrays(*self.evaluate(points)[1])), axis=0)
        slack = np.where(np.isfinite(slack), slack, -np.inf)
        enough = np.flatnonzero(slack > ENOUGH_SLACK)
        return np.asarray(points[:, enough[0] if len(enough) else int(np.argmax(slack))])

    def optimum(self, accuracy: float) -> RealMinimum:
        """The least cost over all real numbers; its slack is not above 0 if no point was found."""
        start, found = self.start(), None
        for scale in START_SCALES:
            point = np.concatenate([scale * start[self.sizes], start[len(self.sizes) :]])
            found = self.with_fixed({}, point, accuracy)
            if found.slack > 0:
                break
        assert found is not None
        return found

    def least_sum(self, sizes: Vector, copies: Vector, accuracy: float) -> RealMinimum:
        """log2 of the least Σp at given sizes, from logarithms of m, n_1.. and of x_0..; the slack as in `optimum`."""
        L = self.tables
        start = np.concatenate([sizes, copies, np.full(L, FIRST_SHARE)])
        free = np.arange(L, 3 * L, dtype=np.intp)
        with one_blas_thread(), np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return least_cost(self.evaluate_sum, start, free, 0.0, accuracy)

    def with_fixed(self, fixed: dict[int, int], start: Vector, accuracy: float, margin: float = 0.0) -> RealMinimum:
        """The same with some rows fixed at integers, and slack of at least ``margin``."""
        base = start.copy()
        for row, value in fixed.items():
            base[row] = math.log2(value)
        free = np.array([row for row in range(3 * self.tables) if row not in fixed], dtype=np.intp)
        with one_blas_thread(), np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return least_cost(self.evaluate, base, free, margin, accuracy)


def _enough(share: Any, log_q: Any, bits: Any, entries: Any) -> list[Any]:
    """log2 of p over q, p = 2^−share, and of D(p‖q) over κ unless κ = 0, for log2 of both parts of κ."""
    if isinstance(bits, float) and bits == -math.inf:
        return [-share - log_q]
    p = np.exp2(-np.maximum(np.minimum(share, MOST_SHARE_BITS), LEAST_SHARE_BITS))
    q = np.exp2(np.minimum(log_q, -1e-3))
    over = -share - log_q + (1 - p) / p * (np.log1p(-p) - np.log1p(-q)) / LOG_2
    safe = np.maximum(over, LEAST_GAP)
    # Below the least gap the logarithm goes on as a straight line, so that steps find the way back.
    logarithm = np.log2(safe) + np.minimum(over - LEAST_GAP, 0) / (LEAST_GAP * LOG_2)
    return [-share - log_q, -share + logarithm - bits + entries]
