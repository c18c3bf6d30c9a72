"""The shortest prompt found at which an impossibility is certified."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from separation.bounds.evaluation import Evaluation
from separation.bounds.inequality import least_table
from separation.bounds.parameters import Parameters
from separation.bounds.schedules import Golden, least_golden, rule_for
from separation.bounds.search.branch_and_bound import golden_start, nearly_whole_solutions
from separation.bounds.search.local_search import Candidate, LocalSearch, few_digits
from separation.bounds.search.newton import Vector
from separation.bounds.search.relaxation import RealSolution, Relaxation
from separation.bounds.search.slack import SearchProblem
from separation.bounds.search.two_tables import shortest_two_tables
from separation.bounds.theorems.theorem_b import evaluate_theorem
from separation.files import InputError
from separation.tasks.checks import require_integer

# Beyond this many tables the golden schedule is taken as it is: no prompt of that length is of any use.
MAX_SEARCHED = 8
# How often, and how far in log2, a new start is moved away from the real solution; variables beyond 2^KICKED stay.
KICKS, KICK, KICKED = 64, 0.6, 12.0
DESCENTS = 16  # a descent may use this share of the work
REPAIRS = 40  # how often m is enlarged when exact arithmetic does not confirm what floats found


@dataclass(frozen=True)
class Effort:
    """How long to search: real problems solved, and work spent on integers (see `LocalSearch`).

    Prompts of two tables with at most ``exhausted`` tokens are tried one by one.
    """

    boxes: int
    work: int
    exhausted: int


EFFORTS = {"quick": Effort(9, 16_000, 5_000), "thorough": Effort(60, 150_000, 20_000)}


def shortest_prompt(
    theorem: str, L: int, beta: int, linear: Sequence[int], *, cover: str = "half", effort: str = "quick"
) -> Evaluation:
    """min Σ N_{ℓ-1} + 2 over m, n_ℓ, x_ℓ (and Θ_ℓ), as far as it is found; certified in exact arithmetic.

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
        return evaluate_theorem(rule, Parameters(least, (), (() if theorem == "B" else (least,))), beta, linear)
    golden = least_golden(rule, L, beta, linear)
    if L > MAX_SEARCHED:
        return golden.evaluation
    problem = SearchProblem(rule, L, beta, tuple(linear), cover == "chosen")
    best = golden.evaluation
    for searched in ("quick", effort)[effort == "quick" :]:
        found = _search(problem, EFFORTS[searched], golden)
        if found is not None and found.parameters.tokens_ball() < best.parameters.tokens_ball():
            best = found
    return best


def require_effort(effort: str) -> None:
    if effort not in EFFORTS:
        raise InputError(f"effort is {effort!r}; allowed are {' and '.join(EFFORTS)}")


def _search(problem: SearchProblem, effort: Effort, golden: Golden) -> Evaluation | None:
    candidate = Search(problem, effort, golden).run()
    if candidate is None:
        return None
    if problem.L == 2 and not problem.chosen and problem.length(candidate) <= effort.exhausted:
        candidate = shortest_two_tables(problem, candidate)
    return _certified(problem, candidate)


@dataclass
class Search:
    """Local search from the nearly whole solutions of the real problem, then from around the first of them."""

    problem: SearchProblem
    effort: Effort
    golden: Golden
    best: Candidate | None = None
    rng: random.Random = field(default_factory=lambda: random.Random(0))

    def __post_init__(self) -> None:
        self.local_search = LocalSearch(self.problem, 0)

    def run(self) -> Candidate | None:
        problem, effort = self.problem, self.effort
        relaxation = Relaxation(problem.rule, problem.L, problem.beta, problem.linear, problem.chosen)
        start = golden_start(problem, self.golden)
        first: RealSolution | None = None
        for solution in nearly_whole_solutions(problem, relaxation, start, effort.boxes, self._length_log2):
            first = first or solution
            self._descend(solution, np.zeros(relaxation.count))
            if self.local_search.spent >= effort.work:
                break
        for _ in range(KICKS):
            if first is None or self.local_search.spent >= effort.work:
                break
            kicks = [self.rng.uniform(-KICK, KICK) if z < KICKED else 0.0 for z in first.z]
            self._descend(first, np.array(kicks))
        return self.best

    def _length_log2(self) -> float:
        return math.inf if self.best is None else math.log2(self.problem.length(self.best))

    def _descend(self, solution: RealSolution, kick: Vector) -> None:
        candidate = self.local_search.feasible_integers(solution, kick)
        if candidate is None:
            return
        self.local_search.budget = min(self.effort.work, self.local_search.spent + self.effort.work // DESCENTS)
        candidate = self.local_search.descend(candidate, self.rng)
        if self.best is None or self.problem.length(candidate) < self.problem.length(self.best):
            self.best = candidate


def _certified(problem: SearchProblem, candidate: Candidate) -> Evaluation | None:
    """The candidate with m enlarged until it is certified: floats may be wrong in the last digits."""
    step = 1
    for _ in range(REPAIRS):
        found = evaluate_theorem(problem.rule, problem.parameters(candidate), problem.beta, problem.linear)
        if found.certified:
            return found
        candidate = (*candidate[:-1], few_digits(candidate[-1] + step))
        step = 2 * max(step, candidate[-1] >> 40)
    return None
