"""T.B2: two full layers, no R layer before the second, do not compose two tables.

Integers x_0, v, Θ with x_0·v ≤ m: the last x_0 entries of table 1 have v values each, in disjoint sets. (a)
(Θ−1)^{x_0}·2^{β·n_1+Λ_1} < (x_0v)^{x_0}: behind what every w hears of table 1 in layer 1, Θ pairs of an entry and a
value survive. (b) 2^{Λ_1+β(n_1+x_0+x_0v+n_1x_0)+Θλ_2} < N^{n_1Θ}: what w, z_0's token and these entries hear of table
2 in layer 1, what w hears in layer 2 for each (w, z_0), and the late states into w, for each pair. β = 8 is certified
at 562 tokens.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from proofs_checks.kit.coq.comparison import IN_COQ, Case, Comparison, altered, by_name, drawn_states
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Hypothesis, Statement
from proofs_checks.kit.theorems import Impossibility, supposed, theorem_b2
from separation.bounds import Word

HEARD = "lam 1 + beta * (n1 + x0 + x0 * v + n1 * x0) + Th * lam 2"


def case(text: CoqText, rng: Random) -> Case:
    m, n1, x0, v, theta, beta = (rng.randint(*ends) for ends in ((2, 40), (1, 4), (1, 6), (1, 6), (1, 12), (0, 3)))
    states, _ = drawn_states(rng, 3)
    late = states[1:]
    found = theorem_b2(m, (n1,), x0, v, theta, beta, (0, late[0], sum(late)))
    coq = text.compared("T_B2", beta=beta, lam=(0, *late).__getitem__, m=m, n1=n1, x0=x0, v=v, Th=theta)
    return f"m, n_1, x_0, v, Θ = {m}, {n1}, {x0}, {v}, {theta}", coq, by_name(found.inequalities)


class Shape(NamedTuple):
    """A word, and m, Θ with n_1 = 3, x_0 = 35, v = 4, β = 8 and Λ = 0."""

    word: str
    m: int = 140
    theta: int = 88


def _calculated(shape: Shape) -> Impossibility:
    return theorem_b2(shape.m, (3,), 35, 4, shape.theta, 8, (0, 0, 0))


STATEMENT = Statement(
    id="T.B2",
    title="two full layers without an early R do not compose two tables",
    latex=r"x_0v\le m,\quad (\Theta-1)^{x_0}2^{\beta n_1+\Lambda_1}<(x_0v)^{x_0},\quad "
    r"2^{\Lambda_1+\beta(n_1+x_0+x_0v+n_1x_0)+\Theta\lambda_2}<(mn_1)^{n_1\Theta}",
    english="If these hold for some x_0, v and Θ, no model with two full layers, no R layer before the second, "
    "messages of β bits and these state bits solves FuncComp with two tables of m and m·n_1 entries.",
    subject=IN_COQ,
    check=Comparison("T_B2", case, "m up to 40"),
    twins={
        "layer 1, table 1 to w free": altered("2 ^ (beta * n1 + lam 1) < (x0 * v)", "2 ^ lam 1 < (x0 * v)"),
        "the state behind table 1 free": altered("2 ^ (beta * n1 + lam 1) < (x0 * v)", "2 ^ (beta * n1) < (x0 * v)"),
        "the state behind table 2 free": altered(HEARD, HEARD.removeprefix("lam 1 + ")),
        "layer 1 into w free": altered(HEARD, HEARD.replace("n1 + x0 + x0 * v", "x0 + x0 * v")),
        "layer 1 into z_0 free": altered(HEARD, HEARD.replace("n1 + x0 + x0", "n1 + x0")),
        "layer 2 into w once": altered(HEARD, HEARD.replace("n1 * x0", "n1")),
        "late states into w once": altered(HEARD, HEARD.replace("Th * lam 2", "lam 2")),
    },
    speaks_of=("D1", "D2"),
    rests_on=("L", "M2"),
    hypotheses=(
        Hypothesis(
            "two full layers, and no R layer before the second",
            lambda shape: Word.parse(shape.word).full == 2 and Word.parse(shape.word).depth == 1,
            Shape("FRF"),
        ),
        supposed("x_0·v ≤ m", "fits", _calculated, Shape("FF", m=139)),
        supposed("Θ pairs of an entry and a value survive", "reached", _calculated, Shape("FF", theta=89)),
        supposed("more is asked of table 2 than told", "asked", _calculated, Shape("FF", theta=86)),
    ),
    witness=Shape("FF"),
)
