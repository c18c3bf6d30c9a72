"""T.A2: one full layer and any R layers do not compose two tables, linear in the model's bits.

If for some Θ ≥ 1 (Θ−1)^m·2^{Λ_0} < m^m and 2^{Λ_0 + Θ(Λ_1−Λ_0) + β·n_1} < N^{n_1Θ}, N = m·n_1, no model with one full
layer solves FuncComp with two tables; Λ_1 counts the R layers before and after F and R heads beside it. Fix the
commonest state behind table 2, then the commonest behind table 1, a function of z_1 alone now: some z_0 reaches Θ
values, by tables T_i. With them fixed w's messages from table 2 depend on w alone (β·n_1), and the late states into w
on T_i alone (λ_1 each); n_1·Θ entries of table 2 are asked. β = Λ = 8 is certified at 22 tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from random import Random
from typing import NamedTuple

from proofs_checks.kit.fixed_messages import Case, commonest, require_function, unsettled_without
from proofs_checks.kit.needed_two_tables import BEHIND_1, BEHIND_2, RFR, require_needed_first
from proofs_checks.kit.solving_protocols import Solver, measured, row_look_ups, states_keep_tables
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.kit.toy_protocols import Inputs, every_protocol
from separation.bounds import Word
from separation.bounds.theorems.theorem_a2 import theorem_a2
from separation.tasks.funccomp import Sizes

TINY = Sizes(2, (2,))
CASES = (
    Case("RFR", TINY, seed=1),
    Case("RF", TINY, seed=2),
    Case("FR", TINY, seed=4, score_bits=1),
    Case("F", TINY, seed=5),
    Case("[FR]", TINY, seed=6),
    Case("RFR", Sizes(2, (3,)), seed=7, score_bits=3),
)
SEEDED_CASES = 400


class Numbers(NamedTuple):
    """m, n_1, Θ, β, Λ_0 and λ_1 = Λ_1 − Λ_0."""

    m: int
    n1: int
    theta: int
    beta: int
    early: int
    late: int


Charges = Mapping[str, Callable[[Numbers], int]]
TOLD: Charges = {
    "the state behind table 2": lambda of: of.early,
    "late states into w": lambda of: of.theta * of.late,
    "what w hears": lambda of: of.beta * of.n1,
}


@dataclass(frozen=True)
class Claim:
    """(Θ−1)^m·2^reached < m^m and 2^told < N^(n_1·Θ) exclude every solver; told is a sum of charges by name."""

    reached: Callable[[Numbers], int] = lambda of: of.early
    told: Charges = field(default_factory=lambda: TOLD)

    def reaches(self, of: Numbers) -> bool:
        return bool((of.theta - 1) ** of.m * 2 ** self.reached(of) < of.m**of.m)

    def asks(self, of: Numbers) -> bool:
        told = sum(charge(of) for charge in self.told.values())
        return bool(2**told < (of.m * of.n1) ** (of.n1 * of.theta))

    def forbids(self, of: Numbers) -> bool:
        return self.reaches(of) and self.asks(of)


def solvers() -> list[Solver]:
    """Words with one full layer that compose two tables, each with one budget large."""
    return [
        measured("RF, the state keeps table 1", states_keep_tables(0, 1), TINY, 1),
        measured("RF, the first state keeps everything", states_keep_tables(0, 2), TINY, 1),
        measured("FR, the last state keeps everything", states_keep_tables(1, 2), TINY, 1),
        measured("FR, the row is looked up", row_look_ups, TINY, 1),
        measured("FR, the row is looked up, m = 4", row_look_ups, Sizes(4, (3,)), 1),
    ]


def check(claim: Claim) -> Checked:
    """Nothing that exists is forbidden; the charges are the messages of transcripts; the calculator says the same.

    1. *Protocols.* Five protocols that solve two tables at tiny sizes, their bits counted, are forbidden for no Θ.
    2. *Transcripts.* In random models of five words with all sets written out: the state behind table 2 and that
       behind table 1 are fixed to their commonest value; what table 2 says to w depends on w alone, and not on which of
       the Θ tables T_i is there; the late states into w depend on T_i and not on w; with these fixed, all that w hears
       is fixed. The bits of these messages, as the transcript writes them, are the charges, by name. In some model w's
       knowledge is not settled without what it hears, and in some not without the late states; in one made by hand not
       without the states behind the tables (`needed_two_tables`).
    3. *All protocols* of the word F at m = 2, n_1 = 1 and β = 1 are run; the best is right on 3/4 of the inputs.
    4. *Calculator.* Its verdicts are the two inequalities in integers, written here a second time.
    """
    for solver in solvers():
        m, n1, early = solver.sizes.m, solver.sizes.n[0], solver.linear[0]
        for theta in range(1, m + 1):
            of = Numbers(m, n1, theta, solver.beta, early, solver.linear[1] - early)
            require(not claim.forbids(of), f"{solver.name}: solves {of}, which is called impossible")
    needed: set[str] = set()
    for case in CASES:
        of, reached, told, unsettled = counted(case)
        needed |= unsettled
        require(reached == claim.reached(of), f"{case.word}: the state behind table 1 has {reached} bits")
        charged = {name: charge(of) for name, charge in claim.told.items()}
        require(charged == told, f"{case.word}: charged are {charged}, transcripts show {told}")
    idle = {"late states into w", "what w hears"} - needed
    require(not idle, f"no transcript needs {', '.join(sorted(idle))}")
    require_needed_first({BEHIND_1, BEHIND_2}, (RFR,))
    best = best_of_f()
    require(claim.forbids(Numbers(2, 1, 2, 1, 0, 0)) == (best < 1), f"the best protocol of F is right on {best}")
    require_calculator(claim)
    return Checked(
        Status.EXHAUSTIVE,
        "protocols that solve, right on all inputs at small sizes; "
        f"{len(CASES)} models' transcripts; all protocols of F; integers against the calculator",
        f"m up to 4, n_1 up to 3; {SEEDED_CASES} seeded cases up to m = 12",
    )


@cache
def best_of_f() -> float:
    """The largest accuracy of all protocols of the word F at m = 2, n_1 = 1, β = 1."""
    return max(every_protocol(Inputs.all(2, (1,)), 1))


@cache
def counted(case: Case) -> tuple[Numbers, int, dict[str, int], set[str]]:
    """The bits that the proof fixes in one model, by name; and without which of them w's knowledge is not settled."""
    (full,) = case.full_layers
    early, late = range(1, full), range(full, len(case.layers) + 1)
    m, n1 = case.sizes.m, case.sizes.n[0]
    firsts = list(product(range(m), repeat=m))
    lasts = case.last_tables()
    before = {z2: case.heard(z2, firsts[0], 0, 0).states(early, "first") for z2 in lasts}
    lasts = commonest(lasts, {z2: content for z2, (content, _) in before.items()})
    behind = {(z2, z1): case.heard(z2, z1, 0, 0).states(early, "z0") for z2, z1 in product(lasts, firsts)}
    require_function(f"{case.word}: the state behind table 1", ((z1, said[0]) for (_, z1), said in behind.items()))
    firsts = commonest(firsts, {z1: behind[lasts[0], z1][0] for z1 in firsts})
    z0 = max(range(m), key=lambda start: len({z1[start] for z1 in firsts}))
    reached = {z1[z0]: z1 for z1 in firsts}
    heard = {(z2, i, w): case.heard(z2, reached[i], z0, w) for z2, i, w in product(lasts, reached, range(n1))}
    soft = {key: told.soft(full, "last", "w") for key, told in heard.items()}
    states = {key: told.states(late, "w") for key, told in heard.items()}
    contexts = require_function(f"{case.word}: what w hears", (((z2, w), soft[z2, i, w][0]) for z2, i, w in heard))
    copies = require_function(f"{case.word}: late states", (((z2, i), states[z2, i, w][0]) for z2, i, w in heard))
    views = {key: told.view("w") for key, told in heard.items()}

    asked = {key: key[1:] for key in heard}
    unsettled = unsettled_without(case.word, asked, {"what w hears": soft, "late states into w": states}, views)
    beta, linear = case.budgets()
    some = next(iter(heard))
    of = Numbers(m, n1, len(reached), beta, linear[0], linear[1] - linear[0])
    told = {
        "the state behind table 2": before[some[0]][1],
        "late states into w": copies // len(lasts) * states[some][1],
        "what w hears": contexts // len(lasts) * soft[some][1],
    }
    return of, behind[lasts[0], firsts[0]][1], told, unsettled


