"""One search for all theorems: the least real numbers, rounded to integers, polished, and certified at the end.

1. The logarithms of all unknowns are the least of a geometric program (`posynomials`), by the interior point method.
2. Small numbers are rounded one by one, both ways, each time solving for the others; larger ones together.
3. Integers nearby are tried in floats, pairs of unknowns at a time, as long as the prompt becomes shorter.

Nothing of it is trusted: what is returned was certified in exact arithmetic.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Generic, TypeVar

import numpy as np

from separation.bounds.condition import Conditions, slack
from separation.bounds.interior_point import Inside, least, most_slack
from separation.bounds.posynomials import Posynomial, Program, Vector, unknowns
from separation.bounds.theorem import Impossibility, Theorem, block_bits, table_sizes

CONDENSATIONS = (
    25  # three to six are needed until the program agrees with its differences at its own solution; rarely more
)
NEARLY_ONE = 0.1  # bits: a number that near to its least value is taken to be that
NEARBY = 2  # are enough where one number was rounded
SETTLED = 1e-3  # bits of the cost between two of them that do not matter before rounding
SMALL_BITS = 5.0  # rounding a number of more bits changes it by less than 2 %
BATCHES = (10.0, 20.0, 40.0)  # bits of the larger ones; what is left then is rounded with some room
MOST_ONE_VALUE_BITS = 20_000  # of an entry of the last table: more is not the shortest prompt of any question
MOST_POLISHED_BITS = 20.0  # of a prompt that is searched from two sides, with other shapes: seconds for a few tokens
MOST_DESCENT_BITS = 64.0  # of a prompt that is made shorter by steps: real models' are longer by far, or shorter
MOST_FLOAT_BITS = 200  # of a size whose inequalities are evaluated in floats: products of four of them stay finite
HOPELESS = 0.5  # bits of log2(left/right) over real numbers, from which rounding does not recover
ROUNDS = 60  # of polishing; each makes the prompt shorter

Outcome = TypeVar("Outcome")


class Problem(ABC, Generic[Outcome]):
    """Unknown numbers with a cost to be made small under conditions; the first ``integers`` of them become integers."""

    tables: int
    """The first of them are the sizes m, n_1, …, one for each table; then come those that only a proof needs."""
    integers: int
    late: frozenset[int]
    """Those that make up for the rounding of the others, and are rounded last."""

    @abstractmethod
    def start(self) -> Vector:
        """Logarithms to begin with; nothing need hold there."""

    @abstractmethod
    def real(self, numbers: Sequence[Any]) -> tuple[Any, Conditions]:
        """The cost and the conditions, over posynomials and integers."""

    @abstractmethod
    def floats(self, columns: Vector) -> tuple[Vector, Vector]:
        """(cost, least slack) of many choices of integers, each a column."""

    def tokens(self, sizes: Sequence[Any]) -> Any:  # noqa: ARG002
        """The cost of many choices, arrays of floats, by their sizes m, n_1, … alone; None if these do not say it."""
        return None

    @abstractmethod
    def certified(self, integers: Sequence[int]) -> Outcome | None:
        """What is certified with these integers; None if nothing is."""

    @abstractmethod
    def cost_log2(self, outcome: Outcome) -> float: ...

    def movable(self) -> list[int]:
        """The rows that may change when integers are polished."""
        return list(range(self.integers))

    def given(self) -> dict[int, int]:
        """The rows that are fixed from the beginning."""
        return {}

    def one_value(self) -> tuple[Vector, dict[int, int]] | None:
        """Where to begin, and what is fixed, if one value of every table is to be enough, which is best for small β."""
        return None

    @cached_property
    def low(self) -> Vector:
        """Every integer is at least 1, and m, the first, at least 2; the others may end at 1 and come from below."""
        return np.array([1.0] + [0.0] * (self.integers - 1) + [-1.0] * (len(self.start()) - self.integers))


@dataclass(frozen=True)
class PromptProblem(Problem[Impossibility]):
    """The shortest prompt of a theorem: m, n_1..n_{tables-1} and what its proof chooses."""

    theorem: Theorem
    tables: int
    identity_tables: int
    beta: int
    state_bits: tuple[int, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        sizes = ("m", *(f"n_{level}" for level in range(1, self.tables)))
        return (*sizes, *self.theorem.variables(self.tables, self.state_bits))

    @property
    def integers(self) -> int:  # type: ignore[override]
        return len(self.names)

    @cached_property
    def late(self) -> frozenset[int]:  # type: ignore[override]
        """m, what a table reaches, and what is at most m: these are often equal, and rounded together."""
        return frozenset(row for row, name in enumerate(self.names) if name in "mguv" or name.startswith("Theta"))

    def start(self) -> Vector:
        """The theorem's schedule at y = 8β, with room in m; n_1, g and x_0 pay for states."""
        exponents, blocks = self.theorem.exponents(self.tables), block_bits(self.state_bits)
        y = math.log2(self.beta + 1) + 3
        at = np.array([y * exponents.get(name, 0) for name in self.names])
        at[0] += 3 + math.log2(1 + self.state_bits[0])
        for name, bits in (("n_1", max(blocks[1:], default=0)), ("g", 2 * blocks[0]), ("x_0", 2 * blocks[0])):
            if name in self.names:
                at[self.names.index(name)] += math.log2(1 + bits)
        return at

    def one_value(self) -> tuple[Vector, dict[int, int]] | None:
        """m = 2 and everything else 1 but n_{L-1}: each entry of the last table has more bits than w ever hears."""
        last, bits = self.tables - 1, self.tables * (self.beta + 2.0) + 2 * math.log2(self.state_bits[-1] + 1)
        if bits > MOST_ONE_VALUE_BITS:
            return None
        at = np.zeros(len(self.low))
        at[last] = bits
        return at, {row: 1 + (row == 0) for row in range(self.integers) if row != last}

    def _split(self, numbers: Sequence[Any]) -> tuple[Any, Sequence[Any], Sequence[Any]]:
        return numbers[0], numbers[1 : self.tables], numbers[self.tables :]

    def _cost(self, m: Any, n: Sequence[Any]) -> Any:
        *others, last = table_sizes(m, n)
        return sum(others) + last * (1 + self.identity_tables)

    def real(self, numbers: Sequence[Any]) -> tuple[Posynomial, Conditions]:
        m, n, chosen = self._split(numbers)
        return self._cost(m, n), self.theorem.conditions(m, n, chosen, self.beta, self.state_bits)

    def tokens(self, sizes: Sequence[Any]) -> Any:
        return self._cost(sizes[0], sizes[1:])

    def floats(self, columns: Vector) -> tuple[Vector, Vector]:
        m, n, chosen = self._split(list(columns))
        bits, least = [float(value) for value in self.state_bits], np.full(m.shape, np.inf)
        with np.errstate(all="ignore"):
            for condition in self.theorem.conditions(m, n, chosen, float(self.beta), bits):
                found = slack(condition)
                least = np.minimum(least, np.where(np.isnan(found), -1.0, found))
            return self._cost(m, n), least

    def certified(self, integers: Sequence[int]) -> Impossibility | None:
        m, n, chosen = self._split(integers)
        n = (*n, *(1,) * self.identity_tables)
        found = self.theorem.at(m, n, chosen, self.beta, self.state_bits, self.tables)
        return found if found.certified else None

    def cost_log2(self, outcome: Impossibility) -> float:
        return outcome.tokens_log2()


