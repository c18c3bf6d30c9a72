"""T.golden.sizes: with y = L·2^(L+4)·β the golden schedule meets every inequality, and how long its prompt is.

y = L·2^{L+4}·β meets the conditions of T.room for every L ≥ 2, β ≥ 1 and Λ_0 (x_0 = max(1, 2Λ_0) in A, y·W in B), when
no later Λ_t is above β; for larger ones replace β by the largest of them (T.monotone). So for every word and every L
above its depth there are sizes with n polynomial in β and Λ. N_{L-1} = 6·x_0·y^{F_{2L+1}-2} in A, 6·y^{F_{2L+2}-2} in
B. The constant is not the least one, which `least_golden` searches for. Each table is at least four times as long as
the one before it, so n ≤ 2·N_{L-1}, and β reaches (n/(12·x_0))^{1/(F_{2L+1}-2)}/(L·2^{L+4}) in A.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from math import prod

import sympy as sp
import z3

from proofs_checks.kit.solvers import require_no_integers, require_no_numbers, require_zero
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from separation.bounds import Parameters, Rule, evaluate, fibonacci, golden_exponent, golden_parameters

LEVELS = range(2, 6)
BUDGETS = ((1, 0), (1, 1), (8, 0), (8, 8), (10**6, 10**9))
"""β and Λ_0."""


@dataclass(frozen=True)
class Schedule:
    """y = constant(L)·β; m = start·Πx; n_{L-k} = y^(F_{2k+1} − 1 + more_in_n), x_{L-k} the same with F_{2k}."""

    constant: Callable[[int], int] = lambda L: L << (L + 4)
    start: int = 6
    more_in_n: int = 1
    more_in_x: int = 1
    length: int = 2
    """The prompt has at most this·N_{L-1} tokens."""

    def point(self, rule: Rule, L: int, beta: int, linear: int) -> Parameters:
        """The calculator's golden point, or a broken twin of it."""
        y = self.constant(L) * beta
        true = golden_parameters(rule, L, y, linear)
        n = tuple(y ** (fibonacci(2 * (L - k) + 1) - 1 + self.more_in_n) for k in range(1, L))
        if self.more_in_n == 1:
            require(n == tuple(map(int, true.n)), f"{rule.value}, L = {L}: the calculator's n are {true.n}")  # type: ignore[arg-type]
        x = (true.x[0], *(y ** (fibonacci(2 * (L - k)) - 1 + self.more_in_x) for k in range(1, L)))
        return Parameters(self.start * prod(x), n, x)


# --- exponents: with F_{2L-1} = a, F_{2L} = b as letters ---


def _first_size(schedule: Schedule) -> None:
    """x_0 = y·W = y^{F_{2L}} in B: one table more adds F_{2L+1} to the exponent of W, and so to that of x_0."""
    a, b = sp.symbols("a b")
    require_zero((a + 2 * b) - b - (a + b + schedule.more_in_n - 1), "x_0 of theorem B is off from y^{F_2L}")


def _last_size(schedule: Schedule) -> None:
    """N_{L-1} = 6·y^{F_{2L+2}-2} in B: one table more adds that to x_0 and F_{2L} + F_{2L+1} to the other factors."""
    a, b = sp.symbols("a b")
    two, four = a + 2 * b, 3 * b + 2 * a + (a + 2 * b)  # F_{2L+2}, F_{2L+4}
    added = (two - b) + (b + schedule.more_in_x - 1) + (a + b + schedule.more_in_n - 1)
    require_zero(four - two - added, "N_{L-1} of theorem B is off from 6·y^(F_(2L+2)−2)")


def _exponents(schedule: Schedule) -> None:
    more = schedule.more_in_n - 1
    for L in LEVELS:
        for rule, start in ((Rule.A, 0), (Rule.B, 1 + sum(fibonacci(2 * k + 1) + more for k in range(1, L)))):
            total = start + sum(fibonacci(2 * k) + fibonacci(2 * k + 1) + more for k in range(1, L))
            require(total == golden_exponent(rule, L), f"{rule.value}, L = {L}: N has the exponent {total}")


# --- length: N_{L-1} < n ≤ 2·N_{L-1}, as each table is at least 4 times as long as the one before ---


