"""Random choices of integers for the tests of theorems A and B."""

from __future__ import annotations

import random

from separation.bounds import Parameters, Rule
from separation.bounds.theorems.theorem_a import TheoremA
from separation.bounds.theorems.theorem_b import TheoremB


def rule_for(theorem: str, state_bits: list[int]) -> Rule:
    """The strongest rule of a theorem: A uses Λ_0 = 0 where it can."""
    return {"A": TheoremA(), "B": TheoremB()}[theorem].rule(state_bits)


def random_question(rng: random.Random, theorem: str) -> tuple[int, list[int], Parameters]:
    """β, Λ and a point; sizes are spread over many scales so that inequalities hold and fail."""
    L = rng.randint(2 if theorem == "B" else 1, 5)
    beta = rng.randint(1, 2 ** rng.randint(1, 12))
    count = L + (theorem == "B")
    state_bits = [rng.randint(0, 2 ** rng.randint(0, 10)) for _ in range(count)]
    if theorem == "B" or rng.random() < 0.4:
        state_bits[0] = 0
    x = [rng.randint(1, 2 ** rng.randint(0, 12)) for _ in range(L)]
    n = [rng.randint(1, 2 ** rng.randint(0, 24)) for _ in range(L - 1)]
    m = rng.randint(2, 2 ** rng.randint(1, 40))
    return beta, state_bits, Parameters(m, tuple(n), tuple(x))
