"""T.E: how often a hybrid with too few full layers composes L random tables rightly.

x_ℓ ≥ 1, x_0 ≤ m, t_0 = x_0, t_ℓ = x_ℓn_{ℓ-1}t_{ℓ-1} (n_0 = 1), D_{ℓ+1} = x_ℓD_ℓ + c_ℓ: the accuracy is at most
⟨(t_1−1)/2m; D_1/m⟩ + Σ_{ℓ=2..L-1} ⟨(t_ℓ−1)/2N_{ℓ-1}; D_ℓ/(n_{ℓ-1}t_{ℓ-1})⟩ + ⟨1/N_{L-1}; D_L/(n_{L-1}t_{L-1})⟩. Level
ℓ keeps a random variable that tells at most D_ℓ bits of z_ℓ, …, z_L; copies of a table are drawn from its posterior.
The last step may be paid in full, late (states where they are used), or, for a word without R after or beside its last
full layer, quiet; quiet with R heads beside the last full layer is false.

*Which charges are needed.* Without any one of six a protocol that is always right would have a ceiling below 1; without
*into z_0* one that is right 999 times in 1,000 would have one below that: z_0's token hears a part of table 2 that goes
with z_0, and states hand on sums of entries, each for several z_0 (`summed_entries`). Of *into the tables below* it is
open; the proof needs it (`needed_messages`). Those tokens hear of the last table before they know the way, of uniform
inputs one candidate in m; no gain by them is known, and no proof of none. Of the new boundary, states in front of all
full layers, or beside the first, are not needed: T.E.scans.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, product
from math import prod
from random import Random
from typing import NamedTuple

from proofs_checks.kit.claim_e import (
    ASKING,
    BASE_HEARD,
    BASE_STATE,
    BELOW,
    BOUNDARY,
    DELAYED,
    FULL,
    LATE,
    NAMES,
    OWN,
    QUIET,
    STARTS,
    STATES,
    Numbers,
    Told,
    base,
    costs,
)
from proofs_checks.kit.delayed_cases import DelayedCase
from proofs_checks.kit.delayed_messages import BEHIND_1, BEHIND_2, TABLE_1_TO_W, TABLE_2_TO_W, counted
from proofs_checks.kit.needed_messages import ROUTED_A, ROUTED_B, require_all_needed
from proofs_checks.kit.solving_protocols import (
    entry_in_parts,
    last_but_one_reads_ahead,
    measured,
    row_look_ups,
    states_keep_tables,
    table_1_reads_ahead,
    w_hears_tables,
)
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.kit.summed_entries import often_right
from proofs_checks.statements.t_a2_average import best_of_f, largest_share
from separation.bounds import Rule, Word, run_recursion
from separation.bounds.theorems.theorem_e import PAYMENTS, theorem_e, told_bits
from separation.tasks.funccomp import Sizes

SEEDED_CASES = 400
NOT_REFUTED = {BELOW}
"""No protocol that is known is right more often than the theorem without this says.