def real_optimum(
    problem: Problem[Any],
    start: Vector | None = None,
    fixed: dict[int, int] | None = None,
    margin: float = 0.0,
    condensations: int = CONDENSATIONS,
) -> Inside | None:
    """Logarithms with the least cost, some of the numbers fixed; None if none were found."""
    fixed = fixed or {}
    at = np.array(problem.start() if start is None else start, dtype=float)
    for row, value in fixed.items():
        at[row] = math.log2(value)
    free = np.array([row for row in range(len(at)) if row not in fixed], dtype=int)
    if not len(free):
        return None
    found, before = None, math.inf
    for _ in range(condensations):
        numbers: list[Any] = [fixed.get(row) for row in range(len(at))]
        for row, unknown in zip(free, unknowns(at[free]), strict=True):
            numbers[row] = unknown
        cost, conditions = problem.real(numbers)
        if not isinstance(cost, Posynomial):  # all sizes are fixed: there is nothing left to make smaller
            return found
        inside = least(Program(cost, conditions, margin), at[free], problem.low[free])
        if inside is None:
            return found
        at[free] = inside.z
        found = replace(inside, z=at.copy())
        if abs(before - inside.cost) < SETTLED:
            break
        before = inside.cost
    return found


@dataclass(frozen=True)
class Start:
    """The least real numbers found, and what was fixed meanwhile."""

    inside: Inside
    fixed: dict[int, int]

    @property
    def cost(self) -> float:
        return self.inside.cost


