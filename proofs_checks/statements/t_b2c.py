"""T.B2c: two full layers, no R layer before the second, do not compose two tables; by the cube lemma.

G is the last g entries of table 1, with values in U, |U| = v; table 1 is constant before. The n_1 queries are in γ
groups of at most ω. α_c of a group c: what each w ∈ c hears of G in layer 1, and the state beside the first full layer
behind G; the state in front of G is fixed, Λ_1 bits about z_2. For each c and i ∈ R_c (L8) there is a table T with
T(e) = i and α_c(T) = α_c(Z): ask (z_0 = e, T, w), w ∈ c. Charged about z_2: layer 1 into w (n_1), z_0's token (1),
table 1 from e on (v at e, two at each later entry); layer 2 into w from z_2 and from what stands before e (n_1, as w
knows only itself); the late states into w, λ_2 for each T. With equal charges all answers are equal, so Σ_c
|R_c|·(ω_c·log2 N − λ_2) ≤ Λ_1 + β(2n_1 + 1 + v + 2·#later). Groups whose bracket is negative are not asked; the
average over e and Z contradicts.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from proofs_checks.kit.coq.comparison import IN_COQ, Case, Comparison, altered, said_of_cubes
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Hypothesis, Statement
from proofs_checks.kit.theorems import Impossibility, supposed, theorem_b2c
from separation.bounds import Word

TOLD = "g * (lam 1 + beta * (2 * n1 + g + v)) + gamma * cube_values g v (omega * beta + lam 1) * lam 2"


def case(text: CoqText, rng: Random) -> Case:
    m, n1, beta = rng.randint(2, 40), rng.randint(1, 12), rng.randint(1, 3)
    beside, late = rng.choice((0, 0, 2)), rng.choice((0, 3))
    size, groups = (rng.randint(1, 3), rng.randint(1, n1)) if late else (1, n1)
    g, v = rng.randint(1, m + 1), rng.randint(1, m + 1)
    grouping = (size, groups) if late else ()
    found = theorem_b2c(m, (n1,), (g, v, *grouping), beta, (0, beside, beside + late)).inequalities
    lam = (0, beside, late).__getitem__
    coq = text.compared("T_B2c", beta=beta, lam=lam, m=m, n1=n1, g=g, v=v, omega=size, gamma=groups)
    return f"m, n_1, g, v, ω, γ = {m}, {n1}, {g}, {v}, {size}, {groups}", coq, said_of_cubes(found, n1)


class Shape(NamedTuple):
    """A word, and m with n_1 = 6, g = 16, v = 17, β = 8 and no R."""

    word: str
    m: int = 17
    beta: int = 8


def _calculated(shape: Shape) -> Impossibility:
    return theorem_b2c(shape.m, (6,), (16, 17), shape.beta, (0, 0, 0))


STATEMENT = Statement(
    id="T.B2c",
    title="two full layers without an early R do not compose two tables: β²/log n tokens",
    latex=r"A=gv-(v-1)(\omega\beta+\Lambda_1)\ge1,\quad g(\Lambda_1+\beta(2n_1+g+v))+\gamma A\lambda_2"
    r"<n_1A\log_2(mn_1)",
    english="If these hold for some g, v ≤ m and n_1 ≤ ω·γ, no model with two full layers, no R layer before the "
    "second, messages of β bits and these state bits solves FuncComp with two tables of m and m·n_1 entries.",
    subject=IN_COQ,
    check=Comparison("T_B2c", case, "m up to 40"),
    twins={
        "layer 1 into w free": altered(TOLD, TOLD.replace("2 * n1", "n1")),
        "layer 1 into the entry free": altered(TOLD, TOLD.replace("n1 + g + v", "n1 + g")),
        "layer 1 into later entries free": altered(TOLD, TOLD.replace("n1 + g + v", "n1 + v")),
        "the state before the entries free": altered(TOLD, TOLD.replace("lam 1 + beta * (2", "beta * (2")),
        "late states into w once": altered(TOLD, TOLD.replace("gamma * cube_values", "1 * cube_values")),
        "a group of one query": altered("v (omega * beta + lam 1)", "v (beta + lam 1)"),
        "all values survive": altered("g * v - v.-1 * b", "g * v"),
    },
    applies_to=("D1", "D2"),
    rests_on=("L8", "M2"),
    hypotheses=(
        Hypothesis(
            "two full layers, and no R layer before the second",
            lambda shape: Word.parse(shape.word).full == 2 and Word.parse(shape.word).depth == 1,
            Shape("FRF"),
        ),
        supposed("v ≤ m", "values", _calculated, Shape("FF", m=16)),
        supposed("values survive", "survive", _calculated, Shape("FF", beta=17)),
        supposed("more is asked of table 2 than told", "asked", _calculated, Shape("FF", beta=9)),
    ),
    witness=Shape("FF"),
)