The new boundary is refuted where it carries states behind a full layer; of the others see T.E.scans.
"""
SHOWN = {
    BASE_STATE: {BEHIND_1},
    BASE_HEARD: {TABLE_1_TO_W},
    BOUNDARY: {BEHIND_2, "the first state", "the new boundary"},
    STATES: {"states into w", "late states"},
    OWN: {"layer 1 into table 2"},
    ASKING: {TABLE_2_TO_W, "last layer into w"},
    STARTS: {"layer 1 into z_0"},
    BELOW: {"layer 1 into table 1"},
}
"""The classes of messages with three tables, as transcripts name them, by the charge that pays for them."""

told = Told()


def ceiling(of: Numbers, bits: list[int]) -> float:
    """⟨(t_1−1)/2m; D_1/m⟩ + Σ ⟨(t_ℓ−1)/2N_{ℓ-1}; D_ℓ/(n_{ℓ-1}·t_{ℓ-1})⟩ + ⟨1/N_{L-1}; D_L/(n_{L-1}·t_{L-1})⟩."""
    total, reached, entries, size = 0.0, of.x[0], of.m, of.m
    for level, (x, n) in enumerate(zip(of.x[1:], of.n, strict=True)):
        tries = x * (of.n[level - 1] if level else 1) * reached
        if tries > 1:
            total += share(Fraction(tries - 1, 2 * size), Fraction(bits[level], entries))
        reached, entries, size = tries, n * tries, size * n
    return min(1.0, total + share(Fraction(1, size), Fraction(bits[-1], entries)))


def share(q: Fraction, kappa: Fraction) -> float:
    return 1.0 if q >= 1 else largest_share(float(q), float(kappa))


def solved() -> list[tuple[str, Numbers]]:
    """Numbers of protocols that are always right, as words that the kind and the payment speak of."""
    one, two, three = Sizes(2, (2,)), Sizes(2, (64,)), Sizes(2, (1, 4))
    found = []
    for name, kind, solver, x in (
        ("FF, entry in parts", "B", measured("parts", entry_in_parts(2, 1), Sizes(2, (1 << 10,)), 2), (1, 1)),
        ("FF, table 1 reads ahead", "B", measured("ahead", table_1_reads_ahead, Sizes(1024, (1,)), 2), (8, 8)),
        ("RF keeps table 1", "A", measured("RF 64", states_keep_tables(0, 1), Sizes(64, (64,)), 1), (1, 8)),
        (
            "RFF, table 2 reads ahead",
            "A",
            measured("RFF ahead", last_but_one_reads_ahead(early=True), Sizes(4096, (4, 1)), 2),
            (2, 64, 16),
        ),
    ):
        sizes = solver.sizes
        found.append((name, Numbers(kind, QUIET, sizes.m, sizes.n, x, solver.beta, solver.linear)))
    for name, kind, payment, solver in (
        ("RF keeps table 1", "A", QUIET, measured("RF", states_keep_tables(0, 1), one, 1)),
        ("RF keeps everything", "A", QUIET, measured("RF all", states_keep_tables(0, 2), two, 1)),
        ("FR keeps everything", "A", LATE, measured("FR", states_keep_tables(1, 2), two, 1)),
        ("FR keeps everything", "A", FULL, measured("FR", states_keep_tables(1, 2), two, 1)),
        ("FR keeps everything", "A", DELAYED, measured("FR", states_keep_tables(1, 2), two, 1)),
        ("FR looks its row up", "A", LATE, measured("look-ups", row_look_ups, one, 1)),
        ("[FR]F keeps everything", "B", QUIET, measured("[FR]F", states_keep_tables(1, 2), two, 2)),
        ("FFR keeps everything", "B", LATE, measured("FFR", states_keep_tables(2, 2), two, 2)),
        ("FF, w hears table 1", "B", QUIET, measured("FF", w_hears_tables(1), one, 2)),
        ("FF, table 1 reads ahead", "B", QUIET, measured("ahead", table_1_reads_ahead, one, 2)),
        ("RFF keeps everything", "A", QUIET, measured("RFF", states_keep_tables(0, 3), three, 2)),
        ("FFR keeps three tables", "A", DELAYED, measured("FFR 3", states_keep_tables(2, 3), three, 2)),
    ):
        sizes = solver.sizes
        for copies in product(range(1, sizes.m + 1), *((1, 2),) * (sizes.L - 1)):
            found.append((name, Numbers(kind, payment, sizes.m, sizes.n, copies, solver.beta, solver.linear)))
    return found


def check(claim: Told) -> Checked:
    """What is always right has the ceiling 1; all protocols of F stay below; transcripts, calculator agree.

    1. *Solvers.* Protocols of ten words that are right on every input that was run, at several x: the sum is 1; and one
       that is right nearly always. Without any one charge that is not in NOT_REFUTED some of them would have a ceiling
       below their accuracy.
    2. *All protocols* of F at m = 2, n_1 = 1, β = 1: none is right more often than the ceiling, at any x.
    3. *Transcripts.* Of the payment in full, c_ℓ is D_{ℓ+1} − x_ℓ·D_ℓ − 1 of theorems A and B, whose messages T.run
       counts; of the delayed payment the classes of messages with three tables are counted here, by name. Without any
       one of these classes (SHOWN) the proof's step fails in a model made by hand (`needed_messages`).
    4. *Calculator.* Its D_1, …, D_L are those written here, on seeded cases of both kinds and all payments, and its
       ceiling is the sum of shares, evaluated here in floats.
    """
    examples = solved()
    for name, of in examples:
        top = ceiling(of, claim(of))
        require(top >= 1 - 1e-9, f"{name}: always right, but {of} has the ceiling {top}")
    name, often, accuracy = often_right()
    top = ceiling(often, claim(often))
    require(top >= accuracy, f"{name}: right on {accuracy} of all inputs, but {often} has the ceiling {top}")
    less = {name: Told(frozenset({name})) for name in NAMES}
    gone = {name for name, told in less.items() if any(ceiling(of, told(of)) < 1 - 1e-9 for _, of in examples)}
    gone |= {name for name, told in less.items() if ceiling(often, told(often)) < accuracy}
    require(gone == set(NAMES) - NOT_REFUTED, f"protocols refute the theorem without one of {sorted(gone)}")
    for x in product((1, 2), (1, 2)):
        of = Numbers("A", QUIET, 2, (1,), x, 1, (0, 0))
        top = ceiling(of, claim(of))
        require(best_of_f() <= top + 1e-9, f"a protocol of F is right on {best_of_f()}, {of} has the ceiling {top}")
    require_transcripts(claim)
    require_all_needed({name for names in SHOWN.values() for name in names} - {TABLE_1_TO_W}, ROUTED_A)
    require_all_needed({TABLE_1_TO_W}, ROUTED_B[-1:])
    rng, low = Random(5), 0
    for _ in range(SEEDED_CASES):
        of = _case(rng)
        said = told_bits(*of)
        require(said == claim(of), f"{of}: the calculator charges {said}, not {claim(of)}")
        if of.payment == FULL:
            require_recursion(of, claim(of))
        if max(said) < 10**6:
            value, ours = float(theorem_e(*of).value), ceiling(of, claim(of))
            require(abs(value - ours) < 1e-4, f"{of}: the calculator's ceiling is {value}, not {ours}")
            low += value < 1
    require(low > 5, "of all seeded cases hardly one has a ceiling below 1")
    return Checked(
        Status.TESTED,
        "protocols that solve, right on all inputs at small sizes; "
        "all protocols of F; transcripts; charges and floats against the calculator",
        f"L = 2 and 3 for protocols; one model's transcripts with L = 3; {SEEDED_CASES} seeded cases, L up to 4",
    )


def require_transcripts(claim: Told) -> None:
    """The messages that the delayed payment fixes with three tables, counted by name in one model's transcripts."""
    case = DelayedCase("A", "RFRFR", seed=1, starts=2)
    found = counted(case)
    linear = tuple(accumulate(found.states))
    of = Numbers("A", DELAYED, case.sizes.m, case.sizes.n, (case.starts, found.copies, found.draws), found.beta, linear)
    steps = (
        {BASE_STATE: [BEHIND_1]},
        {BOUNDARY: [BEHIND_2], STATES: ["states into w"], ASKING: [TABLE_2_TO_W]},
        {
            BOUNDARY: ["the first state", "the new boundary"],
            STATES: ["late states"],
            OWN: ["layer 1 into table 2"],
            ASKING: ["last layer into w"],
            STARTS: ["layer 1 into z_0"],
            BELOW: ["layer 1 into table 1"],
        },
    )
    bits_of = {**found.reached, **found.told}
    shown = [{charge: sum(bits_of[name] for name in names) for charge, names in step.items()} for step in steps]
    bits = [sum(shown[0].values())]
    for level, charges in enumerate((base(of), costs(of, 1), costs(of, 2))):
        paid = {name: cost for name, cost in charges.items() if cost}
        require(paid == shown[level], f"step {level}: charged are {paid}, transcripts show {shown[level]}")
        if level:
            bits.append(of.x[level] * bits[-1] + sum(shown[level].values()))
    require(claim(of) == bits, f"{of}: charged are {claim(of)}, transcripts show {bits}")


