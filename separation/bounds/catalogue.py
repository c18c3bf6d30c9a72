"""Every theorem as an object, and the questions that are put to all of them: the shortest prompt, and given sizes."""

# ruff: noqa: ARG002 (a theorem ignores what its inequalities do not contain)

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from separation.bounds.budget import Budget, padded_linear
from separation.bounds.evaluation import Evaluation
from separation.bounds.inequality import Inequality
from separation.bounds.known import is_proved
from separation.bounds.parameters import Parameters
from separation.bounds.powers import Size
from separation.bounds.search import find_parameters, shortest_prompt_within
from separation.bounds.search.sharper_at_sizes import impossible_at
from separation.bounds.sharper_catalogue import SHARPER_THEOREMS
from separation.bounds.theorem import FuncCompTheorem, Ground, Theorem
from separation.bounds.theorems.theorem_a import theorem_a
from separation.bounds.theorems.theorem_b import theorem_b
from separation.bounds.theorems.theorem_c import RecurrentOnly, shortest_for_recurrent_only, theorem_c
from separation.bounds.theorems.theorem_d import theorem_d
from separation.bounds.word import Word
from separation.files import InputError
from separation.tasks.funccomp import Sizes


@dataclass(frozen=True)
class RecursiveClaim:
    """No model with message size at most β and linear bits at most Λ_t solves FuncComp at (m, n), by these x and Θ."""

    parameters: Parameters
    beta: int
    linear: tuple[Size, ...]


class TheoremA(FuncCompTheorem[RecursiveClaim]):
    """Idle full layers are put in front of a word with fewer than L−1 of them: Λ_t = 0 there."""

    name = "A"
    has_covers = True
    shape = "from 1 to L−1 full layers, and any R layers"

    def applies_to(self, word: Word, L: int) -> bool:
        return 1 <= word.full <= L - 1 and word.depth < L

    def inequalities(self, integers: RecursiveClaim) -> list[Inequality]:
        return list(theorem_a(integers.parameters, integers.beta, integers.linear).inequalities)

    def reason(self, word: Word, L: int) -> str:
        return f"L = {L} > depth {word.depth}: at most L − 1 full layers, and any R layers, cannot, at hard sizes"

    def linear_bits(self, word: Word, L: int, linear: Sequence[int]) -> tuple[int, ...]:
        return padded_linear(L, word.full, linear)

    def shortest(
        self, word: Word, L: int, budget: Budget, linear: Sequence[int], *, cover: str = "half", effort: str = "quick"
    ) -> Evaluation:
        return shortest_prompt_within(budget, self.name, L, linear, cover=cover, effort=effort)

    def at_sizes(self, sizes: Sizes, beta: int, linear: Sequence[int]) -> Evaluation | None:
        return find_parameters(self.name, sizes, beta, linear)


class TheoremB(TheoremA):
    """The recursion and the search of Theorem A with one more full layer.

    A word with L full layers and depth below L has no R layer before the second full one.
    """

    name = "B"
    shape = "L full layers, and no R layer before the second of them"

    def applies_to(self, word: Word, L: int) -> bool:
        return word.full == L and word.depth < L

    def inequalities(self, integers: RecursiveClaim) -> list[Inequality]:
        return list(theorem_b(integers.parameters, integers.beta, integers.linear).inequalities)

    def reason(self, word: Word, L: int) -> str:
        if word.full == 1:
            return f"L = {L} > depth {word.depth}: one full layer cannot at hard sizes"
        return (
            f"L = {L} > depth {word.depth}: {word.full} full layers, no R layer before the second, cannot at hard sizes"
        )

    def linear_bits(self, word: Word, L: int, linear: Sequence[int]) -> tuple[int, ...]:
        return tuple(linear)


@dataclass(frozen=True)
class RecurrentClaim:
    """No word in R alone with at most Λ state bits solves FuncComp at these sizes."""

    sizes: Sizes
    linear: int


class TheoremC(FuncCompTheorem[RecurrentClaim]):
    """Every β is allowed, as there is no full layer; Λ is the state bits of all R layers together."""

    name = "C"
    shape = "R layers alone"

    def applies_to(self, word: Word, L: int) -> bool:
        return word.full == 0

    def inequalities(self, integers: RecurrentClaim) -> list[Inequality]:
        return [theorem_c(integers.sizes, integers.linear).inequality]

    def reason(self, word: Word, L: int) -> str:
        return (
            "no full layer: the state must hold the last table; R alone (C3) solves only sizes that its state can hold"
        )

    def linear_bits(self, word: Word, L: int, linear: Sequence[int]) -> tuple[int, ...]:
        return (linear[-1],)

    def shortest(
        self, word: Word, L: int, budget: Budget, linear: Sequence[int], *, cover: str = "half", effort: str = "quick"
    ) -> RecurrentOnly:
        return shortest_for_recurrent_only(L, linear[-1])

    def at_sizes(self, sizes: Sizes, beta: int, linear: Sequence[int]) -> RecurrentOnly | None:
        found = theorem_c(sizes, linear[-1])
        return found if found.certified else None


@dataclass(frozen=True)
class SparseClaim:
    """No sparse layer with r = ``summary_bits`` is right on 2-Sum; the other numbers are those of `theorem_d`."""

    modulus: int
    block: int
    opened: int
    blocks: int
    summary_bits: int


