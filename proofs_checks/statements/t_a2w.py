"""T.A2W: one full layer and windows do not compose two tables; a window costs its reach in tokens, not its state.

r_0 and r_1 are the reaches of all windows before and after the full layer, added up. z_0 = r_0, and table 1 is
constant but for z_1(z_0) = i. What stands before that entry counts with table 2. From it on no token sees table 2
before the full layer, and the last r_1 tokens before w, and w, see neither it nor i (2r_0 + r_1 ≤ m). So in the full
layer w hears β bits for each w, each of the r_1 tokens before it β bits, whatever i is; all else is known. All N
entries (w, i) are asked: β(n_1 + r_1) < N·log2 N contradicts.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from proofs_checks.kit.coq.comparison import IN_COQ, Case, Comparison, Said, altered, by_name
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Hypothesis, Statement
from proofs_checks.kit.theorems import Impossibility, supposed
from separation.bounds import Word
from separation.bounds.theorems.theorem_a2w import theorem_a2w


def case(text: CoqText, rng: Random) -> Case:
    """m ≥ 1, 2r_0 + r_1 ≤ m, and less is heard than asked."""
    m, n1, beta, before, after = (rng.randint(*ends) for ends in ((2, 12), (1, 3), (1, 20), (0, 4), (0, 4)))
    found = theorem_a2w(m, (n1,), beta, (before, after))
    coq = text.compared("T_A2_W", beta=beta, m=m, n1=n1, r0=before, r1=after)
    return f"m, n_1, β = {m}, {n1}, {beta}", coq, [Said(0, m, True), *by_name(found.inequalities)]


class Shape(NamedTuple):
    """A word, and m, β with n_1 = 2, r_0 = 3 and r_1 = 2."""

    word: str
    m: int = 14
    beta: int = 33


def _calculated(shape: Shape) -> Impossibility:
    return theorem_a2w(shape.m, (2,), shape.beta, (3, 2))


STATEMENT = Statement(
    id="T.A2W",
    title="one full layer and windows do not compose two tables",
    latex=r"2r_0+r_1\le m,\qquad 2^{\beta(n_1+r_1)}<N^N",
    english="If these hold, no model with one full layer, messages of β bits and, besides, windows whose reaches add "
    "up to r_0 before and r_1 behind it solves FuncComp with two tables of m and N = m·n_1 entries.",
    subject=IN_COQ,
    check=Comparison("T_A2_W", case, "m up to 12"),
    twins={
        "w hears for nothing": altered("beta * (n1 + r1)", "beta * r1"),
        "the last tokens hear for nothing": altered("beta * (n1 + r1)", "beta * n1"),
        "table 1 one entry shorter": altered("2 * r0 + r1 <= m", "2 * r0 + r1 <= m.+1"),
    },
    applies_to=("D1", "D2"),
    rests_on=("M2",),
    hypotheses=(
        Hypothesis("one full layer and windows alone", lambda s: Word.parse(s.word).windows_alone, Shape("RW(4)F")),
        supposed("2r_0 + r_1 ≤ m", "room", _calculated, Shape("W(4)FW(3)", m=7)),
        supposed("w and the last tokens hear too little", "asked", _calculated, Shape("W(4)FW(3)", beta=34)),
    ),
    witness=Shape("W(4)FW(3)"),
)
