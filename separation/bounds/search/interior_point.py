"""The least cost over real numbers under inequalities that are nearly concave: a primal-dual interior point method.

Of a problem nothing is asked but its cost and its slacks at a point of floats or of jets, which bring the derivatives.
Problems of twenty variables take milliseconds.
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

STEPS = 250
FIRST_WEIGHT, LAST_WEIGHT = 0.3, 1e-7  # of the logarithms of the slacks, against the cost
SHRINK = 0.05  # of the weight, once the point is near the best one for it
KEPT = 0.95  # a step leaves at least the rest of every slack
HALVES = 2.0 ** -np.arange(21)  # of a step that are tried
SUFFICIENT, ROUNDING, LEAST_SLACK = 1e-4, 1e-13, 1e-300
UNSEEN = 1e-12  # of the cost
NEAR = 1.0  # decrease that a step promises, for each inequality and unit of weight
ALMOST = 1e-3  # the same, where floats see no decrease any more
MOST_STUCK = 4  # times that no step lowers the cost
LARGE = 1e6  # instead of a slack that is infinite
INSIDE = 0.01  # slack of a point that is far enough inside to start from
UNIT = 50.0  # of the largest variable: the first weight grows with it


@dataclass(frozen=True)
class RealMinimum:
    """A point, its cost, and its least slack (below 0: no point with slack in all inequalities was found)."""

    point: Vector
    cost: float
    slack: float


def least_cost(
    evaluate: Evaluate, start: Vector, free: Indices, margin: float = 0.0, accuracy: float = LAST_WEIGHT
) -> RealMinimum:
    """The least cost with all slacks at least ``margin`` and all free variables at least 0; the others stay.

    where ``accuracy`` is that of the cost, for each inequality.
    """
    z = np.array(start, dtype=float)
    z[free] = np.maximum(z[free], INSIDE)
    if _slack(evaluate, z, margin) <= 0:
        z = _inside(evaluate, z, free, margin)
    if _slack(evaluate, z, margin) > 0:
        z = _descent(evaluate, z, free, margin, accuracy)
    return RealMinimum(z, float(evaluate(z)[0]), _slack(evaluate, z, 0.0))


def _inside(evaluate: Evaluate, start: Vector, free: Indices, margin: float) -> Vector:
    """A point with some slack everywhere, if there is one: the least σ that may be added to all slacks, until it is
    below 0."""
    lift = 2 * abs(_slack(evaluate, start, margin)) + 1

    def lifted(point: Sequence[Any]) -> tuple[Any, list[Any]]:
        return point[-1], [slack + point[-1] - lift for slack in evaluate(point[:-1])[1]]

    extended = np.append(start, 2 * lift)
    # σ is counted from −lift, so that it is a variable above 0 like all others.
    found = _descent(lifted, extended, np.append(free, len(start)), margin, LAST_WEIGHT, lift - INSIDE)
    return found[:-1]


def _slack(evaluate: Evaluate, z: Vector, margin: float) -> float:
    least = float(np.min(evaluate(z)[1]) - margin)
    return least if math.isfinite(least) else -LARGE


def _descent(
    evaluate: Evaluate, z: Vector, free: Indices, margin: float, accuracy: float, enough: float = -math.inf
) -> Vector:
    """From a point with slack everywhere to the least cost, or to one below ``enough``."""
    z = z.copy()
    size = max(1.0, float(np.max(np.abs(z))) / UNIT)
    accuracy = max(accuracy, UNSEEN * abs(float(evaluate(z)[0])))
    weight, multipliers, stuck = FIRST_WEIGHT * size, np.zeros(0), 0
    for _ in range(STEPS):
        cost, slacks = evaluate(variables(z, free))
        values, slopes, curves = derivatives([cost, *slacks], len(free))
        if values[0] < enough:
            break
        slope, jacobian = slopes[0], np.concatenate([slopes[1:], np.eye(len(free))])
        slack = np.concatenate([np.minimum(values[1:] - margin, LARGE), z[free]])
        if not (slack > 0).all():  # with very large numbers the last digits decide whether there is any
            break
        if len(multipliers) == 0:
            multipliers = weight / slack
        uneven = slope - multipliers @ jacobian
        if weight <= accuracy and float(np.max(np.abs(uneven))) < 1e-5:
            break
        bends = curves[0] - np.tensordot(multipliers[: len(slacks)], curves[1:], 1)
        step = _solved(bends, (jacobian.T * (multipliers / slack)) @ jacobian, jacobian.T @ (weight / slack) - slope)
        change = jacobian @ step
        turn = weight / slack - multipliers - multipliers / slack * change
        share, dual = _share(slack, change), _share(multipliers, turn)
        falls = float(slope @ step - weight * (change / slack).sum())
        if -falls < UNSEEN * abs(values[0]):  # floats do not see the decrease that this step promises
            if weight <= accuracy:
                break
            weight, multipliers = max(weight * SHRINK, accuracy), np.zeros(0)
            continue
        share = _line(evaluate, z, free, step, margin, weight, slack, share, falls, float(values[0]))
        z[free] += share * step
        multipliers = multipliers + dual * turn
        if share == 0 and -falls < ALMOST * weight * len(slack):
            break
        if share == 0:
            stuck += 1
            if stuck == MOST_STUCK:
                break
            weight, multipliers = 10 * weight, np.zeros(0)
        elif share > 0.3 and -falls < NEAR * weight * len(slack):
            weight = max(weight * SHRINK, accuracy)
    return z


def _line(
    evaluate: Evaluate,
    z: Vector,
    free: Indices,
    step: Vector,
    margin: float,
    weight: float,
    slack: Vector,
    share: float,
    falls: float,
    cost: float,
) -> float:
    """How much of a step lowers cost − weight·Σ log slack; half as much, and so on, are tried together."""
    here = cost - weight * float(np.log(slack).sum())
    for shares in (share * HALVES[:1], share * HALVES[1:]):
        moved = np.repeat(z[:, None], len(shares), axis=1)
        moved[free] += step[:, None] * shares
        costs, slacks = evaluate(moved)
        there = np.concatenate([np.minimum(np.asarray(slacks) - margin, LARGE), moved[free]])
        inside = (there > (1 - KEPT) / 2 * slack[:, None]).all(axis=0)
        values = np.asarray(costs) - weight * np.log(np.maximum(there, LEAST_SLACK)).sum(axis=0)
        lower = values <= here + SUFFICIENT * shares * min(falls, 0.0) + ROUNDING * abs(here)
        good = np.flatnonzero(inside & lower)
        if len(good):
            return float(shares[good[0]])
    return 0.0


def _solved(bends: Vector, barrier: Vector, right: Vector) -> Vector:
    """(bends + barrier + δ)⁻¹·right with the least δ of a few that makes the matrix positive."""
    matrix, scale = bends + barrier, 1 + np.abs(np.diag(barrier))
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
