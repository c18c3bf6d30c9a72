"""The shortest prompt of A_L and B_L: some integers move, what follows from them is computed, in floats of Python.

1. The Θ of the proof are the largest that their conditions allow, and m is the least with which the last one holds. So
   the length of the prompt is a function of the other numbers, n_1, n_2, … and those that the proof draws.
2. Their logarithms are found by quasi-Newton steps (`quasi_newton`); the slope of m is that of the last condition.
3. Small numbers are rounded, the best way first: the inverse Hessian says what that costs and where the others go.

What is returned was certified in exact arithmetic. Numbers that are no floats are left to `search`.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from separation.bounds.condition import EXACT, Condition, largest_drawn, least_between
from separation.bounds.quasi_newton import Optimum, least, with_held
from separation.bounds.theorem import Impossibility, Theorem, block_bits, named, table_sizes

FLOAT_BITS = 600  # of all numbers of a question together: so that their products are floats
MORE_M = 200.0  # bits of an m beyond that of the start: no m is enough then
LEAST_SHARE = 1e-9  # of the tries, from which a Θ is looked for
CLOSE = 1e-11  # bits of slack that are none
LEAST_SLOPE = 0.05  # of the slack in log2 m that a step is computed with: where it is flat, steps are bounded
TRIES = 60  # of steps to a least m; a few are needed
STEP = 1e-6  # bits, in which slopes are differences
NEAR, ROUGH = 1e-8, 1e-4  # bits of the prompt that are left to gain before rounding, and where lengths are compared
BATCHES = 6.0, 12.0  # bits of the numbers that are rounded first, and then; half of one is little of a larger one
ENDS = 8  # roundings of which the cost is computed: the curvature says nearly which is the best


class Largest:
    """A Θ as the largest that `condition.largest` asks for: an integer if ``whole``, else as far as that goes."""

    def __init__(self) -> None:
        self.whole, self.share = False, 0.5
        self.found: float = 1.0

    def __call__(self, bits: float, tries: float, size: float, drawn: bool) -> float:
        if drawn:
            t = tries / size
            s = largest_drawn(t, bits / size, size, self.share * t)
            k, self.share = size * s, max(s / t, LEAST_SHARE)
        elif bits:  # Θ − 1 < N·2^(−bits/t)
            k = size * 2.0 ** -min(bits / tries, 1000.0)
        else:
            k = size - 1
        self.found = 1 + (math.floor(k * (1 - EXACT)) if self.whole and bits else k if k >= 1 else 0)
        return self.found


@dataclass
class Question:
    """The shortest prompt of a theorem: n_1.. and what its proof draws move, all at least 1."""

    theorem: Theorem
    tables: int
    identity_tables: int
    beta: int
    state_bits: tuple[int, ...]

    def __post_init__(self) -> None:
        self.variables = self.theorem.variables(self.tables, self.state_bits)
        self.thetas = {k: Largest() for k, name in enumerate(self.variables) if name.startswith("Theta")}
        # Without an early state one entry of table 1 is enough, g = 1.
        idle = () if self.state_bits[0] else ("g",)
        self.moving = [k for k, name in enumerate(self.variables) if k not in self.thetas and name not in idle]
        self.entries = [k for k in self.moving if self.variables[k] in ("g", "x_0")]  # at most m
        self.rows = [(k, int(name[3:])) for k, name in enumerate(self.variables) if name.startswith("nu_")]  # at most n
        self.names = (*named("n", 1, self.tables - 1), *(self.variables[k] for k in self.moving))

    def starts(self) -> Iterator[list[float]]:
        """The theorem's schedule at y = 8β, 16β, …; what is charged states has room for them."""
        exponents, blocks = self.theorem.exponents(self.tables), block_bits(self.state_bits)
        early, behind = math.log2(1 + 2 * blocks[0]), math.log2(1 + max(blocks[1:], default=0))
        pay = {"n_1": behind, "nu_1": behind, "x_0": early + behind, "g": early}
        for more in range(3, 40):
            y = math.log2(self.beta + 1) + more
            yield [y * exponents.get(name, 0) + pay.get(name, 0.0) for name in self.names]

    def _chosen(self, m: float, numbers: Sequence[float], whole: bool) -> list[Any]:
        """What moves, no larger than it may be, and for every Θ what finds it."""
        for theta in self.thetas.values():
            theta.whole = whole
        chosen: list[Any] = [self.thetas.get(k, 1) for k in range(len(self.variables))]
        for k, number in zip(self.moving, numbers[self.tables - 1 :], strict=True):
            chosen[k] = number
        for k in self.entries:
            chosen[k] = min(chosen[k], m)
        for k, level in self.rows:
            chosen[k] = min(chosen[k], numbers[level - 1])
        return chosen

    def slack(self, m: float, numbers: Sequence[float], whole: bool = False) -> float:
        """log2 of the right side over the left one of the last condition; of integers if ``whole``."""
        n, chosen = numbers[: self.tables - 1], self._chosen(m, numbers, whole)
        last = self.theorem.conditions(m, n, chosen, self.beta, self.state_bits)[-1]
        assert isinstance(last, Condition)
        return float(math.log2(last.factor * math.log2(last.above) / last.bits))

    def growth(self, numbers: Sequence[float]) -> float:
        """The tokens over m."""
        *others, last = table_sizes(1, numbers[: self.tables - 1])
        return float(sum(others) + last * (1 + self.identity_tables))

    def certified(self, m: int, numbers: Sequence[int]) -> Impossibility | None:
        self.slack(float(m), [*map(float, numbers)], True)
        chosen = self._chosen(m, numbers, True)
        chosen = [int(value.found) if isinstance(value, Largest) else value for value in chosen]
        if min(chosen, default=1) < 1:
            return None
        n = (*numbers[: self.tables - 1], *(1,) * self.identity_tables)
        found = self.theorem.at(m, n, chosen, self.beta, self.state_bits, self.tables)
        return found if found.certified else None


