"""At given sizes: is there a choice of x (and Θ) with which a theorem forbids exactly these sizes?"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np

from separation.bounds.barrier import Vector
from separation.bounds.branching import sizes_box
from separation.bounds.descent import SAFE_ROOM, rounded
from separation.bounds.evaluation import Evaluation
from separation.bounds.ladder import Rule
from separation.bounds.point import Point
from separation.bounds.relaxation import Relaxation
from separation.bounds.schedules import fibonacci, theorem_at
from separation.bounds.trial import Trial
from separation.tasks.funccomp import Sizes

EVALUATIONS = 600
# log2 of what is missing over real numbers, at which rounding does not make it good; with small numbers whole already
HOPELESS, ALMOST = 0.5, 1e-3
SMALL, MOST_FIXED = 6.0, 3  # log2 of a small number, and how many of them are fixed
SHARES = (2, 5, 8, 12, 16, 20, 26)  # a number is moved by 2^-share of it

Kept = tuple[int, ...]


def find_choice(theorem: str, sizes: Sizes, beta: int, linear: Sequence[int]) -> Evaluation | None:
    """A certified evaluation at exactly these sizes, or None when no choice was found (which proves nothing)."""
    if sizes.L == 1:
        point = Point(sizes.m, (), () if theorem == "B" else (sizes.m,))
        found = theorem_at(Rule.B if theorem == "B" else Rule.A, point, beta, linear)
        return found if found.certified else None
    rules = [Rule.B] if theorem == "B" else [Rule.A] if linear[0] else [Rule.A_FREE, Rule.A]
    for rule, chosen in itertools.product(rules, (False, True)):
        trial = Trial(rule, sizes.L, beta, tuple(linear), chosen)
        for x in _real_solutions(trial, sizes):
            widest = _stepped(trial, sizes, x)
            found = theorem_at(rule, trial.point((*widest, *sizes.n, sizes.m)), beta, linear)
            if found.certified:
                return found
    return None


def _real_solutions(trial: Trial, sizes: Sizes) -> Iterator[Kept]:
    """x with the most room in the tightest inequality, over real numbers, rounded; none if that is far from enough.

    Then the same with small numbers fixed at either integer beside them, in all ways.
    """
    relaxation = Relaxation(trial.rule, trial.L, trial.beta, trial.linear, trial.chosen)
    start = _start(trial, sizes)
    box = sizes_box(trial, relaxation.count, start)
    for place, size in enumerate((*sizes.n, sizes.m), start=trial.L):
        box = box.with_low(place, math.log2(size)).with_high(place, math.log2(size))
    found = relaxation.widest(box, start)
    if found.violation > HOPELESS:
        return
    yield tuple(rounded(z, 0.5) for z in found.z[: trial.L])
    small = [place for place in range(trial.L) if found.z[place] < SMALL][:MOST_FIXED]
    for ups in itertools.product((0.0, 1.0), repeat=len(small)):
        fixed = box
        for place, up in zip(small, ups, strict=True):
            value = math.log2(rounded(found.z[place], up))
            fixed = fixed.with_low(place, value).with_high(place, value)
        there = relaxation.widest(fixed, found.z)
        if there.violation <= ALMOST:
            yield tuple(rounded(z, 0.5) for z in there.z[: trial.L])


def _stepped(trial: Trial, sizes: Sizes, x: Kept) -> Kept:
    """x moved by small steps until all inequalities have room, or no step gives more."""

    def room(x: Kept) -> float:
        return trial.room((*x, *sizes.n, sizes.m))

    here, left = room(x), EVALUATIONS
    while here <= SAFE_ROOM and left > 0:
        for moved in itertools.chain(_singles(x), _pairs(x)):
            left -= 1
            there = room(moved)
            if there > here:
                x, here = moved, there
                break
            if left <= 0:
                return x
        else:
            return x
    return x


def _start(trial: Trial, sizes: Sizes) -> Vector:
    """The proportions of the golden schedule, with Πx about m/6, and Θ = t/2."""
    exponents = [fibonacci(2 * (trial.L - k)) if k or trial.rule is Rule.B else 0 for k in range(trial.L)]
    unit = max(0.0, (math.log2(sizes.m) - math.log2(6)) / sum(exponents))
    x = [unit * exponent for exponent in exponents]
    n = [math.log2(size) for size in sizes.n]
    theta = [sum(x[: k + 1]) + sum(n[: k - 1]) - k for k in range(1, trial.L)]
    return np.array([*x, *n, math.log2(sizes.m), *(theta if trial.chosen else [])])


def _singles(x: Kept) -> Iterator[Kept]:
    """x with one number moved by 1, or by a share of it."""
    for place, kept in enumerate(x):
        for step in {1, *(kept >> share for share in SHARES)} - {0}:
            for value in (kept + step, kept - step):
                if value >= 1:
                    yield (*x[:place], value, *x[place + 1 :])


def _pairs(x: Kept) -> Iterator[Kept]:
    """x with two numbers moved."""
    return (second for first in _singles(x) for second in _singles(first))
