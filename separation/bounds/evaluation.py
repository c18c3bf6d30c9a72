"""Theorems A and B at one choice of integers: every inequality with both sides, and the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb, ctx

from separation.bounds.inequality import Inequality, judge, judge_balls
from separation.bounds.ladder import Ladder, Rule, chosen_cover, climb, demands, half_cover
from separation.bounds.point import Point
from separation.bounds.powers import BALL_BITS, PowerProduct, Size, precision_for, simplest, size_ball
from separation.files import InputError
from separation.tasks.checks import require_integer


@dataclass(frozen=True)
class Evaluation:
    """What a rule says of a point: ``ladder`` has N, t, Θ and D; ``certified`` means that all inequalities hold.

    If certified, no model of the rule's shape with message size at most β and linear bits at most Λ_t solves FuncComp
    at exactly the sizes (m, n) of the point. Nothing is said of other sizes.
    """

    rule: Rule
    beta: int
    linear: tuple[Size, ...]
    point: Point
    ladder: Ladder
    inequalities: tuple[Inequality, ...]

    @property
    def certified(self) -> bool:
        return all(inequality.holds is True for inequality in self.inequalities)

    @property
    def theorem(self) -> str:
        return self.rule.theorem


def evaluate(rule: Rule, point: Point, beta: int, linear: Sequence[Size]) -> Evaluation:
    """All inequalities of a rule at a point, in integers where all numbers are short enough, else in balls."""
    linear = checked_budget(rule, point.L, beta, linear)
    if len(point.x) != point.L:
        raise InputError(f"L = {point.L} needs {point.L} values of x, got {len(point.x)}")
    point = point.as_integers()
    chosen = point.reached is not None
    if point.is_exact and all(isinstance(bits, int) for bits in linear):
        cover = half_cover if point.reached is None else chosen_cover(point.reached)
        ladder = climb(rule, beta, linear, point.m, point.n, point.x, cover)
        verdicts = tuple(judge(demand) for demand in demands(rule, ladder, point.n, point.x, chosen))
        return Evaluation(rule, beta, linear, point, ladder, verdicts)
    with ctx.workprec(precision_for([*point.all_sizes, *linear])):
        m, n, x = size_ball(point.m), _balls(point.n), _balls(point.x)
        cover = half_ball if point.reached is None else chosen_cover(_balls(point.reached))
        ladder = climb(rule, arb(beta), _balls(linear), m, n, x, cover, smaller_ball)
        verdicts = tuple(judge_balls(demand) for demand in demands(rule, ladder, n, x, chosen))
    return Evaluation(rule, beta, linear, point, ladder, verdicts)


def checked_budget(rule: Rule, L: int, beta: int, linear: Sequence[Size]) -> tuple[Size, ...]:
    """β ≥ 1 and the Λ_t that the rule speaks of, or an error that names the field."""
    require_integer("beta", beta, 1)
    count = rule.linear_count(L)
    if len(linear) != count:
        raise InputError(f"Theorem {rule.theorem} with L = {L} needs Λ_0..Λ_{count - 1}, got {len(linear)} values")
    linear = tuple(map(simplest, linear))
    for t, bits in enumerate(linear):
        if not isinstance(bits, PowerProduct):
            require_integer(f"Λ_{t}", bits, 0)
    if rule is not Rule.A and linear[0] != 0:
        raise InputError(f"this form of Theorem {rule.theorem} needs Λ_0 = 0, no R layer before the first full one")
    return linear


def _balls(sizes: Sequence[Size]) -> list[arb]:
    return [size_ball(size) for size in sizes]


def half_ball(_level: int, product: arb) -> tuple[arb, arb]:
    """Balls around t = product rounded down to even (at least 2), and t/2, where product is an integer."""
    if product < 1 << BALL_BITS:  # known exactly; beyond, Arb refuses to make an integer of it
        whole = product.unique_fmpz()
        assert whole is not None
        theta = arb(half_cover(_level, int(whole))[1])
    else:
        theta = ((product - 1) / 2).union(product / 2)
    return 2 * theta, theta


def smaller_ball(a: arb, b: arb) -> arb:
    return a.min(b)
