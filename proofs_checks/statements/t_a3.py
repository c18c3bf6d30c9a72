"""T.A3: two full layers and any R layers do not compose three tables.

W = n_1n_2, t = x_2n_1Θ_1. (a) (Θ_1−1)^g·2^{Λ_0} < u^g; (b) C(N_1,Θ_2−1)·(Θ_2−1)^t·2^{x_2(n_1Λ_0+βW+Θ_1λ_1)+1} ≤ N_1^t
with Θ_2 ≤ N_1 (λ_1 = 0: strict, no +1); (c) 2^D < N_2^{n_2Θ_2}, D = Λ_0 + λ_1 + [λ_1>0]·(1+x_2Θ_1λ_1) + x_2Θ_1λ_2 +
β[W + 1 + (m−g+gΘ_1) + x_2n_1u + (n_1−1)(m−u) + WΘ_1]. Without early R (Λ_0 = Λ_1 = 0), E = n_1Θ_1, E·v ≤ N_1:
(Θ_2−1)^E·2^{βW} < (Ev)^E and 2^{β[W+m+Θ_1+Ev+(n_1−1)(m−Θ_1)+WΘ_1]+Θ_2λ_2} < N_2^{n_2Θ_2}. The guard Θ_2 ≤ N_1 matters:
beyond it the binomial is 0.

*On fewer inputs.* The proof varies table 1 on g entries with values in U only, and table 2 in the windows only, and it
never uses that tables 2 and 3 take all their values. So the same holds of families of inputs: with v_2 values of table
2 and q of table 3, (b) with v_2 for N_1, and (c) with q for N_2, no model is right on all inputs of the family. Full
tables, v_2 = N_1 and q = N_2, are the theorem.

*Which charges are needed.* Without any one of seven the theorem is false, by a protocol that solves all inputs; without
any one of three more (the state behind table 1, the states behind the windows, layer 1 into table 1) it is false on a
family, by a protocol that solves the family; whether the theorem on all inputs needs these three is open. *The new
boundary* is not needed: T.agree. Of *layer 1 into z_0*, β once, it is open where x_2 > W + 1. Elsewhere it is not
needed: let the x_2 draws of table 2 agree on what w hears from them in layer 1, instead of having given messages, which
saves βW in (b), and agree on what z_0 hears from them too, (x_2−1)β more. Then z_0's token knows the same in all draws,
and in layer 2 one message into w for each (w,i) is from table 3 and z_0 together.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import NamedTuple

from proofs_checks.kit.claim_a3 import BOUNDARY, FIRST, INTO_1, INTO_Z0, MIDDLE, NAMES, WINDOWS, Claim, Numbers
from proofs_checks.kit.delayed_cases import DelayedCase
from proofs_checks.kit.delayed_messages import counted
from proofs_checks.kit.drawn_inputs import Family
from proofs_checks.kit.family_protocols import state_hands_first_hop, state_keeps_windows, table_1_relays
from proofs_checks.kit.needed_messages import ROUTED_A, require_all_needed
from proofs_checks.kit.searched_protocols import THREE_TABLES, TOO_FEW, require_search
from proofs_checks.kit.solving_protocols import (
    Solver,
    entry_in_parts,
    last_but_one_reads_ahead,
    measured,
    states_keep_tables,
    w_hears_tables,
)
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Word
from separation.bounds.theorems.theorem_a3 import theorem_a3, theorem_a3_no_early_r
from separation.tasks.funccomp import Sizes

TINY = Sizes(2, (1, 4))
SEEDED_CASES = 500


ON_FAMILIES = {FIRST, WINDOWS, INTO_1}
"""The theorem on a family of inputs is false without one of these; no protocol on all inputs is known that shows it."""
NOT_REFUTED = {INTO_Z0}
"""No protocol that is known solves what the theorem without one of these would forbid; transcripts count them."""

ONE, WINDOWED = (1, 1, 1, 1, 1), Sizes(3, (2, 1))
CASES = (
    DelayedCase("A", "RFRFR", seed=1),
    DelayedCase("A", "RFF", seed=1, sizes=WINDOWED, last_tables=4, middle_tables=3),
    DelayedCase("A", "FRFR", seed=2, sizes=WINDOWED, last_tables=4, middle_tables=3),
    *ROUTED_A,
)
"""The second and third have three values, of which table 1 has two: table 2 has two windows, and an entry between."""


@cache
def solved() -> tuple[tuple[str, Numbers], ...]:
    """Words with two full layers that compose three tables, and parameters at which a charge less would forbid them."""
    return tuple(
        _numbers(solver, chosen)
        for solver, chosen in (
            (measured("RFF, the first state keeps everything", states_keep_tables(0, 3), TINY, 2), ONE),
            (measured("FRF, the middle state keeps everything", states_keep_tables(1, 3), TINY, 2), ONE),
            (measured("FFR, the last state keeps everything", states_keep_tables(2, 3), TINY, 2), ONE),
            (measured("FF, w hears all tables", w_hears_tables(3), TINY, 2), ONE),
            (measured("FF, w hears tables 1 and 2", w_hears_tables(2), Sizes(4, (1, 1200)), 2), (4, 1, 1, 3, 3)),
            (measured("FF, w hears its entry in two parts", entry_in_parts(2, 1), Sizes(2, (1, 1 << 10)), 2), ONE),
            (
                measured("RFF, table 2 reads ahead", last_but_one_reads_ahead(early=True), Sizes(256, (4, 1)), 2),
                (3, 256, 32, 20, 512),
            ),
            (
                measured("FRF, the middle state keeps tables 1, 2", states_keep_tables(1, 2), Sizes(7994, (3, 8)), 2),
                (1, 823, 823, 24, 16501),
            ),
        )
    )


@cache
def solved_on_families() -> tuple[tuple[str, Numbers], ...]:
    """The same on families of inputs: g entries of table 1 with u values, v_2 values of table 2, q of table 3."""
    hop, kept, relayed = (
        Family(1, (227, 1406, 1 << 11)),
        Family(23372, (1522, 1193372, 1 << 11)),
        Family(1, (170, 6803, 1 << 20)),
    )
    return tuple(
        _numbers(solver, chosen)
        for solver, chosen in (
            (
                measured("RFF, the state hands i_1", state_hands_first_hop, Sizes(1406, (1, 9)), 2, hop),
                (1, 227, 227, 11, 687),
            ),
            (
                measured("RFF, it keeps the windows", state_keeps_windows, Sizes(1193372, (1, 45)), 2, kept),
                (23372, 1522, 588, 3646, 456718),
            ),
            (
                measured("FF, table 1 relays", table_1_relays, Sizes(6939061, (1, 6)), 2, relayed),
                (1, 170, 170, 16, 1036),
            ),
        )
    )


def _numbers(solver: Solver, chosen: tuple[int, ...]) -> tuple[str, Numbers]:
    (early, both, last), (n1, n2) = solver.linear, solver.sizes.n
    g, u, theta1, x2, theta2 = chosen
    _, second, answers = solver.family.values if solver.family else (0, 0, 0)
    budgets = (solver.beta, early, both - early, last - both)
    return solver.name, Numbers(solver.sizes.m, n1, n2, g, u, theta1, x2, theta2, *budgets, second, answers)


def check(claim: Claim) -> Checked:
    """Nothing that exists is forbidden; transcripts show the charges; the calculator says the same as integers do.

    1. *Protocols.* Eight that solve three tables with two full layers, and three that solve a family, their bits
       counted, are not forbidden. Without any one charge, but for the new boundary and those in ON_FAMILIES and
       NOT_REFUTED, some of the eight would be; without one in ON_FAMILIES some of the three.
    2. *Transcripts.* In random models of three words, all sets written out, table 2 with windows in two of them: each
       class of messages is a function of what its charge says that its receiver knows; in number and bits they are the
       charges, by name; and with all of them fixed, all that w hears is fixed. Without any one class it is not: in a
       model made by hand two inputs agree on all other classes and w hears two different things, or what is paid once
       for all copies of a table is not the same for two of them (`needed_messages`).
    3. *Beyond N_1* values of table 2 nothing is covered, though C(N_1, Θ_2−1) = 0 makes (b) hold: the guard.
    4. *Search* among all protocols: of RFF with one bit at m = 2, n = (1, 1) one is found that is always right, and it
       is not forbidden; of FF at n = (1, 5), which is, none that is always right on some tables (`searched_protocols`).
    5. *Calculator.* Its verdicts are (a), (b), (c) in integers, written here a second time; and those of the form
       without early R, (Θ_2−1)^E·2^(βW) < (E·v)^E and its last inequality.
    """
    for name, of in (*solved(), *solved_on_families()):
        require(not claim.forbids(of), f"{name}: solves {of}, which is called impossible")
    for case in CASES:
        require_transcripts(claim, case)
    require_all_needed(NAMES, ROUTED_A)
    gone, on_families = (
        {name for name in NAMES if any(Claim(frozenset({name})).forbids(of) for _, of in found)}
        for found in (solved(), solved_on_families())
    )
    require(
        gone == set(NAMES) - ON_FAMILIES - NOT_REFUTED - {BOUNDARY},
        f"protocols refute the theorem without one of {sorted(gone)}",
    )
    require(on_families - gone == ON_FAMILIES, f"and on families without one of {sorted(on_families)}")
    beyond = Numbers(2, 1, 4, 1, 1, 1, 1, 512, 200, 0, 0, 0)
    require(not claim.forbids(beyond), f"{beyond} is called impossible, but with such β w hears all tables")
    searched = Numbers(2, 1, 1, *ONE, 1, 1, 0, 0), Numbers(2, 1, 5, *ONE, 1, 0, 0, 0)
    verdicts = [claim.forbids(of) for of in searched]
    require(verdicts == [False, True], f"{searched}: forbidden are {verdicts}")
    require_search(THREE_TABLES, TOO_FEW)
    require_calculator(claim)
    require_calculator_without_early_r()
    return Checked(
        Status.EXHAUSTIVE,
        "protocols that solve, right on all inputs at small sizes; "
        f"a search for others; {len(CASES)} models' transcripts; integers against the calculator",
        f"transcripts at m = 2 to 4; {SEEDED_CASES} seeded cases of both forms up to m = 8, n_2 = 60",
    )


def require_transcripts(claim: Claim, case: DelayedCase) -> None:
    """The bits that the transcripts of one case show, by name, are those that are charged."""
    found, (early, middle, late) = counted(case), counted(case).states
    n1, n2 = case.sizes.n
    chosen = (case.varied, case.window, found.paths, found.draws, 1)
    of = Numbers(case.sizes.m, n1, n2, *chosen, found.beta, early, middle, late)
    for said, shown in ((claim.before(of), found.reached), (claim.told(of), found.told)):
        require(said == dict(shown), f"{case.word}: charged are {said}, transcripts show {dict(shown)}")


def require_calculator(claim: Claim) -> None:
    """Inequality by inequality: most cases in which (b) is close have an n_2 for which (c) is not."""
    rng, verdicts = Random(3), set()
    for trial in range(SEEDED_CASES):
        m, n1, n2 = rng.randint(2, 8), rng.randint(1, 2), rng.randint(1, 60) if trial % 3 else rng.randint(1, 3)
        chosen = (
            rng.randint(1, m),
            rng.randint(1, m),
            rng.randint(1, 4),
            rng.randint(1, 3),
            rng.randint(1, m * n1 + 1),
        )
        states = (0, 0, 0) if trial % 2 else (rng.randint(0, 2), rng.randint(0, 2), rng.randint(0, 2))
        of = Numbers(m, n1, n2, *chosen, 1, *states)
        outcome = theorem_a3(m, (n1, n2), *chosen, 1, (states[0], sum(states[:2]), sum(states)))
        said = {found.name: found.holds for found in outcome.inequalities}
        ours = {"reached": claim.reaches(of), "covered": claim.covers(of), "asked": claim.asks(of)}
        for name, verdict in ours.items():
            if name in said:
                require(said[name] == verdict, f"{of}: of {name!r} the calculator says {said[name]}")
                verdicts.add((name, verdict))
        require(outcome.holds == claim.forbids(of), f"{of}: the calculator says {outcome.holds}")
        verdicts.add(("all", outcome.holds))
    require(len(verdicts) == 8, f"the seeded cases have these verdicts only: {sorted(verdicts)}")


def require_calculator_without_early_r() -> None:
    rng, verdicts = Random(4), set()
    for _ in range(SEEDED_CASES):
        m, n1, n2, theta1 = rng.randint(2, 24), rng.randint(1, 2), rng.randint(1, 60), rng.randint(1, 8)
        v, late = rng.randint(1, 6), rng.randint(0, 2)
        W, E = n1 * n2, n1 * theta1
        theta2 = rng.randint(1, E * v + 1)
        told = W + m + theta1 + E * v + (n1 - 1) * (m - theta1) + W * theta1 + theta2 * late
        ours = (
            theta1 <= m
            and E * v <= m * n1
            and (theta2 - 1) ** E * 2**W < (E * v) ** E
            and 2**told < (m * W) ** (n2 * theta2)
        )
        said = theorem_a3_no_early_r(m, (n1, n2), theta1, v, theta2, 1, (0, 0, late)).holds
        require(
            said == ours, f"m = {m}, n = ({n1}, {n2}), Θ = ({theta1}, {theta2}), v = {v}: the calculator says {said}"
        )
        verdicts.add(said)
    require(len(verdicts) == 2, "all seeded cases without early R have one verdict")


class Shape(NamedTuple):
    word: str
    of: Numbers


WITNESS = Shape("RFF", Numbers(874, 1, 10, 10, 209, 121, 11, 342, 8, 8, 0, 0))


def _with(**changes: int) -> Shape:
    return Shape("RFF", WITNESS.of._replace(**changes))


STATEMENT = Statement(
    id="T.A3",
    title="two full layers do not compose three tables",
    latex=r"(\Theta_1-1)^g2^{\Lambda_0}<u^g,\quad "
    r"\tbinom{N_1}{\Theta_2-1}(\Theta_2-1)^t2^{x_2(n_1\Lambda_0+\beta W+\Theta_1\lambda_1)+1}\le N_1^t,\quad "
    r"2^D<N_2^{n_2\Theta_2}",
    english="If (a), (b), (c) hold for some g, u, Θ_1, x_2 and Θ_2 ≤ N_1, no model with two full layers, any R layers "
    "and these bits solves FuncComp with three tables.",
    subject=Claim(),
    check=check,
    twins={
        **{f"{name} free": Claim(frozenset({name})) for name in NAMES if name != BOUNDARY},
        "the states of block 1 are free": Claim(frozenset({MIDDLE, BOUNDARY})),
        "without the guard Θ_2 ≤ N_1": Claim(guard=False),
    },
    speaks_of=("D1", "D2"),
    rests_on=("L1", "L3", "M2"),
    hypotheses=(
        Hypothesis(
            "the word has two full layers", lambda shape: Word.parse(shape.word).full == 2, Shape("RFFF", WITNESS.of)
        ),
        Hypothesis("g ≤ m, u ≤ m and Θ_2 ≤ N_1", lambda shape: Claim().fits(shape.of), _with(g=875)),
        Hypothesis("(a)", lambda shape: Claim().reaches(shape.of), _with(theta1=122)),
        Hypothesis("(b)", lambda shape: Claim().covers(shape.of), _with(theta2=343)),
        Hypothesis("(c)", lambda shape: Claim().asks(shape.of), _with(beta=9)),
    ),
    witness=WITNESS,
)
