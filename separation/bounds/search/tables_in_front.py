"""More tables than a theorem speaks of: the last ones are given away, and the others are asked for a lower accuracy."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import numpy as np

from separation.bounds.search.accuracy_searches import AccuracyPrompt, AccuracySearch
from separation.bounds.search.ceilings import table_in_front

DIGITS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 32, 48, 64, 128, 256, 512, 1024, 4096, 16384)
MOST_NAMED = 30
NAMED = np.arange(1, MOST_NAMED)
TAILS = {
    last: 1 / (float(last) ** NAMED * np.array([math.factorial(k) for k in range(1, MOST_NAMED)])) for last in DIGITS
}
LEAST_TARGET = 2.0**-50
FIRST_SHARES = (0.75, 0.25)  # of the accuracy, where the length of the shorter prompt is estimated at first
REPEATS = 2


@dataclass(frozen=True)
class TablesInFront(AccuracySearch):
    """``shorter`` of an accuracy is the search with fewer tables; ``count`` tables in front of it make up for them.

    ``digits`` are their n_ℓ; None until they are chosen.
    """

    shorter: Callable[[Fraction], AccuracySearch]
    count: int
    accuracy: Fraction
    digits: tuple[int, ...] | None = None

    def shortest(self, beta: int) -> AccuracyPrompt | None:
        digits = self._best_digits(beta) if self.digits is None else self.digits
        found = self.shorter(accuracy_behind(self.accuracy, digits)).shortest(beta)
        if found is None:
            return None
        ceiling = found.ceiling
        for last in digits:
            ceiling = table_in_front(ceiling, last)
        return AccuracyPrompt(found.m, (*found.n, *digits), beta, ceiling)

    def real_length(self, beta: int) -> float:
        digits = self._best_digits(beta) if self.digits is None else self.digits
        search = self.shorter(accuracy_behind(self.accuracy, digits))
        return search.real_length(beta) + math.log2(_growth(digits))

    def with_digits(self, beta: int) -> TablesInFront:
        """The same with the digits that are best for this β."""
        return replace(self, digits=self._best_digits(beta))

    def _best_digits(self, beta: int) -> tuple[int, ...]:
        """Estimated from the lengths at a few accuracies, between which log2 of the length is nearly a straight line in
        log2 of the accuracy; the length at the best digits is then one of those few."""

        def length(target: Fraction) -> float:
            return self.shorter(target).real_length(beta)

        known = {share * float(self.accuracy): length(Fraction(share) * self.accuracy) for share in FIRST_SHARES}
        digits: tuple[int, ...] = ()
        for _ in range(REPEATS):
            digits = _least_digits(self.count, float(self.accuracy), partial(_line, known))
            target = accuracy_behind(self.accuracy, digits)
            if not target or float(target) in known:
                break
            known[float(target)] = length(target)
        return digits


def _least_digits(count: int, accuracy: float, length: Callable[[float], float]) -> tuple[int, ...]:
    """One digit after the other is changed to the best of all, as long as the prompt becomes shorter."""

    def estimate(digits: Sequence[int]) -> float:
        target = accuracy
        for last in reversed(digits):
            target = float(np.max((target - TAILS[last]) / NAMED))
            if target <= LEAST_TARGET * accuracy:
                return math.inf
        return length(target) + math.log2(_growth(digits))

    best = min(([first] * (count - 1) + [last] for first in DIGITS for last in DIGITS), key=estimate)
    least = math.inf
    while (here := estimate(best)) < least:
        least = here
        for place in range(count):
            best = min(([*best[:place], digit, *best[place + 1 :]] for digit in DIGITS), key=estimate)
    return tuple(best)


def accuracy_behind(accuracy: Fraction, digits: Sequence[int]) -> Fraction:
    """The largest p with k·p + n^(−k)/k! ≤ accuracy for the best k, for the last n, then for the one before; 0 if none
    is above 0."""
    for last in reversed(digits):
        options = [(accuracy - Fraction(1, last**k * math.factorial(k))) / k for k in range(1, MOST_NAMED)]
        # Some digits fewer, so that chains of them stay short.
        accuracy = Fraction(math.floor(max(options) * (1 << 60)), 1 << 60)
        if accuracy <= 0:
            return Fraction(0)
    return accuracy


def _growth(digits: Sequence[int]) -> int:
    """How much longer the prompt is, if its last table is all of it: 1 + n + n·n' + …"""
    return sum(itertools.accumulate((1, *digits), lambda product, digit: product * digit))


def _line(known: dict[float, float], target: float) -> float:
    """Through the two points nearest to the target, in log2 of the accuracy."""
    (x1, y1), (x2, y2) = sorted(
        ((math.log2(share), length) for share, length in known.items()),
        key=lambda point: abs(point[0] - math.log2(target)),
    )[:2]
    return y1 + (y2 - y1) / (x2 - x1) * (math.log2(target) - x1)
