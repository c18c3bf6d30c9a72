"""T.AL: L−1 full layers and any R layers do not compose L tables, with the delayed charges.

Only w must be blind through layer ℓ, the tables' tokens only through ℓ−1. w_ℓ takes its last ν_ℓ ≤ n_ℓ values alone,
ν_{L-1} = n_{L-1}, W = ν_1⋯ν_{L-1}: constant rows stand in front of those that are asked, behind all of table ℓ+2, so
their tokens count with player ℓ+2: M_2 = ν_1m, M_ℓ = ν_{ℓ-1}N_{ℓ-2} + (n_{ℓ-2}−ν_{ℓ-2})N_{ℓ-3}. P = Λ_0+βW, x_1 = Θ_1,
X_k = x_1⋯x_k; (Θ_1−1)^g·2^{Λ_0} < m^g for some g ≤ m; D_2 = Θ_1λ_1; for ℓ = 2..L−1, t_ℓ = x_ℓν_{ℓ-1}Θ_{ℓ-1}: (E_ℓ)
C(N_{ℓ-1},Θ_ℓ−1)·(Θ_ℓ−1)^{t_ℓ}·2^{x_ℓ(P+D_ℓ)+1} ≤ N_{ℓ-1}^{t_ℓ}, D_{ℓ+1} = 1 + x_ℓD_ℓ + (Λ_{ℓ-1}−Λ_0) + X_ℓλ_ℓ +
β[(ℓ−1)x_ℓM_ℓ + y_ℓ + x_2⋯x_{ℓ-1}(m−g+gΘ_1) + Σ_{i=2..ℓ-1} x_i⋯x_{ℓ-1}M_i + W·X_{ℓ-1}], y_2 = 1, y_ℓ = X_{ℓ-1};
(F) 2^{P+D_L} < N_{L-1}^{n_{L-1}Θ_{L-1}}.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from random import Random
from typing import NamedTuple

from proofs_checks.kit.coq.comparison import IN_COQ, Case, Comparison, Said, altered, by_name, drawn_states
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Hypothesis, Statement
from proofs_checks.kit.theorems import Impossibility, supposed, theorem_al
from separation.bounds import Word

STEP = r"(1 + x * D + \sum_(s.+1 <= t < e.+2) lam t + x * B * lam e.+2 + beta * (e.+1 * (x * (a + p)) + T + W * B))"
UNUSED = {
    "more rows are asked than there are": altered("v <= n, th <= N", "0 <= n, th <= N"),
    "unused rows hear for nothing": altered("(N * v) (N - a) (N * n)", "(N * v) 0 (N * n)"),
}


def drawn_rows(rng: Random, n: Sequence[int]) -> list[int]:
    """ν_1..ν_{L-2}: some rows, all, or one more than there are."""
    return [rng.choice((*range(1, size + 1), size, size, size + 1)) for size in n[:-1]]


def by_level(found: Impossibility, n: Sequence[int], *first: str) -> list[Said]:
    """In Coq's order: the ``first`` ones, around ν_1 ≤ n_1, and of each level ν_ℓ ≤ n_ℓ, Θ_ℓ ≤ N_{ℓ-1} and (E_ℓ);
    Coq also asks for ν_{L-1} ≤ n_{L-1} and for all entries of table L."""
    known, whole = {each.name: each for each in found.inequalities}, Said(n[-1], n[-1], True)
    names = [first[0], "rows 1", *first[1:]]
    for level in range(2, len(n) + 1):
        names += [f"rows {level}", f"possible {level}", f"E {level}"]
    last = f"rows {len(n)}"
    if not {*names, "F"} - {last} <= set(known):
        return by_name(found.inequalities)
    said = [whole if name == last else by_name([known[name]])[0] for name in names]
    every = Said(prod(n), prod(n), True)
    return [*said, every, *by_name([known["F"]])]


def case(text: CoqText, rng: Random) -> Case:
    """g ≤ m, what table 1 reaches, ν_ℓ ≤ n_ℓ, Θ_ℓ ≤ N_{ℓ-1} and (E_ℓ) for each level, (F)."""
    L, m = rng.choice((2, 3, 4, 5)), rng.randint(2, 5)
    n = (*(rng.choice((1, 1, 2, 3)) for _ in range(L - 2)), 2 ** rng.randint(0, 6))
    states, totals = drawn_states(rng, L)
    x, thetas = [rng.choice((1, 1, 2)) for _ in range(L - 2)], [rng.choice((1, 1, 2)) for _ in range(L - 1)]
    g, beta, rows = rng.randint(1, m), rng.choice((1, 2)), drawn_rows(rng, n)
    found = theorem_al(m, n, g, thetas, x, beta, totals, rows)
    shape = {"ns": list(n), "nus": [*rows, n[-1]], "cs": list(zip(x, thetas[1:], strict=True))}
    coq = text.compared("T_A_L_rows", beta=beta, lam=states.__getitem__, m=m, g=g, Th1=thetas[0], **shape)
    return f"m, n, ν, g, Θ, x = {m}, {n}, {rows}, {g}, {thetas}, {x}", coq, by_level(found, n, "entries", "reached")


class Shape(NamedTuple):
    """A word, and β with m = 2, n = (1, 64), Λ = (1, 1, 1) and one copy of each table."""

    word: str
    beta: int = 1


def _calculated(shape: Shape) -> Impossibility:
    return theorem_al(2, (1, 64), 1, (1, 1), (1,), shape.beta, (1, 1, 1))


STATEMENT = Statement(
    id="T.AL",
    title="L−1 full layers do not compose L tables, with one layer of delay",
    latex=r"(\Theta_1-1)^g2^{\Lambda_0}<m^g,\quad \tbinom{N_{\ell-1}}{\Theta_\ell-1}(\Theta_\ell-1)^{t_\ell}"
    r"2^{x_\ell(P+D_\ell)+1}\le N_{\ell-1}^{t_\ell},\quad 2^{P+D_L}<N_{L-1}^{n_{L-1}\Theta_{L-1}}",
    english="If these hold for some g, Θ_ℓ ≤ N_{ℓ-1}, x_ℓ and 1 ≤ ν_ℓ ≤ n_ℓ, with P = Λ_0 + β·W and D_ℓ the delayed "
    "charges, no model with L−1 full layers and these bits solves FuncComp with L tables.",
    subject=IN_COQ,
    check=Comparison("T_A_L_rows", case, "L up to 5, all rows or some"),
    twins={
        **UNUSED,
        "the state behind table 1 free": altered("Th1.-1 ^ g * 2 ^ lam 0 < m ^ g", "Th1.-1 ^ g < m ^ g"),
        "layer 1, tables to w free": altered("lam 0 (lam 0 + beta * W) W", "lam 0 (lam 0) W"),
        "the bit of the choice free": altered(STEP, STEP.replace("1 + x * D", "x * D")),
        "the new boundary free": altered(STEP, STEP.replace(r" + \sum_(s.+1 <= t < e.+2) lam t", "")),
        "late states once": altered(STEP, STEP.replace("x * B * lam", "lam")),
        "one layer less into the table itself": altered(STEP, STEP.replace("e.+1 * (x * (a", "e * (x * (a")),
        "into z_0 and the tables below free": altered(STEP, STEP.replace(" + T + W * B", " + W * B")),
        "last layer into w once": altered(STEP, STEP.replace("W * B", "W")),
        "states into w free": altered("W 0 (Th1 * lam 1) (1 + t1)", "W 0 0 (1 + t1)"),
    },
    applies_to=("D1", "D2"),
    rests_on=("L", "M2"),
    hypotheses=(
        Hypothesis("the word has L−1 full layers", lambda shape: Word.parse(shape.word).full == 2, Shape("RFFF")),
        supposed("the inequalities of every level, and of the end", "", _calculated, Shape("RFF", beta=9)),
    ),
    witness=Shape("RFF"),
)
