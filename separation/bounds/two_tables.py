"""The true minimum for two tables: every m, x_0, x_1 that could make a shorter prompt is tried."""

from __future__ import annotations

import math

import numpy as np

from separation.bounds.barrier import Vector
from separation.bounds.descent import Candidate
from separation.bounds.evaluation import evaluate
from separation.bounds.ladder import Rule
from separation.bounds.trial import Trial

SLACK = 1e-9  # floats leave out nothing that is within this share; exact arithmetic decides


def shortest_two_tables(trial: Trial, candidate: Candidate) -> Candidate:
    """The candidate (x_0, x_1, n_1, m) with the least m·(1 + n_1) that is certified, for L = 2 and Θ_1 = t_1/2.

    For given m, x_0, x_1 the right side of (F) minus its left is convex in n_1 and negative at n_1 = 0, so (F) holds
    from some n_1 on; in Theorem B (E_1) bounds n_1 from above. So it is enough to try the largest n_1 that (E_1) allows
    and that makes the prompt shorter. Since Θ_1 < m/𝖾 (with Λ_0 = 0: Θ_1 ≤ m) and D_2 ≥ β·x_1·m, x_1 is bounded too.
    """
    best, length = candidate, trial.length(candidate)
    m = 2
    while (most := (length - 3) // m - 1) >= 1:
        shorter = _shorter(trial, m, most)
        if shorter is None:
            m += 1
        else:
            best, length = shorter, trial.length(shorter)
    return best


def _shorter(trial: Trial, m: int, most: int) -> Candidate | None:
    """A certified candidate with this m and n_1 ≤ most, with n_1 as small as its x allows."""
    share = 1.0 if trial.rule is Rule.A_FREE else math.e
    limit = int(most * math.log2(m * most) / (share * trial.beta) * (1 + SLACK)) if m * most > 1 else 0
    x0, x1 = _pairs(m, min(m, limit), 1.0 if trial.rule is Rule.A_FREE else 2 / math.e)
    theta, n1 = _draws(trial, m, most, x0, x1)
    left = _last_left(trial, m, x0, x1, n1)
    for place in np.flatnonzero((n1 >= 1) & (left < n1 * theta * np.log2(np.maximum(m * n1, 2)) * (1 + SLACK))):
        found = _least(trial, (int(x0[place]), int(x1[place]), int(n1[place]), m))
        if found is not None:
            return found
    return None


def _pairs(m: int, largest: int, share: float) -> tuple[Vector, Vector]:
    """All x_0 ≤ m and x_1 ≤ largest with x_0 ≤ share·m/x_1 + 1, beyond which Θ_1 is too large or grows no more."""
    x1 = np.arange(1, largest + 1, dtype=np.float64)
    counts = np.minimum(np.floor(share * m / x1) + 1, m).astype(np.int64)
    x0 = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + 1.0
    return x0, np.repeat(x1, counts)


def _draws(trial: Trial, m: int, most: int, x0: Vector, x1: Vector) -> tuple[Vector, Vector]:
    """Θ_1 for each pair, and the largest n_1 ≤ most that (E_1) allows (0 if it allows none)."""
    if trial.rule is Rule.A_FREE:
        return np.minimum(x0 * x1, m), np.full(len(x0), float(most))
    theta = np.maximum(1.0, np.floor(x0 * x1 / 2))
    inside = np.maximum(m / (math.e * theta), 1.0)
    room = theta * np.log2(inside) * (1 + SLACK) - 1
    if trial.rule is Rule.A:
        return theta, np.where(x1 * trial.linear[0] <= room, float(most), 0.0)
    return theta, np.minimum(float(most), np.floor((room / x1 - trial.linear[1]) / trial.beta))


def _last_left(trial: Trial, m: int, x0: Vector, x1: Vector, n1: Vector) -> Vector:
    """D_2."""
    beta, linear = trial.beta, trial.linear
    if trial.rule is Rule.B:
        bracket = 2 * x1 * m + (n1 + 1) * x0 + x0 * x1
        return np.asarray(x1 * (beta * n1 + linear[1]) + 1 + linear[2] + beta * bracket)
    one = 0 if trial.rule is Rule.A_FREE else 1
    return np.asarray(x1 * linear[0] + one + linear[1] + beta * (x1 * m + (n1 + 1) * x0))


def _least(trial: Trial, candidate: Candidate) -> Candidate | None:
    """The candidate with the least n_1 that is certified; None if not even this one is."""
    x0, x1, high, m = candidate
    if not _holds(trial, candidate):
        return None
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        if _holds(trial, (x0, x1, middle, m)):
            high = middle
        else:
            low = middle
    return x0, x1, high, m


def _holds(trial: Trial, candidate: Candidate) -> bool:
    return evaluate(trial.rule, trial.point(candidate), trial.beta, trial.linear).certified
