"""T.BL: L full layers, no R layer before the second, do not compose L tables, with the delayed charges.

As T.AL with one more layer: P_1 = βW+Λ_1, C(m,Θ_1−1)(Θ_1−1)^{x_0x_1}·2^{x_1P_1} < m^{x_0x_1} with Θ_1 ≤ m, P =
P_1+β(m+x_0x_1), D_2 = βWx_0+Θ_1λ_2, Y_k = Θ_1x_2⋯x_k, and D_{ℓ+1} = 1 + x_ℓD_ℓ + (Λ_ℓ−Λ_1) + Y_ℓλ_{ℓ+1} +
β[ℓx_ℓN_{ℓ-1} + Y_{ℓ-1} + x_2⋯x_{ℓ-1}(m−x_0+x_0x_1) + Σ_{i=2..ℓ-1} x_i⋯x_{ℓ-1}N_{i-1} + W·Y_{ℓ-1}].

*Which charges are needed.* Without any one of eleven the theorem is false, by a protocol that solves all inputs. *The
new boundary* is not needed: T.agree. Of four it is open, since each stands next to a larger one: *layer 1, a table to
w*, βW next to x_0βW of D_2 (at L = 3 only where (x_2−1)W > m + x_0x_1: else the draws of table 2 may agree on what its
layer 1 says, which saves β(W+m+x_0x_1) in (E_2), and it is not needed); *the state behind a table*, Λ_1, next to the
same x_0βW: the first inequality has Λ_1 < x_0·log2(m/(Θ_1−1)), and (E_2) x_0βn_2 < Θ_1·log2(N_1/(Θ_2−1)), which allows
Λ_1 about half of 1/βW of the bits of table 2, too few to keep it; *into z_0*, βΘ_1 next to βWΘ_1; *into the tables
below*, at L = 3 less than what the same tokens hear in layer 1, β(m+x_0x_1), which is paid as well. With one copy of
each table the last two are not needed, since all that w hears is paid without them (`require_one_path`).
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import prod
from random import Random
from typing import NamedTuple

from proofs_checks.kit.delayed_cases import DelayedCase
from proofs_checks.kit.delayed_levels import (
    CHARGES_BL,
    CHARGES_OF_LEVELS,
    FIRST,
    INTO_BELOW,
    INTO_Z0,
    TABLE_1_TO_W,
    TABLE_STATE,
    TABLE_TO_TOKENS,
    TABLE_TO_W,
    Recursion,
    Sharper,
    numbers_of,
)
from proofs_checks.kit.delayed_statement import DelayedTheorem, Solved, counted_names, keeping_or_hearing_all
from proofs_checks.kit.needed_messages import ROUTED_B
from proofs_checks.kit.searched_protocols import TOO_EARLY, TWO_TABLES
from proofs_checks.kit.solving_protocols import (
    entry_in_parts,
    last_but_one_reads_ahead,
    measured,
    states_keep_tables,
    table_1_finds_two_hops,
    w_hears_tables,
)
from proofs_checks.kit.statement import Hypothesis, Statement
from separation.bounds import Word
from separation.bounds.theorems.outcome import Impossibility
from separation.bounds.theorems.theorem_bl import theorem_bl
from separation.tasks.funccomp import Sizes


@cache
def solved() -> Solved:
    """With L full layers and no R layer before the second: states keep all; w hears all, or in parts; ahead."""
    two = measured("FF, w hears its entry in two parts", entry_in_parts(2, 1), Sizes(2, (1 << 10,)), 2)
    three = measured("FFF, w hears its entry in three parts", entry_in_parts(1, 2), Sizes(2, (1, 1 << 14)), 3)
    first = measured("FF, table 1 reads ahead", last_but_one_reads_ahead(early=False), Sizes(128, (1,)), 2)
    second = measured("FFF, table 2 reads ahead", last_but_one_reads_ahead(early=False), Sizes(1543928, (228, 1)), 3)
    hops = measured("FFF, table 1 finds two hops", table_1_finds_two_hops, Sizes(2227611636, (1, 83)), 3)
    hears = measured("FF, w hears table 1", w_hears_tables(1), Sizes(4, (256,)), 2)
    keeps = measured("[FR]F, the state keeps table 1", states_keep_tables(1, 1), Sizes(8192, (16,)), 2)
    return (
        *keeping_or_hearing_all(lambda L: L, lambda full: range(1, full + 1)),
        (two.name, numbers_of(two)),
        (three.name, numbers_of(three)),
        (first.name, numbers_of(first, x0=16, x1=15, theta1=64)),
        (second.name, numbers_of(second, x0=3736, x1=145, theta1=167356, copies=((13, 54715467),))),
        (hops.name, numbers_of(hops, x0=3772, x1=95168, theta1=153906786, copies=((9, 716107448),))),
        (hears.name, numbers_of(hears, x1=3, theta1=3)),
        (keeps.name, numbers_of(keeps, x0=1024, x1=17, theta1=4096)),
    )


def _charged(claim: Recursion, of: Sharper) -> tuple[dict[str, int], dict[str, int]]:
    start, (x2, _) = claim.b_l_start(of), of.copies[0]
    below = of.m - of.x0 + of.x0 * of.x1
    level = claim.level_charges(of, 1, 0, x2, of.m * of.n[0], of.theta1, of.theta1, below)
    before = {
        FIRST: 0 if FIRST in claim.free else of.states[1],
        TABLE_1_TO_W: 0 if TABLE_1_TO_W in claim.free else of.beta * prod(of.n),
        "layer 1, table 2 to w": start[0][TABLE_TO_W],
        "the states behind the windows": start[0][TABLE_STATE],
        "layer 1, table 2 to table 1 and z_0": start[0][TABLE_TO_TOKENS],
    }
    return before, counted_names(start, level, of, full=True)


def _drawn(rng: Random) -> Sharper:
    L, m = rng.choice([2, 3, 4]), rng.randint(2, 5)
    n = (1,) * (L - 2) + (rng.randint(4, 90),) if rng.random() < 0.6 else tuple(rng.randint(1, 3) for _ in range(L - 1))
    states = (0, *(rng.choice([0, 0, 1, 3, 9]) for _ in range(L)))
    copies = tuple((rng.choice([1, 1, 2]), rng.choice([1, 1, 2])) for _ in range(L - 2))
    x0, x1 = rng.randint(1, m), rng.randint(1, 3)
    return Sharper(m, n, 1, states, rng.choice([1, 1, 2]), copies, x0=x0, x1=x1)


def _calculated(of: Sharper) -> Impossibility:
    thetas = (of.theta1, *(theta for _, theta in of.copies))
    return theorem_bl(of.m, of.n, of.x0, of.x1, thetas, [x for x, _ in of.copies], of.beta, of.linear)


THEOREM = DelayedTheorem(
    forbids=Recursion.b_l,
    forbids_first=Recursion.b_l_first,
    charged=_charged,
    calculated=_calculated,
    drawn=_drawn,
    solved=solved,
    solved_on_families=tuple,
    names=(*CHARGES_BL, *CHARGES_OF_LEVELS),
    first_names=("entries", "possible 1", "E 1"),
    on_families=frozenset(),
    not_refuted=frozenset({TABLE_STATE, TABLE_TO_W, INTO_Z0, INTO_BELOW}),
    cases=(
        DelayedCase("B", "FFRFR", seed=1, starts=2),
        DelayedCase("B", "FFF", seed=1, starts=2),
        DelayedCase("B", "FFF", seed=2, sizes=Sizes(3, (1, 1)), window=3, starts=2, last_tables=4, middle_tables=3),
        DelayedCase("B", "[FR]F[FR]", seed=3, starts=2),
        *ROUTED_B,
    ),
    searches={
        TWO_TABLES: Sharper(2, (1,), 1, (0, 0, 0), 1, ()),
        TOO_EARLY: Sharper(2, (1, 10), 1, (0, 0, 0, 0), 1, ((1, 1),)),
    },
    seeded_cases=1500,
)


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
    check=THEOREM.check,
    twins=THEOREM.twins(),
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
