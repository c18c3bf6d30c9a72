"""Is L-FuncComp solvable by a word of layers: by which construction, or by which theorem not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from separation.arithmetic import number_to_json
from separation.bounds.budget import Budget, padded_linear
from separation.bounds.choice import find_choice
from separation.bounds.evaluation import Evaluation
from separation.bounds.powers import log2_float, size_to_json
from separation.bounds.theorem_c import RecurrentOnly, shortest_for_recurrent_only, theorem_c
from separation.bounds.word import Word
from separation.files import InputError
from separation.tasks.checks import require_integer
from separation.tasks.funccomp import Sizes

# What a certificate rests on: theorems A and B at a point, or Theorem C at sizes.
Ground = Evaluation | RecurrentOnly


@dataclass(frozen=True)
class Decision:
    """``solvable``: True (at all sizes, or at the sizes asked), False (certified), or None (not decided).

    Without sizes, False means: for every β and Λ there are sizes at which no model of this shape solves the task, and
    ``ground`` certifies some for the β and Λ given. With sizes, it means: not at exactly these, for these β and Λ.
    ``ground`` never speaks of other sizes than its own.
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
            "chain_of_thought": self.chain_of_thought,
            "hard_sizes": None if self.ground is None else hard_sizes(self.ground, self.budget),
        }


def hard_sizes(ground: Ground, budget: Budget | None) -> dict[str, Any]:
    """{beta, lambda, m, n, tokens, n_log2} of certified sizes, with x and whether β and Λ were an example."""
    assumed = {"assumed": budget is not None and budget.assumed}
    if isinstance(ground, RecurrentOnly):
        sizes = ground.sizes
        return {
            "beta": None,
            "lambda": [number_to_json(ground.linear)],
            "m": number_to_json(sizes.m),
            "n": [number_to_json(size) for size in sizes.n],
            "x": [],
            "tokens": number_to_json(sizes.length),
            "n_log2": log2_float(sizes.length),
            **assumed,
        }
    tokens = ground.point.tokens()
    return {
        "beta": number_to_json(ground.beta),
        "lambda": [size_to_json(bits) for bits in ground.linear],
        **ground.point.document(),
        "tokens": None if tokens is None else number_to_json(tokens),
        "n_log2": ground.point.tokens_log2(),
        **assumed,
    }


def decide(
    word: Word,
    L: int,
    budget: Budget | None = None,
    sizes: Sizes | None = None,
    *,
    cover: str = "half",
    effort: str = "quick",
) -> Decision:
    """L ≤ depth: solvable at all sizes (C1, C2). L > depth: not, by Theorem A, B or C; at given sizes perhaps neither.

    ``cover`` and ``effort`` are those of `optimise`, for the search of hard sizes when none are given.
    """
    require_integer("L", L, 1)
    if sizes is not None and sizes.L != L:
        raise InputError(f"the sizes are those of L = {sizes.L}, asked is L = {L}")
    budget = Budget.example() if budget is None else budget
    if word.depth >= L:
        return _solvable(word, L, sizes)
    theorem = theorem_against(word, L)
    if sizes is None:
        ground = _shortest(word, L, theorem, budget, cover, effort)
        return Decision(word, L, False, _why_not(word, L, theorem), None, theorem, ground, budget)
    return _at_sizes(word, L, theorem, budget, sizes)


def theorem_against(word: Word, L: int) -> str:
    """For L > depth: C without F; B with L full layers (then no R stands before the second); else A."""
    if word.full == 0:
        return "C"
    return "B" if word.full == L else "A"


def theorem_linear(word: Word, L: int, budget: Budget) -> tuple[int, ...]:
    """The Λ_t that the theorem against a word speaks of: idle full layers are put in front when there are too few."""
    linear = budget.linear_bits(word)
    return linear if word.full == L else padded_linear(L, word.full, linear)


def _solvable(word: Word, L: int, sizes: Sizes | None) -> Decision:
    name = "C1" if word.full - 1 >= L else "C2"
    layers = f"{L + 1} full layers" if name == "C1" else f"{L} full layers and one R layer before the second of them"
    if name == "C2" and L == 1:
        layers = "one full layer and one R layer"
    return Decision(word, L, True, f"L ≤ depth {word.depth}: {layers} solve it at all sizes", name, sizes=sizes)


def _why_not(word: Word, L: int, theorem: str) -> str:
    if theorem == "C":
        return (
            "no full layer: the state must hold the last table; R alone (C3) solves only sizes that its state can hold"
        )
    if theorem == "B":
        return (
            f"L = {L} > depth {word.depth}: {word.full} full layers, no R layer before the second, cannot at hard sizes"
        )
    return f"L = {L} > depth {word.depth}: at most L − 1 full layers, and any R layers, cannot, at hard sizes"


def _shortest(word: Word, L: int, theorem: str, budget: Budget, cover: str, effort: str) -> Ground:
    linear = theorem_linear(word, L, budget)
    if theorem == "C":
        return shortest_for_recurrent_only(L, linear[-1])
    return budget.shortest(theorem, L, linear, cover=cover, effort=effort)


def _at_sizes(word: Word, L: int, theorem: str, budget: Budget, sizes: Sizes) -> Decision:
    if budget.assumed:
        reason = "not decided at these sizes: that depends on β and Λ, which are not given"
        return Decision(word, L, None, reason, sizes=sizes, budget=budget)
    linear = theorem_linear(word, L, budget)
    ground: Ground | None
    if theorem == "C":
        tried = theorem_c(sizes, linear[-1])
        ground = tried if tried.certified else None
        needed = sizes.N[-1] * (sizes.N[-1] - 1).bit_length()
        if budget.state_bits is not None and budget.state_bits >= needed and word.recurrent > L:
            reason = (
                f"{L + 1} R layers whose states hold {needed} bits each, the largest table, solve it at these sizes"
            )
            return Decision(word, L, True, reason, "C3", sizes=sizes, budget=budget)
    else:
        ground = find_choice(theorem, sizes, budget.beta_at(sizes.length), linear)
    if ground is not None:
        reason = f"Theorem {theorem} is certified at exactly these sizes"
        return Decision(word, L, False, reason, None, theorem, ground, budget, sizes)
    reason = f"not decided at these sizes: L = {L} > depth {word.depth}, but Theorem {theorem} was not certified here"
    return Decision(word, L, None, reason, sizes=sizes, budget=budget)
