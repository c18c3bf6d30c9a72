"""Where the search over real numbers begins for Theorems A_L, A_W and B_L: a schedule of powers of y, with room for R.

The exponents are those of `separation.bounds.delayed_schedule`; y is the least on a grid with slack in all
inequalities.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from separation.bounds.schedules import fibonacci
from separation.bounds.theorems.outcome import block_bits

Vector = npt.NDArray[np.float64]

ROOM_BITS = 3  # of m over Θ
FIRST_BITS, LAST_BITS, STEP_BITS = 0.0, 60.0, 0.5  # of y over β
ENOUGH_SLACK = 0.05


def schedule_points(kind: str, tables: int, linear: Sequence[int], y: Vector) -> Vector:
    """log2 of m, then of g (A), g, u (W) or x_0, x_1 (B), then of Θ_1.., n_1.., x_2..; a column for each log2 of y."""
    L, blocks = tables, block_bits(linear)
    n = [y * fibonacci(2 * (L - level) + 1) for level in range(2, L)]
    x = [y * fibonacci(2 * (L - level)) for level in range(2, L)]
    if kind == "A":
        # n_1 pays for the states behind the first full layer, g for those in front of it.
        n = [np.full_like(y, math.log2(1 + max(blocks[1:]))), *n]
        theta, m = y * fibonacci(2 * L - 2), ROOM_BITS + y * (fibonacci(2 * L - 1) - 1)
        head = [m, np.minimum(m, math.log2(2 + 2 * linear[0]))]
    elif kind == "W":
        n = [np.full_like(y, math.log2(1 + max(blocks[1:]))), y * fibonacci(2 * L - 5), *n[1:]]
        theta, m = y * fibonacci(2 * L - 3), ROOM_BITS + y * (2 * fibonacci(2 * L - 3) - 1)
        head = [m, np.minimum(m, math.log2(2 + 2 * linear[0])), theta + 1]
    else:
        n = [y * fibonacci(2 * L - 3), *n]
        theta, m = y * fibonacci(2 * L) - 1, ROOM_BITS + y * (2 * fibonacci(2 * L - 1) - 1)
        head = [m, y * fibonacci(2 * L - 1), y * fibonacci(2 * L - 2)]
    thetas = [theta]
    for before, factor in zip(n, x, strict=False):
        thetas.append(factor + before + thetas[-1] - 1)
    return np.array([*head, *thetas, *n, *x])


def schedule_at(kind: str, tables: int, linear: Sequence[int], y: float) -> Vector:
    """The point of the schedule with this log2 of y."""
    return np.asarray(schedule_points(kind, tables, linear, np.array([y]))[:, 0])


def schedule_start(
    kind: str, tables: int, beta: int, linear: Sequence[int], evaluate: Callable[[Vector], tuple[Vector, Vector]]
) -> Vector:
    """The first point of the schedule with slack everywhere, or the one with the most, if none has it everywhere."""
    y = math.log2(max(beta, 1)) + np.arange(FIRST_BITS, LAST_BITS, STEP_BITS)
    points = schedule_points(kind, tables, linear, y)
    slack = np.min(evaluate(points)[1], axis=0)
    enough = np.flatnonzero(slack > ENOUGH_SLACK)
    return np.asarray(points[:, enough[0] if len(enough) else int(np.argmax(slack))])