def require_recursion(of: Numbers, bits: list[int]) -> None:
    """Paid in full, c_ℓ is what T.run counts: D_{ℓ+1} − x_ℓ·D_ℓ − 1 of the recursion of theorem A or B."""
    rule = Rule.A if of.kind == "A" else Rule.B
    D = run_recursion(rule, of.beta, of.linear, of.m, of.n, of.x).D
    for level in range(1, len(bits)):
        counted_there = D[level] - of.x[level] * D[level - 1] - 1
        if (of.kind, level, of.linear[0]) == ("A", 1, 0):
            counted_there -= of.beta * prod(of.n) * (of.x[0] - 1)
        ours = bits[level] - of.x[level] * bits[level - 1]
        require(ours == counted_there, f"{of}: step {level} costs {ours}, T.run counts {counted_there}")


def _case(rng: Random) -> Numbers:
    kind, L = rng.choice("AB"), rng.choice([2, 2, 3, 4])
    payment = rng.choice(PAYMENTS[kind])
    m = rng.choice([4, 40, 4000])
    n = (*(rng.choice([1, 2, 30]) for _ in range(L - 2)), rng.choice([1, 8, 5000]))
    x = (rng.randint(1, min(m, 4)), *(rng.choice([1, 2, 5]) for _ in range(L - 1)))
    states = [
        0 if kind == "B" else rng.choice([0, 0, 3]),
        *(rng.choice([0, 2]) for _ in range(L if kind == "B" else L - 1)),
    ]
    if payment == QUIET:
        states[-1] = 0
    linear = tuple(sum(states[: block + 1]) for block in range(len(states)))
    return Numbers(kind, payment, m, n, x, rng.choice([1, 3]), linear)


