"""T.golden.sizes: with y = c·β the golden schedule satisfies every inequality, for every L, β and Λ_0.

y = c·β with c = 2^L·(9L+4) in theorem A and c = 2^L·(9L+22) in theorem B makes every inequality true, for every L ≥ 2,
β ≥ 1 and Λ_0 (x_0 = max(1, 2Λ_0) in A, y·W in B), when 1 and Λ_ℓ are no larger than β·bracket_ℓ. For larger Λ_ℓ
replace β by the largest of them (T.monotone). So for every word and every L above its depth there are sizes with n
polynomial in β and Λ. N_{L-1} = 6·x_0·y^{F_{2L+1}-2} in A, 6·y^{F_{2L+2}-2} in B. The proof is one induction over r_ℓ
= D_{ℓ+1}/(n_ℓ·Θ_ℓ) ≤ 1; the constant is not the least one, which `least_golden` searches for. Each table is at least
four times as long as the one before it, so n ≤ 2·N_{L-1}, and β reaches (n/(12·x_0))^{1/(F_{2L+1}-2)}/c in A.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import sympy as sp
import z3

from proofs_checks.kit.solvers import require_no_numbers, require_relation, require_zero
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from separation.bounds import Parameters, Rule, evaluate, fibonacci, golden_exponent, golden_parameters, run_recursion

LEVELS = range(2, 6)
BUDGETS = ((1, 0), (1, 1), (8, 0), (8, 8), (10**6, 10**9))
"""β and Λ_0 (in Theorem B: Λ_1)."""


@dataclass(frozen=True)
class Schedule:
    """y = c·β with c = 2^L·(9L + 4) in Theorem A and c = 2^L·(9L + 22) in Theorem B; m = 6·Πx; n_ℓ = y·x_ℓ⋯x_{L-1}."""

    offset_a: int = 4
    offset_b: int = 22
    slope: int = 9
    start: int = 6
    more_in_n: int = 1
    """n_{L-k} = y^(F_{2k+1} − 1 + this)."""
    more_in_x: int = 1
    """x_{L-k} = y^(F_{2k} − 1 + this)."""
    first: Fraction = Fraction(2)
    """x_0 = max(1, this·Λ_0) in Theorem A."""
    length: int = 2
    """The prompt has at most this·N_{L-1} tokens."""
    slack: Fraction = Fraction(3, 2)
    """(E_ℓ) leaves this many times x_ℓ·R_{ℓ-1} for 1 + x_ℓ·D_ℓ."""

    def per_power(self, rule: Rule, L: Any) -> Any:
        """c/2^L."""
        return self.slope * L + (self.offset_b if rule is Rule.B else self.offset_a)

    def point(self, rule: Rule, L: int, beta: int, linear: int) -> Parameters:
        """The calculator's golden point at y = c·β, or a broken twin of it."""
        y = (self.per_power(rule, L) << L) * beta
        true = golden_parameters(rule, L, y, int(linear * self.first / 2))
        n = tuple(y ** (fibonacci(2 * (L - k) + 1) - 1 + self.more_in_n) for k in range(1, L))
        if self.start == 6 and self.more_in_n == 1:
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
    for rule, known in ((Rule.A, [3, 11, 32]), (Rule.B, [6, 19, 53])):
        found = [golden_exponent(rule, L) for L in (2, 3, 4)]
        require(found == known, f"theorem {rule.value}: the exponents are {found}, not {known}")
    more = schedule.more_in_n - 1
    for L in LEVELS:
        for rule, start in ((Rule.A, 0), (Rule.B, 1 + sum(fibonacci(2 * k + 1) + more for k in range(1, L)))):
            total = start + sum(fibonacci(2 * k) + fibonacci(2 * k + 1) + more for k in range(1, L))
            require(total == golden_exponent(rule, L), f"{rule.value}, L = {L}: N has the exponent {total}")


# --- length: N_{L-1} < n ≤ 2·N_{L-1}, as each table is at least 4 times as long as the one before ---


