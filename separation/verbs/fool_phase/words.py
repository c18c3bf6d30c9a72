"""Words of layers against L: random models of each, and the construction where there is one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from constructions import build
from separation.bounds import Word
from separation.fooling.budget import Clock, rest
from separation.fooling.hybrids import find_hybrid_pair, random_hybrid
from separation.tasks.funccomp import Sizes

LONGEST = 3
SIZES = {1: Sizes(4, ()), 2: Sizes(2, (2,)), 3: Sizes(2, (1, 2))}
"""256 tables z_L in each: all of them are compared, for all other inputs."""
SCORE_BITS = 2
MODELS = 3
SAMPLES = 1 << 16


@dataclass(frozen=True)
class WordRow:
    """``pairs`` of ``models`` random models of a word have one, ``compared`` of the others were searched to the end.

    where ``solves`` names the construction (L ≤ depth) or ``theorem`` the one that forbids the word at some sizes;
    ``built_pair``: whether the construction of exactly this word, built, has a pair (None if it was not built).
    """

    word: str
    L: int
    m: int
    n: str
    depth: int
    models: int
    pairs: int
    compared: int
    solves: str
    theorem: str
    built_pair: bool | None


def words() -> list[Word]:
    """All words over F and R with at most LONGEST layers, the shorter ones first."""
    return [Word(letters) for length in range(1, LONGEST + 1) for letters in product("FR", repeat=length)]


def word_rows(seed: int, clock: Clock) -> Iterator[WordRow | None]:
    """One row for each word and L."""
    for word, (L, sizes) in product(words(), SIZES.items()):
        searches = []
        for number in range(MODELS):
            model = random_hybrid(word, sizes, seed + number, score_bits=SCORE_BITS).model
            searches.append(find_hybrid_pair(model, sizes, seed=seed + number, budget=rest(clock, SAMPLES)).search)
        found = sum(search.found for search in searches)
        solvable = word.depth >= L
        yield WordRow(
            word="".join(word.layers),
            L=L,
            m=sizes.m,
            n=" ".join(map(str, sizes.n)),
            depth=word.depth,
            models=MODELS,
            pairs=found,
            compared=sum(search.exhaustive for search in searches),
            solves=("C1" if word.full > L else "C2") if solvable else "",
            theorem="" if solvable else "C" if not word.full else "B" if word.full == L else "A",
            built_pair=_built_pair("".join(word.layers), L, sizes, clock) if solvable else None,
        )


def _built_pair(word: str, L: int, sizes: Sizes, clock: Clock) -> bool | None:
    """Whether the search fools the construction, if its word has no spare layers and all was compared."""
    if word == "F" * (L + 1):
        model = build("C1", sizes).model
    elif word.count("F") == L and word.count("R") == 1:
        model = build("C2", sizes, word=word).model
    else:
        return None
    search = find_hybrid_pair(model, sizes, budget=rest(clock, SAMPLES)).search
    return search.found if search.found or search.exhaustive else None
