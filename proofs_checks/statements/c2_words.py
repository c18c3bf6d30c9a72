"""C2.words: every word over {F, R} solves L-FuncComp for all L up to its depth, proved for all inputs.

The depth of a word over F and R is 0 without F, otherwise #F − 1, plus one if some R comes before the second F (with
one F: anywhere). For L ≤ #F − 1 the first L+1 full layers are C1; for L = #F all full layers and the first R are C2.
All other layers are idle: zero matrices, no MLP. The same invariant holds before and after an idle layer, so the proof
is that of C1 or C2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from constructions import c1
from constructions.words import build_word, depth
from proofs_checks.kit.hypotheses import proved
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.kit.theorems import words_up_to
from proofs_checks.statements.c2 import last_two_layers_swapped
from separation.proving import Construction
from separation.tasks.funccomp import Sizes

LONGEST = 4
WORDS = tuple("".join(word.layers) for word in words_up_to(LONGEST))

Models = Callable[[str], Iterator[tuple[int, Construction]]]
"""For a word: some L, each with weights for L-FuncComp."""


class Asked(NamedTuple):
    """A word of layers, and the tables that it is asked to follow."""

    word: str
    L: int


def sizes_for(L: int) -> Sizes:
    """m = 3 and n = (1, 2, 1, …)."""
    return Sizes(3, tuple(1 + level % 2 for level in range(L - 1)))


@cache
def built(word: str, L: int) -> Construction:
    return build_word(word, sizes_for(L), "linear" if len(word) % 2 else "delta")


def up_to_depth(word: str) -> Iterator[tuple[int, Construction]]:
    for L in range(1, depth(word) + 1):
        yield L, built(word, L)


def full_layers_only(word: str) -> Iterator[tuple[int, Construction]]:
    """As if R never helped: C1 up to L = #F − 1, and no further."""
    for L in range(1, word.count("F")):
        yield L, build_word(word, sizes_for(L))


def any_r_counts(word: str) -> Iterator[tuple[int, Construction]]:
    """As if one R could replace a full layer wherever it stands: for FFR the layers of FRF in that order."""
    yield from up_to_depth(word)
    if word == "FFR":
        yield 2, last_two_layers_swapped(sizes_for(2), "FRF", "linear")


def no_idle_layers(word: str) -> Iterator[tuple[int, Construction]]:
    """The spare layers of a word of full layers repeat the last one of C1."""
    yield from up_to_depth(word)
    if word == "FFF":
        whole = c1.build(sizes_for(1))
        first, last = whole.model.layers
        model = replace(whole.model, layers=(first, last, last))
        yield 1, replace(whole, name=word, model=model, stages=[*whole.stages, whole.stages[-1]])


def check(models: Models) -> Checked:
    count = 0
    for word in WORDS:
        reached = 0
        for L, subject in models(word):
            where = f"{word}, L = {L}"
            require(subject.model.word == word, f"{where}: the layers are {subject.model.word}")
            if depth(word) >= L and subject is built(word, L):
                _proved_once(word, L)
            else:
                proved(subject, sizes_for(L), where)
            reached = max(reached, L)
            count += 1
        before_second = "".join(word.split("F")[:2])
        expected = 0 if "F" not in word else word.count("F") - 1 + ("R" in before_second)
        require(reached == expected, f"{word} reaches L = {reached}, the formula says {expected}")
    return Checked(
        Status.ALL_INPUTS,
        "layer by layer on the exact weights, closed form",
        f"all {len(WORDS)} words of up to {LONGEST} layers, {count} models",
    )


@cache
def _proved_once(word: str, L: int) -> None:
    """Twins that are wrong at some word share the proofs of the others."""
    proved(built(word, L), sizes_for(L), f"{word}, L = {L}")


STATEMENT = Statement(
    id="C2.words",
    title="words of up to 4 layers reach their depth at given sizes",
    latex=r"L\le\#F-1+[\text{some }R\text{ before the second }F]\ \Rightarrow\ "
    r"\text{the word solves}\ L\text{-FuncComp}",
    english="Every order of full and recurrent layers solves L-FuncComp up to the word's depth: "
    "C1 or C2 on some layers, the others idle.",
    subject=up_to_depth,
    check=check,
    twins={
        "full layers only": full_layers_only,
        "any R counts": any_r_counts,
        "no idle layers": no_idle_layers,
    },
    hypotheses=(
        Hypothesis("L is at most the word's depth", lambda asked: depth(asked.word) >= asked.L, Asked("FFR", 2)),
        Hypothesis("L ≥ 1", lambda asked: asked.L >= 1, Asked("FRF", 0)),
        Hypothesis(f"the word has at most {LONGEST} layers", lambda asked: asked.word in WORDS, Asked("FRFFF", 2)),
    ),
    witness=Asked("FRF", 2),
    applies_to=("D1", "D2"),
    rests_on=("C1", "C2"),
)
