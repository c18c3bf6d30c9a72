"""One search for all theorems: some integers move, what follows from them is computed, in floats without NumPy.

1. The Θ of the proof are the largest that their conditions allow, and m is the least with which the last one holds. So
   the length of the prompt is a function of the other numbers, n_1, n_2, … and those that the proof draws.
2. Their logarithms are found by quasi-Newton steps (`quasi_newton`); the slope of m is that of the last condition.
3. Small numbers are rounded, the best way first: the inverse Hessian says what that costs and where the others go.
4. Of a short prompt one or two numbers are moved by 1 as long as that makes it shorter.

At given sizes the integers of the proof with the most slack are found in the same way. Nothing of it is trusted: what
is returned was certified in exact arithmetic.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import combinations, product
from typing import Any, Generic, TypeVar

from separation.bounds.condition import Condition, Largest, Order, least_between, least_that, log2
from separation.bounds.quasi_newton import Optimum, least
from separation.bounds.quasi_newton import with_held as held
from separation.bounds.theorem import Impossibility, Prompt, Theorem, block_bits, named, table_sizes

FLOAT_BITS = 800  # of a prompt, up to which all products are floats; beyond, decimals
MOST_BITS = 10**6  # beyond, decimals end
ROOM = 3.0  # bits of an m beyond the schedule
STARTS = 40  # values of y, each twice the one before
MORE_M = 200.0  # bits of an m beyond that of the start: no m is enough then
CLOSE = 1e-9  # bits of slack that are none
LEAST_SLOPE = 0.05  # of the slack in log2 m that a step is computed with: where it is flat, steps are bounded
TRIES = 60  # of steps to a least m; a few are needed
STEP = 1e-6  # bits, in which slopes are differences
NEAR, ROUGH = 1e-8, 1e-4  # bits of the prompt that are left to gain before rounding, and where lengths are compared
BATCHES = (6.0, False), (12.0, True)
"""Bits of the numbers that are rounded one by one, and then together; half of one is little of a larger one."""
FIXED = 1e-5  # bits that are left to gain while the others are found again
TINY = 1e-6  # of a number that is nearly whole
MOST_ONE_VALUE_BITS = 1_000  # of a prompt in which every table but the last has one value
MOST_POLISHED_BITS = 32.0  # of a prompt: of a longer one steps are less than a hundredth of a bit
FEW = 16  # numbers that are moved by any step
SMALL = 256  # numbers of which two are moved at once
HOPELESS = 0.1  # bits of slack that are missing over real numbers, from which rounding does not recover
ROUNDS = 60  # of steps to more slack

Outcome = TypeVar("Outcome", bound=Prompt)


class Question(ABC, Generic[Outcome]):
    """Which numbers ≥ 1, ``names``, m ≥ 2, then n_1.., then those of the proof, make the prompt shortest; or,
    where ``sizes`` = (m, n_1, …) are given, have the most slack."""

    tables: int
    beyond: tuple[int, ...] = ()
    """n_ℓ of tables behind those, which are the identity."""
    sizes: tuple[int, ...] | None
    names: tuple[str, ...]
    exponents: Mapping[str, int]
    """The powers of one number y that they have in a schedule, which holds for every y that is large enough."""
    room: Mapping[str, float] = {}
    """Bits of numbers beyond the schedule with which the search starts a second time."""
    long = False
    """Whether the numbers are decimals."""

    @abstractmethod
    def starts(self) -> Iterator[list[float]]:
        """Logarithms of the numbers to begin with, of ever longer prompts."""

    @abstractmethod
    def slack(self, numbers: Sequence[Any], whole: bool = False) -> float:
        """log2 of the right side over the left one of what they have to meet; of integers if ``whole``."""

    @abstractmethod
    def certified(self, numbers: Sequence[int]) -> Outcome | None:
        """What is certified with these integers; None if nothing is."""

    @abstractmethod
    def one_value(self, last: int) -> Outcome | None:
        """What is certified with one value of every table, which is best for small β: m = 2 and all else 1 but n_{L-1},
        each of whose entries has more bits than w ever hears."""

    @property
    def floor(self) -> float:
        """log2 of a prompt with one value than which none is shorter, whatever its numbers."""
        return 0.0

    def growth(self, numbers: Sequence[Any]) -> Any:
        """The tokens over m."""
        *others, last = table_sizes(1, numbers[1 : self.tables])
        return sum(others) + last * (1 + len(self.beyond))

    def number(self, value: int) -> Any:
        return Decimal(value) if self.long else float(value)

    def power(self, logarithm: float) -> Any:
        """2^logarithm."""
        if not self.long:
            return 2.0**logarithm
        digits = math.floor(logarithm * math.log10(2))
        return Decimal(10 ** (logarithm * math.log10(2) - digits)).scaleb(digits)


@dataclass
class PromptQuestion(Question[Impossibility]):
    """The shortest prompt of a theorem; or the integers of its proof at given sizes."""

    theorem: Theorem
    tables: int
    beta: int
    state_bits: tuple[int, ...]
    beyond: tuple[int, ...] = ()
    sizes: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        self.variables = self.theorem.variables(self.tables, self.state_bits)
        self.thetas = {k: Largest() for k, name in enumerate(self.variables) if name.startswith("Theta")}
        # Without an early state one entry of table 1 is enough, g = 1.
        free = 0 < self.tables - 1 < len(self.variables) and "Theta_1" not in self.variables
        idle = () if self.state_bits[0] else ("g",)
        self.moving = [k for k, name in enumerate(self.variables) if k not in self.thetas and name not in idle]
        self.entries = [k for k in self.moving if self.variables[k] in ("g", "u", "x_0")]  # at most m
        self.copies = free
        self.rows = [(k, int(name[3:])) for k, name in enumerate(self.variables) if name.startswith("nu_")]  # at most n
        self.exponents = self.theorem.exponents(self.tables)
        early = block_bits(self.state_bits)[0]
        # What is charged to early states is paid by table 1, or by table 2: two valleys. With three to five tables and
        # β from 4 to 20,000 the second one was lower at some early states of 32·β bits and more, and at none of fewer.
        self.room = dict.fromkeys(("n_2", "nu_2"), math.log2(1 + 2 * early)) if early > 16 * self.beta else {}
        self.names = ("m", *named("n", 1, self.tables - 1), *(self.variables[k] for k in self.moving))

    def starts(self) -> Iterator[list[float]]:
        """The theorem's schedule at y = 8β, 16β, …, at given sizes from β/16 on; what is charged states has room."""
        blocks = block_bits(self.state_bits)
        early, behind = math.log2(1 + 2 * blocks[0]), math.log2(1 + max(blocks[1:], default=0))
        pay = {"m": early + ROOM, "n_1": behind, "nu_1": behind, "x_0": early + behind, "g": early, "u": early}
        for more in range(0 if self.sizes is None else -4, STARTS):
            y = max(0.0, math.log2(self.beta + 1) + more)
            yield [y * self.exponents.get(name, 0) + pay.get(name, 0.0) for name in self.names]

    def _chosen(self, numbers: Sequence[Any], whole: bool) -> list[Any]:
        """What moves, no larger than it may be, and for every Θ what finds it."""
        for theta in self.thetas.values():
            theta.whole = whole
        chosen: list[Any] = [self.thetas.get(k, 1) for k in range(len(self.variables))]
        for k, number in zip(self.moving, numbers[self.tables :], strict=True):
            chosen[k] = number
        for k in self.entries:
            chosen[k] = min(chosen[k], numbers[0])
        if self.copies:  # Θ_1 = x_0·x_1 is at most m
            m, copies = numbers[0], chosen[0]
            chosen[1] = min(chosen[1], m // copies if isinstance(m, int) else m / copies)
        for k, level in self.rows:
            chosen[k] = min(chosen[k], numbers[level])
        return chosen

    def slack(self, numbers: Sequence[Any], whole: bool = False) -> float:
        m, n, chosen = numbers[0], numbers[1 : self.tables], self._chosen(numbers, whole)
        *others, last = self.theorem.conditions(m, n, chosen, self.beta, self.state_bits)
        assert isinstance(last, Condition)
        found = log2(last.factor * type(m)(log2(last.above)) / last.bits) if last.bits else math.inf
        broken = [each for each in others if isinstance(each, Order) and each.left > each.right]
        return min([found, *(log2(each.right / each.left) for each in broken)]) if broken else found

    def certified(self, numbers: Sequence[int]) -> Impossibility | None:
        self.slack([*map(self.number, numbers)], True)
        chosen = self._chosen(numbers, True)
        chosen = [int(value.found) if isinstance(value, Largest) else value for value in chosen]
        if min(chosen, default=1) < 1:
            return None
        return self._at(numbers[0], numbers[1 : self.tables], chosen)

    def _at(self, m: int, n: Sequence[int], chosen: Sequence[int]) -> Impossibility | None:
        found = self.theorem.at(m, (*n, *self.beyond), chosen, self.beta, self.state_bits, self.tables)
        return found if found.certified else None

    def one_value(self, last: int) -> Impossibility | None:
        return self._at(2, (*(1,) * (self.tables - 2), last), (1,) * len(self.variables))

    @property
    def floor(self) -> float:
        """2·β^e, e the exponent of A3, A_L or B_L, for any β and L."""
        if self.theorem.name not in ("A3", "A_L", "B_L"):
            return 0.0
        power = sum(self.exponents.get(name, 0) for name in ("m", *named("n", 1, self.tables - 1)))
        return 1 + math.log2(self.beta) * power + math.log2(1 + len(self.beyond))


class Length:
    """log2 of the tokens of a question, as a function of the logarithms of the numbers that are not ``fixed``; or, at
    given sizes, how much slack is missing.

    Where too much or not enough holds, all that is free grows or shrinks as in the schedule, until the slack is 0:
    larger numbers of the schedule have always more of it. So the length is the same all along a schedule.
    """

    def __init__(self, question: Question[Any], fixed: dict[int, Any] | None = None) -> None:
        self.question, self.fixed, self.slope = question, dict(fixed or {}), 1.0
        if question.sizes is not None:
            self.fixed |= {k: question.number(size) for k, size in enumerate(question.sizes)}
        self.free = [i for i in range(len(question.names)) if i not in self.fixed]
        self.lowest = [float(i == 0) for i in self.free]  # m is at least 2, other numbers 1
        self.rates = [question.exponents.get(question.names[i], 0) for i in self.free]

    def with_fixed(self, more: Mapping[int, int]) -> Length:
        """where ``more`` of the numbers are fixed, by their places among the others."""
        return Length(self.question, self.fixed | {self.free[i]: self.question.number(more[i]) for i in more})

    def numbers(self, z: Sequence[float]) -> list[Any]:
        """All numbers, m first, from the logarithms of those that are not fixed."""
        found, power = [self.fixed.get(i) for i in range(len(self.question.names))], self.question.power
        for i, each in zip(self.free, z, strict=True):
            found[i] = power(each)
        return found

    def slack(self, z: Sequence[float]) -> float:
        """−∞ where numbers become too large or too small."""
        try:
            found = self.question.slack(self.numbers(z))
        except (ArithmeticError, ValueError):
            return -math.inf
        return -math.inf if math.isnan(found) else found

    def tokens(self, z: Sequence[float]) -> float:
        numbers = self.numbers(z)
        return log2(numbers[0]) + log2(self.question.growth(numbers))

    def at(self, z: Sequence[float], more: float) -> list[float]:
        """So far along the schedule."""
        return [max(low, each + more * rate) for low, each, rate in zip(self.lowest, z, self.rates, strict=True)]

    def cost(self, z: Sequence[float]) -> tuple[float, list[float]]:
        """(the length, the point of the schedule through z that it is the length of); infinite if none was found."""
        if self.question.sizes is not None:
            return -self.slack(z), [*z]
        more = last = before = 0.0
        low, high, longest, there = -math.inf, math.inf, 1.0, self.at(z, 0)
        for _ in range(TRIES):
            found = self.slack(there)
            if abs(found) < CLOSE or (found > 0 and there == self.lowest):
                break
            if more != last and math.isfinite(found - before):
                self.slope = max((found - before) / (more - last), LEAST_SLOPE)
            low, high = (low, more) if found > 0 else (more, high)
            last, before = more, found
            if high - low < 1e-12:
                break
            more -= max(-longest, min(found / self.slope, longest))
            if not low < more < high:
                more = (low + high) / 2
            there, longest = self.at(z, more), 2 * longest
            if max(there, default=0.0) > MOST_BITS:
                return math.inf, there
        else:
            return math.inf, there
        return (self.tokens(there), there) if found > -1e-9 else (math.inf, there)

    def gradient(self, z: Sequence[float], cost: float) -> list[float]:
        """Where the point moves along the schedule so that the slack stays 0; at given sizes of the slack alone."""
        given, here = self.question.sizes is not None, self.slack(z)
        moved = [[each + STEP * (k == i) for k, each in enumerate(z)] for i in range(len(z))]
        gained = [(self.slack(each) - here) / STEP for each in moved]
        if given:
            return [-each for each in gained]
        along = self.at(z, STEP)
        share = (self.tokens(along) - cost) / ((self.slack(along) - here) or STEP)
        return [(self.tokens(each) - cost) / STEP - gain * share for each, gain in zip(moved, gained, strict=True)]


def real_optimum(question: Question[Any], before: tuple[Question[Any], Optimum] | None = None) -> Optimum | None:
    """The least tokens over real numbers; None where none were found.

    ``before``: the same question of another β, and its answer, which is near to this one.
    """
    lengths = Length(question)
    if before is not None:
        question.long = before[0].long
        found = least(lengths.cost, lengths.gradient, before[1].z, ROUGH, before[1].inverse)
        if found is not None:
            return found
    for start in question.starts():
        for question.long in (False, True):
            cost, point = lengths.cost(start)
            if math.isfinite(cost):
                question.long = sum(point[: question.tables]) > FLOAT_BITS
                if (found := _from(lengths, point)) is not None:
                    return found
                break  # a kink, where slopes are no slopes
    return None


def _from(lengths: Length, point: Sequence[float]) -> Optimum | None:
    """From this point. And from half of m, where what is at most m has become more: there nothing depends on it, and no
    slope leads back. And with `room` for other numbers."""
    first = least(lengths.cost, lengths.gradient, point, ROUGH)
    names, room = lengths.question.names, lengths.question.room
    z = point if first is None else first.z
    places = [k for k, name in enumerate(names) if name in ("g", "x_0") and z[k] >= z[0]]
    starts = [[max(0.0, min(at, z[0] - 1)) if k in places else at for k, at in enumerate(z)]] if places else []
    if room:
        starts.append([at + room.get(name, 0.0) for name, at in zip(names, point, strict=True)])
    found = [first, *(least(lengths.cost, lengths.gradient, start, ROUGH) for start in starts)]
    return min(filter(None, found), key=lambda each: each.cost, default=None)


def shortest(question: Question[Outcome], optimum: Optimum) -> Outcome | None:
    """Integers near the least real numbers, with the least m, certified; None if none were found.

    Small numbers are rounded first, the best way by their costs, and then the others are found again.
    """
    lengths = Length(question)
    optimum = least(lengths.cost, lengths.gradient, optimum.z, NEAR, optimum.inverse) or optimum
    numbers = _with_least_m(question, _rounded(lengths, optimum))
    if numbers is not None and optimum.cost < MOST_POLISHED_BITS:
        numbers = _polished(question, numbers)
    if numbers is None:
        return None
    m, *others = numbers
    low, step = 0, 1 + (m >> 45)  # floats err in the last digits
    for _ in range(TRIES):
        if (found := question.certified([m, *others])) is not None:
            while low and m - low > 1:
                between = question.certified([middle := (low + m) // 2, *others])
                low, m, found = (middle, m, found) if between is None else (low, middle, between)
            return found
        low, m, step = m, m + step, 2 * step
    return None


def _rounded(lengths: Length, optimum: Optimum) -> list[int]:
    """The smallest number down and up, each time finding the others again; then the larger ones together."""
    for most, together in BATCHES:
        while small := [i for i, each in enumerate(optimum.z) if each < most and i < len(optimum.z)]:
            if together:
                lengths, optimum = _fixed(lengths, optimum, {i: round(2.0 ** optimum.z[i]) for i in small})
                break
            i = min(small, key=optimum.z.__getitem__)
            value = 2.0 ** optimum.z[i]
            wholes = {math.floor(value + TINY), math.ceil(value - TINY)}
            ends = [_fixed(lengths, optimum, {i: whole}) for whole in wholes]
            lengths, optimum = min(ends, key=lambda end: end[1].cost)
    return [max(1, round(number)) for number in lengths.numbers(optimum.z)]


def _fixed(lengths: Length, optimum: Optimum, whole: Mapping[int, int]) -> tuple[Length, Optimum]:
    """Some numbers fixed, by their places, and the others where that is best."""
    z: Sequence[float] = optimum.z
    inverse: Sequence[Sequence[float]] = optimum.inverse
    for i, value in whole.items():
        by = (math.log2(value) - z[i]) / (inverse[i][i] or 1.0)
        z, inverse = tuple(at + row[i] * by for at, row in zip(z, inverse, strict=True)), held(inverse, i)
    free = [i for i in range(len(z)) if i not in whole]
    lengths = lengths.with_fixed(whole)
    start = [max(0.0, z[i]) for i in free]
    if not start:
        return lengths, Optimum((), lengths.cost(())[0], ())
    found = least(lengths.cost, lengths.gradient, start, FIXED, [[inverse[i][j] for j in free] for i in free])
    return lengths, found or Optimum(tuple(start), math.inf, tuple(tuple(inverse[i][j] for j in free) for i in free))


def _with_least_m(question: Question[Any], numbers: Sequence[int]) -> list[int] | None:
    """The least m with the other integers, by floats, from one near it; None if none was found."""
    reals = [*map(question.number, numbers)]

    def enough(m: int) -> bool:
        return question.slack([question.number(m), *reals[1:]], True) > 0

    near = max(2, numbers[0])
    low, step = near - 1, 1 + (near >> 45)
    while low > 1 and enough(low):
        low, step = max(1, low - step), 2 * step
    high, step = low + step, 1 + (near >> 45)
    while not enough(high):
        low, high, step = high, high + step, 2 * step
        if high > 4 * near:
            return None
    return [least_between(enough, low, high), *numbers[1:]]


def _moves(numbers: Sequence[int], first: int) -> Iterator[list[int]]:
    """One of the numbers from place ``first`` on moved by 1, 2, 4, … or any step if small; then two by 1."""
    places = range(first, len(numbers))
    steps: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    for k in places:
        powers = [1 << j for j in range((numbers[k] >> 1).bit_length() + 1)]
        lengths = range(1, numbers[k]) if 1 < numbers[k] < FEW else powers
        steps += [((k,), (sign * by,)) for by in lengths for sign in (1, -1)]
    small = [k for k in places if numbers[k] < SMALL]
    steps += [(pair, signs) for pair in combinations(small, 2) for signs in product((1, -1), repeat=2)]
    for chosen, by in steps:
        moved = list(numbers)
        for place, step in zip(chosen, by, strict=True):
            moved[place] += step
        if min(moved) >= 1:
            yield moved


def _polished(question: Question[Any], numbers: list[int]) -> list[int]:
    """A neighbour with an m that makes the prompt shorter, as long as there is one."""
    while True:
        cost = numbers[0] * int(question.growth(numbers))
        for moved in _moves(numbers, 1):
            moved[0] = (cost - 1) // int(question.growth(moved))
            if moved[0] >= 2 and question.slack([*map(float, moved)], True) > 0:
                numbers = _with_least_m(question, moved) or moved
                break
        else:
            return numbers


def with_most_slack(question: Question[Outcome]) -> Outcome | None:
    """At given sizes: integers of the proof with the most slack; None if nothing is certified."""
    assert question.sizes is not None
    sizes = [math.log2(size) for size in question.sizes]
    question.long = sum(sizes) > FLOAT_BITS
    lengths = Length(question)
    starts = [start[len(sizes) :] for start in question.starts()]
    if (best := real_optimum(replace(question, sizes=None))) is not None:  # type: ignore[type-var]
        chosen = best.z[len(sizes) :]
        for k in range(-8, 24):
            starts.append([at + k / 2 * rate for at, rate in zip(chosen, lengths.rates, strict=True)])
    starts = [[min(max(0.0, at), sum(sizes)) for at in start] for start in starts]
    found = [
        end
        for start in sorted(starts, key=lambda start: lengths.cost(start)[0])[:3]
        if (end := least(lengths.cost, lengths.gradient, start, ROUGH)) is not None
    ]
    if not found or (optimum := min(found, key=lambda end: end.cost)).cost > HOPELESS:
        return None
    numbers = _rounded(lengths, optimum)

    def slack(moved: Sequence[int]) -> float:
        return question.slack([*map(question.number, moved)], True)

    here = slack(numbers)
    for _ in range(ROUNDS):
        better = next((moved for moved in _moves(numbers, len(sizes)) if slack(moved) > here), None)
        if better is None or here > 0:
            break
        numbers, here = better, slack(better)
    return question.certified(numbers)


@dataclass
class Search(Generic[Outcome]):
    """A question as a function of β: each answer begins at the real numbers of the β before."""

    question: Callable[[int], Question[Outcome]]
    solved: dict[int, tuple[Question[Outcome], Optimum | None]] = field(default_factory=dict)
    found: dict[int, Outcome | None] = field(default_factory=dict)

    def _optimum(self, beta: int) -> tuple[Question[Outcome], Optimum | None]:
        if beta not in self.solved:
            question = self.question(beta)
            before = next(((q, found) for q, found in reversed(self.solved.values()) if found is not None), None)
            self.solved[beta] = question, real_optimum(question, before)
        return self.solved[beta]

    def real_length(self, beta: int) -> float:
        """log2 of the tokens over real numbers, or of those with one value; infinite if nothing was found."""
        if beta not in self.found and (simple := with_one_value(question := self.question(beta), question.floor)):
            self.found[beta] = simple
        if beta in self.found:
            found = self.found[beta]
            return math.inf if found is None else found.tokens_log2()
        optimum = self._optimum(beta)[1]
        if (simple := with_one_value(self.question(beta), math.inf if optimum is None else optimum.cost)) is not None:
            self.found[beta] = simple
            return simple.tokens_log2()
        return math.inf if optimum is None else optimum.cost

    def shortest(self, beta: int) -> Outcome | None:
        """The shortest prompt found, certified; None if none was found."""
        if self.real_length(beta) < math.inf and beta not in self.found:
            question, optimum = self._optimum(beta)
            assert optimum is not None
            self.found[beta] = shortest(question, optimum)
        return self.found.get(beta)


def with_one_value(question: Question[Outcome], most: float) -> Outcome | None:
    """The shortest with one value of every table, if it has at most 2^``most`` tokens."""
    most = min(most, MOST_ONE_VALUE_BITS)
    if most < 1 or question.one_value(1 << math.ceil(most)) is None:
        return None
    found = question.one_value(least_that(lambda last: question.one_value(last) is not None, 1))
    return found if found is not None and found.tokens_log2() <= most else None
