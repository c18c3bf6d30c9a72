"""T.BL: L full layers, no R layer before the second, do not compose L tables, with the delayed charges.

As T.AL with one more layer: P_1 = βW+Λ_1, C(m,Θ_1−1)(Θ_1−1)^{x_0x_1}·2^{x_1P_1} < m^{x_0x_1} with Θ_1 ≤ m, P =
P_1+β(m+x_0x_1), D_2 = βWx_0+Θ_1λ_2, Y_k = Θ_1x_2⋯x_k, and D_{ℓ+1} = 1 + x_ℓD_ℓ + (Λ_ℓ−Λ_1) + Y_ℓλ_{ℓ+1} +
β[ℓx_ℓM_ℓ + Y_{ℓ-1} + x_2⋯x_{ℓ-1}(m−x_0+x_0x_1) + Σ_{i=2..ℓ-1} x_i⋯x_{ℓ-1}M_i + W·Y_{ℓ-1}], W and M_ℓ of used rows.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from proofs_checks.kit.coq.comparison import IN_COQ, Case, Comparison, altered, drawn_states
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Hypothesis, Statement
from proofs_checks.kit.theorems import Impossibility, supposed, theorem_bl
from proofs_checks.statements.t_al import STEP, UNUSED, by_level, drawn_rows
from separation.bounds import Word


def case(text: CoqText, rng: Random) -> Case:
    """x_0 ≤ m, Θ_1 ≤ m and what table 1 reaches; ν_ℓ ≤ n_ℓ, Θ_ℓ ≤ N_{ℓ-1} and (E_ℓ) for each level; (F)."""
    L, m = rng.choice((2, 3, 4)), rng.randint(2, 5)
    n = (*(rng.choice((1, 1, 2, 3)) for _ in range(L - 2)), rng.choice((1, 3, 20, 90)))
    later, _ = drawn_states(rng, L, (0, 0, 1, 3))
    states, totals = (0, *later), (0, *(sum(later[: block + 1]) for block in range(L)))
    x, thetas = [rng.choice((1, 1, 2)) for _ in range(L - 2)], [rng.choice((1, 1, 2)) for _ in range(L - 1)]
    x0, x1, beta = rng.randint(1, m), rng.randint(1, 3), rng.choice((1, 2))
    rows = drawn_rows(rng, n)
    found = theorem_bl(m, n, x0, x1, thetas, x, beta, totals, rows)
    shape = {"ns": list(n), "nus": [*rows, n[-1]], "cs": list(zip(x, thetas[1:], strict=True))}
    coq = text.compared("T_B_L_rows", beta=beta, lam=states.__getitem__, m=m, x0=x0, x1=x1, Th1=thetas[0], **shape)
    said = by_level(found, n, "entries", "possible 1", "E 1")
    return f"m, n, ν, x_0, x_1, Θ, x = {m}, {n}, {rows}, {x0}, {x1}, {thetas}, {x}", coq, said


class Shape(NamedTuple):
    """A word, and β with m = 2, n = (1, 512), Λ = 0 and one copy of each table."""

    word: str
    beta: int = 1


def _calculated(shape: Shape) -> Impossibility:
    return theorem_bl(2, (1, 512), 1, 1, (1, 1), (1,), shape.beta, (0, 0, 0, 0))


STATEMENT = Statement(
    id="T.BL",
    title="L full layers without an early R do not compose L tables, with one layer of delay",
    latex=r"\tbinom{m}{\Theta_1-1}(\Theta_1-1)^{x_0x_1}2^{x_1P_1}<m^{x_0x_1},\ P_1=\beta W+\Lambda_1,\quad "
    r"P=P_1+\beta(m+x_0x_1),\quad 2^{P+D_L}<N_{L-1}^{n_{L-1}\Theta_{L-1}}",
    english="If these and (E_ℓ) hold for some x_0 ≤ m, x_1, Θ_ℓ, x_ℓ and ν_ℓ ≤ n_ℓ, no model with L full layers, no R "
    "layer before the second of them and these bits solves FuncComp with L tables.",
    subject=IN_COQ,
    check=Comparison("T_B_L_rows", case, "L up to 4, all rows or some"),
    twins={
        **UNUSED,
        "layer 1, tables to w free": altered("let P1 := beta * W + lam 1", "let P1 := lam 1"),
        "the state behind a table free": altered("let P1 := beta * W + lam 1", "let P1 := beta * W"),
        "what table 1 was told is free": altered("* 2 ^ (x1 * P1) < m ^ (x1 * x0)", "< m ^ (x1 * x0)"),
        "layer 1, tables to tokens free": altered("(P1 + beta * (m + x0 * x1)) W 1", "P1 W 1"),
        "layer 2 into w free": altered("W 1 (beta * (W * x0) + Th1 * lam 2)", "W 1 (Th1 * lam 2)"),
        "states into w once": altered("W 1 (beta * (W * x0) + Th1 * lam 2)", "W 1 (beta * (W * x0) + lam 2)"),
        "the new boundary free": altered(STEP, STEP.replace(r" + \sum_(s.+1 <= t < e.+2) lam t", "")),
        "one layer less into the table itself": altered(STEP, STEP.replace("e.+1 * (x * (a", "e * (x * (a")),
        "last layer into w once": altered(STEP, STEP.replace("W * B", "W")),
    },
    applies_to=("D1", "D2"),
    rests_on=("L", "M2"),
    hypotheses=(
        Hypothesis(
            "the word has L full layers, and no R layer before the second",
            lambda shape: Word.parse(shape.word).full == 3 == Word.parse(shape.word).depth + 1,
            Shape("FRFF"),
        ),
        supposed("the inequalities of every level, and of the end", "", _calculated, Shape("FFF", beta=9)),
    ),
    witness=Shape("FFF"),
)
