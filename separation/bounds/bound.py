"""The shortest prompt found at which an impossibility is certified, beside what the papers ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from separation.arithmetic import number_to_json
from separation.bounds.budget import Budget, padded_linear
from separation.bounds.decide import Ground, hard_sizes
from separation.bounds.evaluation import Evaluation
from separation.bounds.papers import cpw_prompt, paper_prompt
from separation.bounds.powers import log2_float
from separation.bounds.schedules import Golden, least_golden, rule_for
from separation.bounds.theorem_c import RecurrentOnly, shortest_for_recurrent_only
from separation.files import InputError
from separation.tasks.checks import require_integer


@dataclass(frozen=True)
class Bound:
    """``ground`` is certified; ``golden`` is the golden schedule for the same β and Λ."""

    L: int
    full_layers: int
    budget: Budget
    ground: Ground
    golden: Golden | None

    @property
    def theorem(self) -> str:
        return "C" if isinstance(self.ground, RecurrentOnly) else self.ground.theorem

    @property
    def gain_log2(self) -> float | None:
        """log2 of how many times the golden schedule's prompt is longer than the one found."""
        if self.golden is None or not isinstance(self.ground, Evaluation):
            return None
        return self.golden.evaluation.point.tokens_log2() - self.ground.point.tokens_log2()

    def document(self) -> dict[str, Any]:
        """{"ours": …, "paper": {"n_log2"}, "cpw": {"n_log2"}, "golden": …}."""
        ours = {"theorem": self.theorem, "certified": self.ground.certified, **hard_sizes(self.ground, self.budget)}
        product = self.budget.product
        golden = None
        if self.golden is not None:
            n_log2 = self.golden.evaluation.point.tokens_log2()
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
            "golden": golden,
            "paper": {"n_log2": log2_float(paper_prompt(self.L, product))},
            "cpw": {"n_log2": log2_float(cpw_prompt(self.L, product))},
        }


def bound(
    L: int,
    budget: Budget,
    *,
    full_layers: int | None = None,
    linear_layers: int = 0,
    cover: str = "half",
    effort: str = "quick",
) -> Bound:
    """Theorem A with L−1 full layers (or fewer), B with L, C with none; R layers are charged to every Λ_t.

    In Theorem B no R layer may stand before the second full one, so Λ_0 = Λ_1 = 0 and the R layers count from Λ_2 on.
    With fewer than L−1 full layers the missing ones are idle and stand in front: Λ_t is 0 there.
    """
    require_integer("L", L, 1)
    require_integer("linear layers", linear_layers, 0)
    full = L - 1 if full_layers is None else require_integer("full layers", full_layers, 0)
    if full > L:
        raise InputError(f"{full} full layers solve L = {L} at all sizes (C1); a bound needs at most L of them")
    total = budget.total if budget.total is not None else linear_layers * (budget.state_bits or 0)
    if full == 0:
        return Bound(L, 0, budget, shortest_for_recurrent_only(L, total), None)
    theorem = "B" if full == L else "A"
    linear = (0, 0, *([total] * (L - 1))) if theorem == "B" else padded_linear(L, full, [total] * (full + 1))
    ground = budget.shortest(theorem, L, linear, cover=cover, effort=effort)
    golden = least_golden(rule_for(theorem, linear), L, ground.beta, linear)
    return Bound(L, full, budget, ground, golden)
