"""Searches for the shortest prompt at which no model of a word is right more often than a given share: C' and A2."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from separation.bounds.entropy import largest_share
from separation.bounds.powers import log2_float
from separation.bounds.search.ceilings import MOST_UNION, excess_factors, one_full_layer_ceilings
from separation.bounds.theorems.ceiling import Ceiling
from separation.bounds.theorems.outcome import prompt_tokens
from separation.bounds.theorems.theorem_c_average import theorem_c_average

COARSE_STEP = 8  # n_1 grows by this part of it
FINER = ((6, 40), (100, 20))  # then within these parts of the best n_1, at so many values


@dataclass(frozen=True)
class AccuracyPrompt:
    """At these sizes and this β, accuracy ≤ ``ceiling.value``."""

    m: int
    n: tuple[int, ...]
    beta: int
    ceiling: Ceiling

    @property
    def tokens(self) -> int:
        return prompt_tokens(self.m, self.n)


class AccuracySearch(ABC):
    """The search for a word, Λ and an accuracy, as a function of β."""

    @abstractmethod
    def shortest(self, beta: int) -> AccuracyPrompt | None:
        """The shortest prompt found, certified; None if none was found."""

    @abstractmethod
    def real_length(self, beta: int) -> float:
        """log2 of its tokens, nearly, in a small part of the time."""


@dataclass(frozen=True)
class NoFullLayer(AccuracySearch):
    """Theorem C': the least N with ⟨1/N; Λ/N⟩ ≤ accuracy; two entries in every table but the last.

    With ``full``, one table and one full layer, what is known of the table is Λ + β bits.
    """

    tables: int
    bits: int
    full: bool
    accuracy: Fraction

    def shortest(self, beta: int) -> AccuracyPrompt:
        def prompt(last: int) -> AccuracyPrompt:
            m, n = (last, ()) if self.tables == 1 else (2, (*(1,) * (self.tables - 2), last))
            return AccuracyPrompt(m, n, beta, theorem_c_average(m, n, self.bits + (beta if self.full else 0)))

        return prompt(least(lambda last: prompt(last).ceiling.value <= self.accuracy, 2 if self.tables == 1 else 1))

    def real_length(self, beta: int) -> float:
        return log2_float(self.shortest(beta).tokens)


@dataclass(frozen=True)
class OneFullLayer(AccuracySearch):
    """A2 on average: for every n_1 the least m, by floats; certified at the end, and made shorter while that lasts."""

    linear: tuple[int, ...]
    accuracy: Fraction

    def shortest(self, beta: int) -> AccuracyPrompt:
        m, n1 = self._by_floats(beta, FINER)

        def certified(m: int) -> Ceiling:
            return min(one_full_layer_ceilings(m, n1, beta, self.linear), key=lambda found: found.value)

        step = 1
        while (found := certified(m)).value > self.accuracy:
            m, step = m + step, 2 * step
        # The grid of τ is coarse in floats and fine here, and the union bound may be shorter.
        step = m // 50 + 1
        while step:
            while m - step >= 2 and (shorter := certified(m - step)).value <= self.accuracy:
                m, found = m - step, shorter
            step = step // 4 if m * n1 > MOST_UNION or step > 1 else 0
        return AccuracyPrompt(m, (n1,), beta, found)

    def real_length(self, beta: int) -> float:
        m, n1 = self._by_floats(beta, ())
        return math.log2(m) + math.log2(1 + n1)

    def _by_floats(self, beta: int, finer: Sequence[tuple[int, int]]) -> tuple[int, int]:
        """(m, n_1) of the least m·(1 + n_1): n_1 grows by an eighth, and is then looked at more closely."""
        early, both, target = float(self.linear[0]), float(self.linear[1]), float(self.accuracy)
        tau = 1 + np.exp2(np.linspace(-6, 30, 150)) if early else np.ones(1)
        excess = excess_factors(tau) if early else np.zeros(1)

        def good(n1: int, m: int) -> bool:
            kappa = (both - early) / n1 + tau * (beta / m + early / m / n1)
            return bool(np.min(early / m * excess + largest_share(np.full_like(tau, 1 / m / n1), kappa)) <= target)

        best = (math.inf, 0, 0)

        def look(n1: int) -> tuple[float, int, int]:
            first = math.isinf(best[0])
            most = math.ceil(4 * (beta + both + 4) ** 2 / target) if first else (int(best[0]) - 1) // (1 + n1)
            if most < 2 or not good(n1, most):
                return best
            low, high = 1, most
            while high - low > 1:
                middle = (low + high) // 2 if low > 1 else max(high * 7 // 8 if not first else high // 16, 2)
                if middle >= high:
                    break
                low, high = (low, middle) if good(n1, middle) else (middle, high)
            return (high * (1 + n1), high, n1)

        n1 = 1
        while 2 * (1 + n1) < best[0]:
            best = look(n1)
            n1 += 1 + n1 // COARSE_STEP
        for share, count in finer:
            centre = best[2]
            spread = centre // share
            for n1 in range(max(1, centre - spread), centre + spread + 1, max(1, 2 * spread // count)):
                best = look(n1)
        return best[1], best[2]


def least(good: Callable[[int], bool], first: int) -> int:
    """The least number that is good, when all larger ones are."""
    low, high = first - 1, first
    while not good(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if good(middle) else (middle, high)
    return high
