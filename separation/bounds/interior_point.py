"""The least value of a convex function under convex inequalities: a primal-dual interior point method.

S. Boyd and L. Vandenberghe, Convex Optimization (2004), section 11.7, Algorithm 11.2. With J the gradients of the
inequalities f_i ≤ 0 and λ_i > 0, every step is Newton's for

    ∇f_0 + Jᵀλ = 0,    −λ_i·f_i = 1/t,    t = SHRINK·(number of inequalities)/(−f·λ),

shortened until all f_i stay below 0 and the residual falls. A start inside comes from the same method on the problem
with one unknown more: least s with f_i ≤ s (section 11.4).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from separation.bounds.posynomials import Program, Values, Vector

SHRINK = 10.0  # μ of Algorithm 11.2; the book finds 10 to 20 best on examples
SUFFICIENT, SHORTER = 0.01, 0.5  # α and β of the line search, from the book's ranges
KEPT = 0.01  # of every −f_i and λ_i, at least, after a step
INSIDE = 0.5  # bits above their least values that unknowns begin
ROOM = 0.05  # that inequalities have at least where the second part begins: Newton's steps are short near an edge
STEPS = 80  # ten to twenty are needed from a good start; from a bad one the program is written anew anyway
FLAT = 1e-9  # added to second derivatives, so that what the cost does not depend on stays where it is


@dataclass(frozen=True)
class Inside:
    """A point with f_i < 0 for all inequalities, and the largest of them."""

    z: Vector
    cost: float
    worst: float


def least(program: Program, start: Vector, low: Vector, accuracy: float = 1e-6) -> Inside | None:
    """The least cost with every inequality met and z ≥ low; None if no point inside was found."""
    z = np.maximum(start, low + INSIDE)
    worst = _worst(program.values(z))
    if worst > -ROOM:
        z, worst = _minimise(program, z, low, accuracy, elastic=True, enough=-ROOM)
        if worst >= 0:
            return None
    z, worst = _minimise(program, z, low, accuracy)
    return Inside(z, float(program.values(z).f[0]), worst)


def most_slack(program: Program, start: Vector, low: Vector, accuracy: float = 1e-6) -> Inside:
    """The point at which the largest of all inequalities is least; it may be above 0."""
    z, worst = _minimise(program, np.maximum(start, low + INSIDE), low, accuracy, elastic=True)
    return Inside(z, float(program.values(z).f[0]), worst)


def _worst(values: Values) -> float:
    return float(np.max(values.f[1:], initial=-1.0))


def _minimise(
    program: Program, z: Vector, low: Vector, accuracy: float, *, elastic: bool = False, enough: float = -np.inf
) -> tuple[Vector, float]:
    """Algorithm 11.2 from a point inside; ``elastic``: for the least s with f_i ≤ s, until s is ``enough``."""
    count, size = len(z), len(z) + elastic
    s = _worst(program.values(z)) + 1.0 if elastic else 0.0
    bound = -np.eye(size)  # z ≥ low, and s ≥ −1: more room than that is of no use, and without an end there is no least

    def look(z: Vector, s: float) -> tuple[Values, Vector, Vector, Vector]:
        values = program.values(z)
        f = np.concatenate([values.f[1:] - s, low - z, [-1 - s] if elastic else []])
        J = values.gradients[1:]
        if elastic:
            J = np.concatenate([J, np.full((len(J), 1), -1.0)], axis=1)
            slope = np.concatenate([np.zeros(count), [1.0]])
        else:
            slope = values.gradients[0]
        return values, f, np.concatenate([J, bound]), slope

    values, f, J, slope = look(z, s)
    dual = -1 / f
    for _ in range(STEPS):
        gap = float(-f @ dual)
        residual = slope + J.T @ dual
        if gap < accuracy and float(np.max(np.abs(residual))) < 1e-6 + 1e-9 * float(np.max(dual)):
            break
        if elastic and s < enough:
            break
        inverse = gap / (SHRINK * len(f))
        weights = np.concatenate([[0.0 if elastic else 1.0], dual[: len(f) - size]])
        hessian = np.zeros((size, size))
        hessian[:count, :count] = program.hessian(values, weights)
        matrix = hessian + (J.T * (dual / -f)) @ J
        matrix.flat[:: size + 1] += FLAT * (1 + np.abs(matrix.flat[:: size + 1]))
        step = np.linalg.solve(matrix, -(slope + inverse * (J.T @ (-1 / f))))
        growth = J @ step
        change = dual / -f * growth + (-inverse / f - dual)
        falling, growing = change < 0, growth > 0
        shares = np.concatenate([-dual[falling] / change[falling], -f[growing] / growth[growing]])
        share = min(1.0, (1 - KEPT) * float(np.min(shares, initial=np.inf)))  # what is above 0 stays so, to first order
        before = np.hypot(np.linalg.norm(residual), np.linalg.norm(-dual * f - inverse))
        for _ in range(40):
            there = look(z + share * step[:count], s + (share * float(step[-1]) if elastic else 0.0))
            if (there[1] < KEPT * f).all():
                moved = dual + share * change
                after = np.hypot(
                    np.linalg.norm(there[3] + there[2].T @ moved), np.linalg.norm(-moved * there[1] - inverse)
                )
                if after <= (1 - SUFFICIENT * share) * before:
                    break
            share *= SHORTER
        else:
            break
        z, s = z + share * step[:count], s + (share * float(step[-1]) if elastic else 0.0)
        (values, f, J, slope), dual = there, moved
    return z, _worst(values)
