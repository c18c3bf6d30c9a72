"""T.BL: L full layers, no R layer before the second, do not compose L tables, with the delayed charges.

As T.AL with one more layer: P_1 = βW+Λ_1, C(m,Θ_1−1)(Θ_1−1)^{x_0x_1}·2^{x_1P_1} < m^{x_0x_1} with Θ_1 ≤ m, P =
P_1+β(m+x_0x_1), D_2 = βWx_0+Θ_1λ_2, Y_k = Θ_1x_2⋯x_k, and D_{ℓ+1} = 1 + x_ℓD_ℓ + (Λ_ℓ−Λ_1) + Y_ℓλ_{ℓ+1} +
β[ℓx_ℓN_{ℓ-1} + Y_{ℓ-1} + x_2⋯x_{ℓ-1}(m−x_0+x_0x_1) + Σ_{i=2..ℓ-1} x_i⋯x_{ℓ-1}N_{i-1} + W·Y_{ℓ-1}].
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import NamedTuple

from proofs_checks.kit.delayed_levels import Recursion, Sharper, require_allowed, require_same_verdicts
from proofs_checks.kit.solving_protocols import Solver, measured, states_keep_tables, w_hears_tables
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status
from separation.bounds import Word
from separation.bounds.theorems.outcome import Impossibility
from separation.bounds.theorems.theorem_bl import theorem_bl
from separation.tasks.funccomp import Sizes

SIZES = (Sizes(2, (4,)), Sizes(2, (1, 4)))
SEED, SEEDED_CASES = 4, 1500
FIRST = ("entries", "possible 1", "E 1")
"""The inequalities of table 1."""


def solvers() -> list[Solver]:
    """With L full layers and no R layer before the second: one block of states keeps all, or w hears all."""
    found = []
    for sizes in SIZES:
        full = sizes.L
        for block in range(1, full + 1):
            name = f"L = {sizes.L}, the states of block {block} keep everything"
            found.append(measured(name, states_keep_tables(block, sizes.L), sizes, full))
        found.append(measured(f"L = {sizes.L}, w hears all tables", w_hears_tables(sizes.L), sizes, full))
    return found


def check(claim: Recursion) -> Checked:
    """Nothing that exists is forbidden, and the calculator's verdicts are those of the recursion that Coq proves.

    1. *Protocols.* For two and three tables, in each block states that keep everything, and messages that say
       everything: their bits counted, none is forbidden.
    2. *Calculator.* On seeded cases with two to four tables its verdict is that of the recursion, written here as
       SharperDefinitions.v has it.
    """
    require_allowed(claim.b_l, solvers())
    require_same_verdicts(_case, _calculated, FIRST, claim.b_l_first, claim.b_l, Random(SEED), SEEDED_CASES)
    return Checked(
        Status.EXHAUSTIVE,
        "protocols that solve; the recursion of Coq against the calculator",
        f"protocols with two and three tables; {SEEDED_CASES} seeded cases, L up to 4",
    )


def _case(rng: Random) -> Sharper:
    L, m = rng.choice([2, 3, 4]), rng.randint(2, 5)
    n = (1,) * (L - 2) + (rng.randint(4, 90),) if rng.random() < 0.6 else tuple(rng.randint(1, 3) for _ in range(L - 1))
    states = (0, *(rng.choice([0, 0, 1, 3, 9]) for _ in range(L)))
    copies = tuple((rng.choice([1, 1, 2]), rng.choice([1, 1, 2])) for _ in range(L - 2))
    x0, x1 = rng.randint(1, m), rng.randint(1, 3)
    return Sharper(m, n, 1, states, rng.choice([1, 1, 2]), copies, x0=x0, x1=x1)


def _calculated(of: Sharper) -> Impossibility:
    thetas = (of.theta1, *(theta for _, theta in of.copies))
    return theorem_bl(of.m, of.n, of.x0, of.x1, thetas, [x for x, _ in of.copies], of.beta, of.linear)


class Shape(NamedTuple):
    word: str
    of: Sharper


WITNESS = Shape("FFF", Sharper(2, (1, 512), 1, (0, 0, 0, 0), 1, ((1, 1),)))

STATEMENT = Statement(
    id="T.BL",
    title="L full layers without an early R do not compose L tables, with one layer of delay",
    latex=r"\tbinom{m}{\Theta_1-1}(\Theta_1-1)^{x_0x_1}2^{x_1P_1}<m^{x_0x_1},\ P_1=\beta W+\Lambda_1,\quad "
    r"P=P_1+\beta(m+x_0x_1),\quad 2^{P+D_L}<N_{L-1}^{n_{L-1}\Theta_{L-1}}",
    english="If these and (E_ℓ) hold for some x_0 ≤ m, x_1, Θ_ℓ and x_ℓ, no model with L full layers, no R layer "
    "before the second of them and these bits solves FuncComp with L tables.",
    subject=Recursion(),
    check=check,
    twins={
        f"{name} free": Recursion(frozenset({name}))
        for name in ("first state", "product", "new boundary", "late states", "messages")
    },
    speaks_of=("D1", "D2"),
    rests_on=("L1", "L3", "M2"),
    hypotheses=(
        Hypothesis(
            "the word has L full layers, and no R layer before the second",
            lambda shape: Word.parse(shape.word).full == len(shape.of.n) + 1 == Word.parse(shape.word).depth + 1,
            Shape("FRFF", WITNESS.of),
        ),
        Hypothesis(
            "the inequalities of every level, and of the end",
            lambda shape: Recursion().b_l(shape.of),
            Shape(WITNESS.word, replace(WITNESS.of, beta=WITNESS.of.beta + 8)),
        ),
    ),
    witness=WITNESS,
)