class LeastM:
    """log2 of the tokens of a question, as a function of the logarithms of the numbers that are not ``fixed``.

    where the first m is looked for ``near`` this one.
    """

    def __init__(self, question: Question, near: float, count: int, fixed: dict[int, float] | None = None) -> None:
        self.question, self.m, self.most, self.fixed = question, near, near + MORE_M, fixed or {}
        self.count, self.free = count, [i for i in range(count) if i not in self.fixed]
        self.slope = 0.7  # of the slack in log2 m, about: Θ·log N grows with m, and part of what is heard

    def with_fixed(self, more: Mapping[int, int]) -> LeastM:
        """where ``more`` of the numbers are fixed, by their places among the others."""
        added = {self.free[i]: float(value) for i, value in more.items()}
        return LeastM(self.question, self.m, self.count, self.fixed | added)

    def numbers(self, z: Sequence[float]) -> list[float]:
        """All numbers, from the logarithms of those that are not fixed."""
        others = iter(z)
        return [self.fixed[i] if i in self.fixed else 2.0 ** next(others) for i in range(self.count)]

    def cost(self, z: Sequence[float]) -> float:
        numbers = self.numbers(z)
        m = self.log_m(numbers)
        return m + math.log2(self.question.growth(numbers)) if math.isfinite(m) else math.inf

    def log_m(self, numbers: Sequence[float]) -> float:
        """log2 of the least m, by the secant method from that of the last question; infinite if none was found."""
        at, low, high, longest = self.m, 0.0, math.inf, 1.0
        last = before = at
        for _ in range(TRIES):
            found = self.question.slack(2.0**at, numbers)
            if abs(found) < CLOSE or (at <= 1 and found > 0):
                self.m = at
                return at
            if at != last:
                self.slope = max((found - before) / (at - last), LEAST_SLOPE)
            low, high = (low, at) if found > 0 else (at, high)
            last, before = at, found
            if at >= self.most or high - low < 1e-12 * at:
                break
            at = max(1.0, at - max(-longest, min(found / self.slope, longest)))
            if low and math.isfinite(high) and not low < at < high:
                at = (low + high) / 2
            at, longest = min(at, self.most), 2 * longest
        return high if high - low < 1e-9 else math.inf

    def gradient(self, z: Sequence[float], cost: float) -> list[float]:  # noqa: ARG002
        """Of log2 m + log2 of the growth, where m moves so that the slack stays 0."""
        numbers = self.numbers(z)
        m, more = self.m, 2.0**STEP
        here, growth = self.question.slack(2.0**m, numbers), math.log2(self.question.growth(numbers))
        self.slope = by_m = (self.question.slack(2.0 ** (m + STEP), numbers) - here) / STEP
        found = []
        for k in self.free:
            moved = [*numbers[:k], numbers[k] * more, *numbers[k + 1 :]]
            gained = self.question.slack(2.0**m, moved) - here
            found.append((math.log2(self.question.growth(moved)) - growth - gained / by_m) / STEP)
        return found


def real_optimum(question: Question, before: tuple[Question, Optimum] | None = None) -> Optimum | None:
    """The least tokens over real numbers; None where none were found, or the numbers are no floats.

    ``before``: the same question of another β, and its answer, from which the schedule leads near to this one.
    """
    if before is not None:
        exponents, near = question.theorem.exponents(question.tables), before[1]
        more = math.log2(question.beta / before[0].beta)
        start = [max(0.0, at + more * exponents.get(name, 0)) for name, at in zip(question.names, near.z, strict=True)]
        lengths = LeastM(question, _log_m(*before) + more * exponents["m"], len(start))
        found = least(lengths.cost, lengths.gradient, start, ROUGH, near.inverse)
        if found is not None:
            return found
    for start in question.starts():
        if sum(start) + max(start) > FLOAT_BITS:
            return None
        lengths = LeastM(question, max(start), len(start))
        if math.isfinite(lengths.cost(start)):
            found = least(lengths.cost, lengths.gradient, start, ROUGH)
            return None if found is None else _with_fewer_entries(question, found)
    return None


