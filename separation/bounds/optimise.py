"""The shortest prompt found at which an impossibility is certified."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from separation.bounds.barrier import Vector
from separation.bounds.branching import real_choices, real_start
from separation.bounds.descent import Candidate, Descent, short
from separation.bounds.evaluation import Evaluation
from separation.bounds.point import Point
from separation.bounds.relaxation import Found, Relaxation
from separation.bounds.schedules import Golden, least_golden, rule_for, theorem_at
from separation.bounds.theorem_c import least_table
from separation.bounds.trial import Trial
from separation.bounds.two_tables import shortest_two_tables
from separation.files import InputError
from separation.tasks.checks import require_integer

# Beyond this many tables the golden schedule stands alone: its prompts are beyond all use in any case.
MAX_SEARCHED = 8
# How often, and how far in log2, a new start is moved away from the real solution; variables beyond 2^KICKED stay.
KICKS, KICK, KICKED = 64, 0.6, 12.0
DESCENTS = 16  # a descent may use this share of the work
REPAIRS = 40


@dataclass(frozen=True)
class Effort:
    """How long to search: real problems solved, and work spent on integers (see `Descent`).

    Prompts of two tables with at most ``exhausted`` tokens are tried one by one.
    """

    boxes: int
    work: int
    exhausted: int


EFFORTS = {"quick": Effort(9, 16_000, 5_000), "thorough": Effort(60, 150_000, 20_000)}


def optimise(
    theorem: str, L: int, beta: int, linear: Sequence[int], *, cover: str = "half", effort: str = "quick"
) -> Evaluation:
    """min Σ N_{ℓ-1} + 2 over m, n_ℓ, x_ℓ (and Θ_ℓ), as far as it is found; the point is certified, in exact arithmetic.

    where ``theorem`` is A or B, ``linear`` are the Λ_t it speaks of, and ``cover`` is half (Θ_ℓ = t_ℓ/2) or chosen (Θ_ℓ
    any integer that (E_ℓ) allows). The search is random with a fixed seed, so the same question has the same answer. It
    is never longer than the golden schedule.
    """
    require_integer("L", L, 1)
    if cover not in ("half", "chosen"):
        raise InputError(f"cover is {cover!r}; allowed are half and chosen")
    require_effort(effort)
    rule = rule_for(theorem, linear)
    if L == 1:
        least = least_table(beta + linear[1] if theorem == "B" else linear[0])
        return theorem_at(rule, Point(least, (), (() if theorem == "B" else (least,))), beta, linear)
    golden = least_golden(rule, L, beta, linear)
    if L > MAX_SEARCHED:
        return golden.evaluation
    trial = Trial(rule, L, beta, tuple(linear), cover == "chosen")
    best = golden.evaluation
    for searched in ("quick", effort)[effort == "quick" :]:
        found = _searched(trial, EFFORTS[searched], golden)
        if found is not None and found.point.tokens_ball() < best.point.tokens_ball():
            best = found
    return best


def require_effort(effort: str) -> None:
    if effort not in EFFORTS:
        raise InputError(f"effort is {effort!r}; allowed are {' and '.join(EFFORTS)}")


def _searched(trial: Trial, effort: Effort, golden: Golden) -> Evaluation | None:
    candidate = Search(trial, effort, golden).run()
    if candidate is None:
        return None
    if trial.L == 2 and not trial.chosen and trial.length(candidate) <= effort.exhausted:
        candidate = shortest_two_tables(trial, candidate)
    return _certified(trial, candidate)


@dataclass
class Search:
    """Descents from the whole solutions of the real problem, then from points around the first of them."""

    trial: Trial
    effort: Effort
    golden: Golden
    best: Candidate | None = None
    rng: random.Random = field(default_factory=lambda: random.Random(0))

    def __post_init__(self) -> None:
        self.descent = Descent(self.trial, 0)

    def run(self) -> Candidate | None:
        trial, effort = self.trial, self.effort
        relaxation = Relaxation(trial.rule, trial.L, trial.beta, trial.linear, trial.chosen)
        start = real_start(trial, self.golden)
        first: Found | None = None
        for choice in real_choices(trial, relaxation, start, effort.boxes, self._length_log2):
            first = first or choice
            self._descend(choice, np.zeros(relaxation.count))
            if self.descent.spent >= effort.work:
                break
        for _ in range(KICKS):
            if first is None or self.descent.spent >= effort.work:
                break
            kicks = [self.rng.uniform(-KICK, KICK) if z < KICKED else 0.0 for z in first.z]
            self._descend(first, np.array(kicks))
        return self.best

    def _length_log2(self) -> float:
        return math.inf if self.best is None else math.log2(self.trial.length(self.best))

    def _descend(self, choice: Found, kick: Vector) -> None:
        candidate = self.descent.repaired(choice, kick)
        if candidate is None:
            return
        self.descent.budget = min(self.effort.work, self.descent.spent + self.effort.work // DESCENTS)
        candidate = self.descent.run(candidate, self.rng)
        if self.best is None or self.trial.length(candidate) < self.trial.length(self.best):
            self.best = candidate


def _certified(trial: Trial, candidate: Candidate) -> Evaluation | None:
    """The candidate with m enlarged until it is certified: floats may have been too hopeful by a little."""
    step = 1
    for _ in range(REPAIRS):
        found = theorem_at(trial.rule, trial.point(candidate), trial.beta, trial.linear)
        if found.certified:
            return found
        candidate = (*candidate[:-1], short(candidate[-1] + step))
        step = 2 * max(step, candidate[-1] >> 40)
    return None