def _one_table(schedule: Schedule) -> None:
    last = z3.Real("last")
    require_no_numbers(
        [last >= schedule.start, last + 2 > schedule.length * last], "one table and two tokens are too many"
    )


def _one_table_more(schedule: Schedule) -> None:
    tokens, last, following = z3.Reals("tokens last following")
    grown = [tokens <= schedule.length * last, following >= 4 * last, last >= 1]
    require_no_numbers([*grown, tokens + following > schedule.length * following], "one table more is too long")


# --- ratios: all terms of bracket_ℓ over R_ℓ, with letters for what stands before, at and after ℓ ---


@dataclass(frozen=True)
class Letters:
    """x_ℓ, n_ℓ, N_{ℓ-1}, Θ_ℓ, W and x_0⋯x_{ℓ-1} in letters y, 2^ℓ, and products of x and n before and after ℓ."""

    schedule: Schedule
    y, earlier_x, earlier_n, later_x, later_n, power = sp.symbols("y X N x n P", positive=True)

    @property
    def kept(self) -> Any:
        """x_ℓ = y·n_{ℓ+1}⋯n_{L-1}."""
        return self.y**self.schedule.more_in_x * self.later_n

    @property
    def size(self) -> Any:
        """n_ℓ = y·x_ℓ⋯x_{L-1}."""
        return self.y**self.schedule.more_in_n * self.kept * self.later_x

    @property
    def table(self) -> Any:
        """N_{ℓ-1} = m·n_1⋯n_{ℓ-1}."""
        return self.schedule.start * self.earlier_x * self.kept * self.later_x * self.earlier_n

    @property
    def theta(self) -> Any:
        return self.earlier_x * self.kept * self.earlier_n / self.power


def _table_over_theta(schedule: Schedule) -> None:
    own = Letters(schedule)
    require_zero(own.table / own.theta - 6 * own.power * own.later_x, "N_{ℓ-1}/Θ_ℓ is off")


def _logarithm(schedule: Schedule) -> None:
    """6·2^ℓ > 𝖾·2^{ℓ+1}, so the logarithm of (E_ℓ) is at least ℓ+1."""
    require_relation(schedule.start > 2 * sp.E, "m/Πx·2^ℓ is not more than 𝖾·2^(ℓ+1)")


def _tables_kept(schedule: Schedule) -> None:
    own = Letters(schedule)
    require_zero(own.kept * own.table / (own.size * own.theta) - 6 * own.power / own.y, "x_ℓ·N_{ℓ-1}/R_ℓ is off")


def _queries(schedule: Schedule) -> None:
    own = Letters(schedule)
    queries = own.earlier_n * own.size * own.later_n
    require_zero(queries * own.earlier_x / (own.size * own.theta) - own.power / own.y, "W·x_0⋯x_{ℓ-1}/R_ℓ is off")


def _earlier_tables(schedule: Schedule) -> None:
    """y·x_i⋯x_{ℓ-1}·N_{i-1} ≤ N_{ℓ-1}, as n_i = y·x_i⋯x_{ℓ-1}·(…) and the other n are at least 1."""
    before, between, others, first, base = z3.Reals("before between others first base")
    long = [before >= 1, between >= 1, others >= 1, first >= 1, base >= 1]
    size = (base if schedule.more_in_n else 1) * between * first
    require_no_numbers(
        [*long, base * before * between > before * size * others], "a term of the sum over i is too large"
    )


# --- induction: over all reals L, ℓ, β, 2^ℓ, n_ℓ that satisfy what is known ---


def _known(schedule: Schedule, rule: Rule) -> tuple[list[z3.BoolRef], tuple[Any, Any, Any, Any]]:
    L, level, power, constant, size = z3.Reals("L level power constant size")
    factor = schedule.per_power(rule, L)
    whole = [
        L >= 2,
        level >= 1,
        level <= L - 1,
        power >= 2,
        constant >= 2 * power * factor,
        size >= constant * constant,
    ]
    return whole, (level, power, constant, size)


