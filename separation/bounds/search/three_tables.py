"""Short prompts of Theorem A3."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from separation.bounds.search.blas_threads import one_blas_thread
from separation.bounds.search.estimated import EstimatedSearch
from separation.bounds.search.interior_point import RealMinimum, least_cost
from separation.bounds.search.log_numbers import log_sum
from separation.bounds.search.many_tables import _cover, _log2
from separation.bounds.search.one_full_layer import most_reached
from separation.bounds.theorems.outcome import Impossibility
from separation.bounds.theorems.theorem_a3 import theorem_a3

LOG_2 = math.log(2)
ROUNDS, FEW_ROUNDS = 50, 20
SAMPLES = 2000
NEWTON_STEPS = 8
PENALTY = 6.0
SEED = 17
SPARES, MOST_TRIES = (1e-9, 1e-6, 1e-3), 24  # log2 of asked over told; and m is enlarged where floats were too short
NEAR, FURTHER, MOST_GRIDS = (-1, 0, 1), (-21, -13, -8, -5, -3, -2, -1, 0, 1, 2, 3, 5, 8, 13, 21), 4
SHRINK, LEAST_WIDTH, SIZES_OF_STEPS = 0.92, 0.01, 6.0
WIDTH = 0.2  # of the first samples, in log2
N1, N2, G, U, X2, THETA2 = 1, 2, 3, 4, 6, 7  # rows of the logarithms; m is the first, Θ_1 the sixth


@dataclass(frozen=True)
class AnyR:
    """Theorem A3 in its general form: β, λ_0, λ_1, λ_2, and k: the cost of a prompt is m·(1 + n_1 + k·n_1·n_2)."""

    beta: int
    early: int
    middle: int
    late: int
    weight: int

    def logarithms(self, point: Any) -> tuple[Any, list[Any]]:
        """log2 of the cost and of right over left side of every inequality, from log2 of m, n_1, n_2, g, u, Θ_1, x_2,
        Θ_2."""
        m, n1, n2, g, u, theta1, x2, theta2 = point
        beta, early, middle, late = (_log2(bits) for bits in (self.beta, self.early, self.middle, self.late))
        W, size = n1 + n2, m + n1
        told = x2 + log_sum(n1 + early, beta + W, theta1 + middle)
        told = log_sum(told, 0.0) if self.middle else told
        rest = m + _log2_without(m - u)  # m − u
        heard = log_sum(W, 0.0, m, g + theta1, x2 + n1 + u, n1 + _log2_without(n1) + rest, W + theta1)
        left = log_sum(early, middle, x2 + theta1 + middle, x2 + theta1 + late, beta + heard)
        slack = [u - theta1 - self.early * np.exp2(-g), m - u, m - g, size - theta2]
        slack.append(_cover(size, theta2, x2 + n1 + theta1, told))
        slack.append(n2 + theta2 + np.log2(np.maximum(size + n2, 1e-9)) - left)
        return log_sum(m, size, size + n2 + math.log2(self.weight)), slack

    def evaluate(self, point: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(m, cost, log2 of asked over told) of the rows (n_1, n_2, g, u, x_2, Θ_2): m is the least that (b) allows."""
        n1, n2, g, u, x2, theta2 = point
        theta1 = np.maximum(1.0, np.ceil(u * np.exp2(-self.early / g))) if self.early else u
        copies = 1.0 if self.middle else 0.0
        W = n1 * n2
        tries = x2 * n1 * theta1
        told = x2 * (n1 * self.early + self.beta * W + theta1 * self.middle) + copies
        N1 = np.minimum(least_table(tries, theta2, told), 1e200)
        m = np.maximum(np.maximum(np.ceil(N1 / n1 - 1e-9), 2), np.maximum(u, g))
        heard = W + 1 + (m - g + g * theta1) + x2 * n1 * u + (n1 - 1) * (m - u) + W * theta1
        states = self.early + self.middle + copies * (1 + x2 * theta1 * self.middle) + x2 * theta1 * self.late
        asked = n2 * theta2 * np.log2(np.maximum(m * W, 2))
        ratio = np.log2(asked / (states + self.beta * heard))
        return m, m * (1 + n1 + self.weight * W), ratio


