"""The least cost over real numbers under inequalities that are nearly concave: a primal-dual interior point method.

    min c(z)  with  g(z) = s,  s > 0:    ∇c = Σ y_i·∇g_i,   g = s,   s_i·y_i = μ → 0

by Newton's method in (z, s, y). The start may break inequalities: where g_i is above 0, s_i follows it, elsewhere it is
a number of its own until g_i has grown up to it. Of a problem nothing is asked but its cost and its slacks at a point
of floats or of jets, which bring the derivatives. Problems of twenty variables take milliseconds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from separation.bounds.search.jets import derivatives, variables

Vector = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]
# A point ↦ (its cost, the slack of every inequality); of floats, or of jets.
Evaluate = Callable[[Any], tuple[Any, Sequence[Any]]]

STEPS, MOST_SHORTER = 150, 100  # steps; and how often one of them may be shortened
FIRST_WEIGHT, LAST_WEIGHT = 0.3, 1e-7  # μ, against the cost
UNIT = 50.0  # of the largest variable: the first μ grows with it
LEAST_SHRINK, SHRINK, UNEVEN, MOST_GROWTH = 0.02, 0.1, 0.05, 2.0  # of μ, by how even the products s_i·y_i are
KEPT = 0.95  # a step leaves at least the rest of every s_i and y_i
FOLLOWED = 0.02  # of s_i: above it s_i becomes g_i
SHORTER = (1.0, 0.5, 0.25, 0.125, 2.0**-6, 2.0**-9, 2.0**-12, 2.0**-18, 2.0**-24)  # shares of a step that are tried
SUFFICIENT, ROUNDING = 1e-4, 1e-12
PENALTY = 1e-2  # of the largest y, for an inequality that counts for nothing
FLAT = 1e-7  # added to all bends: where the cost hardly changes, steps are short
INSIDE = 0.01  # s_i at the start, at least
LARGE = 1e6  # instead of a slack that is infinite
UNMET, UNSEEN, SLOPE = 1e-10, 1e-11, 1e-5  # at the end: Σ |g_i − s_i| is below UNMET, or UNSEEN of the cost
NEARLY = 1e3  # times the last μ: where no step helps there, the point is good enough
MOST_STUCK = 3  # times that no step helps


@dataclass(frozen=True)
class RealMinimum:
    """A point, its cost, and its least slack (below 0: no point with slack in all inequalities was found)."""

    point: Vector
    cost: float
    slack: float


@dataclass(frozen=True)
class Look:
    """A point with its cost and its slacks, their slopes in the free variables, and y ↦ the bends of c − Σ y_i·g_i.

    The free variables, counted from their least values, are the last slacks: they stay above 0.
    """

    z: Vector
    cost: float
    slack: Vector
    slope: Vector
    jacobian: Vector
    bends: Callable[[Vector], Vector]

    @property
    def finite(self) -> bool:
        return bool(math.isfinite(self.cost) and np.isfinite(self.slack).all())


def least_cost(
    evaluate: Evaluate, start: Vector, free: Indices, margin: float = 0.0, accuracy: float = LAST_WEIGHT
) -> RealMinimum:
    """The least cost with all slacks at least ``margin`` and all free variables at least 0; the others stay.

    where ``accuracy`` is that of the cost, for each inequality.
    """
    count = len(free)

    def look(z: Vector) -> Look:
        cost, slacks = evaluate(variables(z, free))
        values, slopes, bends = derivatives([cost, *slacks], count)
        slack = np.concatenate([np.minimum(values[1:] - margin, LARGE), z[free]])
        jacobian = np.concatenate([slopes[1:], np.eye(count)])
        return Look(z, float(values[0]), slack, slopes[0], jacobian, lambda y: bends[0] - np.tensordot(y, bends[1:], 1))

    z = np.array(start, dtype=float)
    z[free] = np.maximum(z[free], INSIDE)
    found = descent(look, z, free, accuracy)
    least = float(np.min(evaluate(found.z)[1]))
    return RealMinimum(found.z, found.cost, least if math.isfinite(least) else -LARGE)


def descent(look: Callable[[Vector], Look], start: Vector, free: Indices, accuracy: float = LAST_WEIGHT) -> Look:
    """The least cost from a start, whose free variables are above their least values; nothing else need hold there."""
    with np.errstate(all="ignore"):  # steps that leave the numbers are not taken
        return _descent(look, start, free, accuracy)


def _descent(look: Callable[[Vector], Look], start: Vector, free: Indices, accuracy: float) -> Look:
    here, stuck, shortened = look(start), 0, 0
    last = max(accuracy, ROUNDING * abs(here.cost))
    s = np.maximum(here.slack, INSIDE)
    y = FIRST_WEIGHT * max(1.0, float(np.max(np.abs(start))) / UNIT) / s
    for _ in range(STEPS):
        unmet = here.slack - s
        violation = float(np.abs(unmet).sum())
        product = float(s @ y) / len(s)
        met = violation < UNMET + UNSEEN * abs(here.cost)
        uneven = float(np.max(np.abs(here.slope - y @ here.jacobian)))
        if met and product <= 2 * last and uneven < SLOPE * (1 + float(np.max(y))):
            break
        weight = max(last, product * _shrink(float(np.min(s * y)) / product))
        bends = here.bends(y[: len(y) - len(free)])
        pull = here.jacobian.T @ (weight / s - y / s * unmet) - here.slope
        step = _solved(bends, (here.jacobian.T * (y / s)) @ here.jacobian, pull)
        change = here.jacobian @ step + unmet
        turn = weight / s - y - y / s * change
        largest = np.maximum(y, y + turn)
        penalty = 2 * largest + PENALTY * float(np.max(largest))
        broken = float(penalty @ np.abs(unmet))
        if not math.isfinite(broken):
            break
        merit = here.cost - weight * float(np.log(s).sum()) + broken
        falls = min(float(here.slope @ step - weight * (change / s).sum()) - broken, 0.0)
        share, there = _share(s, change), here
        for part in SHORTER:
            z = here.z.copy()
            z[free] += part * share * step
            there = look(z)
            follows = np.where(there.slack > FOLLOWED * s, there.slack, s + part * share * change)
            broken = float(penalty @ np.abs(there.slack - follows))
            most = merit + SUFFICIENT * part * share * falls + ROUNDING * abs(merit)
            if there.finite and there.cost - weight * float(np.log(follows).sum()) + broken <= most:
                break
            shortened += 1
        else:
            stuck += 1
            if stuck == MOST_STUCK or not there.finite or (met and product < NEARLY * last):
                break
        if shortened > MOST_SHORTER:
            break
        here, s, y = there, follows, y + _share(y, turn) * turn
    return here


def _shrink(evenness: float) -> float:
    """μ over the mean of all s_i·y_i, from their least over their mean: the more even they are, the smaller."""
    rest = min(UNEVEN * (1 - evenness) / max(evenness, ROUNDING), MOST_GROWTH)
    return max(LEAST_SHRINK, SHRINK * rest**3)


def _solved(bends: Vector, barrier: Vector, right: Vector) -> Vector:
    """(bends + barrier + δ)⁻¹·right with the least δ of a few that makes the matrix positive."""
    matrix, scale = bends + barrier + FLAT * np.eye(len(right)), 1 + np.abs(np.diag(barrier))
    for delta in (1e-12, 1e-8, 1e-6, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0):
        shifted = matrix + delta * np.diag(scale)
        try:
            np.linalg.cholesky(shifted)
        except np.linalg.LinAlgError:
            continue
        return np.asarray(np.linalg.solve(shifted, right))
    return np.asarray(right / scale)


def _share(values: Vector, change: Vector) -> float:
    """How much of a change leaves all values above 0."""
    falling = change < 0
    return min(1.0, KEPT * float(np.min(-values[falling] / change[falling], initial=math.inf)))
