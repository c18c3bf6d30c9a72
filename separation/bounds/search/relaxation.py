"""The theorems' inequalities over real numbers: a convex problem in the logarithms, solved by Newton's method.

In the variables z = log2 of (x_0..x_{L-1}, n_1..n_{L-1}, m, and Θ_1..Θ_{L-1} if chosen) a left side is
log2 Σ_i 2^{c_i + a_i·z}, which is convex, and so is log2 Σ N_ℓ, which is to be small. The logarithm of a right side is
concave: a linear function, or one plus log2 of a linear function, or (E_ℓ)'s

    τ + log2( (1−κ)·(ν−θ+c) − c ),   κ = 2^{θ−τ},  c = log2 𝖾,  for τ, ν, θ = log2 of t_ℓ, N_{ℓ-1}, Θ_ℓ,

as log(1−κ) and log(ν−θ+c) are concave, and G ↦ log(exp G − c) is concave and increasing.
What is found here guides the search over integers. Nothing is certified by it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from separation.bounds.recursion import Condition, Rule
from separation.bounds.search.interior_point import Look, descent
from separation.bounds.search.monomials import Sum, Vector, relaxed_conditions
from separation.bounds.search.newton import Box, Potential, box_barrier, newton

LN2 = math.log(2)
LOG2_E = 1 / LN2
GAP = 1e-5  # of log2 of the length, for each 1000 bits of it, at which the search stops
GROWTH = 10.0  # of the weight of the length against the slack in the inequalities
UNMET = 1e-6  # of a slack that counts as met
INSIDE = 0.02  # a point with this much slack in every inequality is a start for the second phase
# Below these values the concave functions are continued by their tangents, so that every point has a finite violation.
FLAT, FLAT_SHARE, FLAT_FACTOR = 0.05, 0.01, 1.0


@dataclass(frozen=True)
class RealSolution:
    """A point, log2 of the length there, and the largest violation of an inequality (negative: slack in all).

    ``path`` are the points on the way to it, the last first: each has more slack, and costs more, than the one before.
    """

    z: Vector
    length: float
    violation: float
    path: tuple[Vector, ...] = ()


class Relaxation:
    """min log2 Σ N_ℓ subject to the inequalities, for one rule, L, β and Λ."""

    def __init__(self, rule: Rule, L: int, beta: int, linear: Sequence[int], chosen: bool = False) -> None:
        length, found = relaxed_conditions(rule, L, beta, linear, chosen)
        self.L, self.count = L, length.count
        found.sort(key=lambda condition: ("count", "order", "draw").index(condition.form))
        pairs = [part.logarithms() for part in (length, *(condition.left for condition in found))]
        counts = [len(coefficients) for coefficients, _ in pairs]
        self.coefficients = np.concatenate([coefficients for coefficients, _ in pairs])
        self.exponents = np.concatenate([exponents for _, exponents in pairs])
        self.starts = np.cumsum([0, *counts[:-1]])
        self.owner = np.repeat(np.arange(len(counts)), counts)
        self.rows = len(found)
        self.plain = PlainSides([condition for condition in found if condition.form != "draw"], self.count)
        self.draws = DrawSides([condition for condition in found if condition.form == "draw"], self.count)

    def shortest(self, box: Box, start: Vector) -> RealSolution | None:
        """The least length in the box; None if no point of the box has slack in all inequalities."""
        inside = self.most_slack(box, start, enough=-INSIDE)
        if inside.violation >= 0:
            return None
        z, weight = inside.z, self.rows / (GROWTH * inside.length)
        path = [z]
        while self.rows / weight > GAP * max(1.0, self.at(z).length / 1000):
            weight *= GROWTH
            z = newton(self._length_potential(box, weight), z, box.free)
            path.append(z)
        found = self.at(z)
        return RealSolution(z, found.length, found.violation, tuple(reversed(path)))

    def shortest_from(self, box: Box, start: Vector) -> RealSolution | None:
        """The least length above the lower ends of the box, from any start; None if none was found.

        Sooner than `shortest`, and without a path of points that have more slack.
        """
        free = box.free

        def look(z: Vector) -> Look:
            values, gradients, hessian = self._values(z)
            slack = np.concatenate([-values[1:], (z - box.low)[free]])
            jacobian = np.concatenate([-gradients[1:, free], np.eye(len(free))])
            block = np.ix_(free, free)
            return Look(
                z, float(values[0]), slack, gradients[0, free], jacobian, lambda y: hessian(np.append(1.0, y))[block]
            )

        found = descent(look, box.interior(start), free)
        violation = -float(np.min(found.slack))
        return RealSolution(found.z, found.cost, violation) if violation < UNMET else None

    def most_slack(self, box: Box, start: Vector, enough: float = -math.inf) -> RealSolution:
        """The point of the box with the most slack in the tightest inequality; any point with ``enough`` will do."""
        z = box.interior(start)
        extended, weight = np.append(z, self.at(z).violation + 1.0), 1.0
        indices = np.append(box.free, len(z))
        while self.rows / weight > GAP and (found := self.at(extended[:-1])).violation > enough:
            extended = newton(self._slack_potential(box, weight), extended, indices, enough)
            weight *= GROWTH
        return found if found.violation <= enough else self.at(extended[:-1])

    def at(self, z: Vector) -> RealSolution:
        values = self._values(z)[0]
        return RealSolution(z, float(values[0]), float(max(values[1:])))

    def _values(self, z: Vector) -> tuple[Vector, Vector, Callable[[Vector], Vector]]:
        """(length and violations, their gradients, scale ↦ Σ_k scale_k·Hessian_k)."""
        powers = self.exponents @ z + self.coefficients
        highest = np.maximum.reduceat(powers, self.starts)
        weights = np.exp2(powers - highest[self.owner])
        totals = np.add.reduceat(weights, self.starts)
        weights /= totals[self.owner]
        slopes = np.add.reduceat(weights[:, None] * self.exponents, self.starts)
        plain, draws = self.plain.at(z), self.draws.at(z)
        values, gradients = highest + np.log2(totals), slopes.copy()
        values[1:] -= np.concatenate([plain[0], draws[0]])
        gradients[1:] -= np.concatenate([plain[1], draws[1]])

        def hessian(scale: Vector) -> Vector:
            terms = (self.exponents.T * (scale[self.owner] * weights)) @ self.exponents
            left = LN2 * (terms - (slopes.T * scale) @ slopes)
            border = 1 + len(plain[0])
            return np.asarray(left - plain[2](scale[1:border]) - draws[2](scale[border:]))

        return values, gradients, hessian

    def _length_potential(self, box: Box, weight: float) -> Potential:
        """weight·length − Σ log(slack in the inequalities and the box)."""

        def potential(z: Vector) -> tuple[float, Callable[[], tuple[Vector, Vector]]] | None:
            if (edge := box_barrier(box, z)) is None:
                return None
            values, gradients, hessian = self._values(z)
            if (values[1:] >= 0).any():
                return None
            value, slopes, bends = edge

            def derivatives() -> tuple[Vector, Vector]:
                pull = np.append(weight, -1 / values[1:])
                matrix = hessian(pull) + (gradients[1:].T / values[1:] ** 2) @ gradients[1:] + np.diag(bends)
                return pull @ gradients + slopes, matrix

            return float(weight * values[0] - np.log(-values[1:]).sum() + value), derivatives

        return potential

    def _slack_potential(self, box: Box, weight: float) -> Potential:
        """weight·s − Σ log(s − violation) − Σ log(slack in the box), for a point (z, s)."""

        def potential(extended: Vector) -> tuple[float, Callable[[], tuple[Vector, Vector]]] | None:
            z, s = extended[:-1], extended[-1]
            if (edge := box_barrier(box, z)) is None:
                return None
            values, gradients, hessian = self._values(z)
            slack = s - values[1:]
            if (slack <= 0).any():
                return None
            value, slopes, bends = edge

            def derivatives() -> tuple[Vector, Vector]:
                outward = np.column_stack([gradients[1:], np.full(len(slack), -1.0)])
                matrix = (outward.T / slack**2) @ outward
                matrix[:-1, :-1] += hessian(np.append(0.0, 1 / slack)) + np.diag(bends)
                return (1 / slack) @ outward + np.append(slopes, weight), matrix

            return float(weight * s - np.log(slack).sum() + value), derivatives

        return potential


Side = tuple[Vector, Vector, Callable[[Vector], Vector]]  # values, gradients, scale ↦ Σ scale_k·Hessian_k


class PlainSides:
    """Right sides without draws: b + f·z + log2(d + g·z), where d + g·z ≥ 1 in every box of sizes."""

    def __init__(self, found: list[Condition], count: int) -> None:
        constant = 1.0, np.zeros(count)
        counted = [d.form == "count" for d in found]
        factors = [d.factor if c else d.right for d, c in zip(found, counted, strict=True)]
        self.b, self.f = _stacked([_affine(factor) for factor in factors], count)
        insides = [_affine(d.right) if c else constant for d, c in zip(found, counted, strict=True)]
        self.d, self.g = _stacked(insides, count)

    def at(self, z: Vector) -> Side:
        inside = self.d + self.g @ z
        return (
            self.b + self.f @ z + np.log2(inside),
            self.f + self.g / (inside * LN2)[:, None],
            lambda scale: -(self.g.T * (scale / (inside * inside * LN2))) @ self.g,
        )


class DrawSides:
    """Right sides of (E_ℓ), as functions of τ, ν and θ, which are linear in z."""

    def __init__(self, found: list[Condition], count: int) -> None:
        self.tries = _stacked([_affine(d.tries) for d in found], count)
        size = _stacked([_affine(d.right) for d in found], count)
        theta = _stacked([_affine(d.factor) for d in found], count)
        self.share = theta[0] - self.tries[0], theta[1] - self.tries[1]
        self.ratio = size[0] - theta[0], size[1] - theta[1]

    def at(self, z: Vector) -> Side:
        share, ratio = self.share[0] + self.share[1] @ z, self.ratio[0] + self.ratio[1] @ z
        first = _log_rest(share)
        second = _log_ratio(ratio + LOG2_E)
        third = _log_difference(first[0] + second[0])
        slopes = first[1][:, None] * self.share[1] + second[1][:, None] * self.ratio[1]

        def hessian(scale: Vector) -> Vector:
            outer = (slopes.T * (scale * third[2])) @ slopes
            inner = (self.share[1].T * (scale * third[1] * first[2])) @ self.share[1]
            return np.asarray(outer + inner + (self.ratio[1].T * (scale * third[1] * second[2])) @ self.ratio[1])

        values = self.tries[0] + self.tries[1] @ z + third[0]
        return values, self.tries[1] + third[1][:, None] * slopes, hessian


Curve = tuple[Vector, Vector, Vector]  # a concave function with its two derivatives


def _log_rest(share: Vector) -> Curve:
    """log(1 − 2^share)."""
    kept = np.minimum(share, math.log2(1 - FLAT_SHARE))
    power = np.exp2(kept)
    slope = -LN2 * power / (1 - power)
    bend = np.where(share > kept, 0.0, LN2 * slope / (1 - power))
    return np.log1p(-power) + slope * (share - kept), slope, bend


def _log_ratio(value: Vector) -> Curve:
    """log(value)."""
    kept = np.maximum(value, FLAT_FACTOR)
    return np.log(kept) + (value - kept) / kept, 1 / kept, np.where(value < kept, 0.0, -1 / kept**2)


def _log_difference(value: Vector) -> Curve:
    """log2(exp(value) − log2 𝖾)."""
    kept = np.maximum(value, math.log(LOG2_E + FLAT))
    power = np.exp(kept)
    rest = power - LOG2_E
    slope = power / (rest * LN2)
    bend = np.where(value < kept, 0.0, -LOG2_E * power / (rest * rest * LN2))
    return np.log2(rest) + slope * (value - kept), slope, bend


def _affine(monomial: Sum) -> tuple[float, Vector]:
    """log2 of a monomial: (constant, slopes)."""
    (constant,), (slope,) = monomial.logarithms()
    return constant, slope


def _stacked(pairs: list[tuple[float, Vector]], count: int) -> tuple[Vector, Vector]:
    return np.array([c for c, _ in pairs]), np.array([v for _, v in pairs]).reshape(len(pairs), count)
