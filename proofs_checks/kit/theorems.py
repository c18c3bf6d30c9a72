"""What the statements on theorems share: the calculator's functions, words, inequalities as hypotheses, hard sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from proofs_checks.kit.statement import Hypothesis
from separation.bounds import Evaluation, Parameters, Rule, Word, evaluate, least_golden, shortest_for_recurrent_only
from separation.bounds.theorem import Impossibility
from separation.bounds.theorems.theorem_a2 import theorem_a2
from separation.bounds.theorems.theorem_a3 import theorem_a3
from separation.bounds.theorems.theorem_a3c import theorem_a3c
from separation.bounds.theorems.theorem_al import delayed_bits, theorem_al
from separation.bounds.theorems.theorem_b2c import theorem_b2c
from separation.bounds.theorems.theorem_bl import theorem_bl
from separation.bounds.theorems.theorem_e import known_bits, term_numbers, theorem_e

__all__ = [
    "WITH_MIXED",
    "Impossibility",
    "TheoremCase",
    "delayed_bits",
    "inequality",
    "is_hard",
    "known_bits",
    "supposed",
    "term_numbers",
    "theorem_a2",
    "theorem_a3",
    "theorem_a3c",
    "theorem_al",
    "theorem_b2c",
    "theorem_bl",
    "theorem_e",
    "words_up_to",
]

WITH_MIXED = ("F", "R", "FR")
"""Layers of full heads, of recurrent heads, and of both."""


def words_up_to(longest: int, layers: tuple[str, ...] = ("F", "R")) -> tuple[Word, ...]:
    """All words of 1 to ``longest`` of these layers, the shortest first."""
    return tuple(Word(word) for length in range(1, longest + 1) for word in product(layers, repeat=length))


@dataclass(frozen=True)
class TheoremCase:
    """A word, and the integers of a theorem: sizes and x in ``point``, β, and Λ_0, Λ_1, …"""

    word: str
    rule: Rule
    point: Parameters
    beta: int
    state_bits: tuple[int, ...]

    @property
    def letters(self) -> Word:
        return Word.parse(self.word)

    @property
    def evaluation(self) -> Evaluation:
        return evaluate(self.rule, self.point, self.beta, self.state_bits)


def supposed(text: str, name: str, calculate: Callable[[Any], Any], outside: Any) -> Hypothesis:
    """All inequalities whose names begin with ``name``, as the calculator judges them."""

    def holds(case: Any) -> bool:
        verdicts = [found.holds for found in calculate(case).inequalities if found.name.startswith(name)]
        return bool(verdicts) and all(verdict is True for verdict in verdicts)

    return Hypothesis(text, holds, outside)


def inequality(text: str, name: str, outside: TheoremCase) -> Hypothesis:
    """The same of theorems A and B."""
    return supposed(text, name, lambda case: case.evaluation, outside)


def is_hard(word: Word, L: int, beta: int, state_bits: int) -> bool:
    """Some theorem has certified sizes for L tables."""
    if not word.full:
        return shortest_for_recurrent_only(L, state_bits).certified
    bits = word.capped_state_bits(state_bits)
    if word.full == L and not word.early:
        return _has_golden_sizes(Rule.B, L, beta, bits)
    idle = L - 1 - word.full
    if idle < 0:
        return False  # no theorem applies to so few tables
    padded = (0,) * idle + bits
    rule = Rule.A_FREE if padded[0] == 0 else Rule.A
    return _has_golden_sizes(rule, L, beta, padded)


@cache
def _has_golden_sizes(rule: Rule, L: int, beta: int, state_bits: tuple[int, ...]) -> bool:
    """Many words have the same Λ_0, Λ_1, …"""
    return least_golden(rule, L, beta, state_bits).evaluation.certified
