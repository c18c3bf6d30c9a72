"""The copies x_0..x_{L-1} of Theorem E at given sizes: over real numbers, then integers. All numbers by logarithms."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from separation.bounds.entropy import largest_share
from separation.bounds.powers import log2_float
from separation.bounds.schedules import fibonacci
from separation.bounds.search.log_numbers import LogNumber, integer, log_of
from separation.bounds.search.real_accuracy import RealAccuracy, Vector
from separation.bounds.theorems.outcome import table_sizes
from separation.bounds.theorems.theorem_e import told_bits

FIRST_SAMPLES, SAMPLES, ROUNDS, SEED = 600, 200, 20, 17
FIRST_WIDTH, SHRINK, SIZES_OF_STEPS = 1.5, 0.8, 6.0
ACCURACY = 1e-4
SHARE_OF_M, OTHER_SHARES = 0.95, (0.99, 0.9, 0.5, 0.0)  # of the digits of m, in the copies of the schedule
FEW_TABLES = 4  # up to which one share is enough
WHOLE_BITS = 50.0  # a number of more binary digits is as good as whole
LEAST_CHANCE = 1e-3


class Copies:
    """The best logarithms found, ``x``, and their ``score``: the sum of the terms.

    Where the sum says nothing, the score grows with how far the terms are from saying anything.
    """

    def __init__(self, kind: str, payment: str, m: int, n: tuple[int, ...], beta: int, linear: tuple[int, ...]) -> None:
        self.kind, self.payment, self.beta, self.linear = kind, payment, beta, linear
        self.L, self.m = len(n) + 1, m
        self.sizes = np.array([log2_float(size) for size in (m, *n)])
        self.N = [log2_float(size) for size in table_sizes(m, n)]
        self.most = np.array([self.N[0], *(size + 1 for size in self.N[:-1])])[:, None]
        self.random = np.random.default_rng(SEED)
        samples = self.random.random((self.L, FIRST_SAMPLES)) * self.most
        samples[:, 0] = 0
        samples[:, 1] = self._schedule()
        self.x, self.score = samples[:, 0], math.inf
        self._try(samples)

    def closer(self, shares: Sequence[float] = (SHARE_OF_M,)) -> Copies:
        """From the schedule with these shares, one after the other until real numbers are found."""
        real = RealAccuracy(self.kind, self.payment, self.L, self.beta, self.linear, 1.0)
        for start in [*(self._schedule(share) for share in shares), self.x]:
            found = real.least_sum(self.sizes, start, ACCURACY)
            if found.slack > 0:
                self._try(found.point[self.L : 2 * self.L, None])
                break
        width = FIRST_WIDTH
        for _ in range(ROUNDS):
            shape = (self.L, SAMPLES)
            widths = width * np.exp2(self.random.random(SAMPLES) * -SIZES_OF_STEPS)
            spread = self.random.normal(size=shape) * widths * (self.random.random(shape) < 0.6)
            shift = self.random.integers(-1, 2, size=shape) * (self.random.random(shape) < 0.5)
            moved = self.x[:, None] + spread
            small = moved < WHOLE_BITS
            whole = np.round(np.exp2(np.where(small, moved, 0.0))) + shift
            self._try(np.where(small, np.log2(np.maximum(1, whole)), moved))
            width = width * SHRINK
        return self

    def integers(self) -> tuple[int, ...]:
        first, *rest = (integer(float(value)) for value in self.x)
        return (min(first, self.m), *rest)

    def _schedule(self, share: float = SHARE_OF_M) -> Vector:
        """The proportions of the golden schedule, with this share of the digits of m in their product."""
        exponents = np.array([fibonacci(2 * (self.L - level)) for level in range(self.L)], dtype=float)
        if self.kind == "A":
            # Without an R layer in front x_0 is all that is needed, with one x_1 is.
            exponents[0 if self.linear[0] else 1] = 0.0
        return np.asarray(exponents * (self.N[0] * share / exponents.sum()))

    def _try(self, samples: Vector) -> None:
        samples = np.clip(samples, 0.0, self.most)
        small = samples < WHOLE_BITS
        samples = np.where(small, np.log2(np.round(np.exp2(np.where(small, samples, 0.0)))), samples)
        samples[0] = np.minimum(samples[0], self.N[0])
        scores = self._scores(samples)
        index = int(np.argmin(scores))
        if scores[index] < self.score:
            self.x, self.score = samples[:, index].copy(), float(scores[index])

    def _scores(self, x: Vector) -> Vector:
        L, n = self.L, self.sizes[1:]
        numbers = LogNumber(self.sizes[0]), [LogNumber(size) for size in n], [LogNumber(copies) for copies in x]
        bits = [log_of(told) for told in told_bits(self.kind, self.payment, *numbers, self.beta, self.linear)]
        total = np.zeros(x.shape[1])
        reached, entries = x[0], np.full(x.shape[1], self.N[0])
        with np.errstate(divide="ignore", over="ignore"):
            for level in range(1, L):
                reached = reached + x[level] + (n[level - 2] if level > 1 else 0.0)
                repeated = reached + np.log2(-np.expm1(-reached * math.log(2)))  # t − 1
                total += _share(repeated - 1 - self.N[level - 1], bits[level - 1] - entries)
                entries = n[level - 1] + reached
            return np.asarray(total + _share(np.full_like(total, -self.N[-1]), bits[-1] - entries))


def _share(log_q: Vector, log_kappa: Vector) -> Vector:
    """⟨q;κ⟩, 0 if q = 0; more than 1 where it says nothing."""
    none = np.isneginf(log_q)
    log_q = np.where(none, -1.0, log_q)
    kappa = np.exp2(np.minimum(log_kappa, 1000.0))
    beyond = np.maximum(log_kappa - np.log2(np.maximum(-log_q, LEAST_CHANCE)), 0.0)
    share = largest_share(np.exp2(np.minimum(log_q, 0.0)), kappa, np.minimum(log_q, 0.0))
    return np.where(none, 0.0, share + beyond + np.maximum(log_q, 0.0))