def require_calculator(claim: Claim) -> None:
    rng, verdicts = Random(17), set()
    for _ in range(SEEDED_CASES):
        of = Numbers(*(rng.randint(*ends) for ends in ((2, 12), (1, 5), (1, 12), (0, 20), (0, 12), (0, 8))))
        said = theorem_a2(of.m, (of.n1,), of.theta, of.beta, (of.early, of.early + of.late)).holds
        require(said == claim.forbids(of), f"{of}: the calculator says {said}")
        verdicts.add(said)
    require(len(verdicts) == 2, "all seeded cases have one verdict")


def _without(name: str) -> Claim:
    return Claim(told={other: charge for other, charge in TOLD.items() if other != name})


class Shape(NamedTuple):
    """A word and the numbers of the theorem."""

    word: str
    of: Numbers


WITNESS = Shape("RF", Numbers(10, 1, 6, 8, 8, 0))

STATEMENT = Statement(
    id="T.A2",
    title="one full layer does not compose two tables, linear in β and Λ",
    latex=r"(\Theta-1)^m2^{\Lambda_0}<m^m,\quad 2^{\Lambda_0+\Theta(\Lambda_1-\Lambda_0)+\beta n_1}<(mn_1)^{n_1\Theta}",
    english="If both inequalities hold for some Θ, no model with one full layer, messages of β bits, Λ_0 state bits "
    "before it and Λ_1 in all solves FuncComp with two tables of m and m·n_1 entries.",
    subject=Claim(),
    check=check,
    twins={
        "the state behind table 1 is free": Claim(reached=lambda of: 0 * of.early),
        "the state behind table 2 is free": _without("the state behind table 2"),
        "late states are free": _without("late states into w"),
        "what w hears is free": _without("what w hears"),
        "late states are paid once": Claim(told={**TOLD, "late states into w": lambda of: of.late}),
        "what w hears is paid once": Claim(told={**TOLD, "what w hears": lambda of: of.beta}),
        "z_0's token is charged too": Claim(told={**TOLD, "what w hears": lambda of: of.beta * (of.n1 + 1)}),
    },
    speaks_of=("D1", "D2"),
    rests_on=("L3", "M2"),
    hypotheses=(
        Hypothesis(
            "the word has at most one full layer",
            lambda shape: Word.parse(shape.word).full <= 1,
            Shape("RFF", WITNESS.of),
        ),
        Hypothesis(
            "some z_0 reaches Θ values behind one state",
            lambda shape: Claim().reaches(shape.of),
            Shape("RF", WITNESS.of._replace(theta=8)),
        ),
        Hypothesis(
            "more is asked of table 2 than told",
            lambda shape: Claim().asks(shape.of),
            Shape("RF", WITNESS.of._replace(theta=4)),
        ),
    ),
    witness=WITNESS,
)
