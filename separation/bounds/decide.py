"""Is L-FuncComp solvable by a word of layers: by which construction, or by which theorem not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from separation.bounds.budget import Budget
from separation.bounds.catalogue import impossibilities, impossibility_at_sizes, shortest_of, theorems_against
from separation.bounds.known import how_known
from separation.bounds.search.accuracy_prompts import AccuracyPrompt
from separation.bounds.search.ceilings import ceiling
from separation.bounds.sharper_catalogue import AccuracyGround, TheoremE
from separation.bounds.theorem import Ground
from separation.bounds.theorems.ceiling import Ceiling
from separation.bounds.word import Word
from separation.files import InputError
from separation.tasks.checks import require_integer
from separation.tasks.funccomp import Sizes


@dataclass(frozen=True)
class Decision:
    """``solvable``: True (at all sizes, or at the sizes asked), False (certified), or None (not decided).

    Without sizes, False means: for every β and Λ there are sizes at which no model of this shape solves the task, and
    ``ground`` certifies some for the β and Λ given. With sizes, it means: not at exactly these, for these β and Λ.
    ``ground`` never speaks of other sizes than its own. ``ceiling``: at given sizes, the largest accuracy that a model
    of this shape can have on random inputs, as far as was found; below 1 it is not solvable, and 1 says nothing.
    """

    word: Word
    L: int
    solvable: bool | None
    reason: str
    construction: str | None = None
    theorem: str | None = None
    ground: Ground | None = None
    budget: Budget | None = None
    sizes: Sizes | None = None
    ceiling: Ceiling | None = None

    @property
    def chain_of_thought(self) -> dict[str, str | None]:
        """What changes with a chain of thought: C5 solves every L with one F; Theorem C forbids as much as without."""
        some = self.word.full > 0
        return {"construction": "C5" if some else None, "theorem": None if some else "C"}

    def document(self) -> dict[str, Any]:
        return {
            "word": str(self.word),
            "depth": self.word.depth,
            "L": self.L,
            "solvable": self.solvable,
            "reason": self.reason,
            "construction": self.construction,
            "theorem": self.theorem,
            "known": None if self.theorem is None else how_known(self.theorem),
            "chain_of_thought": self.chain_of_thought,
            "ceiling": None if self.ceiling is None else str(self.ceiling.value),
            "ceiling_float": None if self.ceiling is None else float(self.ceiling.value),
            "hard_sizes": None if self.ground is None else hard_sizes(self.ground, self.budget),
        }


def hard_sizes(ground: Ground, budget: Budget | None) -> dict[str, Any]:
    """{beta, lambda, m, n, tokens, n_log2} of certified sizes, with x and whether β and Λ were an example."""
    return {**ground.hard_sizes(), "assumed": budget is not None and budget.assumed}


def decide(
    word: Word,
    L: int,
    budget: Budget | None = None,
    sizes: Sizes | None = None,
    *,
    theorem: str | None = None,
    cover: str = "best",
    effort: str = "quick",
    proved_only: bool = False,
) -> Decision:
    """L ≤ depth: solvable at all sizes (C1, C2). L > depth: not, by some theorem; at given sizes perhaps neither.

    ``cover`` and ``effort`` are those of `impossibilities`, for the search of hard sizes when none are given;
    ``theorem`` leaves out all others there, ``proved_only`` what is not proved in Coq.

    >>> decide(Word.parse("RFF"), 2).construction, decide(Word.parse("F"), 1).solvable
    ('C2', False)
    """
    require_integer("L", L, 1)
    if sizes is not None and sizes.L != L:
        raise InputError(f"the sizes are those of L = {sizes.L}, asked is L = {L}")
    budget = Budget.example() if budget is None else budget
    if word.depth >= L:
        return _solvable(word, L, sizes)
    if sizes is not None:
        return _at_sizes(word, L, budget, sizes, proved_only)
    linear, separate = budget.linear_bits(word), budget.separate_linear_bits(word)
    options: dict[str, Any] = {"cover": cover, "effort": effort, "proved_only": proved_only}
    grounds = impossibilities(word, L, budget, linear, separate, **options)
    grounds = [ground for ground in grounds if theorem in (None, ground.theorem)]
    if not grounds:
        raise InputError(f"Theorem {theorem} found nothing against {word} and L = {L}")
    ground = shortest_of(grounds)
    named = [theorem for theorem in theorems_against(word, L) if theorem.name == ground.theorem]
    winner = named[0] if named else TheoremE()  # a ceiling names the form of the theorem that it comes from
    return Decision(word, L, False, winner.reason(word, L), None, ground.theorem, ground, budget)


def _solvable(word: Word, L: int, sizes: Sizes | None) -> Decision:
    name = "C1" if word.full - 1 >= L else "C2"
    layers = f"{L + 1} full layers" if name == "C1" else f"{L} full layers and one R layer before the second of them"
    if name == "C2" and L == 1:
        layers = "one full layer and one R layer"
    return Decision(word, L, True, f"L ≤ depth {word.depth}: {layers} solve it at all sizes", name, sizes=sizes)


def _at_sizes(word: Word, L: int, budget: Budget, sizes: Sizes, proved_only: bool) -> Decision:
    if budget.assumed:
        reason = "not decided at these sizes: that depends on β and Λ, which are not given"
        return Decision(word, L, None, reason, sizes=sizes, budget=budget)
    needed = sizes.N[-1] * (sizes.N[-1] - 1).bit_length()
    stored = budget.state_bits is not None and budget.state_bits >= needed
    if word.full == 0 and stored and word.recurrent > L:
        reason = f"{L + 1} R layers whose states hold {needed} bits each, the largest table, solve it at these sizes"
        return Decision(word, L, True, reason, "C3", sizes=sizes, budget=budget)
    beta, separate = budget.beta_at(sizes.length), budget.separate_linear_bits(word)
    found = ceiling(word, sizes.m, sizes.n, beta, separate, proved_only=proved_only)
    ground = impossibility_at_sizes(word, sizes, beta, budget.linear_bits(word), separate, proved_only=proved_only)
    if ground is None and found.value < 1:
        ground = AccuracyGround(word, AccuracyPrompt(sizes.m, tuple(sizes.n), beta, found), separate)
    if ground is not None:
        reason = f"Theorem {ground.theorem} is certified at exactly these sizes"
        return Decision(word, L, False, reason, None, ground.theorem, ground, budget, sizes, found)
    names = ", ".join(dict.fromkeys(theorem.name for theorem in theorems_against(word, L, proved_only)))
    reason = f"not decided at these sizes: L = {L} > depth {word.depth}, but no theorem ({names}) was certified here"
    return Decision(word, L, None, reason, sizes=sizes, budget=budget, ceiling=found)
