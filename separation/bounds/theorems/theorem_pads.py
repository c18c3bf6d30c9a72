"""Theorems A and B with neutral tokens, pads, between z_0 and w: then a window that does not reach over them is no R.

docs/bounds.md has the proof. r_0 and r_1 are the reaches, added up, of the windows before the first full layer and
between it and the second, and there are at least r_0 + r_1 pads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from separation.bounds.budget import Budget, padded_state_bits
from separation.bounds.condition import Condition, Conditions, Number, Order
from separation.bounds.recursion import Rule, chosen_cover, conditions, run_recursion
from separation.bounds.theorem import Impossibility, Theorem
from separation.bounds.theorems.theorem_a import TheoremA
from separation.bounds.theorems.theorem_a2 import TheoremA2
from separation.bounds.theorems.theorem_a2w import TheoremA2W
from separation.bounds.theorems.theorem_b import TheoremB
from separation.bounds.theorems.theorem_c import TheoremC
from separation.bounds.word import Word
from separation.files import InputError


class PaddedTheorem(Theorem):
    """The inequalities of A or B with pads: they are tokens of player 0, who has 1 + pads of them.

    With one table β·(1 + r_1) < (m − r_0)·log2 m: all that w learns of it is what it and r_1 pads before it hear.
    """

    def __init__(self, theorem: TheoremA, pads: int, reaches: tuple[int, int] = (0, 0)) -> None:
        self.theorem, self.pads, self.reaches = theorem, pads, reaches
        self.name = theorem.name
        self.exponents = theorem.exponents  # type: ignore[method-assign]

    def tables(self, word: Word, L: int) -> int | None:  # noqa: ARG002 (`theorems_behind` decides)
        return L

    def variables(self, tables: int, state_bits: Sequence[int]) -> tuple[str, ...]:
        return () if tables == 1 else self.theorem.variables(tables, state_bits)

    def state_bits(self, word: Word, L: int, budget: Budget) -> tuple[int, ...]:
        """Of A as without pads. Of B without Λ_0 and Λ_1, which windows of that time do not bring to w."""
        bits = budget.state_bits_at_most(word)
        if self.theorem.name == "B":
            return (0, 0, *bits[2:])
        return padded_state_bits(L, word.full, bits)

    def conditions(
        self, m: Number, n: Sequence[Number], chosen: Sequence[Number], beta: Number, state_bits: Sequence[Number]
    ) -> Conditions:
        """Theorem B asks for x_0 entries of table 1 that are not among the last r_0, which are constant."""
        L, rule, (before, after) = len(n) + 1, self.theorem.rule(state_bits), self.reaches
        if L == 1:
            return [Condition("F", "β·(1 + r_1) < (m − r_0)·log2 m", beta * (1 + after), m - before, m)]
        x, reached = chosen[:L], list(chosen[L:])
        found: Conditions = [Order("constant", "x_0 + r_0 ≤ m", x[0] + before, m)]
        if rule is Rule.A_FREE:
            reached = [x[0] * x[1], *reached]
            found = [Order("Θ_1", "x_0·x_1 ≤ m", x[0] * x[1], m)]
        values = run_recursion(
            rule, beta, state_bits, m, n, x, chosen_cover(reached), lambda product, _: product, self.pads, after
        )
        return [*found, *conditions(rule, values, n, x, chosen=True)]

    def at(
        self, m: int, n: Sequence[int], chosen: Sequence[int], beta: int, state_bits: Sequence[int], tables: int
    ) -> Impossibility:
        return behind(super().at(m, n, chosen, beta, state_bits, tables), self.pads)


def behind(found: Impossibility, pads: int) -> Impossibility:
    """A2, A2_W and C hold with any pads as they stand: what these hear reaches w through states that are paid into w,
    or not at all."""
    return replace(found, theorem=f"{found.theorem.partition(',')[0]}, behind pads", pads=pads)


def theorems_behind(word: Word, L: int, pads: int) -> list[Theorem]:
    """Those that apply to a word and L tables with pads between z_0 and w; none if and only if L ≤ its depth there."""
    if "FR" in word.layers:
        raise InputError("with pads a word is made of F, R and windows; leave out [FR]")
    if word.depth_behind(pads) >= L:
        return []
    if not word.full:
        return [TheoremC()]
    if word.full == L:
        reaches = word.reaches if L == 1 else (word.reaches[0], word.reach_between)
        return [PaddedTheorem(TheoremB(), pads, reaches)]
    with_one: list[Theorem] = [TheoremA2(), TheoremA2W()] if word.full == 1 and L >= 2 else []
    return [*(each for each in with_one if each.applies_to(word, L)), PaddedTheorem(TheoremA(), pads)]
