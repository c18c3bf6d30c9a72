"""T.hard: whatever the word, L above its depth, β and Λ: some theorem applies, at sizes polynomial in β and Λ.

Let L be above the depth of a word with an F. If L ≥ #F + 1, theorem A applies, with L − 1 − #F idle layers in front
(T.pad); otherwise L = #F and no R comes before the second F, and theorem B applies. Without F it is theorem C. Sizes
for given β and Λ: the golden schedule at β' = max(β, all Λ) (T.golden.sizes), which T.monotone brings down to β. They
are polynomial in β and Λ.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import z3

from proofs_checks.kit.coq.comparison import IN_COQ
from proofs_checks.kit.solvers import require_no_integers
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.kit.theorems import words_up_to
from proofs_checks.statements.t_golden_sizes import Schedule
from separation.bounds import Rule, Word, evaluate_theorem

Depth = Callable[[Any, Any], Any]
"""(#F, 1 if some R stands before the second F else 0) ↦ depth of a word with an F."""
LONGEST, BUDGETS = 4, ((1, 0), (3, 50), (64, 10**6))
"""β, and the bits of each R layer."""


def depth(full: Any, early: Any) -> Any:
    """#F − 1 + [early R]."""
    return full - 1 + early


def check(rule: Depth) -> Checked:
    """L > depth, #F ≥ 1: L ≥ #F + 1 (theorem A, L − 1 − #F idle layers in front), or L = #F, no early R (theorem B).

    The cases are exhausted by z3 over all integers, and so is that no theorem applies to L ≤ depth. Without F it is
    theorem C. The sizes: T.golden.sizes at β' = max(β, all Λ), as bracket_ℓ ≥ 1 makes Λ_ℓ ≤ β' ≤ β'·bracket_ℓ (and
    β'·W ≥ Λ_1 in B), and T.monotone brings them down to β: y = c·β' is linear and N_{L-1} a power of it times 6·x_0, so
    n is polynomial in β and Λ. Also, the depth is that of Coq's T_depth, and the calculator certifies these sizes for
    all words of up to four layers and the two next L, with every R layer's bits in its own Λ_t.
    """
    full, early, L, idle = z3.Ints("F e L idle")
    shape = [full >= 1, early >= 0, early <= 1, L >= 1, idle == L - 1 - full]
    by_a, by_b = idle >= 0, z3.And(full == L, early == 0)
    above = rule(full, early) < L
    require_no_integers([*shape, above, z3.Not(by_a), z3.Not(by_b)], "no theorem applies")
    require_no_integers([*shape, z3.Not(above), z3.Or(by_a, by_b)], "a theorem forbids what is solved")
    in_coq, count = IN_COQ.function("depth"), 0
    for word in words_up_to(LONGEST):
        reached = word.full and rule(word.full, int(word.early))
        there = in_coq(["F" in layer for layer in word.layers])
        require(reached == there, f"{word}: the depth is {there} in Coq, not {reached}")
        for L_asked, (beta, bits) in product((reached + 1, reached + 2), BUDGETS):
            if word.full and L_asked >= 2:
                _require_certified(word, L_asked, beta, bits)
                count += 1
    method = f"all cases (z3); {count} words, tables and budgets also certified"
    return Checked(Status.EXHAUSTIVE, method, f"every word by cases; words of up to {LONGEST} layers by the calculator")


def _require_certified(word: Word, L: int, beta: int, bits: int) -> None:
    linear = word.linear_bits([bits] * word.recurrent)
    rule = Rule.B if word.full == L else Rule.A
    padded = (0,) * (0 if rule is Rule.B else L - 1 - word.full) + linear
    require(len(padded) == rule.state_count(L), f"{word}, L = {L}: {len(padded)} blocks")
    point = Schedule().point(rule, L, max(beta, *padded), padded[0])
    require(
        evaluate_theorem(rule, point, beta, padded).certified,
        f"{word}, L = {L}, β = {beta}, Λ = {padded}: not certified",
    )


STATEMENT = Statement(
    id="T.hard",
    title="every word has hard sizes beyond its depth, checked for words of up to 4 layers",
    latex=r"L>\mathrm{depth}(a)\Rightarrow\forall\beta,\Lambda\ \exists\,(m,n_\ell),\ n\le{\rm poly}(\beta,\Lambda):"
    r"\ \text{no model of shape}\ a\ \text{solves it}",
    english="For every word, every L above its depth and every β and Λ there are explicit sizes, polynomial in them, "
    "that are certified impossible.",
    subject=depth,
    check=check,
    twins={
        "R never counts": lambda full, early: full - 1,  # noqa: ARG005
        "every F counts": lambda full, early: full,  # noqa: ARG005
        "one more": lambda full, early: full + early,
    },
    rests_on=("T.A", "T.B", "T.C", "T.golden.sizes", "T.monotone", "T.pad"),
    hypotheses=(
        Hypothesis("L is above the depth", lambda held: held[1] > Word.parse(held[0]).depth, outside=("RF", 1)),
        Hypothesis("β is at least 1", lambda held: held[2] >= 1, outside=("RF", 2, 0)),
    ),
    witness=("RF", 2, 8),
)
"""The witness: a word, L, β."""
