"""T.AL: L−1 full layers and any R layers do not compose L tables, with the delayed charges.

Only w must be blind through layer ℓ, the tables' tokens only through ℓ−1. P = Λ_0+βW, x_1 = Θ_1, X_k = x_1⋯x_k;
(Θ_1−1)^g·2^{Λ_0} < m^g for some g ≤ m; D_2 = Θ_1λ_1; for ℓ = 2..L−1, t_ℓ = x_ℓn_{ℓ-1}Θ_{ℓ-1}: (E_ℓ)
C(N_{ℓ-1},Θ_ℓ−1)·(Θ_ℓ−1)^{t_ℓ}·2^{x_ℓ(P+D_ℓ)+1} ≤ N_{ℓ-1}^{t_ℓ}, D_{ℓ+1} = 1 + x_ℓD_ℓ + (Λ_{ℓ-1}−Λ_0) + X_ℓλ_ℓ +
β[(ℓ−1)x_ℓN_{ℓ-1} + y_ℓ + x_2⋯x_{ℓ-1}(m−g+gΘ_1) + Σ_{i=2..ℓ-1} x_i⋯x_{ℓ-1}N_{i-1} + W·X_{ℓ-1}], y_2 = 1, y_ℓ = X_{ℓ-1};
(F) 2^{P+D_L} < N_{L-1}^{n_{L-1}Θ_{L-1}}.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from proofs_checks.kit.coq.comparison import IN_COQ, Case, Comparison, altered, by_name, drawn_states
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Hypothesis, Statement
from proofs_checks.kit.theorems import Impossibility, supposed, theorem_al
from separation.bounds import Word

STEP = r"(1 + x * D + \sum_(s.+1 <= t < e.+2) lam t + x * B * lam e.+2 + beta * (e.+1 * (x * N) + T + W * B))"


def case(text: CoqText, rng: Random) -> Case:
    """g ≤ m, what table 1 reaches, Θ_ℓ ≤ N_{ℓ-1} and (E_ℓ) for each level, (F)."""
    L, m = rng.choice((2, 3, 4, 5)), rng.randint(2, 5)
    n = (*(rng.choice((1, 1, 2)) for _ in range(L - 2)), 2 ** rng.randint(0, 6))
    states, linear = drawn_states(rng, L)
    x, thetas = [rng.choice((1, 1, 2)) for _ in range(L - 2)], [rng.choice((1, 1, 2)) for _ in range(L - 1)]
    g, beta = rng.randint(1, m), rng.choice((1, 2))
    found = theorem_al(m, n, g, thetas, x, beta, linear)
    copies = list(zip(x, thetas[1:], strict=True))
    coq = text.compared("T_A_L", beta=beta, lam=states.__getitem__, m=m, ns=list(n), g=g, Th1=thetas[0], cs=copies)
    return f"m, n, g, Θ, x = {m}, {n}, {g}, {thetas}, {x}", coq, by_name(found.inequalities)


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
    english="If these hold for some g, Θ_ℓ ≤ N_{ℓ-1} and x_ℓ, with P = Λ_0 + β·W and D_ℓ the delayed charges, no model "
    "with L−1 full layers and these bits solves FuncComp with L tables.",
    subject=IN_COQ,
    check=Comparison("T_A_L", case, "L up to 5"),
    twins={
        "the state behind table 1 free": altered("Th1.-1 ^ g * 2 ^ lam 0 < m ^ g", "Th1.-1 ^ g < m ^ g"),
        "layer 1, tables to w free": altered("lam 0 (lam 0 + beta * W) W", "lam 0 (lam 0) W"),
        "the bit of the choice free": altered(STEP, STEP.replace("1 + x * D", "x * D")),
        "the new boundary free": altered(STEP, STEP.replace(r" + \sum_(s.+1 <= t < e.+2) lam t", "")),
        "late states once": altered(STEP, STEP.replace("x * B * lam", "lam")),
        "one layer less into the table itself": altered(STEP, STEP.replace("e.+1 * (x * N)", "e * (x * N)")),
        "into z_0 and the tables below free": altered(STEP, STEP.replace(" + T + W * B", " + W * B")),
        "last layer into w once": altered(STEP, STEP.replace("W * B", "W")),
        "states into w free": altered("W 0 (Th1 * lam 1) (1 + t1)", "W 0 0 (1 + t1)"),
    },
    speaks_of=("D1", "D2"),
    rests_on=("L", "M2"),
    hypotheses=(
        Hypothesis("the word has L−1 full layers", lambda shape: Word.parse(shape.word).full == 2, Shape("RFFF")),
        supposed("the inequalities of every level, and of the end", "", _calculated, Shape("RFF", beta=9)),
    ),
    witness=Shape("RFF"),
)
