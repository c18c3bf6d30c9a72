"""`fool` for words with full layers: whom to fool, and the search that compares what later tokens hear."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from separation.arithmetic import PrecisionOverflow
from separation.bounds import Word
from separation.files import InputError
from separation.fooling import Budget, Search
from separation.fooling.hybrids import find_hybrid_pair, random_hybrid
from separation.models import Model
from separation.tasks.funccomp import Sizes

Progress = Callable[[float, str], None]
Facts = dict[str, Any]

DEFAULT_M = {1: 6, 2: 3}
"""By L, else 2: large enough that models of few bits are fooled, small enough to search."""


def random_subject(
    word: Word,
    L: int | None,
    m: int | None,
    n: Sequence[int] | None,
    state_bits: int | None,
    seed: int,
    *,
    family: str | None,
    bits: int | None,
    score_bits: int | None,
) -> tuple[Model, Sizes, Facts]:
    """A random model; L is by default one more than the word's depth, and m and n are small."""
    if family is not None and word.full == len(word.layers):
        raise InputError(f"--family has no meaning for the word {word}, which has no R layer")
    levels = (word.depth + 1 if n is None else len(n) + 1) if L is None else L
    least = DEFAULT_M.get(levels, 2) if m is None else m
    sizes = Sizes.from_lists(levels, least, [least] * (levels - 1) if n is None else list(n))
    try:
        asked = {"bits": bits, "score_bits": score_bits, "state_bits": state_bits}
        made = random_hybrid(word, sizes, seed, family=family or "linear", **asked)
    except PrecisionOverflow as error:
        raise _too_few(error) from None
    precision = made.model.precision
    facts = {"word": made.model.word, "m": sizes.m, "n": list(sizes.n), "tokens": sizes.length, "seed": seed}
    facts |= {"precision_bits": {"P": precision.score_bits, "p": precision.bits}, "beta": made.beta}
    facts |= {"lambda": list(made.linear), "distinct": f"{made.distinct} transcripts of {made.tables} tables"}
    return made.model, sizes, facts


def search_hybrid(
    model: Model, sizes: Sizes, seed: int, budget: Budget, progress: Progress | None
) -> tuple[Search, Facts]:
    """What was found, and beside it the levels of the theorem, and whether other weights could solve the task."""
    word = Word.parse(model.word)
    try:
        found = find_hybrid_pair(model, sizes, seed=seed, budget=budget, progress=progress)
    except PrecisionOverflow as error:
        raise _too_few(error) from None
    solvable = word.depth >= sizes.L
    construction = ("C1" if word.full > sizes.L else "C2") if solvable else None
    return found.search, {"solvable": solvable, "construction": construction, **found.document()}


def _too_few(error: PrecisionOverflow) -> InputError:
    return InputError(f"{error}; give more --bits (p), or more --state-bits")
