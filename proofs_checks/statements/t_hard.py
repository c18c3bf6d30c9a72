"""T.hard: whatever the word, L above its depth, β and Λ: some theorem applies, at sizes polynomial in β and Λ.

Let L be above the depth of a word with an F. If L ≥ #F + 1, theorem A applies, with L − 1 − #F idle layers in front
(T.pad); otherwise L = #F and no R comes before the second F, and theorem B applies. Without F it is theorem C. Sizes
for given β and Λ: the golden schedule at β' = max(β, all Λ) (T.golden); what has at most β bits has at most β' bits.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from proofs_checks.kit.coq.comparison import IN_COQ
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.kit.theorems import is_hard, words_up_to
from separation.bounds import Word

LONGEST, BUDGETS = 4, ((1, 0), (3, 50), (64, 10**6))
"""β, and Λ from the first R on."""


def depth(word: Word) -> int:
    """0 without F; else #F − 1 + [some R before the second F]."""
    return word.depth


def check(rule: Callable[[Word], int]) -> Checked:
    """The depth is that of Coq's T_depth, and the calculator has hard sizes for the two next L."""
    in_coq = IN_COQ.function("depth")
    for word in words_up_to(LONGEST):
        reached, there = rule(word), in_coq(["F" in layer for layer in word.layers])
        require(reached == there, f"{word}: the depth is {there} in Coq, not {reached}")
        for L, (beta, bits) in product((reached + 1, reached + 2), BUDGETS):
            require(is_hard(word, L, beta, bits), f"{word}, L = {L}, β = {beta}, Λ = {bits}: not certified")
    return Checked(
        Status.EXHAUSTIVE,
        "T_depth in Coq; its depth and hard sizes against the calculator's",
        f"words of up to {LONGEST} layers",
    )


STATEMENT = Statement(
    id="T.hard",
    title="every word has hard sizes beyond its depth",
    latex=r"L>\mathrm{depth}(a)\Rightarrow\forall\beta,\Lambda\ \exists\,(m,n_\ell),\ n\le{\rm poly}(\beta,\Lambda):"
    r"\ \text{no model of shape}\ a\ \text{solves it}",
    english="For every word, every L above its depth and every β and Λ there are explicit sizes, polynomial in them, "
    "that are certified impossible.",
    subject=depth,
    check=check,
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
