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

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from proofs_checks.kit.cube import require_determined
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.kit.theorems import Impossibility, supposed, theorem_b2c
from separation.bounds import Word

SEED, CASES, SEEDS = 21, 600, 6


def forbids(m: int, n1: int, chosen: tuple[int, ...], beta: int, states: tuple[int, int]) -> bool:
    """N^(n_1·A) > 2^(g(Λ_1 + β(2n_1+g+v)) + γ·A·λ_2), in integers."""
    g, v, size, groups = (*chosen, 1, n1)[:4] if len(chosen) == 2 else chosen
    beside, late = states
    A = g * v - (v - 1) * (size * beta + beside)
    told = g * (beside + beta * (2 * n1 + g + v))
    fits = g <= m and v <= m and n1 <= size * groups and A >= 1
    return fits and (m * n1) ** (n1 * A) > 1 << (told + groups * A * late)


@dataclass(frozen=True)
class Cube:
    """Theorem B2c, or a false neighbour: a charge that is not paid, or other inequalities."""

    unpaid: str = ""
    forbids: Callable[..., bool] = forbids


def check(claim: Cube) -> Checked:
    """Equal charges, equal outputs, in random protocols at β = 1; the calculator's verdicts against integers."""
    for seed in range(SEEDS):
        require_determined(seed, 2, 2, claim.unpaid)
    rng = Random(SEED)
    for _ in range(CASES):
        m, n1, beta = rng.randint(2, 20), rng.randint(1, 12), rng.randint(1, 6)
        beside, late = rng.choice((0, 0, 2)), rng.choice((0, 3))
        grouping = (rng.randint(1, 3), rng.randint(1, n1)) if late else ()
        chosen = (rng.randint(1, m + 1), rng.randint(1, m + 1), *grouping)
        found = theorem_b2c(m, (n1,), chosen, beta, (0, beside, beside + late)).certified
        where = f"m, n_1, choice, β = {m}, {n1}, {chosen}, {beta}"
        require(claim.forbids(m, n1, chosen, beta, (beside, late)) == found, f"{where}: the calculator says {found}")
    guard = theorem_b2c(4, (1,), (2, 4, 1, 1), 2, (0, 5, 11)).certified
    require(claim.forbids(4, 1, (2, 4, 1, 1), 2, (5, 6)) == guard, "a solvable size is certified by two negative sides")
    return Checked(
        Status.TESTED,
        "protocols with equal charges; integers against the calculator",
        f"{SEEDS} protocols, {CASES} cases",
    )


def without_guard(m: int, n1: int, chosen: tuple[int, ...], beta: int, states: tuple[int, int]) -> bool:
    """The same, but A may be negative: then both exponents are."""
    g, v, size, groups = (*chosen, 1, n1)[:4] if len(chosen) == 2 else chosen
    A = g * v - (v - 1) * (size * beta + states[0])
    if A >= 1:
        return forbids(m, n1, chosen, beta, states)
    told = g * (states[0] + beta * (2 * n1 + g + v)) + groups * A * states[1]
    return g <= m and v <= m and n1 <= size * groups and told < 0 and (m * n1) ** (-n1 * A) < 1 << -told


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
    subject=Cube(),
    check=check,
    twins={
        "layer 1 into w free": Cube(unpaid="layer 1 into w"),
        "layer 1 into z_0 free": Cube(unpaid="z_0"),
        "layer 1 into the entry free": Cube(unpaid="entry e"),
        "layer 1 into later entries free": Cube(unpaid="entries behind e"),
        "layer 2 into w free": Cube(unpaid="layer 2 into w"),
        "A may be negative": Cube(forbids=without_guard),
    },
    speaks_of=("D1", "D2"),
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
