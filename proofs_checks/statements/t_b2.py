"""T.B2: two full layers, no R layer before the second, do not compose two tables.

Integers x_0, v, Θ with x_0·v ≤ m: the last x_0 entries of table 1 have v values each, in disjoint sets. (a)
(Θ−1)^{x_0}·2^{β·n_1+Λ_1} < (x_0v)^{x_0}: behind what every w hears of table 1 in layer 1, Θ pairs of an entry and a
value survive. (b) 2^{Λ_1+β(n_1+x_0+x_0v+n_1x_0)+Θλ_2} < N^{n_1Θ}: what w, z_0's token and these entries hear of table
2 in layer 1, what w hears in layer 2 for each (w, z_0), and the late states into w, for each pair. β = 8 is certified
at 562 tokens.

*On fewer inputs.* The proof uses no other inputs than these (z_0 one of the last x_0, their values in the disjoint
sets), and not that table 2 takes all its values: with q of them, and q for N in (b), no model is right on all inputs of
this family.

*Which charges are needed.* Without any one of seven the theorem is false, by a protocol that solves all inputs. Without
layer 1 into z_0 it is false on a family, by a protocol in which z_0's token, table 1 and table 2 each hold one of three
differences (`differences_on_the_way`). Whether the theorem on all inputs needs it is open. At n_1 = 1 it does not:
what w hears of table 2 in layer 1, and of all in layer 2 for each pair, is β(1+Θ) ≤ β(1+x_0v+x_0), as Θ ≤ x_0v by (a).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from random import Random
from typing import Any, NamedTuple

from proofs_checks.kit.claim_b2 import REACHED, TOLD, Claim, Numbers
from proofs_checks.kit.drawn_inputs import Family
from proofs_checks.kit.family_protocols import differences_on_the_way
from proofs_checks.kit.fixed_messages import Case, Table, commonest, require_function, unsettled_without
from proofs_checks.kit.needed_two_tables import BEHIND_2, BESIDE, require_needed_first
from proofs_checks.kit.solving_protocols import (
    Solver,
    entry_in_parts,
    measured,
    states_keep_tables,
    table_1_reads_ahead,
    w_hears_tables,
)
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Word
from separation.bounds.theorems.theorem_b2 import theorem_b2
from separation.tasks.funccomp import Sizes

TINY = Sizes(4, (1,))
CASES = (
    Case("FF", TINY, seed=2, varied=2, values=2),
    Case("FF", TINY, seed=13, score_bits=1, varied=2, values=2),
    Case("FF", Sizes(4, (2,)), seed=2, score_bits=1, tables=6, varied=2, values=2),
    Case("FFR", TINY, seed=3, score_bits=3, varied=2, values=2),
    Case("[FR]FR", TINY, seed=4, varied=2, values=2),
    Case("F[FR]", TINY, seed=5, score_bits=1, varied=2, values=2),
)
"""Seeds 2 and 13 were looked for: w needs what table 1, and what z_0's token, hears in layer 1."""
SEEDED_CASES = 600
ON_FAMILIES = {"layer 1 into z_0"}
"""The theorem on a family of inputs is false without this; no protocol on all inputs is known that shows it."""


def solvers() -> list[tuple[Solver, tuple[int, int, int]]]:
    """Words with two full layers that compose two tables, and the (x_0, v, Θ) at which a charge less forbids it."""
    return [
        (measured("FF, w hears table 1", w_hears_tables(1), Sizes(4, (256,)), 2), (1, 4, 4)),
        (measured("FF, table 1 reads ahead", table_1_reads_ahead, Sizes(60, (1,)), 2), (6, 10, 30)),
        (measured("FFR, the last state keeps everything", states_keep_tables(2, 2), Sizes(2, (8,)), 2), (1, 1, 1)),
        (measured("[FR]F, the first state keeps all", states_keep_tables(1, 2), Sizes(2, (8,)), 2), (1, 1, 1)),
        (measured("FF, w hears its entry in two parts", entry_in_parts(2, 1), Sizes(2, (1 << 10,)), 2), (1, 1, 1)),
        (measured("[FR]F, it keeps table 1", states_keep_tables(1, 1), Sizes(768, (8,)), 2), (96, 8, 363)),
    ]


