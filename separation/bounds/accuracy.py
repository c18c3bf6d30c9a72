"""The shortest prompt for a given accuracy, as functions of β: by C', by A2 on average, by E, with tables in front."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import prod
from typing import Any, Protocol

from separation.bounds.average import AccuracyPrompt, AverageQuestion
from separation.bounds.ceilings import (
    MOST_UNION,
    a2_average_values,
    a2_nested_value,
    cube_applies,
    one_full_layer_ceilings,
    table_in_front,
)
from separation.bounds.condition import least_that
from separation.bounds.known import is_proved
from separation.bounds.powers import log2_float
from separation.bounds.search import Search
from separation.bounds.theorems.ceiling import Ceiling
from separation.bounds.theorems.cube_average import MOST_TAU_BITS, best_cube_average, cube_average_values
from separation.bounds.theorems.theorem_c import theorem_c_average
from separation.bounds.theorems.theorem_e import form_in_coq
from separation.bounds.word import Word

DIGITS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 32, 48, 64, 128, 256, 512, 1024, 4096, 16384)
MOST_NAMED = 30  # indices that one may name in place of one: more are never the best number


class ByAccuracy(Protocol):
    """A theorem, a word and its states, as a function of β."""

    def real_length(self, beta: int) -> float:
        """log2 of the tokens over real numbers, nearly; infinite if nothing was found."""

    def shortest(self, beta: int) -> Any:
        """The shortest prompt found, certified; None if none was found."""


@dataclass(frozen=True)
class NoFullLayer:
    """Theorem C': the least N with ⟨1/N; Λ/N⟩ ≤ accuracy; two entries in every table but the last.

    With ``full``, one table and one full layer, what is known of the table is Λ + β bits.
    """

    tables: int
    bits: int
    full: bool
    accuracy: Fraction
    theorem = "C' average"

    def shortest(self, beta: int) -> AccuracyPrompt:
        def prompt(last: int) -> AccuracyPrompt:
            m, n = (last, ()) if self.tables == 1 else (2, (*(1,) * (self.tables - 2), last))
            return AccuracyPrompt(m, n, beta, theorem_c_average(m, n, self.bits + (beta if self.full else 0)))

        least = least_that(lambda last: prompt(last).ceiling.value <= self.accuracy, 2 if self.tables == 1 else 1)
        return prompt(least)

    def real_length(self, beta: int) -> float:
        return self.shortest(beta).tokens_log2()


@dataclass(frozen=True)
class LeastSizes:
    """A2, B2c or A3c on average: for every n the least m, by floats; certified at the end, and made shorter while that
    lasts."""

    full: int
    tables: int
    state_bits: tuple[int, ...]
    proved_only: bool
    accuracy: Fraction

    @property
    def theorem(self) -> str:
        """What all its ceilings are by, or what is known as they are."""
        if self.full == 2:
            return f"{'B2c' if self.tables == 2 else 'A3c'} average"
        return "A2 nested" if self.proved_only or not self.state_bits[0] else "A2 average"

    def shortest(self, beta: int) -> AccuracyPrompt:
        m, n = self._by_floats(beta)

        def certified(m: int) -> Ceiling:
            if self.full == 2:
                return best_cube_average(m, n, beta, self.state_bits)
            found = one_full_layer_ceilings(m, n[0], beta, self.state_bits)
            kept = (each for each in found if is_proved(each.theorem) or not self.proved_only)
            return min(kept, key=lambda found: found.value)

        step = 1
        while (found := certified(m)).value > self.accuracy:
            m, step = m + step, 2 * step
        # The grid of τ is coarse in floats and fine here, and the union bound may be shorter.
        step = m // 50 + 1
        while step:
            while m - step >= 2 and (shorter := certified(m - step)).value <= self.accuracy:
                m, found = m - step, shorter
            step = step // 4 if m * prod(n) > MOST_UNION or step > 1 else 0
        return AccuracyPrompt(m, n, beta, found)

    def real_length(self, beta: int) -> float:
        m, n = self._by_floats(beta)
        return math.log2(m) + math.log2(_growth(n))

    def _by_floats(self, beta: int) -> tuple[int, tuple[int, ...]]:
        """(m, n) of the least m·(1 + n_1 + …): n grows by an eighth, and is then looked at more closely."""
        import numpy as np

        bits, target = [float(value) for value in self.state_bits], float(self.accuracy)
        grid = np.linspace(-6, MOST_TAU_BITS, 60) if self.full == 2 else np.linspace(-6, 30, 150)
        tau = 1 + np.exp2(grid)
        most = math.ceil(4 * (beta + self.state_bits[-1] + 4) ** 2 / target)
        best: tuple[float, int, tuple[int, ...]] = (math.inf, 0, (1,))

        def look(n: tuple[int, ...]) -> None:
            nonlocal best
            high = min(most, int(best[0]) // _growth(n)) if best[0] < math.inf else most

            def holds(m: int) -> bool:
                if self.full == 2:
                    return bool(np.min(cube_average_values(tau, m, n, float(beta), bits)) <= target)
                nested = self.theorem == "A2 nested"
                values = a2_nested_value(m, n[0], beta, bits) if nested else a2_average_values(tau, m, n[0], beta, bits)
                return bool(np.min(values) <= target)

            if high < 2 or not holds(high):
                return
            least = least_that(lambda m: m >= high or holds(m), 2)
            best = min(best, (least * _growth(n), least, n))

        for first in self._first_digits():
            last = 1
            while 2 * _growth((*first, last)) < best[0] and last <= most:
                look((*first, last))
                last += 1 + last // 8
        for place in reversed(range(self.tables - 1)):
            for share, count in ((6, 40), (100, 20)):
                centre, spread = best[2][place], best[2][place] // share
                for value in range(max(1, centre - spread), centre + spread + 1, max(1, 2 * spread // count)):
                    look((*best[2][:place], value, *best[2][place + 1 :]))
        return best[1], best[2]

    def _first_digits(self) -> list[tuple[int, ...]]:
        """n_1 of A3c: 1, unless a state between the full layers is to be shared by the rows of table 2."""
        if self.tables == 2:
            return [()]
        most = 1 if self.state_bits[1] == 0 else int(16 * self.state_bits[1] / float(self.accuracy))
        return [(1 << k,) for k in range(most.bit_length())]


@dataclass
class ByTheoremE:
    """Theorem E for some tables: a word with a full layer less, or with as many and no R layer before the second."""

    kind: str
    tables: int
    state_bits: tuple[int, ...]
    in_coq: bool
    accuracy: Fraction

    def __post_init__(self) -> None:
        self.search = Search(
            lambda beta: AverageQuestion(
                self.kind, self.tables, beta, self.state_bits, self.accuracy, in_coq=self.in_coq
            )
        )

    @property
    def theorem(self) -> str:
        """What its ceilings are by where x_0 divides m."""
        return form_in_coq(self.kind, 2, (1,) * self.tables, self.state_bits)

    def real_length(self, beta: int) -> float:
        return self.search.real_length(beta)

    def shortest(self, beta: int) -> AccuracyPrompt | None:
        return self.search.shortest(beta)


@dataclass(frozen=True)
class TablesInFront:
    """More tables than a theorem is about: the last ones are given away, and the others are asked for less accuracy.

    ``shorter`` of an accuracy is the search with fewer tables; ``count`` tables in front of it make up for them.
    """

    shorter: Callable[[Fraction], ByAccuracy]
    count: int
    accuracy: Fraction
    known: dict[int, tuple[int, ...]] = field(default_factory=dict, compare=False, repr=False)

    def shortest(self, beta: int) -> AccuracyPrompt | None:
        digits = self._digits(beta)
        found = self.shorter(accuracy_behind(self.accuracy, digits)).shortest(beta)
        if found is None:
            return None
        ceiling = found.ceiling
        for last in digits:
            ceiling = table_in_front(ceiling, last)
        return AccuracyPrompt(found.m, (*found.n, *digits), beta, ceiling)

    def real_length(self, beta: int) -> float:
        digits = self._digits(beta)
        return self.shorter(accuracy_behind(self.accuracy, digits)).real_length(beta) + math.log2(_growth(digits))

    def _digits(self, beta: int) -> tuple[int, ...]:
        """The n_ℓ of the tables in front, for about this β.

        log2 of the shorter length is nearly a straight line in log2 of the accuracy, so it is found at two
        accuracies and then at the one that looks best.
        """
        if beta.bit_length() in self.known:
            return self.known[beta.bit_length()]
        lines = {share: self.shorter(share).real_length(beta) for share in (self.accuracy * 3 / 4, self.accuracy / 4)}
        digits: tuple[int, ...] = ()
        for _ in range(2):
            digits = self._best(lines)
            target = accuracy_behind(self.accuracy, digits)
            lines.setdefault(target, self.shorter(target).real_length(beta))
        self.known[beta.bit_length()] = digits
        return digits

    def _best(self, lines: dict[Fraction, float]) -> tuple[int, ...]:
        """Of equal digits but for the last, then each changed by itself."""
        known = [(log2_float(share), length) for share, length in lines.items()]

        def estimate(digits: Sequence[int]) -> float:
            target = accuracy_behind(self.accuracy, digits)
            if target <= 0:
                return math.inf
            (x1, y1), (x2, y2) = sorted(known, key=lambda point: abs(point[0] - log2_float(target)))[:2]
            return y1 + (y2 - y1) / (x2 - x1) * (log2_float(target) - x1) + math.log2(_growth(digits))

        best = min(((*(first,) * (self.count - 1), last) for first in DIGITS for last in DIGITS), key=estimate)
        for place in range(self.count):
            best = min(((*best[:place], digit, *best[place + 1 :]) for digit in DIGITS), key=estimate)
        return best


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


def accuracy_searches(
    word: Word,
    L: int,
    state_bits: tuple[int, ...],
    accuracy: Fraction,
    *,
    only_e: bool = False,
    proved_only: bool = False,
) -> list[ByAccuracy]:
    """Those that are about L tables themselves, and those that are about fewer, with tables in front."""
    if word.full == 0:
        return [NoFullLayer(L, state_bits[0], False, accuracy)]
    found: list[ByAccuracy] = []
    for tables, shorter in _with_few_tables(word, L, state_bits, only_e, proved_only):
        found.append(shorter(accuracy) if tables == L else TablesInFront(shorter, L - tables, accuracy))
    return found


def _with_few_tables(
    word: Word, L: int, bits: tuple[int, ...], only_e: bool, proved_only: bool
) -> Iterator[tuple[int, Callable[[Fraction], ByAccuracy]]]:
    """(tables, the search for an accuracy): as many tables as full layers, if no R layer is before the second, and one
    more; at most L."""
    if word.depth == 0 and not only_e:
        yield 1, partial(NoFullLayer, 1, bits[1], True)
    if word.full == 1 and L > 1 and not only_e:
        yield 2, partial(LeastSizes, 1, 2, bits, proved_only)
    for tables in (2, 3):
        if tables <= L and cube_applies(word, tables) and not only_e:
            yield tables, partial(LeastSizes, 2, tables, bits, proved_only)
    for tables in range(max(2, word.depth + 1), min(L, word.full + 1) + 1):
        kind = "B" if word.full == tables else "A"
        yield tables, partial(ByTheoremE, kind, tables, bits, proved_only)