def _log2_without(logarithm: Any) -> Any:
    """log2(1 − 2^−logarithm), not below −40."""
    return np.log2(np.maximum(-np.expm1(-logarithm * LOG_2), 2.0**-40))


def least_table(tries: np.ndarray, theta: np.ndarray, told: np.ndarray) -> np.ndarray:
    """The least real N ≥ Θ with log2 C(N, k) + t·log2 k + told ≤ t·log2 N, k = Θ−1 (∞ if t ≤ k: then no N is enough).

    The slack is convex in log2 N, with derivative t − N·ln(N/(N−k)); C(N, k) ≤ (𝖾N/k)^k says from where Newton's steps
    come down to the root and never pass it. C(N, k) counts with Robbins' bound.
    """
    k = np.maximum(theta - 1, 1.0)
    spare = np.maximum(tries - k, 1e-9)
    exponent = np.minimum(np.log2(k) + (told + k / LOG_2) / spare, 1000.0)
    for _ in range(NEWTON_STEPS):
        N = np.maximum(np.exp2(exponent), k + 1e-6)
        share = -np.log1p(-k / N)  # ln(N/(N−k))
        choose = (k * np.log(N / k) + (N - k) * share) / LOG_2 - np.log2(2 * math.pi * k * (1 - k / N)) / 2
        slack = tries * (np.log2(N) - np.log2(k)) - choose - told
        exponent = exponent - np.maximum(slack, 0) / np.maximum(tries - N * share, 1e-9)
    N = np.where((tries > k) & (exponent < 900), np.maximum(np.exp2(exponent), theta), np.inf)
    return np.where(theta <= 1, theta, N)


@dataclass(frozen=True)
class ThreeTables(EstimatedSearch):
    """Theorem A3 in its general form, for given Λ; tables beyond its own are the identity."""

    linear: tuple[int, ...]
    identity_tables: int = 0

    def __call__(self, beta: int) -> Impossibility | None:
        return shortest_a3(beta, self.linear, self.identity_tables)

    def real_length(self, beta: int) -> float:
        """The least over real numbers, or of one value of every table if that is less."""
        problem = _any_r(beta, self.linear, self.identity_tables)
        one_value = 2 * beta + 1 + math.log2(problem.weight)
        return min(_real_optimum(problem).cost, one_value)


def _any_r(beta: int, linear: Sequence[int], identity_tables: int) -> AnyR:
    return AnyR(beta, linear[0], linear[1] - linear[0], linear[2] - linear[1], 1 + identity_tables)


def shortest_a3(beta: int, linear: Sequence[int], identity_tables: int = 0) -> Impossibility | None:
    """Random integers around the best real numbers, ever closer; certified at the end. None if no point was found."""
    problem = _any_r(beta, linear, identity_tables)
    starts = _starting_points(problem)
    for spare in SPARES:
        found = [_closing_in(problem, start, rounds, spare) for start, rounds in starts]
        cost, best, m = min(found, key=lambda point: point[0])
        if not math.isfinite(cost):
            return None
        n1, n2, g, u, x2, theta2 = best
        theta1 = most_reached(g, u, linear[0])
        for tries in range(MOST_TRIES):
            outcome = theorem_a3(m, (n1, n2, *(1,) * identity_tables), g, u, theta1, x2, theta2, beta, linear)
            if outcome.holds:
                return outcome
            m += 1 + (m << tries) // 10**13
    return None