def _ratio(schedule: Schedule) -> None:
    """bracket_ℓ over R_ℓ: (ℓ+more)·6P/c, twice P/c for W+1 ≤ 2W, once 6P/c for all i together, and in B once 6P/c for
    x_0·x_1 ≤ N_0·x_1; each divided by β. Then r_ℓ ≤ 2·r_{ℓ-1}/n_ℓ + 3·bracket_ℓ·β/R_ℓ ≤ 1.
    """
    for rule in (Rule.A, Rule.B):
        whole, (level, power, constant, size) = _known(schedule, rule)
        previous = z3.Real("previous")
        heard = 6 * (level + 1 + 2 * rule.more_layers) + 2
        here = previous * 2 * constant + 3 * power * heard * size  # r_ℓ·n_ℓ·c, at most
        held = [*whole, previous >= 0, previous <= 1]
        require_no_numbers([*held, here > size * constant], f"{rule.value}: r_ℓ can be more than 1")


def _first_draw(schedule: Schedule) -> None:
    """(E_1) is 1/x_1 + D_1 ≤ R_0: D_1 = Λ_0 ≤ R_0/2 in A; D_1 = β·W + Λ_1 ≤ 2β·W and R_0 = c·β·W in B."""
    for rule in (Rule.A, Rule.B):
        whole, (_, _, constant, _) = _known(schedule, rule)
        first, second = z3.Reals("R x")
        fixed = constant / 2 if rule is Rule.B else z3.RealVal(str(schedule.first))  # R_0/D_1 at least
        draws = [*whole, first >= 1, second >= constant]
        require_no_numbers([*draws, 1 + second * first / fixed > second * first], f"{rule.value}: (E_1)")


def _later_draws(schedule: Schedule) -> None:
    """(E_ℓ) follows from 1/(x_ℓ·R_{ℓ-1}) + r_{ℓ-1} ≤ 3/2."""
    for rule in (Rule.A, Rule.B):
        whole, (_, _, constant, _) = _known(schedule, rule)
        first, second = z3.Reals("R x")
        allowed = z3.RealVal(str(schedule.slack)) * second * first
        draws = [*whole, first >= 1, second >= constant]
        require_no_numbers([*draws, 1 + second * first > allowed], f"{rule.value}: (E_ℓ)")


def certified_points(schedule: Schedule) -> int:
    """The calculator certifies every point, with every Λ_ℓ as large as allowed; returns the number of points."""
    tried = list(product((Rule.A, Rule.B), LEVELS, BUDGETS))
    for rule, L, (beta, linear) in tried:
        point = schedule.point(rule, L, beta, linear)
        found = evaluate(rule, point, beta, _largest_linear(rule, beta, linear, point))
        broken = [inequality.name for inequality in found.inequalities if not inequality.holds]
        require(not broken, f"{rule.value}, L = {L}, β = {beta}, Λ = {linear}: {', '.join(broken)} does not hold")
    return len(tried)


def _largest_linear(rule: Rule, beta: int, linear: int, point: Parameters) -> list[int]:
    """Λ_0 (A) or Λ_1 ≤ β·W (B) as given; every later Λ as large as β·bracket_ℓ."""
    L, more = point.L, rule.more_layers
    bits = [0 if rule is Rule.B else linear] + [0] * (L - 1 + more)
    if rule is Rule.B:
        bits[1] = min(linear, beta * prod(point.n))  # type: ignore[arg-type]
    D = run_recursion(rule, beta, bits, point.m, point.n, point.x).D
    for level in range(1, L):
        bits[level + more] = D[level] - int(point.x[level]) * D[level - 1] - 1  # type: ignore[arg-type]
    return bits