def _one_table(schedule: Schedule) -> None:
    last = z3.Real("last")
    too_long = last + 2 > schedule.length * last
    require_no_numbers([last >= schedule.start, too_long], "one table and two tokens are too many")


def _one_table_more(schedule: Schedule) -> None:
    tokens, last, following = z3.Reals("tokens last following")
    grown = [tokens <= schedule.length * last, following >= 4 * last, last >= 1]
    require_no_numbers([*grown, tokens + following > schedule.length * following], "one table more is too long")


# --- the conditions of T.room ---


def _states(schedule: Schedule) -> None:
    """64·Λ_t ≤ 64·β ≤ y ≤ x_1, as y ≥ 128·β: x_0, n_1 ≥ 1."""
    beta, state, first, second, size = z3.Ints("beta state x_0 x_1 n_1")
    y = schedule.constant(2) * beta
    held = [beta >= 1, state <= beta, first >= 1, size >= 1, second >= (y if schedule.more_in_x else 1)]
    require_no_integers([*held, 64 * state > first * second * size], "64·Λ_t is above x_0·x_1·n_1")


def certified_points(schedule: Schedule) -> int:
    """The calculator certifies every point, with every later Λ_t = β; returns the number of points."""
    tried = list(product((Rule.A, Rule.B), LEVELS, BUDGETS))
    for rule, L, (beta, first) in tried:
        point = schedule.point(rule, L, beta, first)
        bits = [0 if rule is Rule.B else first] + [beta] * (L - 1 + rule.more_layers)
        broken = [each.name for each in evaluate(rule, point, beta, bits).inequalities if not each.holds]
        require(not broken, f"{rule.value}, L = {L}, β = {beta}, Λ = {bits}: {', '.join(broken)} does not hold")
    return len(tried)


STATEMENT = Statement(
    id="T.golden.sizes",
    title="the golden schedule meets every inequality of theorems A and B",
    latex=r"y=L2^{L+4}\beta\ \Rightarrow\ (E_1),\dots,(E_{L-1}),(F);\quad"
    r"N_{L-1}=6x_0y^{F_{2L+1}-2}\ (A),\ 6y^{F_{2L+2}-2}\ (B),\quad n\le2N_{L-1}",
    english="If y is β times a suitable constant, one for each L, and no later Λ_t is above β, the golden schedule "
    "meets every inequality of theorems A and B, with a prompt of at most twice its last table.",
    subject=Schedule(),
    check=Steps(
        "every L ≥ 2, β ≥ 1, Λ_0; Λ_t up to β for t ≥ 1",
        (
            Step("the exponent of x_0 in B", _first_size),
            Step("the exponent of N_{L-1} in B", _last_size),
            Step("exponents for L ≤ 5", _exponents),
            Step("the length of one table", _one_table),
            Step("the length with one table more", _one_table_more),
            Step("the states that T.room allows", _states),
            Step("points that the calculator certifies", certified_points),
        ),
        {
            "the other conditions of T.room": "y = L·2^{L+4}·β is even; x_0 ≥ 2Λ_0 in A, and D_1 = β·W + Λ_1 ≤ 2β·W "
            "is at most x_0/2 in B, where x_0 = y·W.",
            "induction over the tables": "The prompt has at most 2·N_{L-1} tokens: one table, then one more, each n_ℓ "
            "≥ 4.",
            "sums of exponents": "Both sides of each claim on exponents grow alike with L, and L = 2 is counted.",
        },
    ),
    twins={
        "y = 2^L·β": Schedule(constant=lambda L: 1 << L),
        "m = 2·Πx": Schedule(start=2),
        "n_ℓ without the factor y": Schedule(more_in_n=0),
        "x_ℓ without the factor y": Schedule(more_in_x=0),
        "no longer than N_{L-1}": Schedule(length=1),
    },
    rests_on=("T.golden", "T.room"),
    hypotheses=(
        Hypothesis("β is an integer ≥ 1", lambda held: held[0] >= 1, outside=(0, 0, 2)),
        Hypothesis("there are at least two tables", lambda held: held[2] >= 2, outside=(8, 8, 1)),
        Hypothesis("Λ_t ≤ β for t ≥ 1", lambda held: held[1] <= held[0], outside=(1, 2, 2)),
    ),
    witness=(8, 8, 3),
)
"""The witness: β, every Λ_t with t ≥ 1, L."""