def real_starts(problem: Problem[Any], near: Vector | None = None) -> list[Start]:
    """The least real numbers, and those with one value of every table; the lower cost first.

    ``near``: where they were for a question like this one.
    """
    found, given = [], problem.given()
    if (inside := real_optimum(problem, near, given)) is not None:
        found.append(Start(inside, given))
        # A number that is nearly 1 is 1: then differences such as n_1 − 1 are what they are.
        ones = {row: 1 + (row == 0) for row in problem.movable() if inside.z[row] - problem.low[row] < NEARLY_ONE}
        again = real_optimum(problem, inside.z, {**given, **ones}) if ones else None
        if again is not None and again.cost < inside.cost:
            found = [Start(again, {**given, **ones})]
    if (simple := problem.one_value()) is not None and (inside := real_optimum(problem, *simple)) is not None:
        found.append(Start(inside, simple[1]))
    return sorted(found, key=lambda start: start.cost)


def shortest(problem: Problem[Outcome], starts: Sequence[Start]) -> Outcome | None:
    """Integers near the least real numbers, polished and certified; None if none were found."""
    best: Outcome | None = None
    for start in starts:
        if best is not None and start.cost > problem.cost_log2(best):
            continue
        integers = _rounded(problem, start.inside.z, start.fixed)
        found = None if integers is None else problem.certified(_with_least_m(problem, _polished(problem, integers)))
        if found is not None and (best is None or problem.cost_log2(found) < problem.cost_log2(best)):
            best = found
    return best


def _rounded(problem: Problem[Any], point: Vector, fixed: dict[int, int]) -> list[int] | None:
    """Integers that are certified."""
    rows, fixed = range(problem.integers), dict(fixed)
    while small := [row for row in rows if row not in fixed and point[row] < SMALL_BITS]:
        row = min(small, key=lambda row: float(point[row]))
        value = 2.0 ** float(point[row])
        solved = [
            (found.cost, option, found.z)
            for option in {max(1 + (row == 0), math.floor(value)), math.ceil(value - 1e-6)}
            if (found := real_optimum(problem, point, {**fixed, row: option}, 0.0, NEARBY)) is not None
        ]
        if not solved:
            break
        _, fixed[row], point = min(solved, key=lambda option: option[0])
    for most in BATCHES:
        waiting = [row for row in rows if row not in fixed and row not in problem.late and point[row] < most]
        more = {row: whole(point[row]) for row in waiting}
        if more and (found := real_optimum(problem, point, {**fixed, **more}, 0.0, NEARBY)) is not None:
            fixed, point = {**fixed, **more}, found.z
    left = [float(point[row]) for row in rows if row not in fixed]
    margin = max(1e-9, 2.0 ** -min(60.0, 2 + min(left, default=0.0)))  # about what rounding changes, and then more
    while margin < 4:
        found = real_optimum(problem, point, fixed, margin)
        z = point if found is None else found.z
        integers = [fixed.get(row) or whole(z[row]) for row in rows]
        if problem.certified(integers) is not None:
            return integers
        margin *= 4
    return None


LONG_M = 64
"""Bits of an m of which one less matters to nobody: the prompt would be shorter by less than one part in 2^63."""


def _with_least_m(problem: Problem[Any], integers: list[int]) -> list[int]:
    """The same numbers with an m that is certified while m − 1 is not, by steps that double and halve again.

    An m of more than LONG_M bits is left as it is: each bit is another proof, with longer numbers.
    """
    step = 1 if 0 in problem.movable() and integers[0].bit_length() <= LONG_M else 0
    growing = True
    while step:
        fewer = [integers[0] - step, *integers[1:]]
        if fewer[0] >= 2 and problem.certified(fewer) is not None:
            integers, step = fewer, 2 * step if growing else step
        else:
            growing, step = False, step // 2
    return integers


