"""From real numbers to integers: boxes in which more and more variables are whole, the most promising first."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np

from separation.bounds.recursion import Rule
from separation.bounds.schedules import Golden, golden_logarithms
from separation.bounds.search.newton import Box, Vector
from separation.bounds.search.relaxation import RealSolution, Relaxation
from separation.bounds.search.slack import SearchProblem

FINE = 1e-3  # a variable that changes by less than this share when it is rounded is not split any more
START_SLACK = math.log2(1.5)  # of y, over the golden schedule
SMALL = 12.0  # log2 of a variable that is whole in the end


def nearly_whole_solutions(
    problem: SearchProblem, relaxation: Relaxation, start: Vector, boxes: int, longest: Callable[[], float]
) -> Iterator[RealSolution]:
    """Solutions of the real problem in which all variables are nearly whole; about ``boxes`` problems are solved.

    Depth first to a first solution, each time into the half with the shorter prompt, then best first from the halves
    that were left. All integers in a box give longer prompts than its real solution (up to the rounding of t_ℓ), so the
    search ends when nothing shorter than ``longest`` is left.
    """
    order = itertools.count()
    root = sizes_box(problem, relaxation.count, start)
    here = relaxation.shortest(root, start)
    heap: list[tuple[float, int, Box, RealSolution]] = []
    if here is not None:
        heap.append((here.length, next(order), root, here))
    solved = 1
    while heap:
        length, _, box, here = heapq.heappop(heap)
        if length > longest():
            return
        while (index := _worst_rounded(box, here.z, 2 * problem.L)) is not None and solved < boxes:
            solved += 2
            halves = [(half, relaxation.shortest(half, here.z)) for half in _halves(box, index, here.z)]
            ranked = sorted(((there.length, next(order), half, there) for half, there in halves if there is not None))
            if not ranked:
                break
            for other in ranked[1:]:
                heapq.heappush(heap, other)
            _, _, box, here = ranked[0]
        else:
            solved += 1
            whole = relaxation.shortest(_whole(box, here.z, problem.L), here.z)
            yield here if whole is None else whole
            if solved >= boxes:
                return


def golden_start(problem: SearchProblem, golden: Golden) -> Vector:
    """The golden schedule with a y that is larger by half: all inequalities hold there, with slack."""
    first = int(problem.linear[0])
    z = golden_logarithms(problem.rule, problem.L, math.log2(golden.y) + START_SLACK, first)
    return np.array(z if problem.chosen else z[: 2 * problem.L])


def sizes_box(problem: SearchProblem, count: int, start: Vector) -> Box:
    """x_ℓ ≥ 1, n_ℓ ≥ 1, m ≥ 2; a Θ_1 that the rule does not use is fixed.

    No number is larger than about N_{L-1} at the start, where all inequalities hold: without this limit the search for
    slack would run off to numbers with millions of digits.
    """
    low, high = np.zeros(count), np.full(count, float(start[problem.L : 2 * problem.L].sum()) + 1)
    low[2 * problem.L - 1] = 1.0
    low[2 * problem.L :] = -10.0
    if count > 2 * problem.L and problem.rule is Rule.A_FREE:
        low[2 * problem.L] = high[2 * problem.L] = 0.0
    return Box(low, high)


def _halves(box: Box, index: int, z: Vector) -> list[Box]:
    """The box cut between the two integers around a variable."""
    below = math.floor(2.0 ** z[index])
    below -= math.log2(below) >= box.high[index] if below > 1 else 0
    cut = [box.with_high(index, math.log2(below)), box.with_low(index, math.log2(below + 1))]
    return [half for half in cut if half.low[index] <= half.high[index]]


def _whole(box: Box, z: Vector, L: int) -> Box:
    """The box with all small variables but n_1 and m fixed at the nearest integer; these two make up for it."""
    for index in range(2 * L - 1):
        if z[index] < SMALL and index != L:
            nearest = math.log2(max(1, round(2.0 ** z[index])))
            box = box.with_low(index, nearest).with_high(index, nearest)
    return box


def _worst_rounded(box: Box, z: Vector, count: int) -> int | None:
    """The free variable that changes most when it is rounded; None when all change by a small share."""
    shares = [_rounding_share(z[p]) if box.high[p] > box.low[p] else 0.0 for p in range(count)]
    index = int(np.argmax(shares))
    return index if shares[index] > FINE else None


def _rounding_share(logarithm: float) -> float:
    """|v − nearest integer|/v for v = 2^logarithm, and 0 for a large v."""
    if logarithm >= SMALL:
        return 0.0
    value = math.exp2(logarithm)
    return abs(value - round(value)) / value
