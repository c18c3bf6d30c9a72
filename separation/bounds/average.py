"""Theorem E as a problem for the search: the shortest prompt for an accuracy, and the least ceiling at given sizes.

Next to m, n_1.. and x_0.. there are the shares p_ℓ, which stay real: every term ⟨q;κ⟩ ≤ p of the theorem says q ≤ p and
D(p‖q) ≥ κ, and D(p‖q) = p·log2(p·2^r/q) with r = ((1−p)/p)·log2((1−p)/(1−q)) between −log2 𝖾 and 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from separation.bounds.condition import LOG2_E, Condition, Conditions, Order
from separation.bounds.entropy import largest_share
from separation.bounds.known import is_proved
from separation.bounds.posynomials import Posynomial, Vector, through_point
from separation.bounds.powers import log2_float
from separation.bounds.recursion import fibonacci
from separation.bounds.search import Problem
from separation.bounds.theorem import Prompt, table_sizes
from separation.bounds.theorems.ceiling import Ceiling
from separation.bounds.theorems.theorem_e import term_numbers, theorem_e

FAR = 1000  # so many x_0 are tried whether they divide m


@dataclass(frozen=True)
class AccuracyPrompt(Prompt):
    """At these sizes and this β, accuracy ≤ ``ceiling.value``."""

    m: int
    n: tuple[int, ...]
    beta: int
    ceiling: Ceiling


@dataclass(frozen=True)
class AverageProblem(Problem[AccuracyPrompt]):
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

    late = frozenset({0})

    @property
    def integers(self) -> int:  # type: ignore[override]
        return 2 * self.tables

    def movable(self) -> list[int]:
        return list(range(self.tables if self.sizes else 0, 2 * self.tables))

    def given(self) -> dict[int, int]:
        return dict(enumerate(self.sizes or ()))

    def start(self) -> Vector:
        """Powers of y as in the golden schedule; at given sizes with Πx nearly m; all shares equal."""
        L, accuracy = self.tables, log2_float(self.accuracy)
        exponents = [fibonacci(2 * L) if self.kind == "B" else 0, *(fibonacci(2 * (L - k)) for k in range(1, L))]
        if self.sizes is None:
            y = math.log2(self.beta + 2 * self.state_bits[-1] + 2) - accuracy + 4
        else:
            y = 0.9 * log2_float(self.sizes[0]) / sum(exponents)
        x = [y * exponent for exponent in exponents]
        if self.kind == "A" and self.sizes is None:
            x[0] = math.log2(2 * self.state_bits[0] + 1)
        n = [y * fibonacci(2 * (L - level) + 1) for level in range(1, L)]
        m = 6 + math.log2(L) - accuracy + sum(x)
        return np.array([m, *n, *x, *[math.log2(L) - accuracy + 0.1] * L])

    def one_value(self) -> tuple[Vector, dict[int, int]] | None:
        """m = 2 and n_{L-1} large, all others 1: then no value is reached twice."""
        bits = 4 + self.tables * (self.beta + 2.0) / float(self.accuracy) + 2 * math.log2(self.state_bits[-1] + 1)
        if self.sizes is not None or bits > 20_000:
            return None
        at, L = np.full(3 * self.tables, 1 - log2_float(self.accuracy)), self.tables
        at[L - 1] = bits
        at[-1] = -log2_float(self.accuracy) + 1e-3
        return at, {row: 1 + (row == 0) for row in range(2 * L) if row != L - 1}

    def real(self, numbers: Sequence[Any]) -> tuple[Posynomial, Conditions]:
        L = self.tables
        m, n, x, inverse_shares = numbers[0], numbers[1:L], numbers[L : 2 * L], numbers[2 * L :]
        asked: Conditions = [Order("x_0", "x_0 ≤ m", x[0], m)]
        if self.in_coq and L == 2:
            asked.append(Order("t_1", "x_0·x_1 ≤ m", x[0] * x[1], m))
        total: Any = 0
        terms = term_numbers(self.kind, m, n, x, self.beta, self.state_bits)
        for (above, below, bits, entries), inverse in zip(terms, inverse_shares, strict=True):
            if isinstance(above, Posynomial) or above > 0:
                share = inverse.inverse()
                total = share + total
                asked += _enough(share, above, below, bits, entries)
        if self.sizes is not None:
            return total, asked
        asked.append(Order("accuracy", "Σp ≤ accuracy", total, float(self.accuracy)))
        return sum(table_sizes(m, n)), asked

    def floats(self, columns: Vector) -> tuple[Vector, Vector]:
        """At given sizes the cost is Σp; where that says nothing it grows with how far the terms are from saying it."""
        L = self.tables
        total = np.zeros(columns.shape[1])
        m, n, x = columns[0], list(columns[1:L]), list(columns[L:])
        bits = [float(value) for value in self.state_bits]
        with np.errstate(all="ignore"):
            numbers = term_numbers(self.kind, m, n, x, float(self.beta), bits)
            for above, below, known, entries in numbers:
                q = np.broadcast_to(np.asarray(above / below, dtype=float), total.shape)
                kappa = known / entries
                beyond = np.log2(np.maximum(kappa / -np.log2(np.clip(q, 1e-300, 0.999)), 1))
                total = total + np.where(q > 0, largest_share(np.where(q > 0, q, 1), kappa) + beyond, 0)
            total = np.nan_to_num(total, nan=np.inf)
            inside = np.where(x[0] <= m, 0.0, -1.0)
            if self.sizes is not None:
                return total, inside + 1
            return sum(table_sizes(m, n)), inside + np.log2(float(self.accuracy) * (1 - 1e-7) / total)

    def certified(self, integers: Sequence[int]) -> AccuracyPrompt | None:
        L = self.tables
        m, n, x = integers[0], tuple(integers[1:L]), (min(integers[L], integers[0]), *integers[L + 1 : 2 * L])
        found = theorem_e(self.kind, m, n, x, self.beta, self.state_bits)
        if self.in_coq and not is_proved(found.theorem):
            m, x = self._dividing(m, x)
            found = theorem_e(self.kind, m, n, x, self.beta, self.state_bits)
        if found.value > self.accuracy or (self.in_coq and not is_proved(found.theorem)):
            return None
        return AccuracyPrompt(m, n, self.beta, found)

    def _dividing(self, m: int, x: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """x_0 divides m: the next m, or where that is given the next x_0 below, 1 if that is far."""
        if self.sizes is None:
            return m + -m % x[0], x
        below = range(x[0], max(x[0] - FAR, 0), -1)
        return m, (next((size for size in below if m % size == 0), 1), *x[1:])

    def cost_log2(self, outcome: AccuracyPrompt) -> float:
        return outcome.tokens_log2() if self.sizes is None else log2_float(outcome.ceiling.value)


def _enough(share: Posynomial, above: Any, below: Any, bits: Any, entries: Any) -> Conditions:
    """q = above/below ≤ p, and known bits over entries at most D(p‖q)."""
    asked: Conditions = [Order("q", "q ≤ p", above, below * share)]
    if isinstance(bits, Posynomial) or bits > 0:
        scaled = share * below  # p·2^r·below, whose quotient by ``above`` is p·2^r/q
        top = above if isinstance(above, Posynomial) else share.constant(above)
        p, q, step = share.log2(), top.log2() - scaled.log2() + share.log2(), 1e-4
        here = _rest(p, q)
        by_p, by_q = (here - _rest(p - step, q)) / step, (here - _rest(p, q - step)) / step
        powers_p, powers_q = share.monomial()[1], top.monomial()[1] - scaled.monomial()[1] + share.monomial()[1]
        powers = scaled.monomial()[1] + by_p * powers_p + by_q * powers_q
        larger = through_point(scaled.log2() + here, powers, share.at)
        asked.append(Condition("share", "κ ≤ D(p‖q)", bits, share * entries, larger, above, strict=False))
    return asked


def _rest(log_p: float, log_q: float) -> float:
    """r = ((1−p)/p)·log2((1−p)/(1−q)); a q above p, at a point that is not allowed, counts as p."""
    if log_p < -30:  # p may be no float any more, and r is q/p − 1 to within p
        return float((2.0 ** min(0.0, log_q - log_p) - 1) * LOG2_E)
    p, q = 2.0 ** min(log_p, -1e-6), 2.0 ** min(log_p, log_q, -1e-6)
    rest: float = (1 - p) / p * (math.log1p(-p) - math.log1p(-q)) / math.log(2)
    return rest