@dataclass(frozen=True)
class _QuietBeside(Told):
    """Quiet though R heads stand beside the last full layer: their states are forgotten."""

    def __call__(self, of: Numbers) -> list[int]:
        return told(of._replace(linear=(*of.linear[:-1], of.linear[-2]))) if of.payment == LATE else told(of)


@dataclass(frozen=True)
class _CopiesOnce(Told):
    """One copy is paid for all."""

    def __call__(self, of: Numbers) -> list[int]:
        return told(of._replace(x=(of.x[0], *(1,) * (len(of.x) - 1)))) if of.payment != DELAYED else told(of)


class Shape(NamedTuple):
    word: str
    of: Numbers


WITNESS = Shape("RF", Numbers("A", QUIET, 64, (8,), (1, 2), 8, (8, 8)))

STATEMENT = Statement(
    id="T.E",
    title="how often too few full layers compose random tables rightly, every L",
    latex=r"\text{accuracy}\le\Bigl\langle\tfrac{t_1-1}{2m};\tfrac{D_1}{m}\Bigr\rangle+\sum_{\ell=2}^{L-1}"
    r"\Bigl\langle\tfrac{t_\ell-1}{2N_{\ell-1}};\tfrac{D_\ell}{n_{\ell-1}t_{\ell-1}}\Bigr\rangle"
    r"+\Bigl\langle\tfrac1{N_{L-1}};\tfrac{D_L}{n_{L-1}t_{L-1}}\Bigr\rangle",
    english="On uniformly random inputs a model with L−1 full layers, or with L and no R layer before the second, is "
    "right at most this often, for all x_ℓ ≥ 1, x_0 ≤ m, and each way to pay the last step that the word allows.",
    subject=told,
    check=check,
    twins={
        "quiet with R heads beside the last full layer": _QuietBeside(),
        "one copy is paid for all": _CopiesOnce(),
        "B without Λ_1 anywhere": Told(frozenset({BASE_STATE, BOUNDARY})),
        **{f"{name} free": Told(frozenset({name})) for name in NAMES},
    },
    speaks_of=("D1", "D2"),
    rests_on=("M2",),
    hypotheses=(
        Hypothesis(
            "the word has L−1 full layers, or L and no R layer before the second",
            lambda shape: Word.parse(shape.word).depth < len(shape.of.n) + 1 <= Word.parse(shape.word).full + 1,
            Shape("RFF", WITNESS.of),
        ),
        Hypothesis(
            "a quiet word has no R after or beside its last full layer",
            lambda shape: shape.of.payment != QUIET or Word.parse(shape.word).layers[-1] == "F",
            Shape("FR", WITNESS.of),
        ),
        Hypothesis("x_0 ≤ m", lambda shape: shape.of.x[0] <= shape.of.m, Shape("RF", WITNESS.of._replace(x=(65, 2)))),
    ),
    witness=WITNESS,
)