def _polished(problem: Problem[Any], integers: list[int]) -> list[int]:
    """The shorter of two descents by different steps; then other shapes as long as a proof is found for one of them."""
    cost, integers = _descent(problem, first := integers, (2,))
    if cost < 2.0**MOST_POLISHED_BITS:
        cost, integers = min((cost, integers), _descent(problem, first, (2, 3)), key=lambda end: end[0])
    shorter: list[int] | None = integers
    while shorter is not None and cost < 2.0**MOST_POLISHED_BITS and 0 in problem.movable():
        moved = (_with_more_slack(problem, sizes) for sizes in _shorter_shapes(problem, integers, cost))
        shorter = next((found for found in moved if problem.certified(found) is not None), None)
        if shorter is not None:
            cost, integers = _descent(problem, shorter, (2, 3))
    return integers


def _shorter_shapes(problem: Problem[Any], integers: list[int], cost: float) -> Iterator[list[int]]:
    """An n_ℓ changed by at most 1, with the largest m for which the prompt, which is proportional to m, is shorter."""
    for row, step in ((1, 0), *((row, step) for row in range(1, problem.tables) for step in (-1, 1))):
        moved = [value + step * (place == row) for place, value in enumerate(integers)]
        if min(moved) > 0:
            with np.errstate(all="ignore"):
                other = float(problem.floats(np.array(moved, dtype=float)[:, None])[0][0])
            moved[0] = math.ceil(moved[0] * cost / other) - 1
            if moved[0] > 1:
                yield moved


def _descent(problem: Problem[Any], integers: list[int], factors: tuple[int, ...]) -> tuple[float, list[int]]:
    """(cost, integers): always to the best neighbour, as long as it is better and certified."""
    here = np.array([float(min(value, 1 << 1000)) for value in integers])
    with np.errstate(all="ignore"):
        least_cost = float(problem.floats(here[:, None])[0][0])
    if not least_cost < 2.0**MOST_DESCENT_BITS:
        return least_cost, integers
    for _ in range(ROUNDS):
        columns = _neighbours(here, problem.movable(), factors, problem, least_cost)
        if not columns.size:
            break
        costs, slacks = problem.floats(columns)
        costs = np.where(slacks > 0, costs, np.inf)
        index = int(np.argmin(costs))
        candidate = [int(value) for value in columns[:, index]]
        if not costs[index] < least_cost or problem.certified(candidate) is None:  # floats err in the last digits
            break
        here, least_cost, integers = columns[:, index], float(costs[index]), candidate
    return least_cost, integers


def _neighbours(
    here: Vector,
    movable: Sequence[int],
    factors: tuple[int, ...] = (2, 3),
    problem: Problem[Any] | None = None,
    below: float = math.inf,
) -> Vector:
    """Two of the numbers moved by a few steps of different lengths, the first of all by more of them as well.

    Of a ``problem`` those alone that cost less than ``below``, where the sizes say it.
    """
    first, *others = movable
    steps = {row: _steps(here[row], factors) for row in movable}
    moves = {row: np.array(sorted([0.0, *(-step for step in steps[row]), *steps[row]])) for row in movable}
    columns = [np.empty((len(here), 0))]
    pairs: list[tuple[int, ...]] = [*combinations(others, 2)] or [(row, row) for row in others] or [(first,)]
    for pair in pairs:
        rows = (pair[0], first, *pair[1:])
        chosen = _cheaper(here, rows, [moves[row] for row in rows], problem, below)
        moved = np.repeat(here[:, None], len(chosen[0]), axis=1)
        for row, index in zip(rows, chosen, strict=True):
            moved[row] += moves[row][index]
        columns.append(moved)
    joined = np.concatenate(columns, axis=1)
    return np.asarray(joined[:, (joined >= 1).all(axis=0) & (joined[0] >= 2)])


