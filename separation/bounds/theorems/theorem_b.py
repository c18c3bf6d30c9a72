"""Theorem B: L full layers, with no R layer before the second of them, do not solve L-FuncComp."""

from __future__ import annotations

from collections.abc import Sequence

from separation.bounds.budget import Budget
from separation.bounds.condition import Condition, Conditions, Number
from separation.bounds.evaluation import Evaluation, Parameters, evaluate
from separation.bounds.powers import Size
from separation.bounds.recursion import Rule
from separation.bounds.theorem import Theorem, one_table_each
from separation.bounds.theorems.theorem_a import TheoremA
from separation.bounds.word import Word


class TheoremB(TheoremA):
    """The recursion of Theorem A with one more full layer, for L ≥ 2.

    A word with L full layers and depth below L has no R layer before the second full one.
    """

    name = "B"
    shape = "L full layers, and no R layer before the second of them"

    def tables(self, word: Word, L: int) -> int | None:
        return L if word.full == L > 1 and word.depth < L else None

    def state_bits(self, word: Word, L: int, budget: Budget) -> tuple[int, ...]:  # noqa: ARG002
        return budget.state_bits_at_most(word)

    def rule(self, state_bits: Sequence[Number]) -> Rule:  # noqa: ARG002
        return Rule.B

    def reason(self, word: Word, L: int) -> str:
        return (
            f"L = {L} > depth {word.depth}: {word.full} full layers, no R layer before the second, cannot at hard sizes"
        )


class TheoremBOneTable(Theorem):
    """β + Λ_1 < m·log2 m: all that the last token hears of table 1 is β + Λ_1 bits, and it must know every entry."""

    name = "B"
    shape = "one full layer and no R layer"

    def tables(self, word: Word, L: int) -> int | None:
        return one_table_each(word, L, 1, 1)

    def conditions(
        self,
        m: Number,
        n: Sequence[Number],  # noqa: ARG002
        chosen: Sequence[Number],  # noqa: ARG002
        beta: Number,
        state_bits: Sequence[Number],
    ) -> Conditions:
        return [Condition("F", "β + Λ_1 < m·log2 m", beta + state_bits[1], m, m)]

    def reason(self, word: Word, L: int) -> str:
        return f"L = {L} > depth {word.depth}: one full layer cannot at hard sizes"


def theorem_b(parameters: Parameters, beta: int, state_bits: Sequence[Size]) -> Evaluation:
    """D_1 = β·W + Λ_1, then `recursion.run_recursion`; with L = 1: β + Λ_1 < m·log2 m, that is 2^{β+Λ_1} < m^m.

    If all inequalities hold, no hybrid with L full layers, messages of at most β bits for a token and state bits at
    most Λ_1, …, Λ_L solves FuncComp at the sizes of the parameters. Λ_0 is 0: no R layer comes before the second full
    layer. Λ_1 counts the R heads in the first full layer, the only R there can be so early.
    """
    return evaluate(Rule.B, parameters, beta, state_bits)
