"""Short prompts of Theorems A_L, A_W and B_L: real logarithms that `rounding` turns into integers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from separation.bounds.search.blas_threads import one_blas_thread
from separation.bounds.search.estimated import EstimatedSearch
from separation.bounds.search.log_numbers import log_sum
from separation.bounds.search.rounding import real_optimum, rounded_optimum
from separation.bounds.search.schedule_start import schedule_at, schedule_start
from separation.bounds.theorems.outcome import Impossibility, block_bits
from separation.bounds.theorems.theorem_al import theorem_al
from separation.bounds.theorems.theorem_aw import theorem_aw
from separation.bounds.theorems.theorem_bl import theorem_bl

ROUGH = 1e-4  # accuracy of a length that is only compared with others
ROOM = 4  # of y over β, roughly
NEAR_BITS = (0.0, 3.0)  # of y over β, at starts
LEAST_GAP = 0.02
MOST_ONE_VALUE_BITS = 3_000


@dataclass(frozen=True)
class LogProblem:
    """log2 of all numbers of Theorem A_L (``kind`` "A"), A_W ("W") or B_L ("B"), as rows; each column is a point.

    Rows: m, then g (A), g, u (W) or x_0, x_1 (B), then Θ_1..Θ_{L-1}, n_1..n_{L-1}, x_2..x_{L-1}.
    """

    kind: str
    tables: int
    beta: int
    linear: tuple[int, ...]
    weight: int

    @property
    def first(self) -> int:
        return 2 if self.kind == "A" else 3

    @property
    def size(self) -> int:
        return self.first + 3 * self.tables - 4

    @property
    def chosen(self) -> list[int]:
        """The rows of all numbers but m and Θ_1.., which make up for the rounding of the others."""
        first, L = self.first, self.tables
        return [row for row in range(1, self.size) if not first <= row < first + L - 1]

    def split(self, point: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """m and the first copies; Θ_1..; n_1..; x_2.."""
        first, L = self.first, self.tables
        thetas = point[first : first + L - 1]
        n = point[first + L - 1 : first + 2 * L - 2]
        return point[:first], thetas, n, point[first + 2 * L - 2 :]

    def evaluate(self, point: Any) -> tuple[Any, Any]:
        """(log2 of the cost, log2 of right over left side of every inequality)."""
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return self._evaluate(point)

    def _evaluate(self, point: Any) -> tuple[Any, Any]:
        head, thetas, n, x = self.split(point)
        m, L = head[0], self.tables
        N = [m]
        for step in n:
            N.append(N[-1] + step)
        W = N[-1] - m
        beta = math.log2(max(self.beta, 1))
        states = [_log2(bits) for bits in block_bits(self.linear)]
        slack = []
        if self.kind != "B":
            g, u = head[1], head[2] if self.kind == "W" else m
            early = self.linear[0]
            slack.append(u - thetas[0] - early * np.exp2(-g))
            slack += [m - g, m - u] if self.kind == "W" else [m - g]
            product = log_sum(_log2(early), beta + W)
            bits = thetas[0] + states[1]
            below = log_sum(m, g + thetas[0])
            later = states[2:]
            passed = [_log2(self.linear[level - 1] - early) for level in range(2, L)]
        else:
            x0, x1 = head[1], head[2]
            heard = log_sum(beta + W, _log2(self.linear[1]))
            slack += [m - x0, m - thetas[0]]
            slack.append(_cover(m, thetas[0], x0 + x1, x1 + heard))
            product = log_sum(heard, beta + log_sum(m, x0 + x1))
            bits = log_sum(beta + W + x0, thetas[0] + states[2])
            below = log_sum(m, x0 + x1)
            later = states[3:]
            passed = [_log2(self.linear[level] - self.linear[1]) for level in range(2, L)]
        copies = thetas[0]
        for level in range(2, L):
            factor, size = x[level - 2], N[level - 1]
            tries = factor + n[level - 2] + thetas[level - 2]
            fixed = log_sum(product, n[0] + _log2(self.linear[0])) if self.kind == "W" and level == 2 else product
            slack.append(size - thetas[level - 1])
            slack.append(_cover(size, thetas[level - 1], tries, log_sum(factor + log_sum(fixed, bits), 0.0)))
            layers = math.log2(level if self.kind == "B" else level - 1)
            told = 0.0 if self.kind != "B" and level == 2 else copies
            own = layers + factor + size
            if self.kind == "W" and level <= 3:
                outside, further = m + _without(m - u), _without(n[0])  # m−u, and n_1−1 over n_1
                if level == 2:
                    own = log_sum(factor + n[0] + u, n[0] + further + outside)
                    size = log_sum(u, N[1] + further)
                else:
                    size = log_sum(size, outside)
                    own = layers + factor + size
            heard = log_sum(own, told, below, W + copies)
            late = factor + copies + later[level - 2]
            bits = log_sum(0.0, factor + bits, passed[level - 2], late, beta + heard)
            copies, below = factor + copies, factor + log_sum(below, size)
        slack.append(n[-1] + thetas[-1] + np.log2(np.maximum(N[-1], 1e-9)) - log_sum(product, bits))
        cost = log_sum(*N[:-1], N[-1] + math.log2(self.weight))
        return cost, np.array(slack)

    def starts(self) -> Iterator[np.ndarray]:
        """The schedule with a few β as y, which breaks inequalities and is near; then one that holds, far away."""
        for bits in NEAR_BITS:
            yield schedule_at(self.kind, self.tables, self.linear, bits + math.log2(max(self.beta, 1)))
        yield schedule_start(self.kind, self.tables, self.beta, self.linear, self.evaluate)

    def outcome(self, integers: Sequence[int], identity_tables: int) -> Impossibility:
        """The theorem at integers, in the order of the rows."""
        first, L = self.first, self.tables
        m, *head = integers[:first]
        thetas = integers[first : first + L - 1]
        n = (*integers[first + L - 1 : first + 2 * L - 2], *(1,) * identity_tables)
        x = integers[first + 2 * L - 2 :]
        if self.kind == "A":
            return theorem_al(m, n, head[0], thetas, x, self.beta, self.linear)
        if self.kind == "W":
            return theorem_aw(m, n, head[0], min(m, head[1]), thetas, x, self.beta, self.linear)
        return theorem_bl(m, n, head[0], head[1], thetas, x, self.beta, self.linear)


@dataclass(frozen=True)
class ManyTables(EstimatedSearch):
    """Theorem A_L or B_L for given Λ; tables beyond its own are the identity.

    ``solved``: β and the least real numbers, of the β that was asked last: from there the search for another one
    begins.
    """

    kind: str
    tables: int
    linear: tuple[int, ...]
    identity_tables: int = 0
    solved: dict[int, np.ndarray] = field(default_factory=dict, compare=False, repr=False)

    def __call__(self, beta: int) -> Impossibility | None:
        near = self._near(beta)
        if self.kind == "W":
            return with_a_window(beta, self.linear, self.identity_tables, near)
        return shortest_many(self.kind, self.tables, beta, self.linear, self.identity_tables, near)

    def real_length(self, beta: int) -> float:
        """The least over real numbers, or of one value of every table if that is less."""
        problem = LogProblem(self.kind, self.tables, beta, self.linear, 1 + self.identity_tables)
        simple = one_value(problem, self.identity_tables)
        with one_blas_thread():
            point = real_optimum(problem, ROUGH, self._near(beta))
        lengths = [math.inf if simple is None else simple.tokens_log2()]
        if point is not None:
            self.solved.clear()
            self.solved[beta] = point
            lengths.append(float(problem.evaluate(point)[0]))
        return min(lengths)

    def _near(self, beta: int) -> list[np.ndarray]:
        """All numbers are about powers of a multiple of β."""
        return [point * math.log2(ROOM * beta) / math.log2(ROOM * before) for before, point in self.solved.items()]


def shortest_many(
    kind: str,
    tables: int,
    beta: int,
    linear: Sequence[int],
    identity_tables: int = 0,
    near: Sequence[np.ndarray] = (),
) -> Impossibility | None:
    """The shorter of one value of every table (for small β) and the rounded real optimum; None if neither was found."""
    problem = LogProblem(kind, tables, beta, tuple(linear), 1 + identity_tables)
    simple = one_value(problem, identity_tables)
    longest = math.inf if simple is None else math.log2(simple.tokens)
    with one_blas_thread():
        found = rounded_optimum(problem, identity_tables, longest, near)
    return found if simple is None or (found is not None and found.tokens < simple.tokens) else simple


def with_one_value(beta: int, linear: Sequence[int], identity_tables: int = 0) -> Impossibility | None:
    """Theorem A_L with one value of every table: what is best for small β. With more, A_W has shorter prompts."""
    return one_value(LogProblem("A", len(linear), beta, tuple(linear), 1 + identity_tables), identity_tables)


def with_a_window(
    beta: int, linear: Sequence[int], identity_tables: int = 0, near: Sequence[np.ndarray] = ()
) -> Impossibility | None:
    """Theorem A_W; None if Theorem A_L with one value of every table has a shorter prompt, or nothing was found."""
    simple = with_one_value(beta, linear, identity_tables)
    longest = math.inf if simple is None else math.log2(simple.tokens)
    problem = LogProblem("W", len(linear), beta, tuple(linear), 1 + identity_tables)
    with one_blas_thread():
        found = rounded_optimum(problem, identity_tables, longest, near)
    return found if found is None or simple is None or found.tokens < simple.tokens else None


@lru_cache(maxsize=64)
def one_value(problem: LogProblem, identity_tables: int) -> Impossibility | None:
    """m = 2, all Θ, x and n_ℓ are 1 except n_{L-1}, the least: each entry of table L has more bits than w ever
    hears."""
    if problem.beta * problem.tables > MOST_ONE_VALUE_BITS:
        return None
    ones = [2] + [1] * (problem.size - 1)
    place = problem.first + 2 * problem.tables - 3

    def outcome(last: int) -> Impossibility:
        return problem.outcome([*ones[:place], last, *ones[place + 1 :]], identity_tables)

    # First the bits of the least, then itself, to forty of them.
    few, many = -1, 1
    while not outcome(1 << many).holds:
        few, many = many, 2 * many
        if few > 2 * MOST_ONE_VALUE_BITS + problem.linear[-1].bit_length():
            return None
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if outcome(1 << middle).holds else (middle, many)
    low, high = (1 << few if few >= 0 else 0), 1 << many
    while high - low > 1 and (high - low) << 40 > high:
        middle = (low + high) // 2
        low, high = (low, middle) if outcome(middle).holds else (middle, high)
    return outcome(high)


def _cover(size: Any, theta: Any, tries: Any, told: Any) -> Any:
    """log2 of t·log2(N/Θ) over log2 C(N, Θ) + told, all given as logarithms; log2 C(N, Θ) ≤ Θ·(log2(N/Θ) + …)."""
    gap = size - theta
    safe = np.maximum(gap, LEAST_GAP)
    ratio = np.maximum(np.exp2(-safe), 1e-100)
    choose = theta + np.log2(safe + (1 - ratio) / ratio * -np.log1p(-ratio) / math.log(2))
    # Below the least gap the logarithm goes on as a straight line, so that steps find the way back.
    logarithm = np.log2(safe) + np.minimum(gap - LEAST_GAP, 0) / (LEAST_GAP * math.log(2))
    return tries + logarithm - log_sum(choose, told)


def _without(logarithm: Any) -> Any:
    """log2(1 − 2^−logarithm), not below −40."""
    return np.log2(np.maximum(-np.expm1(-logarithm * math.log(2)), 2.0**-40))


def _log2(bits: int) -> float:
    return math.log2(bits) if bits > 0 else -math.inf
