"""The shortest prompt found at which an impossibility is certified, compared with what the papers ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from separation.arithmetic import number_to_json
from separation.bounds.budget import Budget
from separation.bounds.catalogue import TheoremA, TheoremB, impossibilities, shortest_of
from separation.bounds.decide import hard_sizes
from separation.bounds.evaluation import Evaluation
from separation.bounds.known import how_known
from separation.bounds.papers import cpw_prompt, paper_prompt
from separation.bounds.powers import length_to_document
from separation.bounds.schedules import Golden, least_golden, rule_for
from separation.bounds.theorem import Ground
from separation.bounds.word import Word
from separation.files import InputError
from separation.tasks.checks import require_integer


@dataclass(frozen=True)
class Bound:
    """``grounds`` are the shortest prompts found by each theorem, ``ground`` the shortest of them, all certified.

    where ``golden`` is the golden schedule of Theorem A or B for the same β and Λ.
    """

    L: int
    word: Word
    budget: Budget
    grounds: tuple[Ground, ...]
    golden: Golden | None

    @property
    def ground(self) -> Ground:
        return shortest_of(self.grounds)

    @property
    def full_layers(self) -> int:
        return self.word.full

    @property
    def theorem(self) -> str:
        return self.ground.theorem

    @property
    def gain_log2(self) -> float | None:
        """log2 of how many times the golden schedule's prompt is longer than the one found."""
        return None if self.golden is None else self.golden.evaluation.tokens_log2() - self.ground.tokens_log2()

    def covered(self, chosen: bool) -> Evaluation | None:
        """What Theorem A or B found with Θ chosen, or with half of the draws."""
        found = [ground for ground in self.grounds if isinstance(ground, Evaluation)]
        return next((ground for ground in found if (ground.parameters.reached is not None) == chosen), None)

    def document(self) -> dict[str, Any]:
        """{"ours": …, "paper": {"n_log2"}, "cpw": {"n_log2"}, "golden": …, "by_theorem": …}."""
        known = {"theorem": self.theorem, "known": how_known(self.theorem)}
        ours = {**known, "certified": self.ground.certified, **hard_sizes(self.ground, self.budget)}
        product = self.budget.product
        golden = None
        if self.golden is not None:
            n_log2 = self.golden.evaluation.tokens_log2()
            golden = {
                "y": number_to_json(self.golden.y),
                "c": float(self.golden.constant),
                "n_log2": n_log2,
                "gain_log2": self.gain_log2,
            }
        return {
            "L": self.L,
            "full_layers": self.full_layers,
            "ours": ours,
            "by_theorem": by_theorem(self.grounds),
            "golden": golden,
            "paper": length_to_document(paper_prompt(self.L, product)),
            "cpw": length_to_document(cpw_prompt(self.L, product)),
        }


def by_theorem(grounds: Sequence[Ground]) -> dict[str, Any]:
    """{name: {known, tokens, n_log2, m, n}}: the shortest prompt of each theorem."""
    result: dict[str, Any] = {}
    for ground in sorted(grounds, key=lambda ground: ground.tokens_log2()):
        sizes = ground.hard_sizes()
        shown = {name: sizes[name] for name in ("tokens", "n_log2", "m", "n")}
        result.setdefault(ground.theorem, {"known": how_known(ground.theorem), **shown})
    return result


def bound(
    L: int,
    budget: Budget,
    *,
    word: Word | None = None,
    full_layers: int | None = None,
    linear_layers: int = 0,
    theorem: str | None = None,
    cover: str = "best",
    effort: str = "quick",
    proved_only: bool = False,
) -> Bound:
    """The shortest prompt of each theorem that speaks of a word, or of any word with this many full layers.

    Without a word every Λ_t is the one Λ that was given. Theorems A and B then speak of R layers anywhere; the sharper
    ones, which charge Λ_t − Λ_{t-1}, of R layers in front of the first full one. With L full layers no R layer may come
    before the second one, so Λ_0 = Λ_1 = 0 and the R layers stand behind it. With fewer than L−1 full layers Theorem A
    puts idle ones in front: Λ_t is 0 there.
    ``theorem`` leaves out all others, ``proved_only`` what is not proved in Coq.

    >>> found = bound(2, Budget(beta=8, total=0))
    >>> found.ground.theorem, found.ground.hard_sizes()["tokens"], found.ground.certified
    ('A2', 12, True)
    """
    shape = word_of_question(L, budget, word=word, full_layers=full_layers, linear_layers=linear_layers)
    word, budget = shape.word, shape.budget
    linear, separate = budget.linear_bits(word), budget.separate_linear_bits(word)
    options: dict[str, Any] = {"cover": cover, "effort": effort, "only": theorem, "proved_only": proved_only}
    grounds = impossibilities(word, L, budget, linear, separate, **options)
    if not grounds:
        raise InputError(f"no prompt was found by theorem {theorem}")
    beta = next((ground.beta for ground in grounds if isinstance(ground, Evaluation)), None)
    return Bound(L, word, budget, tuple(grounds), _golden(word, L, beta, linear))


@dataclass(frozen=True)
class Shape:
    """A word of layers, and what its layers may send."""

    word: Word
    budget: Budget


def word_of_question(
    L: int,
    budget: Budget,
    *,
    word: Word | None = None,
    full_layers: int | None = None,
    linear_layers: int = 0,
) -> Shape:
    """The word given, or one with this many full layers in which every Λ_t is the same; its R layers share one Λ."""
    require_integer("L", L, 1)
    require_integer("linear layers", linear_layers, 0)
    if word is None:
        full = L - 1 if full_layers is None else require_integer("full layers", full_layers, 0)
        if full > L:
            raise InputError(f"{full} full layers solve L = {L} at all sizes (C1); a bound needs at most L of them")
        if budget.state_bits is not None:
            budget = replace(budget, total=linear_layers * budget.state_bits, state_bits=None)
        word = (word_with_one_block if budget.by_block is None else word_with_every_block)(L, full)
        if full and budget.total == 0:
            word = Word(("F",) * full)
    if word.depth >= L:
        raise InputError(f"{word} solves L = {L} at all sizes (its depth is {word.depth}); a larger L is needed")
    return Shape(word, budget)


def word_with_one_block(L: int, full: int) -> Word:
    """RF^full: every Λ_t is the bits of its one R block; or FFRF^{L-2}, as an R before the second F would solve it."""
    if full == L:
        return Word(("F",) if L == 1 else ("F", "F", "R", *"F" * (L - 2)))
    return Word(("R", *"F" * full))


def word_with_every_block(L: int, full: int) -> Word:
    """R(FR)^full: R wherever it may stand; or F(FR)^{L-1}."""
    return Word(("F", *("F", "R") * (L - 1)) if full == L else ("R", *("F", "R") * full))


def _golden(word: Word, L: int, beta: int | None, linear: tuple[int, ...]) -> Golden | None:
    """The golden schedule of Theorem A or B, whichever speaks of the word; R layers alone have none."""
    for theorem in (TheoremA(), TheoremB()):
        if beta is not None and theorem.applies_to(word, L):
            bits = theorem.linear_bits(word, L, linear)
            return least_golden(rule_for(theorem.name, bits), L, beta, bits)
    return None
