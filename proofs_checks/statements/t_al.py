"""T.AL: L−1 full layers and any R layers do not compose L tables, with the delayed charges.

Only w must be blind through layer ℓ, the tables' tokens only through ℓ−1. P = Λ_0+βW, x_1 = Θ_1, X_k = x_1⋯x_k;
(Θ_1−1)^g·2^{Λ_0} < m^g for some g ≤ m; D_2 = Θ_1λ_1; for ℓ = 2..L−1, t_ℓ = x_ℓn_{ℓ-1}Θ_{ℓ-1}: (E_ℓ)
C(N_{ℓ-1},Θ_ℓ−1)·(Θ_ℓ−1)^{t_ℓ}·2^{x_ℓ(P+D_ℓ)+1} ≤ N_{ℓ-1}^{t_ℓ}, D_{ℓ+1} = 1 + x_ℓD_ℓ + (Λ_{ℓ-1}−Λ_0) + X_ℓλ_ℓ +
β[(ℓ−1)x_ℓN_{ℓ-1} + y_ℓ + x_2⋯x_{ℓ-1}(m−g+gΘ_1) + Σ_{i=2..ℓ-1} x_i⋯x_{ℓ-1}N_{i-1} + W·X_{ℓ-1}], y_2 = 1, y_ℓ = X_{ℓ-1};
(F) 2^{P+D_L} < N_{L-1}^{n_{L-1}Θ_{L-1}}.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random
from typing import NamedTuple

from proofs_checks.kit.delayed_cases import DelayedCase
from proofs_checks.kit.delayed_levels import (
    BOUNDARY,
    CHARGES_AL,
    CHARGES_OF_LEVELS,
    FIRST,
    INTO_BELOW,
    INTO_Z0,
    TABLE_STATE,
    TABLE_TO_W,
    Recursion,
    Sharper,
    counted_names,
    numbers_of,
    refuted,
    require_allowed,
    require_counted,
    require_same_verdicts,
)
from proofs_checks.kit.solving_protocols import (
    entry_in_parts,
    last_but_one_reads_ahead,
    measured,
    states_keep_tables,
    w_hears_tables,
)
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Word
from separation.bounds.theorems.outcome import Impossibility
from separation.bounds.theorems.theorem_al import theorem_al
from separation.tasks.funccomp import Sizes

SIZES = (Sizes(2, (4,)), Sizes(2, (1, 4)))
CASES = (
    DelayedCase("A", "RFRFR", seed=1),
    DelayedCase("A", "FF", seed=1),
    DelayedCase("A", "FRF", seed=1),
    DelayedCase("A", "RFF", seed=1),
)
SEED, SEEDED_CASES = 4, 500
FIRST_NAMES = ("entries", "reached")
"""The inequalities of table 1."""
NAMES = (*CHARGES_AL, *CHARGES_OF_LEVELS)
NOT_REFUTED = {FIRST, TABLE_STATE, BOUNDARY, INTO_Z0, INTO_BELOW}
"""No protocol that is known solves what the theorem without one of these would forbid; transcripts count them."""


@cache
def solved() -> tuple[tuple[str, Sharper], ...]:
    """With L−1 full layers: one block of states keeps all tables; w hears them; w hears its entry in parts; ahead."""
    found = []
    for sizes in SIZES:
        full = sizes.L - 1
        for block in range(full + 1):
            name = f"L = {sizes.L}, the states of block {block} keep everything"
            found.append((name, numbers_of(measured(name, states_keep_tables(block, sizes.L), sizes, full))))
        name = f"L = {sizes.L}, w hears all tables"
        found.append((name, numbers_of(measured(name, w_hears_tables(sizes.L), sizes, full))))
    parts = measured("FF, w hears its entry in two parts", entry_in_parts(2, 1), Sizes(2, (1, 1 << 10)), 2)
    ahead = measured("RFF, table 2 reads ahead", last_but_one_reads_ahead(early=True), Sizes(256, (4, 1)), 2)
    hears = measured("FF, w hears tables 1 and 2", w_hears_tables(2), Sizes(4, (1, 1200)), 2)
    return (
        *found,
        (parts.name, numbers_of(parts)),
        (ahead.name, numbers_of(ahead, theta1=32, copies=((20, 512),), g=3)),
        (hears.name, numbers_of(hears, copies=((4, 3),))),
    )


def check(claim: Recursion) -> Checked:
    """Nothing that exists is forbidden; transcripts show the charges; the calculator has the recursion that Coq proves.

    1. *Protocols.* For two and three tables, in each block states that keep everything; w hears everything, or its
       entry in two parts; table 2 reads table 3 ahead: their bits counted, none is forbidden. Without any one charge
       that is not in NOT_REFUTED some of them would be.
    2. *Transcripts.* In random models of four words with three tables, all sets written out: each class of messages
       is a function of what its charge says that its receiver knows; in number and bits they are the charges, by name;
       and with all of them fixed, all that w hears is fixed.
    3. *Calculator.* On seeded cases with two to four tables its verdict is that of the recursion, written here as
       SharperDefinitions.v has it.
    """
    require_allowed(claim.a_l, solved())
    for case in CASES:
        require_counted(case, lambda of: _charged(claim, of))
    gone = refuted(Recursion.a_l, NAMES, solved())
    require(gone == set(NAMES) - NOT_REFUTED, f"protocols refute the theorem without one of {sorted(gone)}")
    require_same_verdicts(_case, _calculated, FIRST_NAMES, claim.a_l_first, claim.a_l, Random(SEED), SEEDED_CASES)
    return Checked(
        Status.EXHAUSTIVE,
        f"protocols that solve; {len(CASES)} models' transcripts; the recursion of Coq against the calculator",
        f"protocols with two and three tables; transcripts at m = 2, L = 3; {SEEDED_CASES} seeded cases, L up to 4",
    )


def _charged(claim: Recursion, of: Sharper) -> tuple[dict[str, int], dict[str, int]]:
    start, (x2, _) = claim.a_l_start(of), of.copies[0]
    level = claim.level_charges(of, 0, 0, x2, of.m * of.n[0], of.theta1, 1, of.m - of.g + of.g * of.theta1)
    before = {
        FIRST: 0 if FIRST in claim.free else of.states[0],
        "layer 1, table 2 to w": start[0][TABLE_TO_W],
        "the states behind the windows": start[0][TABLE_STATE],
    }
    return before, counted_names(start, level, of, full=False)


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
    twins={f"{name} free": Recursion(frozenset({name})) for name in NAMES},
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
