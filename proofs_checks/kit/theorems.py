"""What the statements on theorems A, B and C share: words, the letters of the recursion, inequalities, hard sizes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

from proofs_checks.kit.statement import Hypothesis
from separation.bounds import (
    Evaluation,
    Parameters,
    Rule,
    Word,
    evaluate,
    least_golden,
    shortest_for_recurrent_only,
)
from separation.bounds.symbolic import linear_symbol, n_symbol, x_symbol

WITH_MIXED = ("F", "R", "FR")
"""Layers of full heads, of recurrent heads, and of both."""


def words_up_to(longest: int, layers: tuple[str, ...] = ("F", "R")) -> tuple[Word, ...]:
    """All words of 1 to ``longest`` of these layers, the shortest first."""
    return tuple(Word(word) for length in range(1, longest + 1) for word in product(layers, repeat=length))


def recursion_symbols(rule: Rule, L: int) -> tuple[list[Any], list[Any], list[Any]]:
    """n_1..n_{L-1}, x_0..x_{L-1} and Λ_0, Λ_1, … as sympy symbols."""
    linear = [linear_symbol(t) for t in range(rule.linear_count(L))]
    return [n_symbol(k) for k in range(1, L)], [x_symbol(k) for k in range(L)], linear


@dataclass(frozen=True)
class TheoremCase:
    """A word, and the integers of a theorem: sizes and x in ``point``, β, and Λ_0, Λ_1, …"""

    word: str
    rule: Rule
    point: Parameters
    beta: int
    linear: tuple[int, ...]

    @property
    def letters(self) -> Word:
        return Word.parse(self.word)

    @property
    def evaluation(self) -> Evaluation:
        return evaluate(self.rule, self.point, self.beta, self.linear)


def inequality(text: str, name: str, outside: TheoremCase) -> Hypothesis:
    """All inequalities of the theorem whose names begin with ``name``, as the calculator judges them."""

    def holds(case: TheoremCase) -> bool:
        verdicts = [found.holds for found in case.evaluation.inequalities if found.name.startswith(name)]
        return bool(verdicts) and all(verdict is True for verdict in verdicts)

    return Hypothesis(text, holds, outside)


def is_hard(word: Word, L: int, beta: int, linear: int) -> bool:
    """Some theorem has certified sizes for L tables."""
    if not word.full:
        return shortest_for_recurrent_only(L, linear).certified
    bits = word.capped_linear_bits(linear)
    if word.full == L and not word.early:
        return least_golden(Rule.B, L, beta, bits).evaluation.certified
    idle = L - 1 - word.full
    if idle < 0:
        return False  # no theorem applies to so few tables
    padded = (0,) * idle + bits
    rule = Rule.A_FREE if padded[0] == 0 else Rule.A
    return least_golden(rule, L, beta, padded).evaluation.certified
