"""T.B: the bits of each level of theorem B, recomputed from who sends what to whom.

The same with one more full layer, when no R comes before the second. Level 1 is about the query alone, in the first
layer: D_1 = β·W (plus Λ_1 for R heads inside that layer). z_0's token may know z_1(z_0) after layer 1, so in layer 2
it counts once for each (z_0, z_1). An R layer before the second F would pass that on to w: the count breaks there, and
C2 shows that it must.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp

from proofs_checks.kit.statement import Checked, CheckFailed, Hypothesis, Statement, Status, require
from proofs_checks.kit.theorems import TheoremCase, inequality
from proofs_checks.statements.t_a import LEVELS, Recursion, recursion, require_levels
from separation.bounds import Parameters, Rule, Word
from separation.bounds.symbolic import BETA, linear_symbol, n_symbol, x_symbol

SUPPOSED = TheoremCase("[FR]FR", Rule.B, Parameters(60_000, (100,), (1000, 10)), 8, (0, 1, 1))


def check(theorem: Recursion) -> Checked:
    """As for theorem A, with one more full layer and no R before the second one.

    Level 1 covers the first full layer for the query alone, which hears β bits for each of its W values, and what the
    R heads in that layer bring: D_1 = β·W + Λ_1. On the way to level 2 z_0's token counts twice: in layer 1 once for
    each z_0, in layer 2 once for each (z_0, z_1), since after layer 1 it may know z_1(z_0). R heads in the first
    layer read what was known before it, so that their state, unlike that of an R layer after it, does not tell the
    query of z_1(z_0).
    """
    for L in range(2, LEVELS + 1):
        D = theorem(Rule.B, L)
        base = BETA * sp.prod(n_symbol(k) for k in range(1, L)) + linear_symbol(1)
        require(sp.expand(D[0] - base) == 0, f"L = {L}: D_1 is {D[0]}, the count is {base}")
        rest = "RF" * (L - 2) + "R"
        for full in ("FF" + rest, "[FR]F" + rest):
            require_levels(Rule.B, [Word.parse(full), Word.parse("F" * L)], D)
    for word in (Word.parse("RF" * LEVELS), Word.parse("FR" * LEVELS)):
        require(_breaks(word, theorem), f"{word}: an R before the second F should break the count")
    return Checked(
        Status.EXHAUSTIVE, "messages counted on a graph (networkx), all sizes symbolic", f"L up to {LEVELS}, every size"
    )


def _breaks(word: Word, theorem: Recursion) -> bool:
    try:
        require_levels(Rule.B, [word], theorem(Rule.B, word.full))
    except CheckFailed:
        return True
    return False


def _without_pairs(rule: Rule, L: int) -> list[Any]:
    """D_2 without x_0·x_1."""
    D = recursion(rule, L)
    return [D[0], D[1] - BETA * x_symbol(0) * x_symbol(1), *D[2:]]


STATEMENT = Statement(
    id="T.B",
    title="what theorem B fixes at each level, L up to 9",
    latex=r"D_1=\beta W,\quad D_2=x_1D_1+1+\Lambda_2+\beta[2x_1N_0+Wx_0+x_0+x_0x_1],\quad D_{\ell+1}=\dots",
    english="With L full layers and no R before the second, level ℓ+1 of the induction has density at least 2^{-D}.",
    subject=recursion,
    check=check,
    twins={
        "z_0's token stays blind": _without_pairs,
        "one layer less for each table kept": lambda rule, L: recursion(rule, L, layers=-1),
        "the states of one block less": lambda rule, L: recursion(rule, L, linear=-1),
    },
    rests_on=("M2", "T.A", "T.levels", "T.run"),
    hypotheses=(
        Hypothesis(
            "the word has L full layers",
            lambda case: case.letters.full == case.point.L,
            outside=replace(SUPPOSED, word="FR"),
        ),
        Hypothesis(
            "no R layer stands before the second full one",
            lambda case: not case.letters.early,
            outside=replace(SUPPOSED, word="FRF"),
        ),
        inequality("x_0 ≤ m", "x_0", outside=replace(SUPPOSED, point=Parameters(900, (100,), (1000, 10)))),
        inequality("𝖾·t_ℓ < 2N_{ℓ-1}", "C_", outside=replace(SUPPOSED, point=Parameters(10000, (100,), (1000, 10)))),
        inequality("(E_ℓ)", "E_", outside=replace(SUPPOSED, beta=16)),
        inequality("(F)", "F", outside=replace(SUPPOSED, beta=9)),
    ),
    witness=SUPPOSED,
)
