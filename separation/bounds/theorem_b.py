"""Theorem B: L full layers, with no R layer before the second of them, do not solve L-FuncComp."""

from __future__ import annotations

from collections.abc import Sequence

from flint import ctx

from separation.bounds.evaluation import Evaluation, checked_budget, evaluate
from separation.bounds.inequality import judge, judge_balls
from separation.bounds.ladder import Demand, Ladder, Rule
from separation.bounds.point import Point
from separation.bounds.powers import Size, precision_for, simplest, size_ball
from separation.files import InputError


def theorem_b(point: Point, beta: int, linear: Sequence[Size]) -> Evaluation:
    """D_1 = β·W + Λ_1, and the ladder of `ladder.climb`; with L = 1: β + Λ_1 < m·log2 m, that is 2^{β+Λ_1} < m^m.

    If all inequalities hold, no hybrid with L full layers, messages of at most β bits for a token and linear bits at
    most Λ_1, …, Λ_L solves FuncComp at the sizes of the point. Λ_0 is 0: no R layer stands before the second full
    layer. Λ_1 counts R heads beside the first full layer, which is all that there can be at that place.
    """
    return _one_table(point, beta, linear) if point.L == 1 else evaluate(Rule.B, point, beta, linear)


def _one_table(point: Point, beta: int, linear: Sequence[Size]) -> Evaluation:
    """β + Λ_1 < m·log2 m: all that the last token hears of table 1 is β + Λ_1 bits, and it must know every entry."""
    linear = checked_budget(Rule.B, 1, beta, linear)
    if point.x:
        raise InputError("Theorem B with L = 1 has no x")
    m, heads = simplest(point.m), linear[1]
    formula = "β + Λ_1 < m·log2 m"
    if isinstance(m, int) and isinstance(heads, int):
        told = beta + heads
        verdict = judge(Demand("F", "count", formula, told, m, m))
        return Evaluation(Rule.B, beta, linear, point, Ladder([m], [m], [m], [told]), (verdict,))
    with ctx.workprec(precision_for([m, heads])):
        size, bits = size_ball(m), beta + size_ball(heads)
        verdict = judge_balls(Demand("F", "count", formula, bits, size, size))
    return Evaluation(Rule.B, beta, linear, point, Ladder([size], [size], [size], [bits]), (verdict,))
