"""At given sizes: are there x (and Θ) with which a theorem forbids exactly these sizes?"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np

from separation.bounds.evaluation import Evaluation
from separation.bounds.parameters import Parameters
from separation.bounds.recursion import Rule
from separation.bounds.schedules import fibonacci
from separation.bounds.search.branch_and_bound import sizes_box
from separation.bounds.search.local_search import SAFE_SLACK, rounded
from separation.bounds.search.newton import Vector
from separation.bounds.search.relaxation import Relaxation
from separation.bounds.search.slack import SearchProblem
from separation.bounds.theorems.theorem_b import evaluate_theorem
from separation.tasks.funccomp import Sizes

EVALUATIONS = 600
# log2 of the largest violation over real numbers from which rounding may still recover: at first, and once small
# numbers are whole.
HOPELESS, ALMOST = 0.5, 1e-3
SMALL, MOST_FIXED = 6.0, 3  # log2 of a small number, and how many of them are fixed
SHARES = (2, 5, 8, 12, 16, 20, 26)  # a number is moved by 2^-share of it

Copies = tuple[int, ...]  # x_0..x_{L-1}: how many tables of each player are kept


def find_parameters(theorem: str, sizes: Sizes, beta: int, linear: Sequence[int]) -> Evaluation | None:
    """A certified evaluation at exactly these sizes, or None when no x was found (which proves nothing)."""
    if sizes.L == 1:
        only = Parameters(sizes.m, (), () if theorem == "B" else (sizes.m,))
        found = evaluate_theorem(Rule.B if theorem == "B" else Rule.A, only, beta, linear)
        return found if found.certified else None
    rules = [Rule.B] if theorem == "B" else [Rule.A] if linear[0] else [Rule.A_FREE, Rule.A]
    for rule, chosen in itertools.product(rules, (False, True)):
        problem = SearchProblem(rule, sizes.L, beta, tuple(linear), chosen)
        for x in _real_solutions(problem, sizes):
            best = _with_more_slack(problem, sizes, x)
            found = evaluate_theorem(rule, problem.parameters((*best, *sizes.n, sizes.m)), beta, linear)
            if found.certified:
                return found
    return None


def _real_solutions(problem: SearchProblem, sizes: Sizes) -> Iterator[Copies]:
    """x with the most slack in the tightest inequality, over real numbers, rounded; none if that is far from enough.

    Then the same with small numbers fixed at the integer below or above, in all combinations.
    """
    relaxation = Relaxation(problem.rule, problem.L, problem.beta, problem.linear, problem.chosen)
    start = _start(problem, sizes)
    box = sizes_box(problem, relaxation.count, start)
    for index, size in enumerate((*sizes.n, sizes.m), start=problem.L):
        box = box.with_low(index, math.log2(size)).with_high(index, math.log2(size))
    found = relaxation.most_slack(box, start)
    if found.violation > HOPELESS:
        return
    yield tuple(rounded(z, 0.5) for z in found.z[: problem.L])
    small = [index for index in range(problem.L) if found.z[index] < SMALL][:MOST_FIXED]
    for ups in itertools.product((0.0, 1.0), repeat=len(small)):
        fixed = box
        for index, up in zip(small, ups, strict=True):
            value = math.log2(rounded(found.z[index], up))
            fixed = fixed.with_low(index, value).with_high(index, value)
        there = relaxation.most_slack(fixed, found.z)
        if there.violation <= ALMOST:
            yield tuple(rounded(z, 0.5) for z in there.z[: problem.L])


def _with_more_slack(problem: SearchProblem, sizes: Sizes, x: Copies) -> Copies:
    """x moved by small steps until all inequalities have slack, or no step gives more."""

    def slack(x: Copies) -> float:
        return problem.slack((*x, *sizes.n, sizes.m))

    here, left = slack(x), EVALUATIONS
    while here <= SAFE_SLACK and left > 0:
        for moved in itertools.chain(_single_moves(x), _pair_moves(x)):
            left -= 1
            there = slack(moved)
            if there > here:
                x, here = moved, there
                break
            if left <= 0:
                return x
        else:
            return x
    return x


def _start(problem: SearchProblem, sizes: Sizes) -> Vector:
    """The proportions of the golden schedule, with Πx about m/6, and Θ = t/2."""
    exponents = [fibonacci(2 * (problem.L - k)) if k or problem.rule is Rule.B else 0 for k in range(problem.L)]
    unit = max(0.0, (math.log2(sizes.m) - math.log2(6)) / sum(exponents))
    x = [unit * exponent for exponent in exponents]
    n = [math.log2(size) for size in sizes.n]
    theta = [sum(x[: k + 1]) + sum(n[: k - 1]) - k for k in range(1, problem.L)]
    return np.array([*x, *n, math.log2(sizes.m), *(theta if problem.chosen else [])])


def _single_moves(x: Copies) -> Iterator[Copies]:
    """x with one number moved by 1, or by a share of it."""
    for index, kept in enumerate(x):
        for step in {1, *(kept >> share for share in SHARES)} - {0}:
            for value in (kept + step, kept - step):
                if value >= 1:
                    yield (*x[:index], value, *x[index + 1 :])


def _pair_moves(x: Copies) -> Iterator[Copies]:
    """x with two numbers moved."""
    return (second for first in _single_moves(x) for second in _single_moves(first))
