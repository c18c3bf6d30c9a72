"""Theorems A2, A3, A_L, A_W, B2, B_L and E as objects: the words they speak of, and the search for a short prompt."""

# ruff: noqa: ARG002 (a theorem ignores what its inequalities do not contain)

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from separation.bounds.budget import Budget, Message
from separation.bounds.inequality import Inequality
from separation.bounds.search.accuracy_prompts import (
    AccuracyPrompt,
    least_prompt_by_theorem_e,
    real_length_by_theorem_e,
)
from separation.bounds.search.estimated import EstimatedSearch, TwoTables
from separation.bounds.search.many_tables import ManyTables
from separation.bounds.search.one_full_layer import shortest_a2
from separation.bounds.search.sharper import Beta, consistent, one_table, one_table_at
from separation.bounds.search.three_tables import ThreeTables
from separation.bounds.search.three_tables_no_early_r import shortest_a3_no_early_r
from separation.bounds.theorem import FuncCompTheorem, Ground
from separation.bounds.theorems.outcome import Impossibility, sizes_document
from separation.bounds.theorems.theorem_a2 import theorem_a2
from separation.bounds.theorems.theorem_a3 import theorem_a3, theorem_a3_no_early_r
from separation.bounds.theorems.theorem_al import theorem_al
from separation.bounds.theorems.theorem_aw import theorem_aw
from separation.bounds.theorems.theorem_b2 import theorem_b2
from separation.bounds.theorems.theorem_bl import theorem_bl
from separation.bounds.word import Word
from separation.files import InputError

BELOW_ONE = Fraction(9999, 10_000)  # a ceiling of at most this is an impossibility
MOST_FULL_LAYERS = 12  # up to which a quick search asks A_L and B_L; with more it takes seconds, and mostly gives up

MOST_FULL_ON_AVERAGE = 4  # the same for Theorem E


@dataclass(frozen=True)
class SharperClaim:
    """No model whose β and λ_t = Λ_t − Λ_{t-1} are at most these solves FuncComp at (m, n), by the integers chosen."""

    m: int
    n: tuple[int, ...]
    chosen: tuple[Any, ...]
    beta: int
    linear: tuple[int, ...]


class SharperTheorem(FuncCompTheorem[SharperClaim]):
    """``statement``(m, n, *chosen, β, Λ); ``search``(β, Λ, identity tables): tables beyond its own are the identity."""

    charges_blocks = True

    def __init__(
        self,
        name: str,
        shape: str,
        statement: Callable[..., Impossibility],
        tables: Callable[[Word], int | None],
        search: Callable[[int, tuple[int, ...], int], Impossibility | None],
    ) -> None:
        """where ``tables`` is how many the theorem speaks of for a word, None if it does not speak of it."""
        self.name, self.shape = name, shape  # type: ignore[misc]
        self.statement, self.tables, self.search = statement, tables, search

    def applies_to(self, word: Word, L: int) -> bool:
        tables = self.tables(word)
        return tables is not None and tables <= L and L > 1  # with one table A, B and C have the last word

    def inequalities(self, integers: SharperClaim) -> list[Inequality]:
        claim = integers
        return list(self.statement(claim.m, claim.n, *claim.chosen, claim.beta, claim.linear).inequalities)

    def reason(self, word: Word, L: int) -> str:
        return f"L = {L} > depth {word.depth}: {self.shape} cannot, at hard sizes"

    def linear_bits(self, word: Word, L: int, linear: Sequence[int]) -> tuple[int, ...]:
        return word.separate_linear_bits(linear)

    def searching(self, bits: tuple[int, ...], identity_tables: int) -> Callable[[int], Impossibility | None]:
        """The search for these Λ, as a function of β."""
        return lambda beta: self.search(beta, bits, identity_tables)

    def shortest(
        self, word: Word, L: int, budget: Budget, linear: Sequence[int], *, cover: str = "half", effort: str = "quick"
    ) -> Impossibility | None:
        bits, tables = tuple(linear), self.tables(word)
        if tables is None or (word.full > MOST_FULL_LAYERS and effort == "quick"):
            return None
        found = consistent(self.searching(bits, L - tables), beta_of(budget))
        return found if found is not None and found.holds else None


class EstimatedTheorem(SharperTheorem):
    """A theorem whose search, ``searching``(Λ, identity tables), begins with real numbers."""

    def __init__(
        self,
        name: str,
        shape: str,
        statement: Callable[..., Impossibility],
        tables: Callable[[Word], int | None],
        searching: Callable[[tuple[int, ...], int], EstimatedSearch],
        rarely_shortest: bool = False,
    ) -> None:
        self._searching, self.rarely_shortest = searching, rarely_shortest
        super().__init__(name, shape, statement, tables, lambda beta, bits, identity: searching(bits, identity)(beta))

    def searching(self, bits: tuple[int, ...], identity_tables: int) -> EstimatedSearch:
        return self._searching(bits, identity_tables)

    def may_be_shorter(self, word: Word, L: int, budget: Budget, linear: Sequence[int], tokens_log2: float) -> bool:
        search = self._searching(tuple(linear), L - (self.tables(word) or L))
        return search.real_length(_beta_of_tokens(budget, tokens_log2)) <= tokens_log2


def _beta_of_tokens(budget: Budget, tokens_log2: float) -> int:
    """β of so long a prompt: as log2 n(β) bends down, a theorem that needs more for it has no shorter prompt either."""
    beta = beta_of(budget)
    return beta if isinstance(beta, int) else beta(1 << math.floor(tokens_log2))


def beta_of(budget: Budget) -> Beta:
    """β, or the function from the length of the prompt to β."""
    if budget.message is not None:
        return budget.beta_at
    assert budget.beta is not None
    return budget.beta


