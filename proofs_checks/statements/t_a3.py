"""T.A3: two full layers and any R layers do not compose three tables.

W = n_1n_2, t = x_2n_1Θ_1. (a) (Θ_1−1)^g·2^{Λ_0} < u^g; (b) C(N_1,Θ_2−1)·(Θ_2−1)^t·2^{x_2(n_1Λ_0+βW+Θ_1λ_1)+1} ≤ N_1^t
with Θ_2 ≤ N_1 (λ_1 = 0: strict, no +1); (c) 2^D < N_2^{n_2Θ_2}, D = Λ_0 + λ_1 + [λ_1>0]·(1+x_2Θ_1λ_1) + x_2Θ_1λ_2 +
β[W + 1 + (m−g+gΘ_1) + x_2n_1u + (n_1−1)(m−u) + WΘ_1]. Without early R (Λ_0 = Λ_1 = 0), E = n_1Θ_1, E·v ≤ N_1:
(Θ_2−1)^E·2^{βW} < (Ev)^E and 2^{β[W+m+Θ_1+Ev+(n_1−1)(m−Θ_1)+WΘ_1]+Θ_2λ_2} < N_2^{n_2Θ_2}. The guard Θ_2 ≤ N_1 matters:
beyond it the binomial is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb
from random import Random
from typing import NamedTuple

from proofs_checks.kit.delayed_cases import DelayedCase
from proofs_checks.kit.delayed_messages import counted
from proofs_checks.kit.solving_protocols import (
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


class Numbers(NamedTuple):
    """m, n_1, n_2; g, u, Θ_1, x_2, Θ_2; β, λ_0, λ_1, λ_2."""

    m: int
    n1: int
    n2: int
    g: int
    u: int
    theta1: int
    x2: int
    theta2: int
    beta: int
    early: int
    middle: int
    late: int


FIRST, WINDOWS, TO_W = "the state behind table 1", "the states behind the windows", "layer 1, table 2 to w"
MIDDLE, BOUNDARY, STATE, LATE = "states into w", "the new boundary", "the first state", "late states"
INTO_W, INTO_Z0, LAST = "layer 1 into w", "layer 1 into z_0", "last layer into w"
INTO_1, INTO_2 = "layer 1 into table 1", "layer 1 into table 2"
NAMES = (FIRST, WINDOWS, TO_W, MIDDLE, BOUNDARY, STATE, LATE, INTO_W, INTO_Z0, INTO_1, INTO_2, LAST)
NOT_REFUTED = {FIRST, WINDOWS, MIDDLE, BOUNDARY, INTO_Z0, INTO_1}
"""No protocol that is known solves what the theorem without one of these would forbid; transcripts count them.

