"""Is L-FuncComp solvable by a word of layers: by which construction, or by which theorem not."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from separation.bounds.budget import Budget
from separation.bounds.cube_search import CUBE, MOST_BITS, CubeSearch
from separation.bounds.known import how_known
from separation.bounds.shortest import (
    Found,
    TheoremSearch,
    consistent_prompt,
    hard_sizes,
    shortest_prompt,
    theorems_against,
)
from separation.bounds.theorem import Impossibility, Theorem
from separation.bounds.theorems.ceiling import AccuracyBound, Ceiling
from separation.bounds.theorems.theorem_a import TheoremA
from separation.bounds.theorems.theorem_a2 import TheoremA2
from separation.bounds.theorems.theorem_c import theorem_c
from separation.bounds.word import Word
from separation.files import InputError
from separation.tasks.checks import require_integer
from separation.tasks.funccomp import Sizes


@dataclass(frozen=True)
class Decision:
    """``solvable``: True (at all sizes, or at the sizes asked), False (certified), or None (not decided).

    Without sizes, False means: for every β and Λ there are sizes at which no model of this shape solves the task, and
    ``found`` certifies some for the β and Λ given. With sizes, it means: not at exactly these, for these β and Λ.
    ``found`` is never about other sizes than its own. ``ceiling``: at given sizes, the largest accuracy that a model
    of this shape can have on random inputs, as far as was found; below 1 it is not solvable, and 1 says nothing.
    """

    word: Word
    L: int
    solvable: bool | None
    reason: str
    construction: str | None = None
    theorem: str | None = None
    found: Found | None = None
    budget: Budget | None = None
    sizes: Sizes | None = None
    ceiling: Ceiling | None = None
    pads: int = 0

    @property
    def depth(self) -> int:
        return self.word.depth_behind(self.pads) if self.pads else self.word.depth

    @property
    def charged(self) -> Word:
        """The word that ``found`` is about: without R layers that have no bits."""
        return self.word if self.budget is None or self.solvable else self.budget.carrying(self.word)

    @property
    def chain_of_thought(self) -> dict[str, str | None]:
        """What changes with a chain of thought: C5 solves every L with one F; Theorem C forbids as much as without."""
        some = self.word.full > 0
        return {"construction": "C5" if some else None, "theorem": None if some else "C"}

    def document(self) -> dict[str, Any]:
        return {
            "word": str(self.word),
            "depth": self.depth,
            "L": self.L,
            "solvable": self.solvable,
            "reason": self.reason,
            "construction": self.construction,
            "theorem": self.theorem,
            "known": None if self.theorem is None else how_known(self.theorem),
            "chain_of_thought": self.chain_of_thought,
            "ceiling": None if self.ceiling is None else str(self.ceiling.value),
            "ceiling_float": None if self.ceiling is None else float(self.ceiling.value),
            "hard_sizes": None if self.found is None else hard_sizes(self.found, self.budget),
            **({"pads": self.pads} if self.pads else {}),
        }


def decide(
    word: Word,
    L: int,
    budget: Budget | None = None,
    sizes: Sizes | None = None,
    *,
    theorem: str | None = None,
    proved_only: bool = False,
    every: bool = False,
    pads: int = 0,
) -> Decision:
    """L ≤ depth: solvable at all sizes (C1, C2). L > depth: not, by some theorem; at given sizes perhaps neither.

    ``theorem`` leaves out all others where no sizes are given, ``proved_only`` what is not proved in Coq; with
    ``every``, theorems that lose over real numbers are searched too. ``pads``: so many neutral tokens stand between
    z_0 and w.

    >>> decide(Word.parse("RFF"), 2).construction, decide(Word.parse("F"), 1).solvable
    ('C2', False)
    """
    require_integer("L", L, 1)
    if sizes is not None and sizes.L != L:
        raise InputError(f"the sizes are those of L = {sizes.L}, asked is L = {L}")
    budget = Budget.example() if budget is None else budget
    if require_integer("pads", pads, 0):
        return _behind_pads(word, L, budget, pads)
    if word.depth >= L:
        return _solvable(word, L, sizes)
    if sizes is not None:
        return _at_sizes(word, L, budget, sizes, proved_only)
    found = shortest_prompt(word, L, budget, theorem=theorem, proved_only=proved_only, every=every)
    charged = budget.carrying(word)
    against = theorems_against(charged, L, superseded=True)
    named = [theorem for theorem in against if theorem.name == found.theorem]
    on_average = f"L = {L} > depth {word.depth}: no model of this word is right on all inputs, at hard sizes"
    reason = named[-1].reason(charged, L) if named else on_average
    reason += "" if charged == word else "; R layers without bits carry nothing"
    return Decision(word, L, False, reason, None, found.theorem, found, budget)


def _behind_pads(word: Word, L: int, budget: Budget, pads: int) -> Decision:
    """With neutral tokens between z_0 and w: windows count as R only if together they reach over them."""
    from separation.bounds.theorems.theorem_pads import behind, theorems_behind

    against = theorems_behind(word, L, pads)
    if not against:
        return replace(_solvable(word, L, None), pads=pads)
    found = []
    for each in against:
        tables = each.tables(word, L)
        assert tables is not None
        search = TheoremSearch(each, L, tables, each.state_bits(word, L, budget))
        outcome = consistent_prompt(search, budget, 1, pads)
        if isinstance(outcome, Impossibility):
            found.append(behind(outcome, pads))
    if not found:
        raise InputError("no prompt was found; the numbers are too large for this search")
    best = min(found, key=lambda each: each.tokens_log2())
    depth = word.depth_behind(pads)
    reason = f"L = {L} > depth {depth} behind {pads} pads, over which no window reaches: not at hard sizes"
    return Decision(word, L, False, reason, None, best.theorem, best, budget, pads=pads)


def _solvable(word: Word, L: int, sizes: Sizes | None) -> Decision:
    name = "C1" if word.full - 1 >= L else "C2"
    layers = f"{L + 1} full layers" if name == "C1" else f"{L} full layers and one R layer before the second of them"
    if name == "C2" and L == 1:
        layers = "one full layer and one R layer"
    sentence = f"L ≤ depth {word.depth}: {layers} solve it at all sizes"
    if name == "C2" and word.chunks_alone:
        sentence += ", if z_0 and w stand in one chunk: neutral tokens in front of the prompt move them into one"
        if sizes is not None and word.split_by_chunks(sizes.length):
            sentence = (
                f"not decided at these sizes: w, token {sizes.length}, begins a chunk, so that no chunk hands it z_0"
            )
            return Decision(word, L, None, sentence, sizes=sizes)
    return Decision(word, L, True, sentence, name, sizes=sizes)


def _at_sizes(word: Word, L: int, budget: Budget, sizes: Sizes, proved_only: bool) -> Decision:
    if budget.assumed:
        reason = "not decided at these sizes: that depends on β and Λ, which are not given"
        return Decision(word, L, None, reason, sizes=sizes, budget=budget)
    needed = sizes.N[-1] * (sizes.N[-1] - 1).bit_length()
    stored = budget.state_bits is not None and budget.state_bits >= needed
    if word.full == 0 and stored and word.recurrent > L:
        reason = f"{L + 1} R layers whose states hold {needed} bits each, the largest table, solve it at these sizes"
        return Decision(word, L, True, reason, "C3", sizes=sizes, budget=budget)
    from separation.bounds.ceilings import ceiling

    beta, separate = budget.beta_at(sizes.length), budget.separate_state_bits(word)
    most = ceiling(word, sizes.m, sizes.n, beta, separate, proved_only=proved_only)
    found: Found | None = impossibility_at(word, sizes, budget, proved_only=proved_only)
    if found is None and most.value < 1:
        found = AccuracyBound(word, sizes.m, sizes.n, beta, separate, most)
    if found is not None:
        reason = f"Theorem {found.theorem} is certified at exactly these sizes"
        return Decision(word, L, False, reason, None, found.theorem, found, budget, sizes, most)
    names = ", ".join(dict.fromkeys(theorem.name for theorem in theorems_against(word, L, proved_only)))
    reason = f"not decided at these sizes: L = {L} > depth {word.depth}, but no theorem ({names}) was certified here"
    if (small := small_against_messages(word, sizes, beta, separate[0])) is not None:
        reason = (
            f"not decided at these sizes, and no theorem can: {small}, so a protocol of such messages solves it (C9)"
        )
    return Decision(word, L, None, reason, sizes=sizes, budget=budget, ceiling=most)


def small_against_messages(word: Word, sizes: Sizes, beta: int, early: int) -> str | None:
    """The third trap: with m, or an n_ℓ with ℓ ≥ 2, below about β/log n the size is solvable, so it is never certified.

    C9. R in front hands z_0 to w, and L−1 F solve it if β ≥ m·⌈log2 N_1⌉ + ⌈log2 m⌉ (w reads its whole row of z_2, and
    i_1), β ≥ n_ℓ·⌈log2 N_ℓ⌉ for some ℓ from 2 to L−1 (table ℓ reads all n_ℓ successors of its values), or Λ_0 ≥
    (m+1)·⌈log2 m⌉ (R stores z_1); FF solves two tables if β ≥ n_1·⌈log2 N_1⌉ or β ≥ (m+1)·⌈log2 m⌉. β holds the answer.
    """
    m, n, N, L = sizes.m, sizes.n, sizes.N, sizes.L
    bits = [(size - 1).bit_length() for size in (m, *N[1:])]
    if L < 2 or beta < bits[-1]:
        return None
    if word.full == L == 2 and not word.early:
        found = {f"n_1 = {n[0]} is small": n[0] * bits[1], f"m = {m} is small": (m + 1) * bits[0]}
    elif word.full == L - 1 and word.blocks[0] and early >= bits[0] and not word.split_by_chunks(sizes.length):
        found = {f"m = {m} is small": m * bits[1] + bits[0]}
        found |= {f"n_{k} = {n[k - 1]} is small": n[k - 1] * bits[k] for k in range(2, L)}
        if early >= (m + 1) * bits[0] and "R" in word.early_layers[: word.blocks[0]]:  # windows forget
            return f"m = {m} is so small that a state of {early} bits in front stores table 1"
    else:
        return None
    return next((f"{what} against β = {beta}" for what, needed in found.items() if needed <= beta), None)


def impossibility_at(word: Word, sizes: Sizes, budget: Budget, *, proved_only: bool = False) -> Impossibility | None:
    """A theorem that is certified at exactly these sizes, or None when none was found to be, which proves nothing.

    Theorems of fewer tables count too: the tables beyond are the identity, whatever their n_ℓ. Theorems A and B, which
    rarely hold where the sharper ones do not, are asked last. As integers may be missed that the search over all sizes
    knows, the prompt that it finds is asked too.
    """
    beta, word = budget.beta_at(sizes.length), budget.carrying(word)
    against = theorems_against(word, sizes.L, proved_only)
    for theorem in sorted(against, key=lambda theorem: isinstance(theorem, TheoremA)):
        found = _at(theorem, word, sizes, beta, theorem.state_bits(word, sizes.L, budget))
        if found is not None and found.certified:
            return found
    if not budget.assumed:
        with suppress(InputError):
            known = shortest_prompt(word, sizes.L, budget, proved_only=proved_only)
            if isinstance(known, Impossibility) and (known.m, known.n) == (sizes.m, sizes.n):
                return known
    return None


def _at(theorem: Theorem, word: Word, sizes: Sizes, beta: int, state_bits: tuple[int, ...]) -> Impossibility | None:
    tables = theorem.tables(word, sizes.L)
    assert tables is not None
    if word.full == 0:
        return theorem_c(sizes, state_bits[0])
    if isinstance(theorem, TheoremA2):
        from separation.bounds.one_full_layer import most_reached

        return theorem.at(sizes.m, sizes.n, (most_reached(sizes.m, sizes.m, state_bits[0]),), beta, state_bits, tables)
    if isinstance(theorem, CUBE):
        if max(beta, sizes.length, state_bits[-1]).bit_length() > MOST_BITS:
            return None
        chosen = CubeSearch(theorem, tables, 0, beta, state_bits).choice(sizes.m, sizes.n[: tables - 1])[1]
        return theorem.at(sizes.m, sizes.n, chosen, beta, state_bits, tables)
    names = theorem.variables(tables, state_bits)
    ones = theorem.at(sizes.m, sizes.n, (1,) * len(names), beta, state_bits, tables)
    if ones.certified or not names:
        return ones
    if tables == 1:  # Theorem A with one table chooses x_0 = m
        return theorem.at(sizes.m, sizes.n, (sizes.m,), beta, state_bits, tables)
    from separation.bounds.search import PromptQuestion, with_most_slack

    shape, beyond = (sizes.m, *sizes.n[: tables - 1]), sizes.n[tables - 1 :]
    return with_most_slack(PromptQuestion(theorem, tables, beta, state_bits, beyond, shape))