@cache
def solved_on_family() -> Numbers:
    """FF on the family with x_0 = 266, v = 2 and q = 2^10, and the Θ at which a charge less forbids it."""
    family = Family(266, (532, 1 << 10), own=2)
    solver = measured("FF, three helpers", differences_on_the_way, Sizes(532, (3,)), 2, family)
    return Numbers(532, 3, family.starts, family.own, 489, solver.beta, 0, 0, family.values[1])


def check(claim: Claim) -> Checked:
    """Nothing that exists is forbidden; the charges are the messages of transcripts; the calculator says the same.

    1. *Protocols.* Six that solve two tables, their bits counted, are not forbidden: at the x_0, v, Θ at which a
       charge less would forbid them, and at all x_0, v, Θ where m is at most 4. Each charge is refuted so but one,
       layer 1 into z_0's token; that one is refuted by a protocol that solves the family.
    2. *Transcripts.* In random models of four words, the last x_0 entries of table 1 with v values each, all sets
       written out (the entries before them count with table 2): each class of messages is a function of what its charge
       says that its receiver knows, there are as many as charged, and in the transcripts' bits they are the charges, by
       name. With all of them fixed, all that w hears is fixed; without any one of them it is not, in some model; for
       those that are fixed first, in one made by hand (`needed_two_tables`).
    3. *Calculator.* Its verdicts are the inequalities in integers, written here a second time.
    """
    for solver, (x0, v, theta) in solvers():
        m = solver.sizes.m
        options = [(x0, v, theta)]
        if m <= 4:
            entries = ((x, v) for x in range(1, m + 1) for v in range(1, m // x + 1))
            options += [(x, v, reached) for x, v in entries for reached in range(1, x * v + 2)]
        for chosen in options:
            beside = solver.linear[1]
            of = Numbers(m, solver.sizes.n[0], *chosen, solver.beta, beside, solver.linear[2] - beside)
            require(not claim.forbids(of), f"{solver.name}: solves {of}, which is called impossible")
    on_family = solved_on_family()
    require(not claim.forbids(on_family), f"solved on a family: {on_family}, which is called impossible")
    gone = {name for name in (*REACHED, *TOLD) if any(_without(name).forbids(of) for of in _solved())}
    require(gone == {*REACHED, *TOLD} - ON_FAMILIES, f"protocols refute the theorem without one of {sorted(gone)}")
    require(all(_without(name).forbids(on_family) for name in ON_FAMILIES), f"refuted on no family: {ON_FAMILIES}")
    needed: set[str] = set()
    for case in CASES:
        of, reached, told, unsettled = counted(case)
        needed |= unsettled
        for charges, shown in ((claim.reached, reached), (claim.told, told)):
            charged = {name: charge(of) for name, charge in charges.items()}
            require(charged == shown, f"{case.word}: charged are {charged}, transcripts show {shown}")
    first = {*REACHED, BEHIND_2}  # these are made constant before all others
    idle = TOLD.keys() - needed - first
    require(not idle, f"no transcript needs {', '.join(sorted(idle))}")
    require_needed_first(first, (BESIDE,))
    require_calculator(claim)
    return Checked(
        Status.EXHAUSTIVE,
        "protocols that solve, right on all inputs at small sizes; "
        f"{len(CASES)} models' transcripts; integers against the calculator",
        f"transcripts at m = 4, n_1 up to 2, x_0 = v = 2; {SEEDED_CASES} seeded cases up to m = 90",
    )


@cache
def counted(case: Case) -> tuple[Numbers, dict[str, int], dict[str, int], set[str]]:
    """The bits that the proof fixes in one model, by name; and without which of them w's knowledge is not settled."""
    first, second = case.full_layers
    m, n1, x0, v = case.sizes.m, case.sizes.n[0], case.varied, case.values
    queries, starts = range(n1), range(m - x0, m)
    firsts: list[Table] = [
        (*(0,) * (m - x0), *(entry * v + value for entry, value in enumerate(values)))
        for values in product(range(v), repeat=x0)
    ]
    word = case.word
    before = {z2: case.heard(z2, firsts[0], starts[0], 0).states([first], "first") for z2 in case.last_tables()}
    lasts = commonest(list(before), {z2: content for z2, (content, _) in before.items()})
    base = {(z2, z1, w): case.heard(z2, z1, starts[0], w) for z2, z1, w in product(lasts, firsts, queries)}
    told_w = {key: heard.soft(first, "first", "w") for key, heard in base.items()}
    states = {key: heard.states([first], "z0") for key, heard in base.items()}
    require_function(f"{word}: table 1 to w", (((z1, w), said) for (_, z1, w), said in told_w.items()))
    require_function(f"{word}: the state behind table 1", ((z1, said) for (_, z1, _), said in states.items()))
    some = next(iter(base))
    reached = {
        "layer 1, table 1 to w": n1 * told_w[some][1],
        "the state behind table 1": states[some][1],
    }
    fixed = {z1: (*(told_w[lasts[0], z1, w] for w in queries), states[lasts[0], z1, 0]) for z1 in firsts}
    kept = commonest(firsts, fixed)
    pairs = {z1[start]: (start, z1) for start in starts for z1 in kept}
    # Contexts of layer 1 are counted over all tables, as the proof charges all x_0·v of them.
    table_tokens = _tokens(case, first, lasts, firsts, starts[0])
    starts_heard = {
        (z2, z0): case.heard(z2, firsts[0], z0, 0).soft(first, "last", "z0") for z2, z0 in product(lasts, starts)
    }
    runs = {(z2, i, w): case.heard(z2, pairs[i][1], pairs[i][0], w) for z2, i, w in product(lasts, pairs, queries)}
    parts: dict[str, dict[Any, Any]] = {
        "layer 1 into w": {key: heard.soft(first, "last", "w") for key, heard in runs.items()},
        "layer 1 into z_0": {key: heard.soft(first, "last", "z0") for key, heard in runs.items()},
        "layer 1 into table 1": {key: heard.soft(first, "last", "first") for key, heard in runs.items()},
        "layer 2 into w": {key: heard.soft(second, "last", "w") for key, heard in runs.items()},
        "late states into w": {key: heard.states(case.layers[first:], "w") for key, heard in runs.items()},
    }
    knows: dict[str, Callable[[Any], Any]] = {
        "layer 1 into w": lambda key: (key[0], key[2]),
        "layer 1 into z_0": lambda key: (key[0], pairs[key[1]][0]),
        "layer 2 into w": lambda key: (key[0], key[2], pairs[key[1]][0]),
        "late states into w": lambda key: key[:2],
    }
    counts = {
        name: require_function(f"{word}: {name}", ((known(key), parts[name][key]) for key in runs))
        for name, known in knows.items()
    }
    require(len({start for start, _ in pairs.values()}) == x0, f"{word}: some entry of table 1 is never asked")
    bits = {name: part[next(iter(runs))][1] for name, part in parts.items()}
    told = {name: counts[name] // len(lasts) * bits[name] for name in knows}
    told["layer 1 into z_0"] = len(starts_heard) // len(lasts) * bits["layer 1 into z_0"]
    told["layer 1 into table 1"] = len(table_tokens) // len(lasts) * bits["layer 1 into table 1"] // x0
    told["the state behind table 2"] = before[lasts[0]][1]
    unsettled = unsettled_without(
        word, {key: key[1:] for key in runs}, parts, {k: h.view("w") for k, h in runs.items()}
    )
    beta, linear = case.budgets()
    of = Numbers(m, n1, x0, v, len(pairs), beta, linear[1], linear[2] - linear[1])
    return of, reached, told, unsettled


def _tokens(case: Case, layer: int, lasts: list[Table], firsts: list[Table], z0: int) -> set[Any]:
    """(z_2, entry, its value): what such a token of table 1 hears from table 2 depends on nothing else."""
    x0, pairs = case.varied, []
    for z2, z1 in product(lasts, firsts):
        heard = case.heard(z2, z1, z0, 0)
        code = heard.transcript.public.sum_code(layer)
        heads = code.decode([heard.soft(layer, "last", "first")[0]], [0, x0])
        for entry in range(x0):
            said = tuple(
                (tuple(sums.numerators.reshape(x0, -1)[entry].tolist()), int(sums.totals.reshape(x0)[entry]))
                for sums in heads
            )
            pairs.append(((z2, entry, z1[entry - x0]), said))
    require_function(f"{case.word}: layer 1 into table 1", pairs)
    return {known for known, _ in pairs}


def require_calculator(claim: Claim) -> None:
    rng, verdicts = Random(2), set()
    for _ in range(SEEDED_CASES):
        m, n1, x0, v, beta = (rng.randint(*ends) for ends in ((2, 90), (1, 6), (1, 12), (1, 8), (1, 3)))
        of = Numbers(m, n1, x0, v, rng.randint(1, x0 * v + 1), beta, rng.choice([0, 0, 3]), rng.choice([0, 2]))
        said = theorem_b2(m, (n1,), x0, v, of.theta, beta, (0, of.beside, of.beside + of.late)).holds
        require(said == claim.forbids(of), f"{of}: the calculator says {said}")
        verdicts.add(said)
    require(len(verdicts) == 2, "all seeded cases have one verdict")


def _without(name: str) -> Claim:
    reached, told = (
        {other: charge for other, charge in charges.items() if other != name} for charges in (REACHED, TOLD)
    )
    return Claim(reached, told)


def _solved() -> list[Numbers]:
    """The numbers of every solver, at its own x_0, v and Θ."""
    return [
        Numbers(of.sizes.m, of.sizes.n[0], *chosen, of.beta, of.linear[1], of.linear[2] - of.linear[1])
        for of, chosen in solvers()
    ]


class Shape(NamedTuple):
    """A word and the numbers of the theorem."""

    word: str
    of: Numbers


WITNESS = Shape("FF", Numbers(140, 3, 35, 4, 88, 8, 0, 0))

STATEMENT = Statement(
    id="T.B2",
    title="two full layers without an early R do not compose two tables",
    latex=r"x_0v\le m,\quad (\Theta-1)^{x_0}2^{\beta n_1+\Lambda_1}<(x_0v)^{x_0},\quad "
    r"2^{\Lambda_1+\beta(n_1+x_0+x_0v+n_1x_0)+\Theta\lambda_2}<(mn_1)^{n_1\Theta}",
    english="If these hold for some x_0, v and Θ, no model with two full layers, no R layer before the second, "
    "messages of β bits and these state bits solves FuncComp with two tables of m and m·n_1 entries.",
    subject=Claim(),
    check=check,
    twins={
        **{f"{name} is free": _without(name) for name in (*REACHED, *TOLD)},
        "late states are paid once": Claim(told={**TOLD, "late states into w": lambda of: of.late}),
        "layer 2 is paid once for each w": Claim(told={**TOLD, "layer 2 into w": lambda of: of.beta * of.n1}),
    },
    speaks_of=("D1", "D2"),
    rests_on=("L3", "M2"),
    hypotheses=(
        Hypothesis(
            "two full layers, and no R layer before the second",
            lambda shape: Word.parse(shape.word).full == 2 and Word.parse(shape.word).depth == 1,
            Shape("FRF", WITNESS.of),
        ),
        Hypothesis(
            "x_0·v ≤ m", lambda shape: shape.of.x0 * shape.of.v <= shape.of.m, Shape("FF", WITNESS.of._replace(m=139))
        ),
        Hypothesis(
            "Θ pairs of an entry and a value survive",
            lambda shape: Claim().reaches(shape.of),
            Shape("FF", WITNESS.of._replace(theta=89)),
        ),
        Hypothesis(
            "more is asked of table 2 than told",
            lambda shape: Claim().asks(shape.of),
            Shape("FF", WITNESS.of._replace(theta=86)),
        ),
    ),
    witness=WITNESS,
)
