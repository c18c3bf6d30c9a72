"""The true minimum for two tables: every m, x_0, x_1 that could make a shorter prompt is tried."""

from __future__ import annotations

import math

import numpy as np

from separation.bounds.evaluation import evaluate
from separation.bounds.recursion import Rule
from separation.bounds.search.local_search import Candidate
from separation.bounds.search.newton import Vector
from separation.bounds.search.slack import SearchProblem

TOLERANCE = 1e-9  # floats leave out nothing that is within this share; exact arithmetic decides


def shortest_two_tables(problem: SearchProblem, candidate: Candidate) -> Candidate:
    """The candidate (x_0, x_1, n_1, m) with the least m·(1 + n_1) that is certified, for L = 2 and Θ_1 = t_1/2.

    For given m, x_0, x_1 the right side of (F) minus its left is convex in n_1 and negative at n_1 = 0, so (F) holds
    from some n_1 on; in Theorem B (E_1) bounds n_1 from above. So it is enough to try the largest n_1 that (E_1) allows
    and that makes the prompt shorter. Since Θ_1 < m/𝖾 (with Λ_0 = 0: Θ_1 ≤ m) and D_2 ≥ β·x_1·m, x_1 is bounded too.
    """
    best, length = candidate, problem.length(candidate)
    m = 2
    while (most := (length - 3) // m - 1) >= 1:
        shorter = _shorter(problem, m, most)
        if shorter is None:
            m += 1
        else:
            best, length = shorter, problem.length(shorter)
    return best


def _shorter(problem: SearchProblem, m: int, most: int) -> Candidate | None:
    """A certified candidate with this m and n_1 ≤ most, with n_1 as small as its x allows."""
    share = 1.0 if problem.rule is Rule.A_FREE else math.e
    limit = int(most * math.log2(m * most) / (share * problem.beta) * (1 + TOLERANCE)) if m * most > 1 else 0
    x0, x1 = _pairs(m, min(m, limit), 1.0 if problem.rule is Rule.A_FREE else 2 / math.e)
    theta, n1 = _draws(problem, m, most, x0, x1)
    left = _left_of_f(problem, m, x0, x1, n1)
    for index in np.flatnonzero((n1 >= 1) & (left < n1 * theta * np.log2(np.maximum(m * n1, 2)) * (1 + TOLERANCE))):
        found = _least(problem, (int(x0[index]), int(x1[index]), int(n1[index]), m))
        if found is not None:
            return found
    return None


def _pairs(m: int, largest: int, share: float) -> tuple[Vector, Vector]:
    """All x_0 ≤ m and x_1 ≤ largest with x_0 ≤ share·m/x_1 + 1, beyond which Θ_1 is too large or grows no more."""
    x1 = np.arange(1, largest + 1, dtype=np.float64)
    counts = np.minimum(np.floor(share * m / x1) + 1, m).astype(np.int64)
    x0 = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + 1.0
    return x0, np.repeat(x1, counts)


def _draws(problem: SearchProblem, m: int, most: int, x0: Vector, x1: Vector) -> tuple[Vector, Vector]:
    """Θ_1 for each pair, and the largest n_1 ≤ most that (E_1) allows (0 if it allows none)."""
    if problem.rule is Rule.A_FREE:
        return np.minimum(x0 * x1, m), np.full(len(x0), float(most))
    theta = np.maximum(1.0, np.floor(x0 * x1 / 2))
    inside = np.maximum(m / (math.e * theta), 1.0)
    slack = theta * np.log2(inside) * (1 + TOLERANCE) - 1
    if problem.rule is Rule.A:
        return theta, np.where(x1 * problem.linear[0] <= slack, float(most), 0.0)
    return theta, np.minimum(float(most), np.floor((slack / x1 - problem.linear[1]) / problem.beta))


def _left_of_f(problem: SearchProblem, m: int, x0: Vector, x1: Vector, n1: Vector) -> Vector:
    """D_2."""
    beta, linear = problem.beta, problem.linear
    if problem.rule is Rule.B:
        bracket = 2 * x1 * m + (n1 + 1) * x0 + x0 * x1
        return np.asarray(x1 * (beta * n1 + linear[1]) + 1 + linear[2] + beta * bracket)
    one = 0 if problem.rule is Rule.A_FREE else 1
    return np.asarray(x1 * linear[0] + one + linear[1] + beta * (x1 * m + (n1 + 1) * x0))


def _least(problem: SearchProblem, candidate: Candidate) -> Candidate | None:
    """The candidate with the least n_1 that is certified; None if not even this one is."""
    x0, x1, high, m = candidate
    if not _holds(problem, candidate):
        return None
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        if _holds(problem, (x0, x1, middle, m)):
            high = middle
        else:
            low = middle
    return x0, x1, high, m


def _holds(problem: SearchProblem, candidate: Candidate) -> bool:
    return evaluate(problem.rule, problem.parameters(candidate), problem.beta, problem.linear).certified
