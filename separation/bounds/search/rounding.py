"""From real logarithms to integers: small numbers are rounded one by one, then larger ones together, then the rest."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np

from separation.bounds.search.interior_point import least_cost
from separation.bounds.theorems.outcome import Impossibility

# Numbers up to these binary digits are rounded one by one, each time solving for the others; larger ones together.
SMALL_BITS, BATCHES = 5.0, (10.0, 20.0, 40.0)
LEAST_MARGIN, MOST_MARGIN, COARSE, FINE = 1e-9, 2.5, 1e-7, 1e-10
UNMET = 1e-6  # of a slack that counts as met


class LogarithmicProblem(Protocol):
    """A theorem whose numbers are given by their logarithms."""

    @property
    def size(self) -> int:
        """How many numbers there are."""

    @property
    def chosen(self) -> list[int]:
        """The rows of the numbers that are rounded before the others, which make up for it."""

    def evaluate(self, point: Any) -> tuple[Any, Any]:
        """(log2 of the cost, log2 of right over left side of every inequality)."""

    def starts(self) -> Iterable[np.ndarray]:
        """Where the search over real numbers may begin; a later one where nothing was found from those before."""

    def outcome(self, integers: Sequence[int], identity_tables: int) -> Impossibility:
        """The theorem at integers, in the order of the rows."""


def rounded_optimum(
    problem: LogarithmicProblem,
    identity_tables: int,
    shorter_than: float = math.inf,
    near: Sequence[np.ndarray] = (),
) -> Impossibility | None:
    """Integers near the least real numbers, certified; ``near`` are points from which these may be found sooner.

    None if nothing was found, or nothing shorter than 2^``shorter_than`` tokens.
    """
    fixed: dict[int, int] = {}
    point = real_optimum(problem, near=near)
    if point is None or float(problem.evaluate(point)[0]) > shorter_than:
        return None
    point = _round_small(problem, fixed, point)
    for most in BATCHES:
        rows = [row for row in problem.chosen if row not in fixed and point[row] < most]
        rounded = {row: max(1, round(2.0 ** float(point[row]))) for row in rows}
        answer = _solve(problem, {**fixed, **rounded}, point) if rows else None
        if answer is not None:
            fixed, point = {**fixed, **rounded}, answer
    # What is left is rounded at once, which costs about as much slack as the smallest of these numbers changes.
    left = [point[row] for row in range(problem.size) if row not in fixed]
    margin = max(LEAST_MARGIN, 2.0 ** -min(60.0, 2 + min(left, default=0.0)))
    while margin < MOST_MARGIN:
        answer = _solve(problem, fixed, point, margin, FINE)
        if answer is not None:
            integers = [fixed.get(row) or _integer(answer[row]) for row in range(problem.size)]
            outcome = problem.outcome(integers, identity_tables)
            if outcome.holds:
                return outcome
        margin *= 4
    return None


def _round_small(problem: LogarithmicProblem, fixed: dict[int, int], point: np.ndarray) -> np.ndarray:
    """The smallest number is rounded both ways and kept in ``fixed``, until all small ones are integers."""
    while small := [row for row in range(problem.size) if row not in fixed and point[row] < SMALL_BITS]:
        row = small[int(np.argmin(point[small]))]
        value = 2.0 ** float(point[row])
        solved = []
        for option in {max(1, math.floor(value)), math.ceil(value - 1e-6)}:
            start = point.copy()
            start[row] = math.log2(option)
            answer = _solve(problem, {**fixed, row: option}, start)
            if answer is not None:
                solved.append((float(problem.evaluate(answer)[0]), option, answer))
        if not solved:
            break
        _, fixed[row], point = min(solved, key=lambda item: item[0])
    return point


def real_optimum(
    problem: LogarithmicProblem, accuracy: float = COARSE, near: Sequence[np.ndarray] = ()
) -> np.ndarray | None:
    """Logarithms with the least cost and slack in all inequalities; None if none were found."""
    for start in itertools.chain(near, problem.starts()):
        found = _solve(problem, {}, start, accuracy=accuracy)
        if found is not None:
            return found
    return None


def _solve(
    problem: LogarithmicProblem,
    fixed: dict[int, int],
    start: np.ndarray,
    margin: float = 1e-10,
    accuracy: float = COARSE,
) -> np.ndarray | None:
    """The least cost with every inequality met by the margin, from a start; None if none was found."""
    base = start.copy()
    for row, value in fixed.items():
        base[row] = math.log2(value)
    free = np.array([row for row in range(problem.size) if row not in fixed], dtype=np.intp)
    if len(free) == 0:
        return base if float(np.min(problem.evaluate(base)[1])) >= 0 else None
    found = least_cost(problem.evaluate, base, free, margin, accuracy)
    return found.point if found.slack > margin - UNMET else None


def _integer(logarithm: float) -> int:
    """⌊2^logarithm⌉, with the precision of a float."""
    whole = max(0, math.floor(logarithm) - 52)
    mantissa: int = round(2.0 ** float(logarithm - whole))
    return max(1, mantissa) << whole
