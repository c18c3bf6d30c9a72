"""The shortest prompt found at which an impossibility is certified, compared with what the papers ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from separation.arithmetic import number_to_json
from separation.bounds.budget import Budget
from separation.bounds.known import how_known
from separation.bounds.papers import cpw_prompt, paper_prompt
from separation.bounds.powers import length_to_document
from separation.bounds.schedules import Golden, least_golden
from separation.bounds.shortest import Found, hard_sizes, prompts, shortest_of, theorems_against
from separation.bounds.theorems.theorem_a import TheoremA
from separation.bounds.word import Word
from separation.files import InputError
from separation.tasks.checks import require_integer

MOST_BLOCKS = 8  # full layers up to which R layers in every block are asked about too


@dataclass(frozen=True)
class Bound:
    """``prompts`` are the shortest ones found by each theorem, all certified.

    where ``golden`` is the golden schedule of Theorem A or B for the same β and Λ.
    """

    L: int
    word: Word
    budget: Budget
    prompts: tuple[Found, ...]
    golden: Golden | None = None

    @property
    def shortest(self) -> Found:
        return shortest_of(self.prompts)

    @property
    def full_layers(self) -> int:
        return self.word.full

    @property
    def theorem(self) -> str:
        return self.shortest.theorem

    @property
    def gain_log2(self) -> float | None:
        """log2 of how many times the golden schedule's prompt is longer than the one found."""
        return None if self.golden is None else self.golden.evaluation.tokens_log2() - self.shortest.tokens_log2()

    def document(self) -> dict[str, Any]:
        """{"ours": …, "paper": {"tokens_log2"}, "cpw": {"tokens_log2"}, "golden": …, "by_theorem": …}."""
        known = {"theorem": self.theorem, "known": how_known(self.theorem)}
        ours = {**known, "certified": self.shortest.certified, **hard_sizes(self.shortest, self.budget)}
        golden = None
        if self.golden is not None:
            golden = {
                "y": number_to_json(self.golden.y),
                "c": float(self.golden.constant),
                "tokens_log2": self.golden.evaluation.tokens_log2(),
                "gain_log2": self.gain_log2,
            }
        return {
            "L": self.L,
            "full_layers": self.full_layers,
            "ours": ours,
            "by_theorem": by_theorem(self.prompts),
            "golden": golden,
            "paper": length_to_document(paper_prompt(self.L, self.budget.product)),
            "cpw": length_to_document(cpw_prompt(self.L, self.budget.product)),
        }


def by_theorem(found: Sequence[Found]) -> dict[str, Any]:
    """{name: {known, tokens, tokens_log2, m, n}}: the shortest prompt of each theorem, the shortest of all first."""
    result: dict[str, Any] = {}
    for each in sorted(found, key=lambda each: each.tokens_log2()):
        result.setdefault(each.theorem, known_sizes(each, "tokens", "tokens_log2", "m", "n"))
    return result


def known_sizes(found: Found, *names: str) -> dict[str, Any]:
    """How its theorem is known, and these of its sizes."""
    sizes = found.hard_sizes()
    return {"known": how_known(found.theorem), **{name: sizes[name] for name in names}}


def bound(
    L: int,
    budget: Budget,
    *,
    word: Word | None = None,
    full_layers: int | None = None,
    linear_layers: int = 0,
    accuracy: Fraction = Fraction(1),
    theorem: str | None = None,
    proved_only: bool = False,
    every: bool = True,
) -> Bound:
    """The shortest prompt of each theorem that applies to a word, or to any word with this many full layers.

    Without a word every Λ_t is the one Λ that was given. Theorems A and B are then about R layers anywhere; the sharper
    ones, which charge Λ_t − Λ_{t-1}, about R layers in front of the first full one. With L full layers no R layer may
    come before the second one, so Λ_0 = Λ_1 = 0 and the R layers stand behind it. With fewer than L−1 full layers
    Theorem A puts idle ones in front: Λ_t is 0 there.
    The other arguments are those of `prompts`.

    >>> found = bound(2, Budget(beta=8, total=0))
    >>> found.theorem, found.shortest.tokens(), found.shortest.certified
    ('A2', 12, True)
    """
    word, budget = word_of_question(L, budget, word=word, full_layers=full_layers, linear_layers=linear_layers)
    found = prompts(word, L, budget, accuracy, theorem=theorem, proved_only=proved_only, every=every)
    beta = shortest_of(found).beta
    golden = _golden(word, L, budget, beta) if accuracy == 1 and beta is not None else None
    return Bound(L, word, budget, tuple(found), golden)


def with_r_in_every_block(found: Bound, proved_only: bool = False) -> Found | None:
    """The same question if R layers may stand in every block: each is charged all the bits, and the prompt is longer.

    None where that is no other question.
    """
    total, full = found.budget.total, found.full_layers
    if not total or full == 0 or full > MOST_BLOCKS or found.L == full == 1:
        return None
    return shortest_of(prompts(word_with_every_block(found.L, full), found.L, found.budget, proved_only=proved_only))


def word_of_question(
    L: int,
    budget: Budget,
    *,
    word: Word | None = None,
    full_layers: int | None = None,
    linear_layers: int = 0,
) -> tuple[Word, Budget]:
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
    return word, budget


def word_with_one_block(L: int, full: int) -> Word:
    """RF^full: every Λ_t is the bits of its one R block; or FFRF^{L-2}, as an R before the second F would solve it."""
    if full == L:
        return Word(("F",) if L == 1 else ("F", "F", "R", *"F" * (L - 2)))
    return Word(("R", *"F" * full))


def word_with_every_block(L: int, full: int) -> Word:
    """R(FR)^full: R wherever it may stand; or F(FR)^{L-1}."""
    return Word(("F", *("F", "R") * (L - 1)) if full == L else ("R", *("F", "R") * full))


def _golden(word: Word, L: int, budget: Budget, beta: int) -> Golden | None:
    """The golden schedule of Theorem A or B, whichever applies to the word; R layers alone have none."""
    for theorem in theorems_against(word, L):
        if isinstance(theorem, TheoremA):
            bits = theorem.state_bits(word, L, budget)
            return least_golden(theorem.rule(bits), L, beta, bits)
    return None
