"""Theorem B: L full layers, with no R layer before the second of them, do not solve L-FuncComp."""

from __future__ import annotations

from collections.abc import Sequence

from flint import ctx

from separation.bounds.evaluation import Evaluation, checked_budget, evaluate
from separation.bounds.inequality import check_condition, check_condition_in_balls
from separation.bounds.parameters import Parameters
from separation.bounds.powers import Size, precision_for, simplest, size_ball
from separation.bounds.recursion import Condition, Recursion, Rule
from separation.bounds.theorems.theorem_a import theorem_a
from separation.files import InputError


def theorem_b(parameters: Parameters, beta: int, linear: Sequence[Size]) -> Evaluation:
    """D_1 = β·W + Λ_1, then `recursion.run_recursion`; with L = 1: β + Λ_1 < m·log2 m, that is 2^{β+Λ_1} < m^m.

    If all inequalities hold, no hybrid with L full layers, messages of at most β bits for a token and linear bits at
    most Λ_1, …, Λ_L solves FuncComp at the sizes of the parameters. Λ_0 is 0: no R layer comes before the second full
    layer. Λ_1 counts the R heads in the first full layer, the only R there can be so early.
    """
    return _one_table(parameters, beta, linear) if parameters.L == 1 else evaluate(Rule.B, parameters, beta, linear)


def evaluate_theorem(rule: Rule, parameters: Parameters, beta: int, linear: Sequence[Size]) -> Evaluation:
    """The theorem that a rule belongs to: for A, the stronger of its two forms."""
    return (theorem_b if rule is Rule.B else theorem_a)(parameters, beta, linear)


def _one_table(parameters: Parameters, beta: int, linear: Sequence[Size]) -> Evaluation:
    """β + Λ_1 < m·log2 m: all that the last token hears of table 1 is β + Λ_1 bits, and it must know every entry."""
    linear = checked_budget(Rule.B, 1, beta, linear)
    if parameters.x:
        raise InputError("Theorem B with L = 1 has no x")
    m, heads = simplest(parameters.m), linear[1]
    formula = "β + Λ_1 < m·log2 m"
    if isinstance(m, int) and isinstance(heads, int):
        told = beta + heads
        verdict = check_condition(Condition("F", "count", formula, told, m, m))
        return Evaluation(Rule.B, beta, linear, parameters, Recursion([m], [m], [m], [told]), (verdict,))
    with ctx.workprec(precision_for([m, heads])):
        size, bits = size_ball(m), beta + size_ball(heads)
        verdict = check_condition_in_balls(Condition("F", "count", formula, bits, size, size))
    return Evaluation(Rule.B, beta, linear, parameters, Recursion([size], [size], [size], [bits]), (verdict,))
