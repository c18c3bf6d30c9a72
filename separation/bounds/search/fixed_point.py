"""β contains log2 of the length of the prompt: the shortest prompt that is consistent with its own β."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from separation.bounds.budget import Budget, Message
from separation.bounds.evaluation import Evaluation
from separation.bounds.inequality import least_table
from separation.bounds.recursion import Rule
from separation.bounds.schedules import golden_exponent, golden_logarithms, least_golden, rule_for
from separation.bounds.search.branch_and_bound import golden_start, sizes_box
from separation.bounds.search.newton import Vector
from separation.bounds.search.relaxation import RealSolution, Relaxation
from separation.bounds.search.shortest_prompt import MAX_SEARCHED, shortest_prompt
from separation.bounds.search.slack import SearchProblem

GUESSES = 4
SPARED_BITS = 20  # beyond MAX_SEARCHED tables k is raised by this share more than needed, which ends the search


def shortest_prompt_within(
    budget: Budget, theorem: str, L: int, linear: Sequence[int], *, cover: str = "half", effort: str = "quick"
) -> Evaluation:
    """The shortest prompt found; with heads given, β belongs to that prompt's own length."""
    if budget.message is not None:
        return shortest_prompt_of_model(theorem, L, budget.message, linear, cover=cover, effort=effort)
    assert budget.beta is not None
    return shortest_prompt(theorem, L, budget.beta, linear, cover=cover, effort=effort)


def shortest_prompt_of_model(
    theorem: str, L: int, message: Message, linear: Sequence[int], *, cover: str = "half", effort: str = "quick"
) -> Evaluation:
    """A certified evaluation with β ≥ β(⌈log2 n⌉) for its own length n, the prompt as short as it was found.

    We look for a k such that the prompt found for β(k) has at most 2^k tokens: a certificate for some β holds for every
    smaller β, so β(k) with k ≥ ⌈log2 n⌉ is enough. The prompt grows with β, so k is raised to ⌈log2 n⌉, and a little
    beyond, as long as it is too small. Where to begin comes from the relaxation to real numbers.
    """
    searched = L <= MAX_SEARCHED
    k = _first_guess(theorem, L, message, linear, cover == "chosen") if searched else _golden_guess(theorem, L, message)
    while True:
        found = shortest_prompt(theorem, L, message.beta(k), linear, cover=cover, effort=effort)
        required = log2_tokens(found)
        if required <= k:
            return found
        k = required + (required - k) // 8 if searched else _golden_growth(theorem, L, message, k, required)


def log2_tokens(evaluation: Evaluation) -> int:
    """⌈log2 n⌉ of the prompt, or one more when n is known only to lie in a ball."""
    tokens = evaluation.parameters.tokens()
    if tokens is not None:
        return (tokens - 1).bit_length()
    mantissa, exponent = (int(part) for part in evaluation.parameters.tokens_ball().upper().man_exp())
    return mantissa.bit_length() + exponent


def _golden_guess(theorem: str, L: int, message: Message) -> int:
    """About log2 of the golden schedule's last table, a little too small: y is more than 2^L·β with many tables."""
    exponent = golden_exponent(Rule.B if theorem == "B" else Rule.A, L)
    k = 2
    for _ in range(GUESSES):
        k = exponent * (L + message.beta(k).bit_length() - 1)
    return k


def _golden_growth(theorem: str, L: int, message: Message, k: int, required: int) -> int:
    """The k that is enough when y grows like β, from ⌈log2 n⌉ = ``required`` for β(k); and a little more."""
    exponent = golden_exponent(Rule.B if theorem == "B" else Rule.A, L)
    before, enough = Fraction(message.beta(k)), required
    for _ in range(GUESSES):
        enough = required + math.ceil(exponent * Fraction(math.log2(message.beta(enough) / before)))
    return enough + (enough >> SPARED_BITS)


def _first_guess(theorem: str, L: int, message: Message, linear: Sequence[int], chosen: bool) -> int:
    exponent = golden_exponent(rule_for(theorem, linear), L)
    solved: dict[int, Vector] = {}  # β and the real solution, of the β that was asked last

    def enough(at_low: float) -> float:
        return at_low + exponent * math.log2(at_low + 2)

    def estimate(k: int) -> float:
        beta = message.beta(k)
        if L == 1:
            return math.log2(least_table(beta))
        near = [z * math.log2(beta << L) / math.log2(before << L) for before, z in solved.items()]
        found = real_solution(rule_for(theorem, linear), L, beta, linear, chosen, near)
        solved.clear()
        solved[beta] = found.z
        return found.length

    found = least_consistent(estimate, enough)
    assert found is not None  # there is a real solution for every β
    return found


def least_consistent(estimate: Callable[[int], float], enough: Callable[[float], float]) -> int | None:
    """About the least k with estimate(k) ≤ k, by chords: between two k's log2 n(k) is nearly a straight line.

    None if an estimate is infinite.

    where ``estimate`` of k is log2 n(k) for β(k), which never decreases and bends down, and ``enough`` of estimate(2)
    is a k that is likely to be enough. Beyond two k's it grows less than between them: where that decides, nothing is
    estimated any more.
    """
    low, at_low, steepest = 2, estimate(2), math.inf
    if not math.isfinite(at_low):
        return None
    high = max(4, math.ceil(enough(at_low)))
    while (at_high := estimate(high)) > high:
        if not math.isfinite(at_high):
            return None
        steepest = (at_high - at_low) / (high - low)
        low, at_low, high = high, at_high, 2 * high
    while at_high <= high - 1 and high - low > 1:
        slope = (at_high - at_low) / (high - low)
        middle = min(max(low + 1, math.ceil(low + (at_low - low) / (1 - slope))), high - 1)
        if middle == low + 1 and at_low + steepest <= middle:
            return middle
        at_middle = estimate(middle)
        if at_middle > middle:
            steepest = (at_middle - at_low) / (middle - low)
            low, at_low = middle, at_middle
        else:
            high, at_high = middle, at_middle
    return high


def real_solution(
    rule: Rule, L: int, beta: int, linear: Sequence[int], chosen: bool, near: Sequence[Vector] = ()
) -> RealSolution:
    """What real numbers allow, whose length is about that of integers, from below; looked for near ``near`` first."""
    problem = SearchProblem(rule, L, beta, tuple(linear), chosen)
    relaxation = Relaxation(rule, L, beta, linear, chosen)
    schedule = np.array(golden_logarithms(rule, L, math.log2(beta << L), int(linear[0]))[: relaxation.count])
    for start in (*near, *(() if chosen else (schedule,))):
        found = relaxation.shortest_from(sizes_box(problem, relaxation.count, schedule), start)
        if found is not None:
            return found
    start = golden_start(problem, least_golden(rule, L, beta, linear))
    found = relaxation.shortest(sizes_box(problem, relaxation.count, start), start)
    assert found is not None  # the golden schedule has slack in all inequalities
    return found
