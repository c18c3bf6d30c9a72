"""Sums of monomials in unknown numbers, and inequalities between them: a geometric program in the logarithms.

With z = log2 of all unknowns, log2 of a monomial is affine in z and log2 of a sum of monomials is convex, so every
inequality of the form

    bits < factor·log2(above/below)    becomes    log2(bits) − log2(factor) − log2(log2(above) − log2(below)) < 0,

where bits is a sum and the others are monomials: a convex function of z (Boyd, Kim, Vandenberghe and Hassibi, A
tutorial on geometric programming, 2007, sections 2.4 and 5.1). What is not of this form, differences above all, is
replaced by the monomial that agrees with it at a point, and the program is solved again there (section 9.1 of the same;
Avriel and Williams 1970 call it condensation).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from separation.bounds.condition import LOG2_E, Condition, Order

Vector = npt.NDArray[np.float64]
LN2 = math.log(2)
MOST_SLOPE = 16.0  # of log2(a − b): a steeper monomial forbids b to leave a at all; with this it is at least b/40
LEAST_GAP = (
    1e-3  # of log2(above/below), or a tenth of what is needed: below it the logarithm goes on as a straight line
)
LEAST_RATIO = 0.1  # of log2(N/k) where the tangent of log2 C(N, k) touches it, for the same reason
DIFFERENCE = 1e-4  # of the logarithms of which its slope is the quotient


class Posynomial:
    """Σ 2^(logs_k + powers_k·z): numbers that can be added and multiplied; ``at`` is where differences are replaced."""

    __slots__ = ("at", "logs", "powers")

    def __init__(self, logs: Vector, powers: Vector, at: Vector) -> None:
        self.logs, self.powers, self.at = logs, powers, at

    def __add__(self, other: Any) -> Posynomial:
        if not isinstance(other, Posynomial):
            if other == 0:
                return self
            other = self.constant(other)
        logs, powers = np.concatenate([self.logs, other.logs]), np.concatenate([self.powers, other.powers])
        return Posynomial(logs, powers, self.at)

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, Posynomial):
            return 0 if other == 0 else Posynomial(self.logs + math.log2(other), self.powers, self.at)
        logs = (self.logs[:, None] + other.logs).ravel()
        powers = (self.powers[:, None] + other.powers).reshape(len(logs), -1)
        return Posynomial(logs, powers, self.at)

    def __sub__(self, other: Any) -> Posynomial:
        """A monomial that is nowhere less than a − b, and equal at the point unless the slopes would be too large.

        log2(a − b) = log2(a) + log2(1 − 2^(−d)) is concave in the logarithms, d = log2(a/b): so its tangent is above.
        """
        if not isinstance(other, Posynomial):
            if other == 0:
                return self
            other = self.constant(other)
        (log_a, a), (log_b, b) = self.monomial(), other.monomial()
        gap = log_a - log_b + float((a - b) @ self.at)
        touching = max(gap, -math.log2(1 - 1 / MOST_SLOPE))
        rest = 1 - 2.0**-touching
        slope = (1 - rest) / rest
        value = log_a + float(a @ self.at) + math.log2(rest) + slope * (gap - touching)
        return through_point(value, a + slope * (a - b), self.at)

    def __rsub__(self, other: Any) -> Any:
        return 0 if other == 0 else self.constant(other) - self

    __radd__, __rmul__ = __add__, __mul__

    def constant(self, number: Any) -> Posynomial:
        """A number, among the same unknowns."""
        return Posynomial(np.array([math.log2(number)]), np.zeros((1, len(self.at))), self.at)

    def inverse(self) -> Posynomial:
        """1 over a monomial."""
        return Posynomial(-self.logs, -self.powers, self.at)

    def log2(self) -> float:
        """log2 of the value where differences are replaced."""
        logs = self.logs + self.powers @ self.at
        most = float(np.max(logs))
        return most + math.log2(float(np.exp2(logs - most).sum()))

    def monomial(self) -> tuple[float, Vector]:
        """(log2 of the coefficient, powers): itself, or the monomial with the same value and slopes at the point."""
        if len(self.logs) == 1:
            return float(self.logs[0]), self.powers[0]
        value = self.log2()
        powers = np.exp2(self.logs + self.powers @ self.at - value) @ self.powers
        return value - float(powers @ self.at), powers


def unknowns(at: Vector) -> list[Posynomial]:
    """One for each coordinate of z."""
    return [Posynomial(np.zeros(1), row[None], at) for row in np.eye(len(at))]


@dataclass(frozen=True)
class Values:
    """Of all functions at a point: their values, their gradients, and what their second derivatives are made of."""

    f: Vector
    gradients: Vector
    shares: Vector
    sums: Vector
    bends: Vector


class Program:
    """Row 0: the cost, log2 of a sum. Rows 1..: conditions, each a function that must be at most 0.

    row(z) = log2 Σ_k 2^(R_k·z + r_k) − log2(A·z + a), the second part only where a condition has it.
    """

    def __init__(self, cost: Posynomial, conditions: Sequence[Condition | Order], margin: float = 0.0) -> None:
        """where every condition has to be met with log2(right/left) of at least ``margin``."""
        at = cost.at
        parts = [(cost.logs, cost.powers)]
        gaps: list[tuple[float, Vector]] = [(1.0, np.zeros(len(at)))]
        for condition in conditions:
            part, gap = _convex(condition, at)
            if part is not None:
                parts.append(part)
                gaps.append(gap)
        self.r = np.concatenate([logs for logs, _ in parts])
        self.R = np.concatenate([powers for _, powers in parts])
        lengths = [len(logs) for logs, _ in parts]
        self.starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        self.row = np.repeat(np.arange(len(parts)), lengths)
        self.r[lengths[0] :] += margin
        self.a, self.A = np.array([value for value, _ in gaps]), np.array([slope for _, slope in gaps])
        needed = np.maximum.reduceat(self.R @ at + self.r, self.starts)  # log2 of the gap that a condition asks for
        self.least = np.clip(np.exp2(np.minimum(needed, 0.0)) / 10, LEAST_GAP**2, LEAST_GAP)

    def values(self, z: Vector) -> Values:
        logs = self.R @ z + self.r
        most = np.maximum.reduceat(logs, self.starts)
        powers = np.exp2(logs - most[self.row])
        totals = np.add.reduceat(powers, self.starts)
        shares = powers / totals[self.row]
        sums = np.add.reduceat(shares[:, None] * self.R, self.starts)
        gap = self.A @ z + self.a
        safe = np.maximum(gap, self.least)
        first = 1 / (safe * LN2)
        f = most + np.log2(totals) - np.log2(safe) - first * np.minimum(gap - self.least, 0)
        bends = np.where(gap > self.least, first / safe, 0.0)
        return Values(f, sums - first[:, None] * self.A, shares, sums, bends)

    def hessian(self, values: Values, weights: Vector) -> Vector:
        """Σ_i weight_i·∇²f_i."""
        spread = (self.R.T * (weights[self.row] * values.shares)) @ self.R
        spread -= (values.sums.T * weights) @ values.sums
        return np.asarray(LN2 * spread + (self.A.T * (weights * values.bends)) @ self.A)


def _convex(condition: Condition | Order, at: Vector) -> tuple[tuple[Vector, Vector] | None, tuple[float, Vector]]:
    """(log2 of the left side over the factor, log2(above/below)); None where there is nothing to meet."""
    nothing = (1.0, np.zeros(len(at)))
    if isinstance(condition, Order):
        if not isinstance(condition.left, Posynomial) and not isinstance(condition.right, Posynomial):
            return None, nothing
        left, (log, powers) = _posynomial(condition.left, at), _posynomial(condition.right, at).monomial()
        return (left.logs - log, left.powers - powers), nothing
    if not isinstance(condition.factor, Posynomial) and condition.factor <= 0:
        return (np.ones(1), np.zeros((1, len(at)))), nothing  # 1 ≤ 0: it cannot be met
    if not isinstance(condition.below, Posynomial) and condition.below == 0:
        return None, nothing
    sides: list[Any] = [condition.bits, condition.nats * LOG2_E]
    for loose, pairs in ((False, condition.binomials), (True, condition.loose_binomials)):
        sides += [log_binomial(_posynomial(top, at), bottom, loose) for top, bottom in pairs]
    parts = [_posynomial(part, at) for part in sides if isinstance(part, Posynomial) or part > 0]
    (log_a, a), (log_b, b) = _posynomial(condition.above, at).monomial(), _posynomial(condition.below, at).monomial()
    if not parts:  # above > below is all that is asked
        return (np.array([log_b - log_a]), (b - a)[None]), nothing
    log_f, f = _posynomial(condition.factor, at).monomial()
    logs, powers = np.concatenate([part.logs for part in parts]), np.concatenate([part.powers for part in parts])
    return (logs - log_f, powers - f), (log_a - log_b, a - b)


def log_binomial(top: Posynomial, bottom: Any, loose: bool) -> Any:
    """log2 C(N, k) ≈ k·(g + r), g = log2(N/k), r = ((1−s)/s)·log2(1/(1−s)), s = k/N: the monomial at the point.

    ``loose``: r = log2 𝖾, which is a little more.
    """
    if not isinstance(bottom, Posynomial):
        return 0 if bottom == 0 else log_binomial(top, _posynomial(bottom, top.at), loose)

    def bracket(gap: float) -> float:
        s = 2.0**-gap
        return gap + (LOG2_E if loose or s < 1e-9 else -(1 - s) / s * math.log1p(-s) / LN2)

    (log_n, n), (log_k, k) = top.monomial(), bottom.monomial()
    gap = log_n - log_k + float((n - k) @ top.at)
    touching = max(gap, LEAST_RATIO)
    here = math.log2(bracket(touching))
    slope = (math.log2(bracket(touching + DIFFERENCE)) - here) / DIFFERENCE
    value = log_k + float(k @ top.at) + here + slope * (gap - touching)
    return through_point(value, k + slope * (n - k), top.at)


def through_point(value: float, powers: Vector, at: Vector) -> Posynomial:
    """The monomial with these powers and this logarithm at the point."""
    return Posynomial(np.array([value - float(powers @ at)]), powers[None], at)


def _posynomial(number: Any, at: Vector) -> Posynomial:
    if isinstance(number, Posynomial):
        return number
    return Posynomial(np.array([math.log2(number)]), np.zeros((1, len(at))), at)
