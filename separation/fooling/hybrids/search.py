"""A pair of a model with full layers: first the decomposition of the theorem, then the guided search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from separation.fooling.budget import Budget, Clock
from separation.fooling.hybrids.decomposition import Decomposition, Level
from separation.fooling.hybrids.guided import GuidedSearch, Trial
from separation.fooling.hybrids.hearing import require_words
from separation.fooling.hybrids.players import rungs
from separation.fooling.pair import NOTHING_PROVED, Interrupted, Pair, Search, ended
from separation.models import Model
from separation.progress import Progress
from separation.tasks.funccomp import Sizes

KEPT = (2, 1)
"""x_ℓ, the same for all players: two at first, and one if that leaves no two tables in the end."""
SHARE = 0.25
"""Of the budget, for each decomposition."""
ALL_COMPARED = "no two inputs that differ in z_L alone have one transcript and two answers: all were compared"


@dataclass(frozen=True)
class HybridSearch:
    """What was found, the levels of the decomposition (none if no theorem speaks of the word), and the last trial.

    ``complete``: all L levels were reached; if not, the time was up or a player's tables had too little cover.
    """

    search: Search
    theorem: str | None
    levels: tuple[Level, ...]
    trial: Trial | None
    complete: bool

    def document(self) -> dict[str, Any]:
        return {
            "theorem": self.theorem,
            "levels": [level.document() for level in self.levels],
            "levels_complete": self.complete,
            "trial": None if self.trial is None else {"tables": self.trial.tables, "distinct": self.trial.distinct},
        }


def find_hybrid_pair(
    model: Model, sizes: Sizes, *, seed: int = 0, budget: Budget | None = None, progress: Progress | None = None
) -> HybridSearch:
    """Two inputs of FuncComp that differ in z_L alone and sound the same to all later tokens."""
    require_words(model)
    clock = (budget or Budget()).start(progress)
    theorem, levels, method = None, list[Level](), "guided search"
    guided = GuidedSearch(model, sizes, seed, clock)
    try:
        for kept in KEPT:
            choice = (min(kept, sizes.m), *[kept] * (sizes.L - 1))
            steps = rungs(model, sizes, choice)
            if steps is None:
                break
            theorem, method = steps.rule.theorem, "decomposition"
            part = Decomposition(model, sizes, steps, choice, seed, clock.part(SHARE))
            pair = part.run()
            levels = part.levels
            if pair is not None:
                found = _found(pair, clock, method)
                return HybridSearch(found, theorem, tuple(levels), None, True)
            method = "decomposition, then guided search"
        pair = guided.pair()
    except KeyboardInterrupt:
        raise Interrupted(ended(clock, method, False, f"stopped by hand; {NOTHING_PROVED}")) from None
    trial, complete = guided.trials[-1] if guided.trials else None, len(levels) == sizes.L
    if pair is not None:
        return HybridSearch(_found(pair, clock, method), theorem, tuple(levels), trial, complete)
    note = ALL_COMPARED if guided.exhaustive else NOTHING_PROVED
    return HybridSearch(ended(clock, method, guided.exhaustive, note), theorem, tuple(levels), trial, complete)


def _found(pair: Pair, clock: Clock, method: str) -> Search:
    return Search(pair, method, clock.samples, clock.seconds, False, "found and run again")
