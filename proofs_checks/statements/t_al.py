"""T.AL: L−1 full layers and any R layers do not compose L tables, with the delayed charges.

Only w must be blind through layer ℓ, the tables' tokens only through ℓ−1. P = Λ_0+βW, x_1 = Θ_1, X_k = x_1⋯x_k;
(Θ_1−1)^g·2^{Λ_0} < m^g for some g ≤ m; D_2 = Θ_1λ_1; for ℓ = 2..L−1, t_ℓ = x_ℓn_{ℓ-1}Θ_{ℓ-1}: (E_ℓ)
C(N_{ℓ-1},Θ_ℓ−1)·(Θ_ℓ−1)^{t_ℓ}·2^{x_ℓ(P+D_ℓ)+1} ≤ N_{ℓ-1}^{t_ℓ}, D_{ℓ+1} = 1 + x_ℓD_ℓ + (Λ_{ℓ-1}−Λ_0) + X_ℓλ_ℓ +
β[(ℓ−1)x_ℓN_{ℓ-1} + y_ℓ + x_2⋯x_{ℓ-1}(m−g+gΘ_1) + Σ_{i=2..ℓ-1} x_i⋯x_{ℓ-1}N_{i-1} + W·X_{ℓ-1}], y_2 = 1, y_ℓ = X_{ℓ-1};
(F) 2^{P+D_L} < N_{L-1}^{n_{L-1}Θ_{L-1}}.
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
from separation.bounds.theorems.theorem_al import theorem_al
from separation.tasks.funccomp import Sizes

SIZES = (Sizes(2, (4,)), Sizes(2, (1, 4)))
SEED, SEEDED_CASES = 4, 500
FIRST = ("entries", "reached")
"""The inequalities of table 1."""


def solvers() -> list[Solver]:
    """With L−1 full layers: one block of states keeps all tables, or w hears all of them."""
    found = []
    for sizes in SIZES:
        full = sizes.L - 1
        for block in range(full + 1):
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
    require_allowed(claim.a_l, solvers())
    require_same_verdicts(_case, _calculated, FIRST, claim.a_l_first, claim.a_l, Random(SEED), SEEDED_CASES)
    return Checked(
        Status.EXHAUSTIVE,
        "protocols that solve; the recursion of Coq against the calculator",
        f"protocols with two and three tables; {SEEDED_CASES} seeded cases, L up to 4",
    )


def _case(rng: Random) -> Sharper:
    L, m = rng.choice([2, 3, 4]), rng.randint(2, 4)
    n = (
        (1,) * (L - 2) + (2 ** rng.randint(1, 7),)
        if rng.random() < 0.8
        else tuple(rng.randint(1, 3) for _ in range(L - 1))
    )
    states = tuple(rng.choice([0, 0, 1, 2]) for _ in range(L))
    copies = tuple((rng.choice([1, 1, 2]), rng.choice([1, 1, 2])) for _ in range(L - 2))
    return Sharper(m, n, 1, states, rng.choice([1, 1, 2]), copies, g=rng.randint(1, m))


def _calculated(of: Sharper) -> Impossibility:
    thetas = (of.theta1, *(theta for _, theta in of.copies))
    return theorem_al(of.m, of.n, of.g, thetas, [x for x, _ in of.copies], of.beta, of.linear)


class Shape(NamedTuple):
    word: str
    of: Sharper


WITNESS = Shape("RFF", Sharper(2, (1, 64), 1, (1, 0, 0), 1, ((1, 1),), g=1))

STATEMENT = Statement(
    id="T.AL",
    title="L−1 full layers do not compose L tables, with one layer of delay",
    latex=r"(\Theta_1-1)^g2^{\Lambda_0}<m^g,\quad \tbinom{N_{\ell-1}}{\Theta_\ell-1}(\Theta_\ell-1)^{t_\ell}"
    r"2^{x_\ell(P+D_\ell)+1}\le N_{\ell-1}^{t_\ell},\quad 2^{P+D_L}<N_{L-1}^{n_{L-1}\Theta_{L-1}}",
    english="If these hold for some g, Θ_ℓ ≤ N_{ℓ-1} and x_ℓ, with P = Λ_0 + β·W and D_ℓ the delayed charges, no model "
    "with L−1 full layers and these bits solves FuncComp with L tables.",
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
            "the word has L−1 full layers",
            lambda shape: Word.parse(shape.word).full == len(shape.of.n),
            Shape("RFFF", WITNESS.of),
        ),
        Hypothesis(
            "the inequalities of every level, and of the end",
            lambda shape: Recursion().a_l(shape.of),
            Shape(WITNESS.word, replace(WITNESS.of, beta=WITNESS.of.beta + 8)),
        ),
    ),
    witness=WITNESS,
)