def _one_more(least: int, most: int | None = None) -> Callable[[Word], int | None]:
    """One table more than full layers, for words with this many of them."""
    return lambda word: word.full + 1 if least <= word.full <= (most or word.full) else None


def _as_many(least: int, most: int | None = None) -> Callable[[Word], int | None]:
    """As many tables as full layers, for words with this many of them and no R layer before the second."""
    return lambda word: word.full if least <= word.full <= (most or word.full) and not word.early else None


class TheoremE(FuncCompTheorem[AccuracyPrompt]):
    """A ceiling below 1 is an impossibility: the shortest one where late states are large, as each is charged once.

    With many full layers only a thorough search asks it: it takes a second, and loses.
    """

    name = "E"
    shape = "too few full layers for L, on average over random inputs"
    charges_blocks = True
    rarely_shortest = True

    def applies_to(self, word: Word, L: int) -> bool:
        return word.full > 0 and word.depth < L and L > 1

    def may_be_shorter(self, word: Word, L: int, budget: Budget, linear: Sequence[int], tokens_log2: float) -> bool:
        if word.full > MOST_FULL_ON_AVERAGE:
            return False
        return real_length_by_theorem_e(word, L, _beta_of_tokens(budget, tokens_log2), linear, BELOW_ONE) <= tokens_log2

    def inequalities(self, integers: AccuracyPrompt) -> list[Inequality]:
        return list(integers.ceiling.inequalities())

    def reason(self, word: Word, L: int) -> str:
        return f"L = {L} > depth {word.depth}: no model of this word is right on all inputs, at hard sizes"

    def linear_bits(self, word: Word, L: int, linear: Sequence[int]) -> tuple[int, ...]:
        return word.separate_linear_bits(linear)

    def shortest(
        self, word: Word, L: int, budget: Budget, linear: Sequence[int], *, cover: str = "half", effort: str = "quick"
    ) -> Ground | None:
        if word.full > MOST_FULL_ON_AVERAGE and effort == "quick":
            return None
        found = least_prompt_by_theorem_e(word, L, beta_of(budget), linear, BELOW_ONE)
        return None if found is None else AccuracyGround(word, found, tuple(linear))


@dataclass(frozen=True)
class AccuracyGround:
    """At these sizes no model of the word is right more often than ``prompt.ceiling.value``; certified if that is < 1.

    where the bits of each block are at most λ_t = Λ_t − Λ_{t-1} of ``linear``.
    """

    word: Word
    prompt: AccuracyPrompt
    linear: tuple[int, ...]

    @property
    def theorem(self) -> str:
        return self.prompt.ceiling.theorem

    @property
    def certified(self) -> bool:
        return self.prompt.ceiling.value < 1

    @property
    def beta(self) -> int | None:
        return self.prompt.beta if self.word.full else None

    def tokens_log2(self) -> float:
        return float(self.hard_sizes()["n_log2"])

    def hard_sizes(self) -> dict[str, Any]:
        prompt = self.prompt
        chosen = {name: value if isinstance(value, str) else str(value) for name, value in prompt.ceiling.parameters}
        return {
            **sizes_document(prompt.m, prompt.n, prompt.beta, self.linear),
            "beta": None if self.beta is None else prompt.beta,
            "x": [int(value) for name, value in prompt.ceiling.parameters if name.startswith("x_")],
            "parameters": chosen,
            "ceiling": str(prompt.ceiling.value),
            "ceiling_float": float(prompt.ceiling.value),
        }

    def certificate_claim(self, message: Message | None) -> dict[str, Any]:
        raise InputError("a ceiling has a certificate of its own kind")

    def certificate_choice(self) -> dict[str, Any] | None:
        raise InputError("a ceiling has a certificate of its own kind")


def _a3_no_early_r(beta: int, linear: tuple[int, ...], identity_tables: int) -> Impossibility | None:
    return shortest_a3_no_early_r(beta, linear, identity_tables) if linear[1] == 0 else None


SHARPER_THEOREMS: tuple[FuncCompTheorem[Any], ...] = (
    SharperTheorem(
        "A2",
        "one full layer and any R layers",
        theorem_a2,
        _one_more(1, 1),
        lambda beta, linear, identity: shortest_a2(beta, linear, identity)[0],
    ),
    EstimatedTheorem("A3", "two full layers and any R layers", theorem_a3, _one_more(2, 2), ThreeTables),
    SharperTheorem(
        "A3 without early R",
        "two full layers, and R after the second at most,",
        theorem_a3_no_early_r,
        _one_more(2, 2),
        _a3_no_early_r,
    ),
    EstimatedTheorem(
        "A_L",
        "fewer full layers than L, and any R layers,",
        theorem_al,
        _one_more(3),
        lambda linear, identity: ManyTables("A", len(linear), linear, identity),
        rarely_shortest=True,  # A_W has shorter ones, but for one value of every table
    ),
    EstimatedTheorem(
        "A_W",
        "fewer full layers than L, and any R layers,",
        theorem_aw,
        _one_more(3),
        lambda linear, identity: ManyTables("W", len(linear), linear, identity),
    ),
    SharperTheorem("B", "one full layer and no R layer", one_table_at, _as_many(1, 1), one_table),
    EstimatedTheorem("B2", "two full layers, and no R layer before the second,", theorem_b2, _as_many(2, 2), TwoTables),
    EstimatedTheorem(
        "B_L",
        "at most L full layers, and no R layer before the second,",
        theorem_bl,
        _as_many(3),
        lambda linear, identity: ManyTables("B", len(linear) - 1, linear, identity),
    ),
    TheoremE(),
)
