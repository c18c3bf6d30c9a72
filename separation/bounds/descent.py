"""Search over integers: from a candidate that holds to a shorter one, as long as there is one nearby."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from separation.bounds.barrier import Vector
from separation.bounds.relaxation import Found
from separation.bounds.trial import LEADING_BITS, Trial

SAFE_ROOM = 1e-12
LARGE_BITS, LARGE_ACCURACY = 64, 24  # of longer numbers only so many digits are searched for

Candidate = tuple[int, ...]

# A step of one number: (±1, k) is ±2^-k of it, (s, 0) is s. Steps of two numbers at once: ±1 and ±2 in all ways, shares
# of both in opposite ways, ±1 with a share of the other.
Move = tuple[int, int]
_UNITS: list[Move] = [(step, 0) for step in (-2, -1, 1, 2)]
_SHARES: list[Move] = [(sign, k) for k in (2, 4, 6, 8, 10) for sign in (1, -1)]
_PAIRS = [*itertools.product(_UNITS, _UNITS), *(((sign, k), (-sign, k)) for sign, k in _SHARES)]
_PAIRS += [*itertools.product(_UNITS[1:3], _SHARES), *itertools.product(_SHARES, _UNITS[1:3])]


@dataclass
class Descent:
    """Moves from candidate to candidate, with a budget of work: L for an evaluation, more if numbers are long; 1 for a
    candidate that was seen before."""

    trial: Trial
    budget: int
    spent: int = 0
    seen: dict[Candidate, bool] = field(default_factory=dict)

    def holds(self, candidate: Sequence[int]) -> bool:
        """All inequalities hold with some room to spare."""
        key = tuple(candidate)
        self.spent += 1
        if key not in self.seen:
            bits = max(map(int.bit_length, key))
            self.spent += self.trial.L + bits // 64
            self.seen[key] = self.trial.room(key) > SAFE_ROOM * (1 + bits / 100)
        return self.seen[key]

    def repaired(self, found: Found, offset: Vector | float = 0.0) -> Candidate | None:
        """Integers that hold, near the way to a real solution, as late on it as possible."""
        points = [found.z, *found.path]
        for late, early in itertools.pairwise(points):
            for share in (0.0, 0.25, 0.5, 0.75):
                real = (1 - share) * late + share * early + offset
                for rounding in (0.5, 0.0, 1.0):
                    candidate = [rounded(logarithm, rounding) for logarithm in real[: 2 * self.trial.L]]
                    candidate[-1] = max(2, candidate[-1])
                    if self.holds(candidate):
                        return self.shrunk(candidate)
        return None

    def shrunk(self, candidate: Sequence[int]) -> Candidate:
        """The candidate with m, n_{L-1}, …, n_1 each made as small as it can be alone."""
        result = tuple(candidate)
        for place in range(2 * self.trial.L - 1, self.trial.L - 1, -1):
            result = self._least(result, place)
        return result

    def run(self, candidate: Candidate, rng: random.Random) -> Candidate:
        """Moves that shorten the prompt until none of them does, or the budget is spent."""
        best, length = candidate, self.trial.length(candidate)
        improved = True
        while improved and self.spent < self.budget:
            improved = False
            for moved in self._moves(best, rng):
                shorter = self._restored(moved, length)
                if shorter is not None:
                    best, improved = shorter, True
                    length = self.trial.length(best)
                    break
                if self.spent >= self.budget:
                    break
        return best

    def _moves(self, candidate: Candidate, rng: random.Random) -> Iterator[list[int]]:
        """Candidates with one number changed, or two in opposite ways, small and large steps mixed."""
        count = len(candidate)
        singles = [(place, step) for place in range(count) for step in _steps(candidate[place])]
        rng.shuffle(singles)
        for place, step in singles:
            moved = _moved(candidate, place, step)
            if moved is not None:
                yield moved
        pairs = [(a, b, move) for a in range(count) for b in range(a) for move in _PAIRS]
        rng.shuffle(pairs)
        for a, b, (first, second) in pairs:
            moved = _moved(candidate, a, _step(candidate[a], first))
            moved = moved and _moved(moved, b, _step(candidate[b], second))
            if moved is not None:
                yield moved

    def _restored(self, moved: list[int], length: int) -> Candidate | None:
        """A candidate that holds and is shorter than ``length``, by changing one of n and m."""
        for place in range(2 * self.trial.L - 1, self.trial.L - 1, -1):
            most = self._most(moved, place, length)
            for value in (most, moved[place]):
                if 1 < value <= most or (value == 1 and place < 2 * self.trial.L - 1 and most >= 1):
                    tried = list(moved)
                    tried[place] = value
                    if self.holds(tried):
                        return self.shrunk(tried)
        return None

    def _most(self, candidate: Sequence[int], place: int, length: int) -> int:
        """The largest value at a place with which the prompt is shorter than ``length``."""
        changed = list(candidate)
        changed[place] = 0
        base = self.trial.length(changed)
        changed[place] = 1
        most = (length - 1 - base) // (self.trial.length(changed) - base)
        cut = max(0, most.bit_length() - LEADING_BITS)
        return most >> cut << cut

    def _least(self, candidate: Candidate, place: int) -> Candidate:
        """The smallest value at a place, by halving: the values that hold are an interval, up to rounding."""
        changed = list(candidate)
        low, high = (1 if place == 2 * self.trial.L - 1 else 0), candidate[place]
        accuracy = LEADING_BITS if high.bit_length() <= LARGE_BITS else LARGE_ACCURACY
        while high - low > max(1, high >> accuracy):
            middle = short((low + high) // 2)
            changed[place] = middle
            if not low < middle < high:
                break
            if self.holds(changed):
                high = middle
            else:
                low = middle
        changed[place] = high
        return tuple(changed)


def short(value: int) -> int:
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


def _moved(candidate: Sequence[int], place: int, step: int) -> list[int] | None:
    moved = list(candidate)
    moved[place] = short(moved[place] + step) if moved[place] + step > 0 else 0
    least = 2 if place == len(candidate) - 1 else 1
    return moved if moved[place] >= least else None