def _cheaper(
    here: Vector, rows: Sequence[int], moves: Sequence[Vector], problem: Problem[Any] | None, below: float
) -> Sequence[Any]:
    """Which moves go together, an array of indices for each row: all, or those alone that cost less than ``below``."""
    shape = tuple(map(len, moves))
    sizes: list[Any] = [] if problem is None else list(here[: problem.tables])
    for row, move in zip(rows, np.ix_(*moves), strict=True):
        if row < len(sizes):
            sizes[row] = sizes[row] + move
    costs = None if problem is None else problem.tokens(sizes)
    if costs is None:
        return [*np.indices(shape).reshape(len(shape), -1)]
    cheap = costs < below
    return np.nonzero(np.broadcast_to(cheap, shape)) if cheap.any() else [np.empty(0, dtype=int)] * len(shape)


def _steps(value: float, factors: tuple[int, ...]) -> list[float]:
    """1, 2, 3, 4, 6, 8, 12, … up to half of a small number; of a large one 1, 2 and the longest up to a tenth of it."""
    most = value / 2 if value < 64 else value / 10
    steps = [1.0, *sorted({factor * 2.0**k for factor in factors for k in range(60) if factor * 2.0**k <= most})]
    return steps if value < 64 else [*steps[:2], *steps[2:][-6:]]


def whole(logarithm: float) -> int:
    """⌊2^logarithm⌉, with the precision of a float; at least 1."""
    shift = max(0, math.floor(logarithm) - 52)
    mantissa: int = round(2.0 ** (float(logarithm) - shift))
    return max(1, mantissa) << shift


def with_most_slack(
    theorem: Theorem, tables: int, m: int, n: Sequence[int], beta: int, state_bits: tuple[int, ...]
) -> Impossibility | None:
    """At given sizes: integers of the proof with the most slack in the tightest inequality; None if not certified."""
    problem = PromptProblem(theorem, tables, 0, beta, state_bits)
    sizes, at = [m, *n[: tables - 1]], np.array(problem.start())
    free, before = np.arange(tables, len(at)), math.inf
    at[free] = np.minimum(at[free], sum(math.log2(size) for size in sizes))
    for _ in range(CONDENSATIONS):
        chosen = unknowns(at[free])
        asked = problem.real([*sizes, *chosen])[1]
        inside = most_slack(Program(chosen[0], asked), at[free], problem.low[free])
        at[free] = inside.z
        if abs(before - inside.worst) < SETTLED:
            break
        before = inside.worst
    if inside.worst > HOPELESS:
        return None
    integers = [*sizes, *(whole(value) for value in inside.z[: problem.integers - tables])]
    if max(sizes).bit_length() < MOST_FLOAT_BITS:
        integers = _with_more_slack(problem, integers)
    found = theorem.at(m, n, integers[tables:], beta, state_bits, tables)
    return found if found.certified else None


def _with_more_slack(problem: Problem[Any], integers: list[int]) -> list[int]:
    """Up to three of the numbers of the proof are moved as long as the tightest inequality gains from it."""
    here = np.array(integers, dtype=float)
    rows = range(problem.tables, problem.integers)
    slackest = float(problem.floats(here[:, None])[1][0])
    for _ in range(ROUNDS if rows else 0):
        columns = np.concatenate([_neighbours(here, rows), _close_neighbours(here, rows)], axis=1)
        slacks = problem.floats(columns)[1]
        index = int(np.argmax(slacks))
        if slackest > 0 or not slacks[index] > slackest:
            break
        here, slackest = columns[:, index], float(slacks[index])
    return [int(value) for value in here]


def _close_neighbours(here: Vector, rows: Sequence[int]) -> Vector:
    """Any three of the numbers moved by at most 2: integers of a proof depend on each other, Θ_2 on Θ_1 on u."""
    count = min(3, len(rows))
    moves = np.array(np.meshgrid(*[np.arange(-2.0, 3.0)] * count)).reshape(count, -1)
    columns = []
    for chosen in combinations(rows, count):
        moved = np.repeat(here[:, None], moves.shape[1], axis=1)
        moved[list(chosen)] += moves
        columns.append(moved)
    joined = np.concatenate(columns, axis=1)
    return np.asarray(joined[:, (joined >= 1).all(axis=0)])
