"""T.A3: two full layers and any R layers do not compose three tables.

W = n_1n_2, t = x_2n_1Θ_1. (a) (Θ_1−1)^g·2^{Λ_0} < u^g; (b) C(N_1,Θ_2−1)·(Θ_2−1)^t·2^{x_2(n_1Λ_0+βW+Θ_1λ_1)+1} ≤ N_1^t
with Θ_2 ≤ N_1 (λ_1 = 0: strict, no +1); (c) 2^D < N_2^{n_2Θ_2}, D = Λ_0 + λ_1 + [λ_1>0]·(1+x_2Θ_1λ_1) + x_2Θ_1λ_2 +
β[W + 1 + (m−g+gΘ_1) + x_2n_1u + (n_1−1)(m−u) + WΘ_1]. The guard Θ_2 ≤ N_1 matters: beyond it the
binomial is 0. Table 1 varies on g entries with u values, table 2 only on the windows that these index.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from proofs_checks.kit.coq.comparison import IN_COQ, Case, Comparison, Said, altered, by_name, drawn_states
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Hypothesis, Statement
from proofs_checks.kit.theorems import Impossibility, supposed, theorem_a3
from separation.bounds import Word

TOLD = "x2 * (n1 * lam 0 + beta * (n1 * n2) + Th1 * lam 1) + 1"
HEARD = "beta * (n1 * n2 + 1 + (m - g + g * Th1) + x2 * n1 * u + n1.-1 * (m - u) + n1 * n2 * Th1)"


def case(text: CoqText, rng: Random) -> Case:
    """One of two forms of Coq: with states between the full layers, and without them."""
    m, n1, n2 = (rng.randint(*ends) for ends in ((2, 8), (1, 2), (1, 60)))
    theta1 = rng.randint(1, min(m, 4))
    sizes = {"beta": rng.randint(1, 2), "m": m, "n1": n1, "n2": n2, "Th1": theta1}
    g, u, x2, theta2 = rng.randint(1, m), rng.randint(1, m), rng.randint(1, 3), rng.randint(1, m * n1)
    states, totals = drawn_states(rng, 3)
    found = theorem_a3(m, (n1, n2), g, u, theta1, x2, theta2, sizes["beta"], totals)
    theorem = "T_A3" if states[1] else "T_A3_quiet"
    coq = text.compared(theorem, lam=states.__getitem__, g=g, u=u, x2=x2, Th2=theta2, **sizes)
    first, rest = by_name(found.inequalities, "values", "entries"), ("possible", "reached", "covered", "asked")
    quiet = [] if states[1] else [Said(0, 0, True)]
    said = [*quiet, *first, Said(0, theta2, True), *by_name(found.inequalities, *rest)]
    return f"{theorem}: {sizes}", coq, said


class Shape(NamedTuple):
    """A word, and g, Θ_1, Θ_2, β with m = 874, n = (1, 10), u = 209, x_2 = 11 and Λ = (8, 8, 8)."""

    word: str
    g: int = 10
    theta1: int = 121
    theta2: int = 342
    beta: int = 8


def _calculated(shape: Shape) -> Impossibility:
    return theorem_a3(874, (1, 10), shape.g, 209, shape.theta1, 11, shape.theta2, shape.beta, (8, 8, 8))


STATEMENT = Statement(
    id="T.A3",
    title="two full layers do not compose three tables",
    latex=r"(\Theta_1-1)^g2^{\Lambda_0}<u^g,\quad "
    r"\tbinom{N_1}{\Theta_2-1}(\Theta_2-1)^t2^{x_2(n_1\Lambda_0+\beta W+\Theta_1\lambda_1)+1}\le N_1^t,\quad "
    r"2^D<N_2^{n_2\Theta_2}",
    english="If (a), (b), (c) hold for some g, u, Θ_1, x_2 and Θ_2 ≤ N_1, no model with two full layers, any R layers "
    "and these bits solves FuncComp with three tables.",
    subject=IN_COQ,
    check=Comparison("T_A3 and T_A3_quiet", case, "m up to 8, n_2 up to 60", cases=400),
    twins={
        "the state behind table 1 free": altered("Th1.-1 ^ g * 2 ^ lam 0 < u ^ g", "Th1.-1 ^ g < u ^ g"),
        "one state behind all windows": altered(TOLD, TOLD.replace("n1 * lam 0", "lam 0")),
        "layer 1, table 2 to w free": altered(TOLD, TOLD.replace(" + beta * (n1 * n2)", "")),
        "states into w free": altered(TOLD, TOLD.replace(" + Th1 * lam 1", "")),
        "the new boundary free": altered("lam 0 + lam 1 + (1 + x2", "lam 0 + (1 + x2"),
        "layer 1 into w free": altered(HEARD, HEARD.replace("n1 * n2 + 1", "1")),
        "layer 1 into z_0 free": altered(HEARD, HEARD.replace(" + 1 +", " +")),
        "layer 1 into table 1 once": altered(HEARD, HEARD.replace("g * Th1", "g")),
        "layer 1 into table 2 once": altered(HEARD, HEARD.replace("x2 * n1 * u", "n1 * u")),
        "last layer into w once": altered(HEARD, HEARD.replace("n1 * n2 * Th1", "n1 * n2")),
        "late states once": altered("+ x2 * Th1 * lam 2", "+ lam 2"),
    },
    applies_to=("D1", "D2"),
    rests_on=("L", "M2"),
    hypotheses=(
        Hypothesis("the word has two full layers", lambda shape: Word.parse(shape.word).full == 2, Shape("RFFF")),
        supposed("g ≤ m", "entries", _calculated, Shape("RFF", g=875)),
        supposed("Θ_2 ≤ N_1", "possible", _calculated, Shape("RFF", theta2=875)),
        supposed("(a)", "reached", _calculated, Shape("RFF", theta1=122)),
        supposed("(b)", "covered", _calculated, Shape("RFF", theta2=343)),
        supposed("(c)", "asked", _calculated, Shape("RFF", beta=9)),
    ),
    witness=Shape("RFF"),
)
