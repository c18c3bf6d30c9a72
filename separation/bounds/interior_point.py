"""The least value of a convex function under convex inequalities: the log-barrier method from a feasible start.

S. Boyd and L. Vandenberghe, Convex Optimization (2004), section 11.3: for t = t_0, μ·t_0, μ²·t_0, … Newton's method
with backtracking (section 9.5) finds the least value of

    t·f_0(z) − Σ_i log(−f_i(z)) − Σ_j log(z_j − low_j) − Σ_j log(high_j − z_j),

which is less than (number of logarithms)/t above the least f_0. Every step stays inside, so what is returned is
feasible whenever the method ends. A start inside comes from the same method on the problem with one unknown more: the
least s with f_i ≤ s (section 11.4). The box makes every one of these problems bounded and strictly convex.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from separation.bounds.posynomials import Program, Values, Vector

GROWTH = 20.0  # μ: 10 to 20 is best on the examples of section 11.3
CENTRED = 0.01  # half of Newton's decrement squared at which a centre is near enough: the next one starts far from it
SUFFICIENT, SHORTER = 0.1, 0.5  # α and β of backtracking, from the ranges of section 9.2
MOST_STEPS = 50  # of one centring, which takes a dozen; more of them are steps from rounding error to rounding error
ROUNDING = 1e-13  # of a matrix whose diagonal is 1: its smallest eigenvalues are not known better
INSIDE = 0.5  # bits from the box, and of slack that the second part begins with if there is so much


class Convex(Protocol):
    """Functions f_0 (the cost), f_1, … of z with their derivatives."""

    def values(self, z: Vector) -> Values: ...

    def hessian(self, values: Values, weights: Vector) -> Vector:
        """Σ_i weight_i·∇²f_i."""


@dataclass(frozen=True)
class Inside:
    """A point with f_i < 0 for all inequalities, the largest of them, and how many steps of Newton's were taken."""

    z: Vector
    cost: float
    worst: float
    steps: int


@dataclass(frozen=True)
class Elastic:
    """The least s with f_i(z) ≤ s; s is the last coordinate."""

    program: Program

    def values(self, z: Vector) -> Values:
        inner, s = self.program.values(z[:-1]), z[-1]
        gradients = np.empty((len(inner.f), len(z)))
        gradients[:, :-1], gradients[:, -1] = inner.gradients, -1.0
        gradients[0, :-1], gradients[0, -1] = 0.0, 1.0
        f = inner.f - s
        f[0] = s
        return Values(f, gradients, inner.shares, inner.sums, inner.bends)

    def hessian(self, values: Values, weights: Vector) -> Vector:
        count = values.gradients.shape[1]
        found, weights[0] = np.zeros((count, count)), 0.0
        found[:-1, :-1] = self.program.hessian(values, weights)
        return found


def least(program: Program, start: Vector, low: Vector, accuracy: float = 1e-4) -> Inside | None:
    """The least cost, up to ``accuracy``, with every inequality met and z ≥ low; None if no z meets them all.

    No coordinate may be more than three times the largest one of ``start``.
    """
    inside = most_slack(program, start, low, accuracy, enough=-INSIDE)
    if inside.worst >= 0:
        return None
    z, steps = _minimise(program, inside.z, low, _high(start, low), accuracy)
    values = program.values(z)
    return Inside(z, float(values.f[0]), _worst(values), inside.steps + steps)


def most_slack(program: Program, start: Vector, low: Vector, accuracy: float = 1e-4, enough: float = -np.inf) -> Inside:
    """The point at which the largest of all inequalities is least, or ``enough``; it may be above 0."""
    high = _high(start, low)
    z = np.clip(start, low + INSIDE, high - INSIDE)
    values, steps = program.values(z), 0
    if _worst(values) > enough:
        s = _worst(values) + 1.0
        # More slack than two bits is of no use, and s never needs to grow.
        box = np.append(low, -2.0), np.append(high, s + 1.0)
        point, steps = _minimise(Elastic(program), np.append(z, s), *box, accuracy, enough)
        z = point[:-1]
        values = program.values(z)
    return Inside(z, float(values.f[0]), _worst(values), steps)


def _high(start: Vector, low: Vector) -> Vector:
    return np.asarray(low + 3 * max(float(np.max(start)), 10.0))


def _worst(values: Values) -> float:
    return float(np.max(values.f[1:], initial=-1.0))


def _minimise(
    program: Convex, z: Vector, low: Vector, high: Vector, accuracy: float, enough: float = -np.inf
) -> tuple[Vector, int]:
    """(the least cost's point, steps of Newton's) from a point inside, or the first point that costs ``enough``."""
    values = program.values(z)
    logarithms = len(values.f) - 1 + 2 * len(z)
    rounding, weights = ROUNDING * np.eye(len(z)), np.empty(len(values.f))
    barrier = _barrier(values, z, low, high)
    t, steps = logarithms / max(1.0, float(values.f[0])), 0  # no cost is much below 0, so the start is as near as that
    while True:
        for _ in range(MOST_STEPS):
            below, above, slack = 1 / (z - low), 1 / (high - z), -1 / values.f[1:]
            J = values.gradients[1:]
            gradient = t * values.gradients[0] + slack @ J - below + above
            weights[0], weights[1:] = t, slack
            hessian = program.hessian(values, weights) + (J.T * slack**2) @ J
            hessian.flat[:: len(z) + 1] += below**2 + above**2
            scale = 1 / np.sqrt(hessian.diagonal())
            scaled = hessian * scale * scale[:, None] + rounding
            step = scale * np.linalg.solve(scaled, -scale * gradient)
            slope = float(gradient @ step)
            if -slope / 2 < CENTRED:
                break
            share = 1.0
            while share > 1e-12:
                there = z + share * step
                if (there > low).all() and (there < high).all():
                    found = program.values(there)
                    further = _barrier(found, there, low, high)
                    if t * (found.f[0] - values.f[0]) + further - barrier <= SUFFICIENT * share * slope:
                        break
                share *= SHORTER
            else:  # no digit left in which to be better
                break
            z, values, barrier, steps = there, found, further, steps + 1
            if values.f[0] < enough:
                return z, steps
        if logarithms / t < accuracy:
            return z, steps
        t *= GROWTH


def _barrier(values: Values, z: Vector, low: Vector, high: Vector) -> float:
    """−Σ log of all slacks; infinite outside."""
    slack = -values.f[1:]
    if not (slack > 0).all():
        return np.inf
    return -float(np.log(np.concatenate([slack, z - low, high - z])).sum())
