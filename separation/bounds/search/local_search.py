"""Search over integers: from a candidate that holds to a shorter one, as long as there is one nearby."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from separation.bounds.search.newton import Vector
from separation.bounds.search.relaxation import RealSolution
from separation.bounds.search.slack import LEADING_BITS, SearchProblem

SAFE_SLACK = 1e-12  # more than floats can be wrong, for each 100 bits of the numbers
LARGE_BITS, LARGE_ACCURACY = 64, 24  # numbers with more bits than the first are searched for to the second

Candidate = tuple[int, ...]

# A step of one number: (±1, k) is ±2^-k of it, (s, 0) is s. Steps of two numbers at once: ±1 and ±2 in all ways, shares
# of both in opposite ways, ±1 with a share of the other.
Move = tuple[int, int]
_UNITS: list[Move] = [(step, 0) for step in (-2, -1, 1, 2)]
_SHARES: list[Move] = [(sign, k) for k in (2, 4, 6, 8, 10) for sign in (1, -1)]
_PAIRS = [*itertools.product(_UNITS, _UNITS), *(((sign, k), (-sign, k)) for sign, k in _SHARES)]
_PAIRS += [*itertools.product(_UNITS[1:3], _SHARES), *itertools.product(_SHARES, _UNITS[1:3])]


@dataclass
class LocalSearch:
    """Moves from candidate to candidate within a budget of work.

    An evaluation costs L, more if numbers are long; a candidate that was seen before costs 1.
    """

    problem: SearchProblem
    budget: int
    spent: int = 0
    seen: dict[Candidate, bool] = field(default_factory=dict)

    def holds(self, candidate: Sequence[int]) -> bool:
        """All inequalities hold, with slack."""
        key = tuple(candidate)
        self.spent += 1
        if key not in self.seen:
            bits = max(map(int.bit_length, key))
            self.spent += self.problem.L + bits // 64
            self.seen[key] = self.problem.slack(key) > SAFE_SLACK * (1 + bits / 100)
        return self.seen[key]

    def feasible_integers(self, solution: RealSolution, offset: Vector | float = 0.0) -> Candidate | None:
        """Integers that hold, near the path of Newton's method, as close to its end as possible."""
        for late, early in itertools.pairwise([solution.z, *solution.path]):
            for share in (0.0, 0.25, 0.5, 0.75):
                real = (1 - share) * late + share * early + offset
                for rounding in (0.5, 0.0, 1.0):
                    candidate = [rounded(logarithm, rounding) for logarithm in real[: 2 * self.problem.L]]
                    candidate[-1] = max(2, candidate[-1])
                    if self.holds(candidate):
                        return self.shrunk(candidate)
        return None

    def shrunk(self, candidate: Sequence[int]) -> Candidate:
        """The candidate with m, n_{L-1}, …, n_1 each made as small as it can be alone."""
        result = tuple(candidate)
        for index in range(2 * self.problem.L - 1, self.problem.L - 1, -1):
            result = self._smallest_value(result, index)
        return result

    def descend(self, candidate: Candidate, rng: random.Random) -> Candidate:
        """Moves that shorten the prompt until none of them does, or the budget is spent."""
        best, length = candidate, self.problem.length(candidate)
        improved = True
        while improved and self.spent < self.budget:
            improved = False
            for moved in self._moves(best, rng):
                shorter = self._shorter_neighbour(moved, length)
                if shorter is not None:
                    best, improved = shorter, True
                    length = self.problem.length(best)
                    break
                if self.spent >= self.budget:
                    break
        return best

    def _moves(self, candidate: Candidate, rng: random.Random) -> Iterator[list[int]]:
        """Candidates with one number changed, or two in opposite ways, small and large steps mixed."""
        count = len(candidate)
        singles = [(index, step) for index in range(count) for step in _steps(candidate[index])]
        rng.shuffle(singles)
        for index, step in singles:
            moved = _moved(candidate, index, step)
            if moved is not None:
                yield moved
        pairs = [(a, b, move) for a in range(count) for b in range(a) for move in _PAIRS]
        rng.shuffle(pairs)
        for a, b, (first, second) in pairs:
            moved = _moved(candidate, a, _step(candidate[a], first))
            moved = moved and _moved(moved, b, _step(candidate[b], second))
            if moved is not None:
                yield moved

    def _shorter_neighbour(self, moved: list[int], length: int) -> Candidate | None:
        """A candidate that holds and is shorter than ``length``, by changing one of n and m."""
        for index in range(2 * self.problem.L - 1, self.problem.L - 1, -1):
            most = self._largest_value(moved, index, length)
            for value in (most, moved[index]):
                if 1 < value <= most or (value == 1 and index < 2 * self.problem.L - 1 and most >= 1):
                    tried = list(moved)
                    tried[index] = value
                    if self.holds(tried):
                        return self.shrunk(tried)
        return None

    def _largest_value(self, candidate: Sequence[int], index: int, length: int) -> int:
        """The largest value at an index with which the prompt is shorter than ``length``."""
        changed = list(candidate)
        changed[index] = 0
        base = self.problem.length(changed)
        changed[index] = 1
        most = (length - 1 - base) // (self.problem.length(changed) - base)
        cut = max(0, most.bit_length() - LEADING_BITS)
        return most >> cut << cut

    def _smallest_value(self, candidate: Candidate, index: int) -> Candidate:
        """The smallest value at an index, by halving: the values that hold are an interval, up to rounding."""
        changed = list(candidate)
        low, high = (1 if index == 2 * self.problem.L - 1 else 0), candidate[index]
        accuracy = LEADING_BITS if high.bit_length() <= LARGE_BITS else LARGE_ACCURACY
        while high - low > max(1, high >> accuracy):
            middle = few_digits((low + high) // 2)
            changed[index] = middle
            if not low < middle < high:
                break
            if self.holds(changed):
                high = middle
            else:
                low = middle
        changed[index] = high
        return tuple(changed)


def few_digits(value: int) -> int:
    """The value with all but its leading digits cleared, rounded up."""
    cut = max(0, value.bit_length() - LEADING_BITS)
    return -(-value >> cut) << cut


def rounded(logarithm: float, rounding: float) -> int:
    """2^logarithm, rounded down, to the nearest or up as rounding is 0, 1/2 or 1."""
    cut = max(0, int(logarithm) - LEADING_BITS)
    return max(1, int(2.0 ** (logarithm - cut) + rounding) << cut)


def _steps(value: int) -> list[int]:
    """±1, ±2, ±3 and ±2^k up to half the value; large values in relative steps."""
    sizes = {1, 2, 3} if value < 1 << 20 else set()
    sizes |= {value >> k for k in range(1, 16)} - {0}
    return [sign * size for size in sorted(sizes) for sign in (1, -1)]


def _step(value: int, move: Move) -> int:
    """What a move adds to a value."""
    sign, share = move
    return sign * (value >> share) if share else sign


def _moved(candidate: Sequence[int], index: int, step: int) -> list[int] | None:
    moved = list(candidate)
    moved[index] = few_digits(moved[index] + step) if moved[index] + step > 0 else 0
    least = 2 if index == len(candidate) - 1 else 1
    return moved if moved[index] >= least else None
