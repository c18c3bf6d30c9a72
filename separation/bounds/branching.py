"""From real numbers to integers: boxes in which more and more variables are whole, the most promising first."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np

from separation.bounds.barrier import Box, Vector
from separation.bounds.ladder import Rule
from separation.bounds.relaxation import Found, Relaxation
from separation.bounds.schedules import Golden, golden_logarithms
from separation.bounds.trial import Trial

FINE = 1e-3  # a variable that changes by less than this share when it is rounded is not split any more
ROOM = math.log2(1.5)
SMALL = 12.0  # log2 of a variable that is whole in the end


def real_choices(
    trial: Trial, relaxation: Relaxation, start: Vector, boxes: int, longest: Callable[[], float]
) -> Iterator[Found]:
    """Solutions of the real problem in which all variables are nearly whole; about ``boxes`` problems are solved.

    The search goes straight down to a first solution, each time into the half with the shorter prompt, and then goes on
    from the half with the shortest prompt that was left aside. All choices of integers in a box are longer than its
    real solution (up to the rounding of t_ℓ), so it ends when nothing shorter than ``longest`` is left.
    """
    order = itertools.count()
    root = sizes_box(trial, relaxation.count, start)
    here = relaxation.shortest(root, start)
    heap: list[tuple[float, int, Box, Found]] = []
    if here is not None:
        heap.append((here.length, next(order), root, here))
    solved = 1
    while heap:
        length, _, box, here = heapq.heappop(heap)
        if length > longest():
            return
        while (place := _roughest(box, here.z, 2 * trial.L)) is not None and solved < boxes:
            solved += 2
            halves = [(half, relaxation.shortest(half, here.z)) for half in _halves(box, place, here.z)]
            ranked = sorted(((there.length, next(order), half, there) for half, there in halves if there is not None))
            if not ranked:
                break
            for other in ranked[1:]:
                heapq.heappush(heap, other)
            _, _, box, here = ranked[0]
        else:
            solved += 1
            whole = relaxation.shortest(_whole(box, here.z, trial.L), here.z)
            yield here if whole is None else whole
            if solved >= boxes:
                return


def real_start(trial: Trial, golden: Golden) -> Vector:
    """The golden schedule with a y that is larger by half: all inequalities hold there, with room."""
    first = int(trial.linear[0])
    z = golden_logarithms(trial.rule, trial.L, math.log2(golden.y) + ROOM, first)
    return np.array(z if trial.chosen else z[: 2 * trial.L])


def sizes_box(trial: Trial, count: int, start: Vector) -> Box:
    """x_ℓ ≥ 1, n_ℓ ≥ 1, m ≥ 2; a Θ_1 that the rule does not use is fixed.

    No number is larger than about N_{L-1} at the start, where all inequalities hold: without this end the search for
    room runs off to numbers with millions of digits.
    """
    low, high = np.zeros(count), np.full(count, float(start[trial.L : 2 * trial.L].sum()) + 1)
    low[2 * trial.L - 1] = 1.0
    low[2 * trial.L :] = -10.0
    if count > 2 * trial.L and trial.rule is Rule.A_FREE:
        low[2 * trial.L] = high[2 * trial.L] = 0.0
    return Box(low, high)


def _halves(box: Box, place: int, z: Vector) -> list[Box]:
    """The box cut between the two integers next to a variable."""
    below = math.floor(2.0 ** z[place])
    below -= math.log2(below) >= box.high[place] if below > 1 else 0
    cut = [box.with_high(place, math.log2(below)), box.with_low(place, math.log2(below + 1))]
    return [half for half in cut if half.low[place] <= half.high[place]]


def _whole(box: Box, z: Vector, L: int) -> Box:
    """The box with all small variables but n_1 and m fixed at the nearest integer; these two make up for it."""
    for place in range(2 * L - 1):
        if z[place] < SMALL and place != L:
            nearest = math.log2(max(1, round(2.0 ** z[place])))
            box = box.with_low(place, nearest).with_high(place, nearest)
    return box


def _roughest(box: Box, z: Vector, count: int) -> int | None:
    """The free variable that changes most when it is rounded; None when all change by a small share."""
    shares = [_rounding_share(z[p]) if box.high[p] > box.low[p] else 0.0 for p in range(count)]
    place = int(np.argmax(shares))
    return place if shares[place] > FINE else None


def _rounding_share(logarithm: float) -> float:
    """|v − nearest integer|/v for v = 2^logarithm, and 0 for a large v."""
    if logarithm >= SMALL:
        return 0.0
    value = math.exp2(logarithm)
    return abs(value - round(value)) / value
