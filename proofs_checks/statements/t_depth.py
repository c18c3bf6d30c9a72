"""T.depth: the exact depth of a word: what it solves at all sizes, and that it solves nothing deeper.

depth = 0 without F; else #F − 1 + [some R before the second F] (with one F: some R anywhere). Up to its depth a word
solves L-FuncComp at all sizes (C2.words). Beyond, for every β and Λ there are sizes at which no model of this word
does: by T.A if L > #F, by T.B if L = #F, by T.C without F. R heads next to F heads in one layer never count as such an
R: with idle R heads [FR] is F, and one more table is hard, with the bits of the R heads next to the t-th F in Λ_t,
Λ_{t+1}, ….
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from constructions import words
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.kit.theorems import WITH_MIXED, is_hard, words_up_to
from separation.bounds import Word

LONGEST, LONGEST_MIXED = 5, 4
WORDS = (*words_up_to(LONGEST), *(each for each in words_up_to(LONGEST_MIXED, WITH_MIXED) if "FR" in each.layers))
BUDGETS = ((2, 0), (8, 8), (50, 3))
"""β, and the Λ of every block from the first R on."""


class Asked(NamedTuple):
    """A word, an L of the half that builds weights and one of the half that forbids them, β and Λ."""

    word: str
    solved: int
    forbidden: int
    beta: int
    state_bits: int


def depth(word: Word) -> int:
    """0 without F; else #F − 1 + [some R before the second F]."""
    return word.depth


def check(rule: Callable[[Word], int]) -> Checked:
    """Upper half: weights exist up to the depth (C2.words proves them). Lower half: one table more is certified hard.

    For L = depth + 1 the theorem that applies to the word (C without F; B if #F = L; else A, with idle layers in front)
    has sizes at which all its inequalities hold, in exact integers, for several β and Λ. Every larger L is covered by
    the same theorem at that L: more idle layers stand in front. That there are sizes for every β and Λ is due to the
    golden schedule (T.golden). Of a word with [FR] the weights are those of the word with F in its place.
    """
    count = 0
    for word in WORDS:
        reached = rule(word)
        # First from above: a rule that says too little is refused because what it forbids is not forbidden.
        for beta, state_bits in BUDGETS:
            count += 1
            require(is_hard(word, reached + 1, beta, state_bits), f"{word}: L = {reached + 1} is not forbidden")
        built = words.depth("".join("F" if layer == "FR" else layer for layer in word.layers))
        require(reached == built, f"{word}: weights exist up to L = {built}, the rule says {reached}")
    return Checked(
        Status.EXHAUSTIVE,
        "constructions from below, certified sizes from above",
        f"all words of up to {LONGEST} layers, with [FR] of up to {LONGEST_MIXED}; {count} impossibilities",
    )


WITNESS = Asked("FRF", solved=2, forbidden=3, beta=8, state_bits=8)

STATEMENT = Statement(
    id="T.depth",
    title="exact depth of words of up to 5 layers",
    latex=r"\mathrm{depth}(a)=\#F-1+[\text{some }R\text{ before the second }F]",
    english="A word of full and recurrent layers solves L-FuncComp at all sizes exactly for L up to its depth.",
    subject=depth,
    check=check,
    twins={
        "R never counts": lambda word: max(0, word.full - 1),
        "any R counts": lambda word: word.full - 1 + (word.recurrent > 0) if word.full else 0,
        "every F counts": lambda word: word.full,
        "[FR] counts as RF": lambda word: Word(tuple(letter for layer in word.layers for letter in layer[::-1])).depth,
        "[FR] counts as FR": lambda word: Word(tuple(letter for layer in word.layers for letter in layer)).depth,
        "[FR] counts as R": lambda word: Word(tuple(layer[-1] for layer in word.layers)).depth,
    },
    hypotheses=(
        Hypothesis(
            "1 ≤ L ≤ depth(a), where weights are built",
            lambda asked: 1 <= asked.solved <= words.depth(asked.word),
            WITNESS._replace(solved=3),
        ),
        Hypothesis(
            "L > depth(a), where sizes are forbidden",
            lambda asked: asked.forbidden > Word.parse(asked.word).depth,
            WITNESS._replace(forbidden=2),
        ),
        Hypothesis(
            f"the word has at most {LONGEST} layers",
            lambda asked: len(Word.parse(asked.word).layers) <= LONGEST,
            WITNESS._replace(word="FRFRRR"),
        ),
        Hypothesis(
            "β and Λ are among those tried",
            lambda asked: (asked.beta, asked.state_bits) in BUDGETS,
            WITNESS._replace(beta=9),
        ),
    ),
    witness=WITNESS,
    rests_on=("C2.words", "T.A", "T.B", "T.C", "T.golden", "T.pad"),
)
