"""Short prompts for a given accuracy by Theorem E: real logarithms, then integers around them, certified at the end."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from separation.bounds.entropy import largest_share
from separation.bounds.search.accuracy_searches import AccuracyPrompt, AccuracySearch
from separation.bounds.search.log_numbers import integer
from separation.bounds.search.real_accuracy import RealAccuracy, Vector
from separation.bounds.theorems.ceiling import Ceiling
from separation.bounds.theorems.theorem_e import PAYMENTS, term_numbers, theorem_e
from separation.bounds.word import Word

ESTIMATE, ROUGH, FINE = 1e-3, 1e-4, 1e-8
SMALL_BITS, BATCHES = 4.0, (10.0, 20.0, 40.0)  # of numbers that are rounded one by one, and together
MOST_FLOAT_BITS = 400.0  # of the last table, where integers are searched for in floats
ROUNDS, SAMPLES, SEED = 40, 300, 17
FIRST_WIDTH, SHRINK, LEAST_WIDTH, SIZES_OF_STEPS = 0.3, 0.9, 0.003, 6.0
CLOSE = 0.03  # log2 of costs over real numbers, within which more than one payment is searched
MARGINS = (1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2)  # of the accuracy: what rounding costs
LEAST_MARGIN, MOST_MARGIN = 3e-7, 2.5

Sizes = tuple[int, tuple[int, ...], Ceiling]


@dataclass(frozen=True)
class ByTheoremE(AccuracySearch):
    """Theorem E of one kind for L tables, Λ and an accuracy; with the ways to pay that are true of the word."""

    kind: str
    payments: tuple[str, ...]
    tables: int
    linear: tuple[int, ...]
    accuracy: Fraction

    @classmethod
    def of(cls, word: Word, tables: int, linear: tuple[int, ...], accuracy: Fraction) -> ByTheoremE:
        """where the word has L−1 full layers, or L of them and no R layer before the second."""
        kind = "B" if word.full == tables else "A"
        allowed = ("quiet", "delayed") if word.layers[-1] == "F" else ("full", "late", "delayed")
        payments = tuple(name for name in PAYMENTS[kind] if name in allowed)
        return cls(kind, payments, tables, linear, accuracy)

    def real_length(self, beta: int) -> float:
        """log2 of the tokens, nearly: what real numbers allow."""
        return min(self._one_value_length(beta), _real_optima(self, beta)[0][0])

    def shortest(self, beta: int) -> AccuracyPrompt | None:
        found: list[Sizes | None] = []
        optima = _real_optima(self, beta)
        least = self._one_value_length(beta)
        for cost, problem, point in optima:
            if cost < min(least, optima[0][0] + CLOSE):
                found.append(_integers(problem, point, self.accuracy))
        if least < optima[0][0] + 1:
            found.append(self._one_value(beta))
        prompts = [AccuracyPrompt(m, n, beta, ceiling) for m, n, ceiling in filter(None, found)]
        return min(prompts, key=lambda prompt: prompt.tokens, default=None)

    def _one_value_length(self, beta: int) -> float:
        """About log2 N with a·log2 N − H(a) = β for each full layer: D(a‖1/N) = κ with all numbers 1 but the last."""
        if beta.bit_length() > MOST_FLOAT_BITS:
            return math.inf
        layers, a = self.tables if self.kind == "B" else self.tables - 1, float(self.accuracy)
        entropy = -a * math.log2(a) - (1 - a) * math.log2(1 - a) if a < 1 else 0.0
        return (layers * beta + entropy) / a

    def _one_value(self, beta: int) -> Sizes | None:
        """m = 2 and n_{L-1} the least, all others 1: then no value is reached twice."""
        ones, L = (1,) * self.tables, self.tables

        def ceiling(last: int) -> Ceiling:
            n = (*ones[: L - 2], last)
            return min(
                (theorem_e(self.kind, payment, 2, n, ones, beta, self.linear) for payment in self.payments),
                key=lambda found: found.value,
            )

        guess = max(0, math.floor(self._one_value_length(beta)) - 2)
        low, high = 0, 1
        if guess > 8 and ceiling(1 << guess - 8).value > self.accuracy:  # beyond that it is nearly reached
            low, high = 1 << guess - 8, 1 << guess
        while ceiling(high).value > self.accuracy:
            low, high = high, 2 * high
            if high.bit_length() > 2 * self._one_value_length(beta) + 64 + self.linear[-1].bit_length():
                return None
        while high - low > 1 and (high - low) << 24 > high:
            middle = (low + high) // 2
            low, high = (low, middle) if ceiling(middle).value <= self.accuracy else (middle, high)
        return 2, (*ones[: L - 2], high), ceiling(high)


@lru_cache(maxsize=64)
def _real_optima(search: ByTheoremE, beta: int) -> list[tuple[float, RealAccuracy, Vector]]:
    """(log2 of the cost, problem, point) for every way to pay, the least cost first."""
    found = []
    for payment in search.payments:
        problem = RealAccuracy(search.kind, payment, search.tables, beta, search.linear, float(search.accuracy))
        least = problem.optimum(ESTIMATE)
        found.append((least.cost if least.slack > 0 else math.inf, problem, least.point))
    return sorted(found, key=lambda optimum: optimum[0])


def _integers(problem: RealAccuracy, point: Vector, accuracy: Fraction) -> Sizes | None:
    """Integers near a real optimum: in floats if they are small enough for that, else rounded with some room."""
    fixed, point = _small_rounded(problem, point)
    if float(problem.evaluate(point)[0]) < MOST_FLOAT_BITS:
        for margin in MARGINS:
            found = _closing_in(problem, point, float(accuracy) * (1 - margin))
            candidate = None if found is None else _certified(problem, [int(value) for value in found], accuracy)
            if candidate is not None:
                return candidate
    return _rounded(problem, fixed, point, accuracy)


def _certified(problem: RealAccuracy, integers: list[int], accuracy: Fraction) -> Sizes | None:
    L = problem.tables
    m, n, x = max(2, integers[0]), tuple(integers[1:L]), integers[L : 2 * L]
    if x[0] > m:
        return None
    ceiling = theorem_e(problem.kind, problem.payment, m, n, x, problem.beta, problem.linear)
    return (m, n, ceiling) if ceiling.value <= accuracy else None


def _closing_in(problem: RealAccuracy, point: Vector, target: float) -> Vector | None:
    """Random integers around the best ones found, ever closer; m follows the others."""
    L = problem.tables
    random = np.random.default_rng(SEED)
    centre = np.maximum(1, np.round(np.exp2(point[: 2 * L])))
    best: Vector | None = None
    best_cost, width = math.inf, FIRST_WIDTH
    for _ in range(ROUNDS):
        shape = (2 * L, SAMPLES)
        widths = width * np.exp2(random.random(SAMPLES) * -SIZES_OF_STEPS)
        spread = np.exp2(random.normal(size=shape) * widths * (random.random(shape) < 0.6))
        shift = random.integers(-1, 2, size=shape) * (random.random(shape) < 0.4)
        samples = np.maximum(1, np.round(centre[:, None] * spread) + shift)
        samples[:, 0] = centre
        samples, values = _with_least_m(problem, samples, target)
        costs = np.where(values <= target, _cost(problem, samples), np.inf)
        index = int(np.argmin(costs))
        if costs[index] < best_cost:
            best, best_cost = samples[:, index].copy(), float(costs[index])
            centre = best
        elif best is None:
            centre = samples[:, int(np.argmin(values))].copy()
        width = max(width * SHRINK, LEAST_WIDTH)
    return best


def _with_least_m(problem: RealAccuracy, samples: Vector, target: float) -> tuple[Vector, Vector]:
    """Each column with the least m found at which its value is at most the target: Newton's steps in log2 m."""
    samples = _allowed(problem, samples)
    values = _values(problem, samples)
    best, best_values = samples.copy(), values.copy()
    step = 2.0**-10
    for _ in range(3):
        moved = samples.copy()
        moved[0] = np.ceil(samples[0] * (1 + step))
        change = (_values(problem, moved) - values) / np.log2(moved[0] / samples[0])
        with np.errstate(divide="ignore", invalid="ignore"):
            shift = np.where(change < 0, (target - values) / change, 0.0)
        samples[0] = np.ceil(samples[0] * np.exp2(np.clip(shift, -1, 1)))
        samples = _allowed(problem, samples)
        values = _values(problem, samples)
        better = np.where(values <= target, (best_values > target) | (samples[0] < best[0]), values < best_values)
        best[:, better], best_values[better] = samples[:, better], values[better]
    return best, best_values


