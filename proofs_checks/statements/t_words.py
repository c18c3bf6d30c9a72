"""Words of layers: idle layers in front, hard sizes beyond the depth, and the depth itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import NamedTuple

from constructions import words
from proofs_checks.kit.coq.comparison import IN_COQ
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.kit.theorems import WITH_MIXED, words_up_to
from separation.bounds import Budget, Word, decide
from separation.models import Head, idle_head

Padding = Callable[[tuple[str, ...], int], tuple[str, ...]]
"""(layers, number of idle full ones) ↦ layers; an idle one is written "idle"."""
LONGEST, MOST = 4, 3
WORDS = words_up_to(LONGEST, WITH_MIXED)


def in_front(layers: tuple[str, ...], count: int) -> tuple[str, ...]:
    return ("idle",) * count + layers


def check_pad(padding: Padding) -> Checked:
    """A padded word has ``count`` full layers more, and the Λ that T_pad gives it; an idle layer as built writes 0.

    The state bits of the R layers are different powers of two, so equal sums have equal terms.
    """
    head = idle_head("F", 8)
    require(isinstance(head, Head) and not head.w_o.entries(), "an idle layer writes something")
    for word, count in product(WORDS, range(MOST + 1)):
        padded = Word(tuple("F" if letter == "idle" else letter for letter in padding(word.layers, count)))
        bits = [1 << index for index in range(word.recurrent)]
        require(padded.full == word.full + count, f"{word}: padded it has {padded.full} full layers")
        own, found = word.cumulative_bits(bits), padded.cumulative_bits(bits)
        for t, each in enumerate(found):
            said = IN_COQ.term("T_pad", r"fun t => (if t < z .*?)\)\]", t=t, z=count, Lam=own.__getitem__)
            require(each == said, f"{word} with {count} idle layers: Λ_{t} is {each}, and {said} in Coq")
    return Checked(
        Status.EXHAUSTIVE,
        "T_pad in Coq; Λ of every padded word against it; an idle layer as built",
        f"all {len(WORDS)} words over F, R, [FR] of up to {LONGEST} layers, up to {MOST} idle ones",
    )


PAD = Statement(
    id="T.pad",
    title="idle full layers in front of words of up to 4 layers",
    latex=r"F^k a\ \text{does what}\ a\ \text{does},\quad\Lambda(F^k a)=(0,\dots,0,\Lambda(a))",
    english="A word with fewer full layers than a theorem applies to is padded with idle ones in front; then Λ_0 is 0.",
    explanation="""
A full layer whose writing matrix is 0 and that has no MLP adds nothing, whatever it attends to. Put k of them in front
of a word: outputs are the same, Λ_0 = … = Λ_{k-1} = 0, and then follow the Λ of the word.
""",
    subject=in_front,
    check=check_pad,
    twins={
        "idle layers at the end": lambda layers, count: layers + ("idle",) * count,
        "after the first layer": lambda layers, count: layers[:1] + ("idle",) * count + layers[1:],
        "one too few": lambda layers, count: ("idle",) * max(0, count - 1) + layers,
    },
    applies_to=("D2",),
    hypotheses=(
        Hypothesis(
            "the word has fewer full layers than L − 1",
            lambda held: Word.parse(held[0]).full < held[1] - 1,
            outside=("FRF", 3),
        ),
    ),
    witness=("RFR", 4),
)
"""The witness: a word and L."""


DEEPEST, DEEPEST_MIXED = 5, 4
ALL_WORDS = (*words_up_to(DEEPEST), *(each for each in words_up_to(DEEPEST_MIXED, WITH_MIXED) if "FR" in each.layers))
BUDGET = Budget(beta=8, total=8)


def depth(word: Word) -> int:
    """0 without F; else #F − 1 + [some R before the second F]."""
    return word.depth


@cache
def is_certified(word: Word, L: int) -> bool:
    """The calculator has sizes at which no model of the word follows L tables; twins share the searches."""
    found = decide(word, L, BUDGET)
    return found.solvable is False and found.found is not None and found.found.certified


