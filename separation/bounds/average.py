"""Theorem E as a question for the search: the shortest prompt for an accuracy, and the least ceiling at given sizes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from separation.bounds.condition import log2
from separation.bounds.entropy import share_of
from separation.bounds.known import is_proved
from separation.bounds.powers import log2_float
from separation.bounds.search import STARTS, Question
from separation.bounds.theorem import Prompt, named
from separation.bounds.theorems.ceiling import Ceiling
from separation.bounds.theorems.theorem_a import TheoremA
from separation.bounds.theorems.theorem_b import TheoremB
from separation.bounds.theorems.theorem_e import term_numbers, theorem_e

FAR = 1000  # so many x_0 are tried whether they divide m
MOST_LOG_Q = -1e-2  # from which on a term counts as more than 1, and the more the larger it is
SPARE = 1e-7  # of an accuracy: shares are rounded up


@dataclass(frozen=True)
class AccuracyPrompt(Prompt):
    """At these sizes and this β, accuracy ≤ ``ceiling.value``."""

    m: int
    n: tuple[int, ...]
    beta: int
    ceiling: Ceiling


@dataclass
class AverageQuestion(Question[AccuracyPrompt]):
    """Theorem E of one kind: the least prompt for an accuracy; at given ``sizes`` the least Σp.

    ``in_coq``: in a form of Coq alone, where x_0 divides m, or nearly, or Λ_0 is 0; and t_1 ≤ m with two tables.
    """

    kind: str
    tables: int
    beta: int
    state_bits: tuple[int, ...]
    accuracy: Fraction = Fraction(1)
    sizes: tuple[int, ...] | None = None
    in_coq: bool = False

    def __post_init__(self) -> None:
        self.names = ("m", *named("n", 1, self.tables - 1), *named("x", 0, self.tables - 1))
        self.exponents = (TheoremB() if self.kind == "B" else TheoremA()).exponents(self.tables)

    def starts(self) -> Iterator[list[float]]:
        """The golden schedule, with room in m for all terms."""
        least = log2_float(self.accuracy)
        pay = {"m": 6 + math.log2(self.tables) - least, "x_0": math.log2(2 * self.state_bits[0] + 1)}
        pay["m"] += pay["x_0"]
        for more in range(STARTS):
            y = math.log2(self.beta + 2 * self.state_bits[-1] + 2) - least + 4 + more
            if self.sizes is not None:
                y = (1 - (more + 1) / STARTS) * log2_float(self.sizes[0]) / self.exponents["m"]
            yield [y * self.exponents[name] + pay.get(name, 0.0) for name in self.names]

    def _kept(self, numbers: Sequence[Any]) -> list[Any]:
        """x_0, … with x_0 ≤ m."""
        m, x = numbers[0], list(numbers[self.tables :])
        x[0] = min(x[0], m)
        if self.in_coq and self.tables == 2:
            x[1] = min(x[1], m // x[0] if isinstance(m, int) else m / x[0])
        return x

    def slack(self, numbers: Sequence[Any], whole: bool = False) -> float:  # noqa: ARG002
        """Where the terms say nothing, how far they are from saying it is lost too."""
        x, total = self._kept(numbers), 0.0
        terms = term_numbers(self.kind, numbers[0], numbers[1 : self.tables], x, self.beta, self.state_bits)
        for above, below, bits, entries in terms:
            if above > 0:
                log_q, kappa = log2(above) - log2(below), float(bits / entries)
                inside = min(log_q, MOST_LOG_Q)
                total += share_of(inside, kappa) + math.log2(max(kappa / -inside, 1.0)) + log_q - inside
        return log2_float(self.accuracy) - SPARE - math.log2(total)

    def certified(self, numbers: Sequence[int]) -> AccuracyPrompt | None:
        m, n, x = numbers[0], tuple(numbers[1 : self.tables]), tuple(self._kept(numbers))
        found = theorem_e(self.kind, m, n, x, self.beta, self.state_bits)
        if self.in_coq and not is_proved(found.theorem):
            m, x = self._dividing(m, x)
            found = theorem_e(self.kind, m, n, x, self.beta, self.state_bits)
        if found.value > self.accuracy or (self.in_coq and not is_proved(found.theorem)):
            return None
        return AccuracyPrompt(m, n, self.beta, found)

    def one_value(self, last: int) -> AccuracyPrompt | None:
        """m = 2 and n_{L-1} large, all others 1: then no value is reached twice."""
        return self.certified((2, *(1,) * (self.tables - 2), last, *(1,) * self.tables))

    def _dividing(self, m: int, x: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """x_0 divides m: the next m, or where that is given the next x_0 below, 1 if that is far."""
        if self.sizes is None:
            return m + -m % x[0], x
        below = range(x[0], max(x[0] - FAR, 0), -1)
        return m, (next((size for size in below if m % size == 0), 1), *x[1:])
