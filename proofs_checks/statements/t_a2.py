"""T.A2: one full layer and any R layers do not compose two tables, linear in the model's bits.

If for some Θ ≥ 1 (Θ−1)^m·2^{Λ_0} < m^m and 2^{Λ_0 + Θ(Λ_1−Λ_0) + β·n_1} < N^{n_1Θ}, N = m·n_1, no model with one full
layer solves FuncComp with two tables; λ_0 = Λ_0 are the bits of the R layers before F, λ_1 = Λ_1 − Λ_0 those of the R
layers after F and of R heads beside it, and each of the two is bounded for itself. Fix the
commonest state behind table 2, then the commonest behind table 1, a function of z_1 alone now: some z_0 reaches Θ
values, by tables T_i. With them fixed w's messages from table 2 depend on w alone (β·n_1), and the late states into w
on T_i alone (λ_1 each); n_1·Θ entries of table 2 are asked. β = Λ = 8 is certified at 22 tokens.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from proofs_checks.kit.coq.comparison import IN_COQ, Case, Comparison, altered, by_name, drawn_states
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Hypothesis, Statement
from proofs_checks.kit.theorems import Impossibility, supposed, theorem_a2
from separation.bounds import Word


def case(text: CoqText, rng: Random) -> Case:
    m, n1, theta, beta = (rng.randint(*ends) for ends in ((2, 12), (1, 5), (1, 12), (0, 20)))
    states, totals = drawn_states(rng, 2, range(9))
    found = theorem_a2(m, (n1,), theta, beta, totals)
    coq = text.compared("T_A2", beta=beta, lam=states.__getitem__, m=m, n1=n1, Th=theta)
    return f"m, n_1, Θ, β = {m}, {n1}, {theta}, {beta}", coq, by_name(found.inequalities)


class Shape(NamedTuple):
    """A word, and m, Θ, β, Λ_0 with n_1 = 1 and no late states."""

    word: str
    m: int = 10
    theta: int = 6
    beta: int = 8
    early: int = 8


def _calculated(shape: Shape) -> Impossibility:
    return theorem_a2(shape.m, (1,), shape.theta, shape.beta, (shape.early, shape.early))


STATEMENT = Statement(
    id="T.A2",
    title="one full layer does not compose two tables, linear in β and Λ",
    latex=r"(\Theta-1)^m2^{\Lambda_0}<m^m,\quad 2^{\Lambda_0+\Theta(\Lambda_1-\Lambda_0)+\beta n_1}<(mn_1)^{n_1\Theta}",
    english="If both inequalities hold for some Θ, no model with one full layer, messages of β bits, λ_0 = Λ_0 "
    "state bits before it and λ_1 = Λ_1 − Λ_0 beside it and after it, each block for itself, solves FuncComp with two "
    "tables of m and m·n_1 entries.",
    subject=IN_COQ,
    check=Comparison("T_A2", case, "m up to 12"),
    twins={
        "the state behind table 1 is free": altered("Th.-1 ^ m * 2 ^ lam 0 < m ^ m", "Th.-1 ^ m < m ^ m"),
        "the state behind table 2 is free": altered("lam 0 + Th * lam 1 + beta * n1", "Th * lam 1 + beta * n1"),
        "late states are paid once": altered("lam 0 + Th * lam 1 + beta * n1", "lam 0 + lam 1 + beta * n1"),
        "what w hears is paid once": altered("lam 0 + Th * lam 1 + beta * n1", "lam 0 + Th * lam 1 + beta"),
        "z_0's token is charged too": altered("Th * lam 1 + beta * n1", "Th * lam 1 + beta * n1.+1"),
    },
    applies_to=("D1", "D2"),
    rests_on=("L", "M2"),
    hypotheses=(
        Hypothesis("the word has at most one full layer", lambda shape: Word.parse(shape.word).full <= 1, Shape("RFF")),
        supposed("some z_0 reaches Θ values behind one state", "reached", _calculated, Shape("RF", theta=8)),
        supposed("more is asked of table 2 than told", "asked", _calculated, Shape("RF", theta=4)),
    ),
    witness=Shape("RF"),
)