def _allowed(problem: RealAccuracy, samples: Vector) -> Vector:
    samples = samples.copy()
    samples[0] = np.maximum(samples[0], np.maximum(2, samples[problem.tables]))
    return samples


def _cost(problem: RealAccuracy, samples: Vector) -> Vector:
    sizes = np.cumprod(samples[: problem.tables], axis=0)
    return np.asarray(sizes.sum(axis=0))


def _values(problem: RealAccuracy, samples: Vector) -> Vector:
    """The sum of the terms of Theorem E; what is above 1 grows with how far the terms are from saying anything."""
    L = problem.tables
    total = np.zeros(samples.shape[1])
    linear = [float(bits) for bits in problem.linear]
    m, n, x = samples[0], list(samples[1:L]), list(samples[L:])
    for above, below, told, entries in term_numbers(
        problem.kind, problem.payment, m, n, x, float(problem.beta), linear
    ):
        q = np.broadcast_to(np.asarray(above / below), total.shape)
        kappa = told / entries
        chance = -np.log2(np.clip(q, 1e-300, 0.999))
        share = largest_share(np.where(q > 0, q, 1), kappa) + np.log2(np.maximum(kappa / chance, 1))
        total = total + np.where(q > 0, share, 0)
    return np.asarray(total)


def _small_rounded(problem: RealAccuracy, point: Vector) -> tuple[dict[int, int], Vector]:
    """The smallest number is rounded both ways, each time solving for the others, until all small ones are integers."""
    fixed: dict[int, int] = {}
    while small := [row for row in problem.sizes if row not in fixed and point[row] < SMALL_BITS]:
        row = min(small, key=lambda row: float(point[row]))
        value = 2.0 ** float(point[row])
        solved = [
            (found.cost, option, found.point)
            for option in {max(1, math.floor(value)), math.ceil(value - 1e-6)}
            if (found := problem.with_fixed({**fixed, row: option}, point, ROUGH)).slack > 0
        ]
        if not solved:
            break
        _, fixed[row], point = min(solved, key=lambda item: item[0])
    return fixed, point


def _rounded(problem: RealAccuracy, fixed: dict[int, int], point: Vector, accuracy: Fraction) -> Sizes | None:
    """Larger numbers are rounded in a few batches, m with the last of them, with more and more room for it."""
    for most in BATCHES:
        rows = [row for row in problem.sizes if row and row not in fixed and point[row] < most]
        rounded = {row: integer(float(point[row])) for row in rows}
        if rows and (found := problem.with_fixed({**fixed, **rounded}, point, ROUGH)).slack > 0:
            fixed, point = {**fixed, **rounded}, found.point
    margin = LEAST_MARGIN
    while margin < MOST_MARGIN:
        found = problem.with_fixed(fixed, point, FINE, margin)
        if found.slack > 0:
            integers = [fixed.get(row) or integer(float(found.point[row])) for row in problem.sizes]
            candidate = _certified(problem, integers, accuracy)
            if candidate is not None:
                return candidate
        margin *= 8
    return None
