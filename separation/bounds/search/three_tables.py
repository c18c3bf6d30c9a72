"""Short prompts of Theorem A3, in both forms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from separation.bounds.search.one_full_layer import most_reached
from separation.bounds.theorems.outcome import Impossibility
from separation.bounds.theorems.theorem_a3 import theorem_a3, theorem_a3_no_early_r

LOG_2 = math.log(2)
ROUNDS = 60
SAMPLES = 2500
NEWTON_STEPS = 8
PENALTY = 6.0
SEEDS = (17, 1)


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

    def cost(self, m: np.ndarray, n1: np.ndarray, n2: np.ndarray) -> np.ndarray:
        return np.asarray(m * (1 + n1 + self.weight * n1 * n2))


def shortest_a3_no_early_r(beta: int, linear: Sequence[int], identity_tables: int = 0) -> Impossibility:
    """A grid of powers, then grids around the best point, each narrower than the one before; integers all along."""
    problem = NoEarlyR(beta, linear[2], 1 + identity_tables)
    top = beta.bit_length() + linear[2].bit_length()
    axes = [
        np.array([1.0, 2.0]),
        np.unique(np.round(np.exp2(np.arange(0, top + 3, 0.25)))),
        np.array([1.0, 2, 3, 4, 5, 6, 8, 11, 16, 23, 32, 64]),
        np.unique(np.round(np.exp2(np.arange(0, 2 * top + 6, 0.25)))),
    ]
    best = (math.inf, 0, 0, 0, 0, 0)
    width = 0.5
    while width > 1e-10:
        n1, n2, v, theta1 = (axis.ravel() for axis in np.meshgrid(*axes, indexing="ij"))
        m = problem.least_m(n1, n2, v, theta1)
        cost = problem.cost(m, n1, n2)
        index = int(np.argmin(cost))
        if cost[index] < best[0]:
            best = (cost[index], *(int(array[index]) for array in (m, n1, n2, v, theta1)))
        steps = np.linspace(-width, width, 61)
        axes = [
            np.array([1.0, 2.0]),
            np.unique(np.maximum(1, np.round(best[2] + np.array([-3, -2, -1, 0, 1, 2, 3])))),
            np.unique(np.maximum(1, np.round(best[3] * (1 + steps[::4])))),
            np.unique(np.maximum(1, np.round(best[4] + np.arange(-3, 4)))),
            np.unique(np.maximum(1, np.round(best[5] * (1 + steps)))),
        ]
        axes = [axes[0], np.unique(np.append(axes[2], axes[2] + 1)), axes[3], axes[4]]
        width *= 0.75
    _, least, first, second, values, reached = best
    while True:
        theta2 = most_reached(first * reached, first * reached * values, beta * first * second)
        n = (first, second, *(1,) * identity_tables)
        found = theorem_a3_no_early_r(least, n, reached, values, theta2, beta, linear)
        if found.holds:
            return found
        least += 1 + least // 10**9


@dataclass(frozen=True)
class AnyR:
    """Theorem A3 in its general form: β, λ_0, λ_1, λ_2, and k: the cost of a prompt is m·(1 + n_1 + k·n_1·n_2)."""

    beta: int
    early: int
    middle: int
    late: int
    weight: int

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


def shortest_a3(beta: int, linear: Sequence[int], identity_tables: int = 0) -> Impossibility | None:
    """Random integers around the best point found, ever closer; certified at the end. None if no point was found."""
    problem = AnyR(beta, linear[0], linear[1] - linear[0], linear[2] - linear[1], 1 + identity_tables)
    found = [_closing_in(problem, start, seed) for seed in SEEDS for start in _starting_points(problem, seed)]
    cost, best, m = min(found, key=lambda point: point[0])
    if not math.isfinite(cost):
        return None
    n1, n2, g, u, x2, theta2 = best
    while True:
        theta1 = most_reached(g, u, linear[0])
        outcome = theorem_a3(m, (n1, n2, *(1,) * identity_tables), g, u, theta1, x2, theta2, beta, linear)
        if outcome.holds:
            return outcome
        m += 1 + m // 10**6


def _closing_in(problem: AnyR, centre: np.ndarray, seed: int) -> tuple[float, tuple[int, ...], int]:
    """(cost, point, m) of the best point found around a centre, which moves; an infinite cost if none was found."""
    random = np.random.default_rng(seed)
    cost, best, best_m = math.inf, centre, 2.0
    width, rounds, tried, penalty = 1.0, 0, 0, PENALTY
    while rounds < ROUNDS and tried < 2 * ROUNDS:
        tried += 1
        spread = random.normal(size=(6, SAMPLES)) * width * (random.random((6, SAMPLES)) < 0.6)
        shift = random.integers(-1, 2, size=(6, SAMPLES)) * (random.random((6, SAMPLES)) < 0.5)
        samples = np.maximum(1, np.round(centre[:, None] * np.exp2(spread)) + shift)
        samples[:, 0] = centre
        if problem.early == 0:
            samples[2] = 1
        m, costs, ratio = problem.evaluate(samples)
        feasible = np.where((ratio > 1e-12) & (costs < 1e190), costs, np.inf)
        index = int(np.argmin(feasible))
        if feasible[index] < cost:
            cost, best, best_m = float(feasible[index]), samples[:, index].copy(), float(m[index])
            centre = best
        if math.isfinite(cost):
            rounds += 1
            width = max(width * 0.88, 0.004)
        else:
            centre = samples[:, int(np.argmin(np.log2(costs) - penalty * np.minimum(ratio, 0)))].copy()
            penalty *= 1.1
    return cost, tuple(int(value) for value in best), int(best_m)


def _starting_points(problem: AnyR, seed: int) -> list[np.ndarray]:
    """The best of many random points, by a penalty for what is missing; and for small β one value of every table."""
    random = np.random.default_rng(seed)
    top = math.log2(problem.beta + problem.early + problem.middle + problem.late + 2)
    n1 = math.log2(problem.middle + 1)
    ranges = [n1 + 1, top + 3, math.log2(2 * problem.early + 4), 2 * top + 6, top + 5, n1 + 3 * top + 8]
    samples = np.round(np.exp2(random.random((6, 20_000)) * np.array(ranges)[:, None]))
    if problem.early == 0:
        samples[2] = 1
    _, cost, ratio = problem.evaluate(samples)
    starts = [samples[:, int(np.argmin(np.log2(cost) - PENALTY * np.minimum(ratio, 0)))].copy()]
    if problem.beta < 30:  # then each entry of the last table may have more than the 2β bits that w hears in two layers
        starts.append(np.array([1, 2.0 ** (2 * problem.beta), 1, 1, 1, 1]))
    return starts