def _closing_in(problem: AnyR, centre: np.ndarray, most: int, spare: float) -> tuple[float, tuple[int, ...], int]:
    """(cost, point, m) of the best point found around a centre, which moves; an infinite cost if none was found."""
    random = np.random.default_rng(SEED)
    cost, best, best_m = math.inf, centre, 2.0
    width, rounds, tried, penalty = WIDTH, 0, 0, PENALTY
    while rounds < most and tried < 2 * most:
        tried += 1
        # Of every size up to the width: small numbers need long steps, and large ones short steps at the end.
        widths = width * np.exp2(random.random(SAMPLES) * -SIZES_OF_STEPS)
        spread = random.normal(size=(6, SAMPLES)) * widths * (random.random((6, SAMPLES)) < 0.6)
        shift = random.integers(-1, 2, size=(6, SAMPLES)) * (random.random((6, SAMPLES)) < 0.5)
        samples = np.maximum(1, np.round(centre[:, None] * np.exp2(spread)) + shift)
        samples[:, 0] = centre
        if problem.early == 0:
            samples[2] = 1
        m, costs, ratio = problem.evaluate(samples)
        feasible = np.where((ratio > spare) & (costs < 1e190), costs, np.inf)
        index = int(np.argmin(feasible))
        if feasible[index] < cost:
            cost, best, best_m = float(feasible[index]), samples[:, index].copy(), float(m[index])
            centre = best
        if math.isfinite(cost):
            rounds += 1
            width = max(width * SHRINK, LEAST_WIDTH)
        else:
            centre = samples[:, int(np.argmin(np.log2(costs) - penalty * np.minimum(ratio, 0)))].copy()
            penalty *= 1.1
    return _grids(problem, cost, best, best_m, spare)


def _grids(
    problem: AnyR, cost: float, best: np.ndarray, best_m: float, spare: float
) -> tuple[float, tuple[int, ...], int]:
    """The best of all integers close by, and again around it, as long as that helps."""
    steps = (NEAR, NEAR, NEAR if problem.early else (0,), FURTHER, NEAR, FURTHER)
    offsets = np.stack([axis.ravel() for axis in np.meshgrid(*map(np.array, steps), indexing="ij")])
    for _ in range(MOST_GRIDS):
        samples = np.maximum(1, best[:, None] + offsets)
        m, costs, ratio = problem.evaluate(samples)
        feasible = np.where((ratio > spare) & (costs < 1e190), costs, np.inf)
        index = int(np.argmin(feasible))
        if not feasible[index] < cost:
            break
        cost, best, best_m = float(feasible[index]), samples[:, index].copy(), float(m[index])
    return cost, tuple(int(value) for value in best), int(best_m)


def _starting_points(problem: AnyR) -> list[tuple[np.ndarray, int]]:
    """The best real numbers, rounded; and for small β one value of every table. With the rounds that each is worth."""
    real = _real_optimum(problem)
    points = [(np.maximum(1.0, np.round(np.exp2(real.point[[N1, N2, G, U, X2, THETA2]]))), ROUNDS)]
    if problem.beta < 30:  # then each entry of the last table may have more than the 2β bits that w hears in two layers
        points.append((np.array([1, 2.0 ** (2 * problem.beta), 1, 1, 1, 1]), FEW_ROUNDS))
    return points


def _real_optimum(problem: AnyR) -> RealMinimum:
    """log2 of m, n_1, n_2, g, u, Θ_1, x_2, Θ_2 at the least cost; n_1 is not between 1 and 2."""
    top = math.log2(problem.beta + problem.early + problem.middle + problem.late + 2)
    first = math.log2(problem.middle + 1)
    m, wide = first + 3 * top + 8, math.log2(2 * problem.early + 4)
    rough = np.array([m, first, top + 2, wide, 2 * top + 3, 2 * top + 2, top, first + 3 * top + 4])
    rows = [row for row in range(len(rough)) if problem.early or row != G]
    with one_blas_thread():
        real = least_cost(
            problem.logarithms, np.where(np.isin(np.arange(len(rough)), rows), rough, 0.0), np.array(rows)
        )
        if real.point[N1] < 1:  # between 1 and 2
            others = np.array([row for row in rows if row != N1])
            tried = [least_cost(problem.logarithms, _with_n1(real.point, n1), others) for n1 in (0.0, 1.0)]
            real = min(tried, key=lambda found: found.cost)
    return real


def _with_n1(point: np.ndarray, n1: float) -> np.ndarray:
    moved = point.copy()
    moved[N1] = n1
    return moved
