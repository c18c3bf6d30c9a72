"""T.AL: L−1 full layers and any R layers do not compose L tables, with the delayed charges.

Only w must be blind through layer ℓ, the tables' tokens only through ℓ−1. P = Λ_0+βW, x_1 = Θ_1, X_k = x_1⋯x_k;
(Θ_1−1)^g·2^{Λ_0} < m^g for some g ≤ m; D_2 = Θ_1λ_1; for ℓ = 2..L−1, t_ℓ = x_ℓn_{ℓ-1}Θ_{ℓ-1}: (E_ℓ)
C(N_{ℓ-1},Θ_ℓ−1)·(Θ_ℓ−1)^{t_ℓ}·2^{x_ℓ(P+D_ℓ)+1} ≤ N_{ℓ-1}^{t_ℓ}, D_{ℓ+1} = 1 + x_ℓD_ℓ + (Λ_{ℓ-1}−Λ_0) + X_ℓλ_ℓ +
β[(ℓ−1)x_ℓN_{ℓ-1} + y_ℓ + x_2⋯x_{ℓ-1}(m−g+gΘ_1) + Σ_{i=2..ℓ-1} x_i⋯x_{ℓ-1}N_{i-1} + W·X_{ℓ-1}], y_2 = 1, y_ℓ = X_{ℓ-1};
(F) 2^{P+D_L} < N_{L-1}^{n_{L-1}Θ_{L-1}}.

*On fewer inputs.* The proof varies table 1 on its last g entries only and never uses that a table takes all its values:
with v_ℓ values of table ℓ, and v_ℓ for m, N_{ℓ-1} and N_{L-1} as bases and in the binomials, no model is right on all
inputs of the family.

*Which charges are needed.* Without any one of eight the theorem is false, by a protocol that solves all inputs; without
the state behind a table it is false on a family, by a protocol that solves the family. On all inputs that is open: at L
= 3 and Θ_2 > 1 the others allow Λ_0 about half of max(1, log2 N_2/β)² bits for each entry of table 2: too few. *The new
boundary* is not needed: T.agree. Of two it is open altogether: *into z_0*, β·y_ℓ next to β·W·X_{ℓ-1}; and *into the
tables below*, whose tokens hear of the last table before they know the way. With one copy of each table neither is
needed, since all that w hears is paid without them (`require_one_path`).
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random
from typing import NamedTuple

from proofs_checks.kit.delayed_cases import DelayedCase
from proofs_checks.kit.delayed_levels import (
    CHARGES_AL,
    CHARGES_OF_LEVELS,
    FIRST,
    INTO_BELOW,
    INTO_Z0,
    TABLE_STATE,
    TABLE_TO_W,
    Recursion,
    Sharper,
    numbers_of,
)
from proofs_checks.kit.delayed_statement import DelayedTheorem, Solved, counted_names, keeping_or_hearing_all
from proofs_checks.kit.drawn_inputs import Family
from proofs_checks.kit.family_protocols import state_keeps_windows
from proofs_checks.kit.four_table_cases import FFF
from proofs_checks.kit.needed_messages import ROUTED_A
from proofs_checks.kit.searched_protocols import THREE_TABLES, TOO_FEW
from proofs_checks.kit.solving_protocols import (
    entry_in_parts,
    last_but_one_reads_ahead,
    measured,
    states_keep_tables,
    w_hears_tables,
)
from proofs_checks.kit.statement import Hypothesis, Statement
from separation.bounds import Word
from separation.bounds.theorems.outcome import Impossibility
from separation.bounds.theorems.theorem_al import theorem_al
from separation.tasks.funccomp import Sizes


@cache
def solved() -> Solved:
    """With L−1 full layers: one block of states keeps all tables; w hears them; w hears its entry in parts; ahead."""
    parts = measured("FF, w hears its entry in two parts", entry_in_parts(2, 1), Sizes(2, (1, 1 << 10)), 2)
    ahead = measured("RFF, table 2 reads ahead", last_but_one_reads_ahead(early=True), Sizes(256, (4, 1)), 2)
    hears = measured("FF, w hears tables 1 and 2", w_hears_tables(2), Sizes(4, (1, 1200)), 2)
    keeps = measured("RFF, the state keeps table 1", states_keep_tables(0, 1), Sizes(28237, (414, 26)), 2)
    return (
        *keeping_or_hearing_all(lambda L: L - 1, lambda full: range(full + 1)),
        (parts.name, numbers_of(parts)),
        (ahead.name, numbers_of(ahead, theta1=32, copies=((20, 512),), g=3)),
        (hears.name, numbers_of(hears, copies=((4, 3),))),
        (keeps.name, numbers_of(keeps, theta1=12813, copies=((8, 9201985),))),
    )


@cache
def solved_on_families() -> Solved:
    """RFF: the state keeps table 2 where it varies, 3,424,953 entries; z_0 is one of 97 million."""
    family = Family(97328586, (3424953, 10022622230, 1 << 22))
    sizes = Sizes(10022622230, (1, 104383))
    keeps = measured("RFF, the state keeps the windows", state_keeps_windows, sizes, 2, family)
    return ((keeps.name, numbers_of(keeps, theta1=1464185, copies=((6707, 2015606602),), g=family.starts)),)


def _charged(claim: Recursion, of: Sharper) -> tuple[dict[str, int], dict[str, int]]:
    start, (x2, _) = claim.a_l_start(of), of.copies[0]
    level = claim.level_charges(of, 0, 0, x2, of.m * of.n[0], of.theta1, 1, of.m - of.g + of.g * of.theta1)
    before = {
        FIRST: 0 if FIRST in claim.free else of.states[0],
        "layer 1, table 2 to w": start[0][TABLE_TO_W],
        "the states behind the windows": start[0][TABLE_STATE],
    }
    return before, counted_names(start, level, of, full=False)


def _drawn(rng: Random) -> Sharper:
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


THEOREM = DelayedTheorem(
    forbids=Recursion.a_l,
    forbids_first=Recursion.a_l_first,
    charged=_charged,
    calculated=_calculated,
    drawn=_drawn,
    solved=solved,
    solved_on_families=solved_on_families,
    names=(*CHARGES_AL, *CHARGES_OF_LEVELS),
    first_names=("entries", "reached"),
    on_families=frozenset({TABLE_STATE}),
    not_refuted=frozenset({INTO_Z0, INTO_BELOW}),
    cases=(
        DelayedCase("A", "RFRFR", seed=1),
        DelayedCase("A", "FF", seed=1),
        DelayedCase("A", "FRF", seed=1),
        DelayedCase("A", "RFF", seed=1),
        *ROUTED_A,
    ),
    searches={
        THREE_TABLES: Sharper(2, (1, 1), 1, (1, 0, 0), 1, ((1, 1),)),
        TOO_FEW: Sharper(2, (1, 5), 1, (0, 0, 0), 1, ((1, 1),)),
    },
    seeded_cases=500,
    four_tables=FFF,
)


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
    check=THEOREM.check,
    twins=THEOREM.twins(),
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