The states of block 1 are charged twice, where they enter table 2 and where they enter w: a model that uses them is
refuted by the theorem without both.
"""


@dataclass(frozen=True)
class Claim:
    """(a), (b), (c) exclude every solver; the charges named in ``free`` are left out, and ``guard`` is Θ_2 ≤ N_1."""

    free: frozenset[str] = frozenset()
    guard: bool = True

    def forbids(self, of: Numbers) -> bool:
        return self.fits(of) and self.reaches(of) and self.covers(of) and self.asks(of)

    def fits(self, of: Numbers) -> bool:
        return of.g <= of.m and of.u <= of.m and (not self.guard or of.theta2 <= of.m * of.n1)

    def before(self, of: Numbers) -> dict[str, int]:
        """What is fixed of tables 1 and 2 before table 2 is drawn, by name."""
        charges = {FIRST: of.early, WINDOWS: of.n1 * of.early, TO_W: of.beta * of.n1 * of.n2}
        return {name: 0 if name in self.free else bits for name, bits in charges.items()}

    def told(self, of: Numbers) -> dict[str, int]:
        """What is fixed of table 3, by name; of the states of block 1 into w, those for one draw of table 2."""
        W = of.n1 * of.n2
        heard = {
            INTO_W: W,
            INTO_Z0: 1,
            INTO_1: of.m - of.g + of.g * of.theta1,
            INTO_2: of.x2 * of.n1 * of.u + (of.n1 - 1) * (of.m - of.u),
            LAST: W * of.theta1,
        }
        charges = {
            STATE: of.early,
            BOUNDARY: of.middle,
            MIDDLE: of.theta1 * of.middle,
            LATE: of.x2 * of.theta1 * of.late,
            **{name: of.beta * tokens for name, tokens in heard.items()},
        }
        return {name: 0 if name in self.free else bits for name, bits in charges.items()}

    def reaches(self, of: Numbers) -> bool:
        """(a)"""
        return bool((of.theta1 - 1) ** of.g * 2 ** self.before(of)[FIRST] < of.u**of.g)

    def covers(self, of: Numbers) -> bool:
        """(b)"""
        N1, tries, before = of.m * of.n1, of.x2 * of.n1 * of.theta1, self.before(of)
        told = before[WINDOWS] + before[TO_W] + self.told(of)[MIDDLE]
        left = comb(N1, of.theta2 - 1) * (of.theta2 - 1) ** tries * 2 ** (of.x2 * told)
        return bool(2 * left <= N1**tries if of.middle else left < N1**tries)

    def asks(self, of: Numbers) -> bool:
        """(c)"""
        told = self.told(of)
        bits = sum(told.values()) + (of.x2 - 1) * told[MIDDLE] + (of.middle > 0)
        return bool(2**bits < (of.m * of.n1 * of.n2) ** (of.n2 * of.theta2))


ONE, WINDOWED = (1, 1, 1, 1, 1), Sizes(3, (2, 1))
CASES = (
    DelayedCase("A", "RFRFR", seed=1),
    DelayedCase("A", "RFF", seed=1, sizes=WINDOWED, last_tables=4, middle_tables=3),
    DelayedCase("A", "FRFR", seed=2, sizes=WINDOWED, last_tables=4, middle_tables=3),
)
"""The last two have three values, of which tables 1 has two: table 2 has two windows, and an entry between them."""


@cache
def solved() -> tuple[tuple[str, Numbers], ...]:
    """Words with two full layers that compose three tables, and parameters at which a charge less would forbid them."""
    found = (
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
    )
    numbers = []
    for solver, chosen in found:
        (early, both, last), (n1, n2) = solver.linear, solver.sizes.n
        of = Numbers(solver.sizes.m, n1, n2, *chosen, solver.beta, early, both - early, last - both)
        numbers.append((solver.name, of))
    return tuple(numbers)


def check(claim: Claim) -> Checked:
    """Nothing that exists is forbidden; transcripts show the charges; the calculator says the same as integers do.

    1. *Protocols.* Seven that solve three tables with two full layers, their bits counted, are not forbidden. Without
       any one charge that is not in NOT_REFUTED some of them would be.
    2. *Transcripts.* In random models of three words, all sets written out, table 2 with windows in two of them: each
       class of messages is a function of what its charge says that its receiver knows; in number and bits they are the
       charges, by name; and with all of them fixed, all that w hears is fixed.
    3. *Beyond N_1* values of table 2 nothing is covered, though C(N_1, Θ_2−1) = 0 makes (b) hold: the guard.
    4. *Calculator.* Its verdicts are (a), (b), (c) in integers, written here a second time; and those of the form
       without early R, (Θ_2−1)^E·2^(βW) < (E·v)^E and its last inequality.
    """
    for name, of in solved():
        require(not claim.forbids(of), f"{name}: solves {of}, which is called impossible")
    for case in CASES:
        require_transcripts(claim, case)
    gone = {name for name in NAMES if any(Claim(frozenset({name})).forbids(of) for _, of in solved())}
    require(gone == set(NAMES) - NOT_REFUTED, f"protocols refute the theorem without one of {sorted(gone)}")
    beyond = Numbers(2, 1, 4, 1, 1, 1, 1, 512, 200, 0, 0, 0)
    require(not claim.forbids(beyond), f"{beyond} is called impossible, but with such β w hears all tables")
    require_calculator(claim)
    require_calculator_without_early_r()
    return Checked(
        Status.EXHAUSTIVE,
        f"protocols that solve; {len(CASES)} models' transcripts; integers against the calculator",
        f"transcripts at m = 2 and 3; {SEEDED_CASES} seeded cases of both forms up to m = 8, n_2 = 60",
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
        **{f"{name} free": Claim(frozenset({name})) for name in NAMES},
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