def _with_fewer_entries(question: Question, found: Optimum) -> Optimum:
    """From half of m, where what is at most m has become more: there nothing depends on it, and no slope leads back."""
    most = _log_m(question, found)
    places = [question.tables - 1 + question.moving.index(k) for k in question.entries]
    if all(found.z[place] < most for place in places):
        return found
    start = [min(at, most - 1) if place in places else at for place, at in enumerate(found.z)]
    lengths = LeastM(question, most, len(start))
    other = least(lengths.cost, lengths.gradient, start, ROUGH)
    return found if other is None or other.cost > found.cost else other


def _log_m(question: Question, optimum: Optimum) -> float:
    return optimum.cost - math.log2(question.growth([2.0**each for each in optimum.z]))


def shortest(question: Question, optimum: Optimum) -> Impossibility | None:
    """Integers near the least real numbers, with the least m, certified; None if none were found.

    Small numbers are rounded first, the best way by their costs, and then the others are found again.
    """
    lengths = LeastM(question, _log_m(question, optimum), len(optimum.z))
    optimum = least(lengths.cost, lengths.gradient, optimum.z, NEAR, optimum.inverse) or optimum
    for most in BATCHES:
        ends = [(lengths.with_fixed(end.fixed), end) for end in islice(_roundings(optimum, most), ENDS)]
        lengths, end = min(ends, key=lambda each: each[0].cost(each[1].z))
        found = least(lengths.cost, lengths.gradient, end.z, NEAR, end.inverse) if end.z else None
        optimum = found or Optimum(end.z, 0.0, end.inverse)
    numbers = [max(1, round(number)) for number in lengths.numbers(optimum.z)]
    return _with_least_m(question, lengths, numbers)


@dataclass(frozen=True)
class Rounding:
    """Some numbers rounded, by their places; the logarithms of the others, and their inverse Hessian."""

    fixed: dict[int, int]
    z: tuple[float, ...]
    inverse: tuple[tuple[float, ...], ...]


def _roundings(optimum: Optimum, most: float) -> Iterator[Rounding]:
    """Those first that cost least by the curvature, where all numbers below 2^``most`` are rounded.

    The smallest is rounded first, down and up, and each time the others go where that is best.
    """
    waiting: list[tuple[float, int, dict[int, int], Sequence[float], Sequence[Sequence[float]]]]
    waiting, entries = [(0.0, 0, {}, optimum.z, optimum.inverse)], 1
    while waiting:
        lost, _, fixed, z, inverse = heapq.heappop(waiting)
        small = [i for i, each in enumerate(z) if i not in fixed and each < most]
        if not small:
            free = [i for i in range(len(z)) if i not in fixed]
            rest = tuple(tuple(inverse[i][j] for j in free) for i in free)
            yield Rounding(fixed, tuple(max(0.0, z[i]) for i in free), rest)
            continue
        i = min(small, key=z.__getitem__)
        value = 2.0 ** max(0.0, z[i])
        for whole in {math.floor(value), math.ceil(value)}:
            by = math.log2(whole) - z[i]
            moved = [at + row[i] / inverse[i][i] * by for at, row in zip(z, inverse, strict=True)]
            more = lost + by * by / (2 * inverse[i][i])
            heapq.heappush(waiting, (more, entries, {**fixed, i: whole}, moved, with_held(inverse, i)))
            entries += 1


def _with_least_m(question: Question, lengths: LeastM, numbers: list[int]) -> Impossibility | None:
    """The least m with these integers, by floats, then certified; a little more where floats err in the last digits."""
    floats = [*map(float, numbers)]
    logarithm = lengths.log_m(floats)
    if not math.isfinite(logarithm):
        return None
    near = max(2, math.ceil(2.0**logarithm))

    def enough(m: int) -> bool:
        return question.slack(float(m), floats, True) > 0

    low, step = near - 1, 1 + (near >> 45)
    while low > 1 and enough(low):
        low, step = max(1, low - step), 2 * step
    high, step = low + step, 1 + (near >> 45)
    while not enough(high):
        low, high, step = high, high + step, 2 * step
    m = least_between(enough, low, high)
    for _ in range(TRIES):
        if (found := question.certified(m, numbers)) is not None:
            return found
        m += 1 + (m >> 45)
    return None
