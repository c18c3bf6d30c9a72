"""The least value of a smooth function of numbers that are at least 0: quasi-Newton steps, without NumPy.

J. Nocedal and S. Wright, Numerical Optimization (2nd ed., 2006): the BFGS update of an inverse Hessian, (6.17), which
begins as (6.20) says, with backtracking (algorithm 3.1). A number that is 0 and would become less stays there while
the others move. A problem of ten unknowns takes thirty steps, fewer than loading a library for it would cost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Cost = Callable[[Sequence[float]], tuple[float, list[float]]]
"""z ↦ (the cost, a point that has it, z itself or one that stands for z)."""
Gradient = Callable[[Sequence[float], float], list[float]]

SUFFICIENT, SHORTER = 1e-4, 0.4  # of backtracking, algorithm 3.1
LONGEST = 4.0  # bits that one number moves by in one step: costs are no parabolas farther away
SHORTEST = 1e-6  # of a step: what is not better then is not better within rounding errors
STALLED = 1e-3  # of the accuracy: a step that saves less is the last one
MOST_STEPS = 400


@dataclass(frozen=True)
class Optimum:
    """A point, its cost, and how the best point moves when some of it is fixed: the inverse Hessian there."""

    z: tuple[float, ...]
    cost: float
    inverse: tuple[tuple[float, ...], ...]


def least(
    cost: Cost,
    gradient: Gradient,
    start: Sequence[float],
    accuracy: float,
    inverse: Sequence[Sequence[float]] | None = None,
) -> Optimum | None:
    """The point where no step promises to save ``accuracy``; None where that does not end, or the start has no cost.

    ``inverse``: about the inverse Hessian, if it is known.
    """
    (here, z), count = cost(start), len(start)
    if not math.isfinite(here):
        return None
    slopes = gradient(z, here)
    H, fresh = _unit(count, 1 / (1 + max(map(abs, slopes), default=0.0))), inverse is None
    H = H if inverse is None else [[*row] for row in inverse]
    for _ in range(MOST_STEPS):
        held = [i for i in range(count) if z[i] == 0 and slopes[i] > 0]
        for i in held:
            H = with_held(H, i)
        step = [-sum(h * slope for h, slope in zip(row, slopes, strict=True)) for row in H]
        promised = -sum(s * g for s, g in zip(step, slopes, strict=True))
        for i in held:
            H[i][i] = 1.0
        if promised < accuracy:
            return Optimum(tuple(z), here, tuple(map(tuple, H)))
        share = min(1.0, *((LONGEST + at / 8) / abs(by) for at, by in zip(z, step, strict=True) if by))
        while True:
            there = [max(0.0, at + share * by) for at, by in zip(z, step, strict=True)]
            further, there = cost(there)
            if further < here - SUFFICIENT * share * promised or share < SHORTEST:
                break
            share *= SHORTER
        if fresh is False and here - further < accuracy * STALLED and further <= here:
            return Optimum(tuple(there), further, tuple(map(tuple, H)))
        if further < here:
            before, slopes = slopes, gradient(there, further)
            moved = [b - a for a, b in zip(z, there, strict=True)]
            turned = [0.0 if i in held else b - a for i, (a, b) in enumerate(zip(before, slopes, strict=True))]
            z, here, H, fresh = there, further, _updated(H, moved, turned, fresh), False
        elif fresh:
            return None
        else:  # the update has lost the way down
            H, fresh = _unit(count, 1.0), True
    return None


def with_held(H: Sequence[Sequence[float]], i: int) -> list[list[float]]:
    """The inverse Hessian of the other numbers if number i does not move."""
    count, share = len(H), [row[i] / H[i][i] for row in H] if H[i][i] else [0.0] * len(H)
    return [[0.0 if i in (j, k) else H[j][k] - share[j] * H[i][k] for k in range(count)] for j in range(count)]


def _unit(count: int, scale: float) -> list[list[float]]:
    return [[scale * (i == j) for j in range(count)] for i in range(count)]


def _updated(H: list[list[float]], s: Sequence[float], y: Sequence[float], fresh: bool) -> list[list[float]]:
    """(I − ρsyᵀ)H(I − ρysᵀ) + ρssᵀ with ρ = 1/sᵀy; H itself where the curvature along s is not positive."""
    count, curvature = len(s), sum(a * b for a, b in zip(s, y, strict=True))
    if curvature <= 1e-14:
        return H
    if fresh:
        H = _unit(count, curvature / sum(b * b for b in y))
    Hy = [sum(a * b for a, b in zip(row, y, strict=True)) for row in H]
    more = (1 + sum(a * b for a, b in zip(y, Hy, strict=True)) / curvature) / curvature
    return [
        [H[i][j] + more * s[i] * s[j] - (Hy[i] * s[j] + s[i] * Hy[j]) / curvature for j in range(count)]
        for i in range(count)
    ]
