"""T.A3c: two full layers, no R layer before the first, do not compose three tables; by the cube lemma.

The proof of B2c one table later. The n_1·g entries (w_1, i) of table 2, i in the last g of [m], vary with v values;
T_i is table 1, constant but for T_i(z_0) = i. α of a group c of values of w_2: what every w = (w_1', w_2), w_2 ∈ c,
hears of table 2 in layer 1, and the block-1 state into w for each T_i': ω·n_1·β + g·λ_1 bits over n_1·g entries. The
states depend on z_3, so L8 is used for each z_3 and averaged. Charged about z_3: the block-1 state in front of e
(λ_1); layer 1 into w (n_2), z_0's token (1), table 1 (m), table 2 from e on (v at e, two at later entries that vary,
one at others); layer 2 into w (n_2); late states, λ_2 for each copy.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from proofs_checks.kit.coq.comparison import IN_COQ, Case, Comparison, altered, said_of_cubes
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Hypothesis, Statement
from proofs_checks.kit.theorems import Impossibility, supposed, theorem_a3c
from separation.bounds import Word

HEARD = "4 * n2 + 2 * m + 2 * v + 2 * (n1 * g) + n1.-1 * (m - g)"


def case(text: CoqText, rng: Random) -> Case:
    m, n1, n2, beta = rng.randint(2, 16), rng.randint(1, 3), rng.randint(1, 12), rng.randint(1, 3)
    middle, late = rng.choice((0, 0, 1)), rng.choice((0, 2))
    size, groups = (rng.randint(1, 3), rng.randint(1, n2)) if late else (1, n2)
    g, v = rng.randint(1, m + 1), rng.randint(1, m * n1 + 1)
    grouping = (size, groups) if late else ()
    found = theorem_a3c(m, (n1, n2), (g, v, *grouping), beta, (0, middle, middle + late)).inequalities
    lam = (0, middle, late).__getitem__
    coq = text.compared("T_A3c", beta=beta, lam=lam, m=m, n1=n1, n2=n2, g=g, v=v, omega=size, gamma=groups)
    # Coq's first equation, λ_0 = 0, is part of the calculator's input
    return f"m, n, g, v, ω, γ = {m}, {(n1, n2)}, {g}, {v}, {size}, {groups}", coq[1:], said_of_cubes(found, n2)


class Shape(NamedTuple):
    """A word, and m with n = (1, 8), g = v = 17, β = 8 and no R."""

    word: str
    m: int = 17
    beta: int = 8


def _calculated(shape: Shape) -> Impossibility:
    return theorem_a3c(shape.m, (1, 8), (17, 17), shape.beta, (0, 0, 0))


STATEMENT = Statement(
    id="T.A3c",
    title="two full layers do not compose three tables: β²/log n tokens",
    latex=r"A=n_1gv-(v-1)(\omega n_1\beta+g\lambda_1)\ge1,\quad n_1g(2\lambda_1+\beta(4n_2+2m+2v+2n_1g+(n_1-1)(m-g)))"
    r"+2\gamma A\lambda_2<2n_2A\log_2N_2",
    english="If these hold for some g ≤ m, v ≤ N_1 and n_2 ≤ ω·γ, no model with two full layers, no R layer before the "
    "first, messages of β bits and these state bits solves FuncComp with three tables.",
    subject=IN_COQ,
    check=Comparison("T_A3c", case, "m up to 16"),
    twins={
        "table 1 hears for nothing": altered(HEARD, HEARD.replace("2 * m + ", "")),
        "layer 2 into w free": altered(HEARD, HEARD.replace("4 * n2", "2 * n2")),
        "the entry hears for nothing": altered(HEARD, HEARD.replace("2 * v + ", "")),
        "rows behind the entry hear for nothing": altered(HEARD, HEARD.replace("n1.-1 * (m - g)", "0")),
        "the state before the entry free": altered("2 * lam 1 + beta * (4", "beta * (4"),
        "the state into w tells nothing": altered("omega * n1 * beta + g * lam 1", "omega * n1 * beta"),
        "late states into w once": altered("2 * gamma * cube_values", "2 * cube_values"),
    },
    applies_to=("D1", "D2"),
    rests_on=("L8", "M2", "T.B2c"),
    hypotheses=(
        Hypothesis(
            "two full layers, and no R layer before the first",
            lambda shape: Word.parse(shape.word).full == 2 and not Word.parse(shape.word).blocks[0],
            Shape("RFF"),
        ),
        supposed("g ≤ m", "entries", _calculated, Shape("FF", m=16)),
        supposed("values survive", "survive", _calculated, Shape("FF", beta=19)),
        supposed("more is asked of table 3 than told", "asked", _calculated, Shape("FF", beta=9)),
    ),
    witness=Shape("FF"),
)
