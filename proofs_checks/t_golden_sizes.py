"""T.golden.sizes: with y = c·β the golden schedule satisfies every inequality, for every L, β and Λ_0."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import sympy as sp
import z3

from proofs_checks.integers import require_no_numbers
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Rule, golden_exponent, golden_point
from separation.bounds.evaluation import evaluate
from separation.bounds.ladder import climb
from separation.bounds.point import Point
from separation.bounds.schedules import fibonacci

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
    first: Fraction = Fraction(2)
    """x_0 = max(1, this·Λ_0) in Theorem A."""

    def per_power(self, rule: Rule, L: Any) -> Any:
        """c/2^L."""
        return self.slope * L + (self.offset_b if rule is Rule.B else self.offset_a)

    def point(self, rule: Rule, L: int, beta: int, linear: int) -> Point:
        """The calculator's golden point at y = c·β, or its false neighbour."""
        y = (self.per_power(rule, L) << L) * beta
        true = golden_point(rule, L, y, int(linear * self.first / 2))
        n = tuple(y ** (fibonacci(2 * (L - k) + 1) - 1 + self.more_in_n) for k in range(1, L))
        if self.start == 6 and self.more_in_n == 1:
            require(n == tuple(map(int, true.n)), f"{rule.value}, L = {L}: the calculator's n are {true.n}")  # type: ignore[arg-type]
        return Point(int(true.m) * self.start // 6, n, true.x)  # type: ignore[arg-type]


def check(schedule: Schedule) -> Checked:
    """R_ℓ = n_ℓ·Θ_ℓ (R_0 = x_0) and r_ℓ = D_{ℓ+1}/R_ℓ: r_0 ≤ 1/2, and r_ℓ ≤ 1 by induction; then all inequalities hold.

    By hand: 2^L divides y and y divides x_ℓ, so no t_ℓ is rounded and Θ_ℓ = x_0⋯x_ℓ·n_1⋯n_{ℓ-1}/2^ℓ. With symbols for
    the products before, at and after ℓ (`_require_ratios`): N_{ℓ-1}/Θ_ℓ ≥ 6·2^ℓ > 𝖾·2^{ℓ+1}, so the logarithm of (E_ℓ)
    is at least ℓ+1; and β·bracket_ℓ ≤ 2^ℓ·(6ℓ+8)/c·R_ℓ in A, 2^ℓ·(6ℓ+20)/c·R_ℓ in B. 1 and Λ_ℓ are no larger than
    β·bracket_ℓ, so r_ℓ ≤ 2·r_{ℓ-1}/n_ℓ + 3·2^ℓ·(6ℓ+8)/c, at most 1 (z3). (E_1) is 1/x_1 + D_1 ≤ R_0, (E_ℓ) follows
    from 1/(x_ℓR_{ℓ-1}) + r_{ℓ-1} ≤ 3/2, (F) from r_{L-1} ≤ 1 < log2 N_{L-1}. Beside: the calculator certifies these
    points, with every Λ_ℓ as large as allowed. The prompt has at most 2·N_{L-1} tokens (`_require_length`). For larger
    Λ_ℓ take the β of the largest of them: the inequalities hold for every smaller β (T.monotone).
    """
    _require_sizes()
    _require_length()
    _require_ratios(schedule)
    for rule in (Rule.A, Rule.B):
        _require_induction(schedule, rule)
    count = certified_points(schedule)
    method = f"induction over ℓ with symbols (sympy, z3); {count} points certified beside"
    return Checked(Status.ALL_SIZES, method, "every L ≥ 2, β ≥ 1, Λ_0; Λ_ℓ up to β·bracket_ℓ")


def _require_sizes() -> None:
    """x_0 = y·W = y^{F_{2L}} in B, and N_{L-1} = 6·y^{F_{2L+2}-2}, for every L: the sums of F_3 + F_5 + … telescope.

    With F_{2L-1} = a, F_{2L} = b as letters: one table more adds F_{2L+1} = a + b to the exponent of W, and
    F_{2L} + F_{2L+1} to that of Πx·W; both sides of each claim grow alike, and L = 2 is counted.
    """
    a, b = sp.symbols("a b")
    one, two, four = a + b, a + 2 * b, 3 * b + 2 * a + (a + 2 * b)  # F_{2L+1}, F_{2L+2}, F_{2L+4}
    require(sp.expand(two - b - one) == 0, "x_0 of theorem B is not y^{F_2L}")
    # One table more adds F_{2L+2} − F_{2L} to the exponent of x_0, and F_{2L} + F_{2L+1} to that of the other factors.
    require(sp.expand(four - two - (two - b) - (b + one)) == 0, "N_{L-1} of theorem B is not 6·y^(F_(2L+2)−2)")
    for rule, known in ((Rule.A, [3, 11, 32]), (Rule.B, [6, 19, 53])):
        found = [golden_exponent(rule, L) for L in (2, 3, 4)]
        require(found == known, f"theorem {rule.value}: the exponents are {found}, not {known}")
    for L in LEVELS:
        for rule, start in ((Rule.A, 0), (Rule.B, 1 + sum(fibonacci(2 * k + 1) for k in range(1, L)))):
            total = start + sum(fibonacci(2 * k) + fibonacci(2 * k + 1) for k in range(1, L))
            require(total == golden_exponent(rule, L), f"{rule.value}, L = {L}: N has the exponent {total}")


def _require_length() -> None:
    """N_{L-1} < n ≤ 2·N_{L-1}, by induction over the tables (z3): each is at least 4 times as long as the one before.

    So y is at least (n/(12·x_0))^{1/(F_{2L+1}−2)} in A, and β, which is y/c, that power of n up to a constant.
    """
    tokens, last, following = z3.Reals("tokens last following")
    require_no_numbers([last >= 6, last + 2 > 2 * last], "one table and two tokens are more than twice the table")
    grown = [tokens <= 2 * last, following >= 4 * last, last >= 1, tokens + following > 2 * following]
    require_no_numbers(grown, "one table more makes the prompt too long")


def _require_ratios(schedule: Schedule) -> None:
    """All terms of bracket_ℓ over R_ℓ, with letters for what stands before, at and after ℓ."""
    y, earlier_x, earlier_n, later_x, later_n, power = sp.symbols("y X N x n P", positive=True)
    kept = y * later_n  # x_ℓ = y·n_{ℓ+1}⋯n_{L-1}
    size = y**schedule.more_in_n * kept * later_x  # n_ℓ = y·x_ℓ⋯x_{L-1}
    table = schedule.start * earlier_x * kept * later_x * earlier_n  # N_{ℓ-1} = m·n_1⋯n_{ℓ-1}
    theta = earlier_x * kept * earlier_n / power
    queries = earlier_n * size * later_n
    for what, ratio, wanted in (
        ("N_{ℓ-1}/Θ_ℓ", table / theta, 6 * power * later_x),
        ("x_ℓ·N_{ℓ-1}/R_ℓ", kept * table / (size * theta), 6 * power / y),
        ("W·x_0⋯x_{ℓ-1}/R_ℓ", queries * earlier_x / (size * theta), power / y),
    ):
        rest = sp.simplify(ratio - wanted)
        require(rest == 0, f"{what} is off by {rest}")
    require(bool(sp.E < 3), "6·2^ℓ is not more than 𝖾·2^(ℓ+1)")
    # x_i⋯x_{ℓ-1}·N_{i-1} ≤ N_{ℓ-1} ≤ x_ℓ·N_{ℓ-1}/y, as n_i = y·x_i⋯x_{ℓ-1}·(…) and the other n are at least 1.
    before, between, others, first, base = z3.Reals("before between others first base")
    long = [before >= 1, between >= 1, others >= 1, first >= 1, base >= 1]
    term = before * between > before * (base * between * first) * others
    require_no_numbers([*long, term], "a term of the sum over i is larger than N_{ℓ-1}")


def _require_induction(schedule: Schedule, rule: Rule) -> None:
    """r_0 ≤ 1/2, r_ℓ ≤ 1 and what (E_1), (E_ℓ) ask for, over all reals L, ℓ, β, 2^ℓ, n_ℓ that satisfy what is known.

    bracket_ℓ over R_ℓ: (ℓ+more)·6P/c, twice P/c for W+1 ≤ 2W, once 6P/c for all i together (their number is below y),
    and in B once 6P/c for x_0·x_1 ≤ N_0·x_1; each divided by β.
    """
    L, level, power, constant, previous, size, first, second = z3.Reals("L level power constant previous size R x")
    factor = schedule.per_power(rule, L)
    whole = [
        L >= 2,
        level >= 1,
        level <= L - 1,
        power >= 2,
        constant >= 2 * power * factor,
        size >= constant * constant,
    ]
    heard = 6 * (level + 1 + 2 * rule.more_layers) + 2
    here = previous * 2 * constant + 3 * power * heard * size  # r_ℓ·n_ℓ·c, at most
    require_no_numbers(
        [*whole, previous >= 0, previous <= 1, here > size * constant], f"{rule.value}: r_ℓ can be more than 1"
    )
    draws = [*whole, first >= 1, second >= constant]
    fixed = 2 if rule is Rule.B else z3.RealVal(str(schedule.first))  # R_0/D_1 at least
    require_no_numbers([*draws, 1 + second * first / fixed > second * first], f"{rule.value}: (E_1)")
    require_no_numbers([*draws, 1 + second * first > 3 * second * first / 2], f"{rule.value}: (E_ℓ)")
    if rule is Rule.B:  # D_1 = β·W + Λ_1 ≤ 2β·W and x_0 = c·β·W
        require_no_numbers([*whole, constant < 2 * 2], "B: r_0 is more than 1/2")


def certified_points(schedule: Schedule) -> int:
    """How many points were tried; the calculator certifies each of them, with every Λ_ℓ as large as allowed."""
    tried = list(product((Rule.A, Rule.B), LEVELS, BUDGETS))
    for rule, L, (beta, linear) in tried:
        point = schedule.point(rule, L, beta, linear)
        found = evaluate(rule, point, beta, _largest_linear(rule, beta, linear, point))
        broken = [inequality.name for inequality in found.inequalities if not inequality.holds]
        require(not broken, f"{rule.value}, L = {L}, β = {beta}, Λ = {linear}: {', '.join(broken)} does not hold")
    return len(tried)


def _largest_linear(rule: Rule, beta: int, linear: int, point: Point) -> list[int]:
    """Λ_0 (A) or Λ_1 ≤ β·W (B) as given; every later Λ as large as β·bracket_ℓ."""
    L, more = point.L, rule.more_layers
    bits = [0 if rule is Rule.B else linear] + [0] * (L - 1 + more)
    if rule is Rule.B:
        bits[1] = min(linear, beta * prod(point.n))  # type: ignore[arg-type]
    D = climb(rule, beta, bits, point.m, point.n, point.x).D
    for level in range(1, L):
        bits[level + more] = D[level] - int(point.x[level]) * D[level - 1] - 1  # type: ignore[arg-type]
    return bits


STATEMENT = Statement(
    id="T.golden.sizes",
    title="the golden schedule is certified",
    latex=r"y=2^L(9L+4)\,\beta\ (A),\ 2^L(9L+22)\,\beta\ (B)\ \Rightarrow\ (E_1),\dots,(E_{L-1}),(F);\quad"
    r"N_{L-1}=6x_0y^{F_{2L+1}-2}\ (A),\ 6y^{F_{2L+2}-2}\ (B)",
    english="With y a constant times β, one for each L, the golden schedule meets every inequality of A and B.",
    subject=Schedule(),
    check=check,
    twins={
        "c = 2^L": Schedule(slope=0, offset_a=1, offset_b=1),
        "m = 2·Πx": Schedule(start=2),
        "n_ℓ without the factor y": Schedule(more_in_n=0),
        "x_0 = max(1, Λ_0/2)": Schedule(first=Fraction(1, 2)),
    },
    rests_on=("T.golden",),
    hypotheses=(
        Hypothesis("β is a whole number from 1 on", lambda held: held[0] >= 1, outside=(0, 8, 2)),
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