def check_depth(rule: Callable[[Word], int]) -> Checked:
    """The depth is that of Coq, where [FR] is F, and that up to which weights are built; one table more is certified.

    That there are sizes for every β and Λ is T_depth; those of the golden schedule are compared in T.golden.
    """
    in_coq = IN_COQ.function("depth")
    for word in ALL_WORDS:
        reached, there = rule(word), in_coq(["F" in layer for layer in word.layers])
        require(reached == there, f"{word}: the depth is {there} in Coq, not {reached}")
        built = words.depth("".join("F" if layer == "FR" else layer for layer in word.layers))
        require(reached == built, f"{word}: weights exist up to L = {built}, the rule says {reached}")
        require(is_certified(word, reached + 1), f"{word}: L = {reached + 1} is not forbidden")
    return Checked(
        Status.EXHAUSTIVE,
        "T_depth in Coq; its depth against the calculator's, whose sizes for one table more are certified",
        f"all words of up to {DEEPEST} layers, with [FR] of up to {DEEPEST_MIXED}",
    )


HARD = Statement(
    id="T.hard",
    title="every word has hard sizes beyond its depth",
    latex=r"L>\mathrm{depth}(a)\Rightarrow\forall\beta,\Lambda\ \exists\,(m,n_\ell),\ n\le{\rm poly}(\beta,\Lambda):"
    r"\ \text{no model of shape}\ a\ \text{solves it}",
    english="For every word, every L above its depth and every β and Λ there are explicit sizes, polynomial in them, "
    "that are certified impossible.",
    explanation="""
Let L be above the depth of a word with an F. If L ≥ #F + 1, theorem A applies, with L − 1 − #F idle layers in front
(T.pad); otherwise L = #F and no R comes before the second F, and theorem B applies. Without F it is theorem C. Sizes
for given β and Λ: the golden schedule at β' = max(β, all Λ) (T.golden); what has at most β bits has at most β' bits.
""",
    subject=depth,
    check=check_depth,
    twins={
        "R never counts": lambda word: max(0, word.full - 1),
        "every F counts": lambda word: word.full,
        "one more": lambda word: word.depth + 1,
    },
    rests_on=("T.A", "T.B", "T.C", "T.golden", "T.pad"),
    hypotheses=(
        Hypothesis("L is above the depth", lambda held: held[1] > Word.parse(held[0]).depth, outside=("RF", 1)),
        Hypothesis("β is at least 1", lambda held: held[2] >= 1, outside=("RF", 2, 0)),
    ),
    witness=("RF", 2, 8),
)
"""The witness: a word, L, β."""


class Asked(NamedTuple):
    """A word, an L of the half that builds weights and one of the half that forbids them."""

    word: str = "FRF"
    solved: int = 2
    forbidden: int = 3


DEPTH = Statement(
    id="T.depth",
    title="exact depth of words",
    latex=r"\mathrm{depth}(a)=\#F-1+[\text{some }R\text{ before the second }F]",
    english="A word of full and recurrent layers solves L-FuncComp at all sizes exactly for L up to its depth.",
    explanation="""
depth = 0 without F; else #F − 1 + [some R before the second F] (with one F: some R anywhere). Up to its depth a word
solves L-FuncComp at all sizes (C2.words; by squares, main_depth in Coq). Beyond, for every β and Λ there are sizes at
which no model of this word does: by T.A if L > #F, by T.B if L = #F, by T.C without F. R heads next to F heads in one
layer never count as such an R: with idle R heads [FR] is F, and one more table is hard, with the bits of the R heads
next to the t-th F in Λ_t, Λ_{t+1}, ….
""",
    subject=depth,
    check=check_depth,
    twins={
        "R never counts": lambda word: max(0, word.full - 1),
        "any R counts": lambda word: word.full - 1 + (word.recurrent > 0) if word.full else 0,
        "every F counts": lambda word: word.full,
        "[FR] counts as RF": lambda word: Word(tuple(letter for layer in word.layers for letter in layer[::-1])).depth,
        "[FR] counts as FR": lambda word: Word(tuple(letter for layer in word.layers for letter in layer)).depth,
        "[FR] counts as R": lambda word: Word(tuple(layer[-1] for layer in word.layers)).depth,
    },
    rests_on=("C2.words", "T.A", "T.B", "T.C", "T.golden", "T.pad"),
    hypotheses=(
        Hypothesis(
            "1 ≤ L ≤ depth(a), where weights are built",
            lambda asked: 1 <= asked.solved <= words.depth(asked.word),
            Asked(solved=3),
        ),
        Hypothesis(
            "L > depth(a), where sizes are forbidden",
            lambda asked: asked.forbidden > Word.parse(asked.word).depth,
            Asked(forbidden=2),
        ),
    ),
    witness=Asked(),
)

STATEMENTS = (PAD, HARD, DEPTH)