class TheoremD(Theorem[SparseClaim]):
    """It speaks of no word over F and R. Its bound is exact and a closed form, so there is nothing to search."""

    name = "D"
    shape = "one sparse layer, on 2-Sum"

    def applies_to(self, word: Word, L: int) -> bool:
        return False

    def inequalities(self, integers: SparseClaim) -> list[Inequality]:
        """r < ⌈log2 V⌉, which says 2^r < V: too few summary values."""
        bound = theorem_d(integers.modulus, integers.block, integers.opened, integers.blocks)
        bits = integers.summary_bits
        return [Inequality("V", "r < ⌈log2 V⌉", bits, bound.bits, bound.forbids(bits))]


# At least one of A, B and C speaks of every word with L > depth. Of two equally short prompts the earlier one wins.
THEOREMS: tuple[FuncCompTheorem[Any], ...] = (TheoremA(), TheoremB(), TheoremC(), *SHARPER_THEOREMS)
SPARSE_THEOREM = TheoremD()
COVERS = {"half": ("half",), "chosen": ("chosen",), "best": ("half", "chosen")}


def theorems_against(word: Word, L: int, proved_only: bool = False) -> list[FuncCompTheorem[Any]]:
    """The theorems that speak of a word and L-FuncComp; none if and only if L ≤ depth. ``proved_only``: see `known`."""
    against = [theorem for theorem in THEOREMS if theorem.applies_to(word, L)]
    return [theorem for theorem in against if is_proved(theorem.name)] if proved_only else against


def impossibilities(
    word: Word,
    L: int,
    budget: Budget,
    linear: Sequence[int],
    separate: Sequence[int] | None = None,
    *,
    cover: str = "best",
    effort: str = "quick",
    only: str | None = None,
    proved_only: bool = False,
) -> list[Ground]:
    """The shortest prompt found by each theorem that speaks of the word; by A and B with each cover that is tried.

    where ``linear`` are Λ_0..Λ_{#F} of the word, and ``separate`` those of `Word.separate_linear_bits` for the theorems
    that charge blocks (the same if None: then every block of a model that is meant has at most λ_t = Λ_t − Λ_{t-1}).
    ``cover`` is half, chosen, or best, which tries both. ``only`` names one theorem; a sharper one is then asked with
    more effort. ``proved_only`` leaves out what is not proved in Coq.
    """
    against = theorems_against(word, L, proved_only)
    if not against:
        raise InputError(f"{word} solves L = {L} at all sizes: there is nothing to find")
    if only is not None:
        against = _named(only, against)
        effort = "thorough" if all(theorem.charges_blocks for theorem in against) else effort
    found: list[Ground] = []
    for theorem in sorted(against, key=lambda theorem: theorem.rarely_shortest):
        given = separate if theorem.charges_blocks and separate is not None else linear
        bits = theorem.linear_bits(word, L, given)
        if effort == "quick" and not worth_asking(theorem, word, L, budget, bits, found):
            continue
        for tried in COVERS[cover] if theorem.has_covers and L > 1 else COVERS["half"]:
            ground = theorem.shortest(word, L, budget, bits, cover=tried, effort=effort)
            found += [] if ground is None else [ground]
    return found


def worth_asking(
    theorem: FuncCompTheorem[Any], word: Word, L: int, budget: Budget, bits: Sequence[int], found: Sequence[Ground]
) -> bool:
    """Whether the theorem may have a shorter prompt than those found; of most theorems it is not asked."""
    if not theorem.rarely_shortest or not found:
        return True
    return theorem.may_be_shorter(word, L, budget, bits, shortest_of(found).tokens_log2())


def _named(name: str, theorems: Sequence[FuncCompTheorem[Any]]) -> list[FuncCompTheorem[Any]]:
    """Those of this name; "A3" has its form without early R too."""
    chosen = [theorem for theorem in theorems if name in (theorem.name, theorem.name.partition(" without ")[0])]
    if not chosen:
        names = ", ".join(dict.fromkeys(theorem.name for theorem in theorems))
        raise InputError(f"theorem is {name!r}; here there are {names}")
    return chosen


def shortest_impossibility(
    word: Word,
    L: int,
    budget: Budget,
    linear: Sequence[int],
    separate: Sequence[int] | None = None,
    *,
    cover: str = "best",
    effort: str = "quick",
) -> Ground:
    """The shortest prompt found by any theorem that speaks of the word; ``theorem`` of the answer is the one that won.

    where all arguments are those of `impossibilities`.
    """
    return shortest_of(impossibilities(word, L, budget, linear, separate, cover=cover, effort=effort))


def shortest_of(grounds: Sequence[Ground]) -> Ground:
    return min(grounds, key=lambda ground: ground.tokens_log2())


def impossibility_at_sizes(
    word: Word,
    sizes: Sizes,
    beta: int,
    linear: Sequence[int],
    separate: Sequence[int] | None = None,
    *,
    proved_only: bool = False,
) -> Ground | None:
    """The first theorem that is certified at exactly these sizes, or None when none was found to be."""
    sharper = impossible_at(word, sizes.m, sizes.n, beta, linear if separate is None else separate)
    if sharper is not None and sharper.theorem != "C" and (is_proved(sharper.theorem) or not proved_only):
        return sharper
    for theorem in theorems_against(word, sizes.L, proved_only):
        found = theorem.at_sizes(sizes, beta, theorem.linear_bits(word, sizes.L, linear))
        if found is not None:
            return found
    return None
