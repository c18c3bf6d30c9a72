"""T.E: how often a hybrid with too few full layers composes L random tables rightly.

x_ℓ ≥ 1, x_0 ≤ m, t_0 = x_0, t_ℓ = x_ℓn_{ℓ-1}t_{ℓ-1} (n_0 = 1), D_{ℓ+1} = x_ℓD_ℓ + c_ℓ: the accuracy is at most
⟨(t_1−1)/2m; D_1/m⟩ + Σ_{ℓ=2..L-1} ⟨(t_ℓ−1)/2N_{ℓ-1}; D_ℓ/(n_{ℓ-1}t_{ℓ-1})⟩ + ⟨1/N_{L-1}; D_L/(n_{L-1}t_{L-1})⟩. Level
ℓ keeps a random variable that tells at most D_ℓ bits of z_ℓ, …, z_L; copies of a table are drawn from its posterior.
The last step may be paid in full, late (states where they are used), or, for a word without R after or beside its last
full layer, quiet. Two misreadings are false: quiet with R heads beside the last full layer, and L full layers without
Λ_1 in the last step.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import NamedTuple

from proofs_checks.kit.solving_protocols import (
    measured,
    row_look_ups,
    states_keep_tables,
    table_1_reads_ahead,
    w_hears_tables,
)
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.statements.t_a2_average import best_of_f, largest_share
from separation.bounds import Word
from separation.bounds.theorems.theorem_e import PAYMENTS, theorem_e, told_bits
from separation.tasks.funccomp import Sizes

SEEDED_CASES = 400
QUIET, LATE, FULL, DELAYED = "quiet", "late", "full", "delayed"


class Numbers(NamedTuple):
    """The kind (A: L−1 full layers, B: L and no R layer before the second), sizes, x_0..x_{L-1}, β and Λ."""

    kind: str
    payment: str
    m: int
    n: tuple[int, ...]
    x: tuple[int, ...]
    beta: int
    linear: tuple[int, ...]


Told = Callable[[Numbers], list[int]]


def told(of: Numbers) -> list[int]:
    """[D_1, …, D_L], D_{ℓ+1} = x_ℓ·D_ℓ + c_ℓ, each c_ℓ written out by kind, payment and level."""
    L, W, x, beta, state = len(of.n) + 1, prod(of.n), of.x, of.beta, of.linear
    N = [of.m * prod(of.n[:level]) for level in range(L)]
    bits = [state[0] if of.kind == "A" else beta * W + state[1]]
    for level in range(1, L):
        X = prod(x[:level])
        S = sum(prod(x[i:level]) * N[i - 1] for i in range(1, level))
        V = W if (of.kind, level, state[0]) == ("A", 1, 0) else W * X
        own, pays = x[level] * N[level - 1], of.payment if level == L - 1 or of.payment == DELAYED else FULL
        if of.kind == "A":
            before, here = state[level - 1], state[level]
            costs = {
                FULL: here + beta * (level * own + V + X + S),
                LATE: before + x[level] * (here - before) + beta * ((level - 1) * own + V + X + S),
                QUIET: before + beta * ((level - 1) * own + V),
                DELAYED: before
                + X * x[level] * (here - before)
                + beta * ((level - 1) * own + (0 if level == 1 else x[0] if level == 2 else X) + S + V),
            }
        else:
            before, here = state[level], state[level + 1]
            heard = X + X * x[1] if level == 1 else X + S
            costs = {
                FULL: here + beta * ((level + 1) * own + V + heard),
                LATE: before + x[level] * (here - before) + beta * (level * own + V + heard),
                QUIET: before + beta * (level * own + V + (X if level == 1 else 0)),
            }
        bits.append(x[level] * bits[-1] + costs[pays])
    return bits


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
        for x in product(range(1, sizes.m + 1), *((1, 2),) * (sizes.L - 1)):
            found.append((name, Numbers(kind, payment, sizes.m, sizes.n, x, solver.beta, solver.linear)))
    return found


def check(claim: Told) -> Checked:
    """What is always right has the ceiling 1; all protocols of F stay below; the calculator charges the same.

    1. *Solvers.* Protocols of eight words that are right on every input that was run, at several x: the sum is 1.
    2. *All protocols* of F at m = 2, n_1 = 1, β = 1: none is right more often than the ceiling, at any x.
    3. *Calculator.* Its D_1, …, D_L are those written here, on seeded cases of both kinds and all payments, and its
       ceiling is the sum of shares, evaluated here in floats.
    """
    for name, of in solved():
        top = ceiling(of, claim(of))
        require(top >= 1 - 1e-9, f"{name}: always right, but {of} has the ceiling {top}")
    for x in product((1, 2), (1, 2)):
        of = Numbers("A", QUIET, 2, (1,), x, 1, (0, 0))
        top = ceiling(of, claim(of))
        require(best_of_f() <= top + 1e-9, f"a protocol of F is right on {best_of_f()}, {of} has the ceiling {top}")
    rng, low = Random(5), 0
    for _ in range(SEEDED_CASES):
        of = _case(rng)
        said = told_bits(*of)
        require(said == claim(of), f"{of}: the calculator charges {said}, not {claim(of)}")
        if max(said) < 10**6:
            value, ours = float(theorem_e(*of).value), ceiling(of, claim(of))
            require(abs(value - ours) < 1e-4, f"{of}: the calculator's ceiling is {value}, not {ours}")
            low += value < 1
    require(low > 5, "of all seeded cases hardly one has a ceiling below 1")
    return Checked(
        Status.TESTED,
        "protocols that solve; all protocols of F; charges and floats against the calculator",
        f"L = 2 and 3 for protocols; {SEEDED_CASES} seeded cases, L up to 4",
    )


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


def _quiet_beside(of: Numbers) -> list[int]:
    """Quiet though R heads stand beside the last full layer: their states are forgotten."""
    return told(of._replace(linear=(*of.linear[:-1], of.linear[-2]))) if of.payment == LATE else told(of)


def _first_state_dropped(of: Numbers) -> list[int]:
    """B without Λ_1 in the last step."""
    bits = told(of)
    return [*bits[:-1], bits[-1] - of.linear[1]] if of.kind == "B" and of.payment == QUIET else bits


def _no_base(of: Numbers) -> list[int]:
    bits = told(of)
    return [0, *bits[1:]]


def _copies_once(of: Numbers) -> list[int]:
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
        "quiet with R heads beside the last full layer": _quiet_beside,
        "B without Λ_1 in the last step": _first_state_dropped,
        "nothing is fixed before the first step": _no_base,
        "one copy is paid for all": _copies_once,
        "w hears nothing": lambda of: told(of._replace(beta=0)),
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
