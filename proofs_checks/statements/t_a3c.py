"""T.A3c: two full layers, no R layer before the first, do not compose three tables; by the cube lemma.

The proof of B2c one table later. The n_1·g entries (w_1, i) of table 2, i in the last g of [m], vary with v values;
T_i is table 1, constant but for T_i(z_0) = i. α of a group c of values of w_2: what every w = (w_1', w_2), w_2 ∈ c,
hears of table 2 in layer 1, and the block-1 state into w for each T_i': ω·n_1·β + g·λ_1 bits over n_1·g entries. The
states depend on z_3, so L8 is used for each z_3 and averaged. Charged about z_3: the block-1 state in front of e
(λ_1); layer 1 into w (n_2), z_0's token (1), table 1 (m), table 2 from e on (v at e, two at later entries that vary,
one at others); layer 2 into w (n_2); late states, λ_2 for each copy.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.kit.theorems import Impossibility, supposed, theorem_a3c
from separation.bounds import Word

SEED, CASES = 22, 600


def told(m: int, n1: int, n2: int, g: int, v: int) -> int:
    """Twice the average over e of 2n_2 + 1 + m + v + 2·#(later entries that vary) + #(later ones that do not)."""
    places = [(row, i) for row in range(n1) for i in range(m)]
    varying = [place for place in places if place[1] >= m - g]
    total = 0
    for e in varying:
        later = [place for place in places if place > e]
        total += 2 * n2 + 1 + m + v + len(later) + sum(place in varying for place in later)
    assert 2 * total % len(varying) == 0
    return 2 * total // len(varying)


def forbids(
    m: int, n: tuple[int, int], chosen: tuple[int, ...], beta: int, states: tuple[int, int], unpaid: str = ""
) -> bool:
    """N_2^(2n_2·A) > 2^(n_1·g·(2λ_1 + β·told) + 2γ·A·λ_2), in integers; without the charge that is ``unpaid``."""
    (n1, n2), (middle, late) = n, states
    g, v, size, groups = (*chosen, 1, n2)[:4] if len(chosen) == 2 else chosen
    if g > m or v > m * n1 or n2 > size * groups:
        return False
    free = {"table 1": 2 * m, "layer 2 into w": 2 * n2, "the entry": 2 * v}.get(unpaid, 0)
    A = n1 * g * v - (v - 1) * (size * n1 * beta + g * (0 if unpaid == "the state" else middle))
    bits = n1 * g * (2 * middle + beta * (told(m, n1, n2, g, v) - free)) + 2 * groups * A * late
    return A >= 1 and (m * n1 * n2) ** (2 * n2 * A) > 1 << bits


@dataclass(frozen=True)
class Cube:
    """Theorem A3c, or a false neighbour: a charge that is not paid."""

    unpaid: str = ""


def check(claim: Cube) -> Checked:
    """The calculator's verdicts against integers, in which what is told is counted entry by entry."""
    rng = Random(SEED)
    for _ in range(CASES):
        m, n1, n2, beta = rng.randint(2, 8), rng.randint(1, 3), rng.randint(1, 12), rng.randint(1, 4)
        middle, late = rng.choice((0, 0, 1)), rng.choice((0, 2))
        grouping = (rng.randint(1, 3), rng.randint(1, n2)) if late else ()
        chosen = (rng.randint(1, m + 1), rng.randint(1, m * n1 + 1), *grouping)
        found = theorem_a3c(m, (n1, n2), chosen, beta, (0, middle, middle + late)).certified
        where = f"m, n, choice, β = {m}, {(n1, n2)}, {chosen}, {beta}"
        said = forbids(m, (n1, n2), chosen, beta, (middle, late), claim.unpaid)
        require(said == found, f"{where}: the calculator: {found}")
    return Checked(Status.TESTED, "integers against the calculator; the charges by hand", f"{CASES} seeded cases")


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
    subject=Cube(),
    check=check,
    twins={
        "table 1 hears for nothing": Cube("table 1"),
        "layer 2 into w free": Cube("layer 2 into w"),
        "the entry hears for nothing": Cube("the entry"),
        "the state into w tells nothing": Cube("the state"),
    },
    speaks_of=("D1", "D2"),
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