STATEMENT = Statement(
    id="T.golden.sizes",
    title="the golden schedule meets every inequality of theorems A and B",
    latex=r"y=2^L(9L+4)\,\beta\ (A),\ 2^L(9L+22)\,\beta\ (B)\ \Rightarrow\ (E_1),\dots,(E_{L-1}),(F);\quad"
    r"N_{L-1}=6x_0y^{F_{2L+1}-2}\ (A),\ 6y^{F_{2L+2}-2}\ (B)",
    english="If y is β times a suitable constant, one for each L, the golden schedule meets every inequality of "
    "theorems A and B.",
    subject=Schedule(),
    check=Steps(
        "every L ≥ 2, β ≥ 1, Λ_0; Λ_ℓ up to β·bracket_ℓ",
        (
            Step("the exponent of x_0 in B", _first_size),
            Step("the exponent of N_{L-1} in B", _last_size),
            Step("exponents for L ≤ 5", _exponents),
            Step("the length of one table", _one_table),
            Step("the length with one table more", _one_table_more),
            Step("N_{ℓ-1}/Θ_ℓ", _table_over_theta),
            Step("the logarithm of (E_ℓ)", _logarithm),
            Step("x_ℓ·N_{ℓ-1}/R_ℓ", _tables_kept),
            Step("W·x_0⋯x_{ℓ-1}/R_ℓ", _queries),
            Step("earlier tables", _earlier_tables),
            Step("r_ℓ ≤ 1", _ratio),
            Step("(E_1)", _first_draw),
            Step("(E_ℓ)", _later_draws),
            Step("points that the calculator certifies", certified_points),
        ),
        {
            "nothing is rounded": "2^L divides y and y divides x_ℓ, so no t_ℓ is rounded and Θ_ℓ = "
            "x_0⋯x_ℓ·n_1⋯n_{ℓ-1}/2^ℓ.",
            "induction over ℓ": "With R_ℓ = n_ℓ·Θ_ℓ (R_0 = x_0) and r_ℓ = D_{ℓ+1}/R_ℓ: r_0 ≤ 1/2, and r_{ℓ-1} ≤ 1 "
            "gives r_ℓ ≤ 1, because 1 and Λ_ℓ are no larger than β·bracket_ℓ; the terms of the sum over i are fewer "
            "than y.",
            "induction over the tables": "The prompt has at most 2·N_{L-1} tokens: one table, then one more, each n_ℓ "
            "≥ 4.",
            "sums of exponents": "Both sides of each claim on exponents grow alike with L, and L = 2 is counted.",
            "(F)": "r_{L-1} ≤ 1 < log2 N_{L-1}, which is (F).",
        },
    ),
    twins={
        "c = 2^L": Schedule(slope=0, offset_a=1, offset_b=1),
        "m = 2·Πx": Schedule(start=2),
        "n_ℓ without the factor y": Schedule(more_in_n=0),
        "x_ℓ without the factor y": Schedule(more_in_x=0),
        "no longer than N_{L-1}": Schedule(length=1),
        "no slack for the 1 in (E_ℓ)": Schedule(slack=Fraction(1)),
        "x_0 = max(1, Λ_0/2)": Schedule(first=Fraction(1, 2)),
    },
    rests_on=("T.golden",),
    hypotheses=(
        Hypothesis("β is an integer ≥ 1", lambda held: held[0] >= 1, outside=(0, 8, 2)),
        Hypothesis("there are at least two tables", lambda held: held[2] >= 2, outside=(8, 8, 1)),
        Hypothesis(
            "1 + Λ_ℓ is at most twice β·bracket_ℓ for ℓ ≥ 1",
            lambda held: 1 + held[1] <= 2 * _bracket(held[0], held[2]),
            outside=(1, 10**20, 2),
        ),
    ),
    witness=(8, 8, 3),
)
"""The witness: β, every Λ_ℓ, L."""


def _bracket(beta: int, L: int) -> int:
    """The least β·bracket_ℓ of theorem A at Λ_0 = 0."""
    point = Schedule().point(Rule.A, L, beta, 0)
    return min(_largest_linear(Rule.A, beta, 0, point)[1:])
