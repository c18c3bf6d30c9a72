"""T.A2W: one full layer and windows do not compose two tables; a window costs its reach in tokens, not its state.

r_0 and r_1 are the reaches of all windows before and after the full layer, added up. z_0 = r_0, and table 1 is
constant but for z_1(z_0) = i. What stands before that entry counts with table 2. From it on no token sees table 2
before the full layer, and the last r_1 tokens before w, and w, see neither it nor i (2r_0 + r_1 ≤ m). So in the full
layer w hears β bits for each w, each of the r_1 tokens before it β bits, whatever i is; all else is known. All N
entries (w, i) are asked: β(n_1 + r_1) < N·log2 N contradicts.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any, NamedTuple

from proofs_checks.kit.cube import Protocol
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Word
from separation.bounds.theorems.theorem_a2w import theorem_a2w

SEED, CASES, SEEDS = 23, 400, 12


@dataclass(frozen=True)
class Windows:
    """Theorem A2_W, or a false neighbour: a charge that is not paid, or a table 1 that is too short."""

    w_pays: bool = True
    last_tokens_pay: bool = True
    shorter: int = 0

    def forbids(self, m: int, n1: int, beta: int, before: int, after: int) -> bool:
        N, told = m * n1, n1 * self.w_pays + after * self.last_tokens_pay
        return 2 * before + after - self.shorter <= m and 1 << (beta * told) < N**N


def layers(run: Protocol, prompt: list[Any], before: int, after: int) -> int:
    """A window, a full layer of messages of β bits, a window; what w knows at the end, as a number."""
    first = [tuple(prompt[max(0, place - before) : place + 1]) for place in range(len(prompt))]
    second = [(own, run.heard(1, first[:place], own)) for place, own in enumerate(first)]
    return run.function(2, tuple(second[len(prompt) - 1 - after :]), "w")


def require_determined(claim: Windows, seed: int, before: int, after: int) -> None:
    """At β = 1 and n_1 = 1: tables z_2 with equal charges have equal outputs for all i."""
    m, run = 2 * before + after - claim.shorter, Protocol(seed, 1)
    table = [("z1", place, 0) for place in range(m)]
    seen: dict[Any, Any] = {}
    for z2 in product(range(m), repeat=m):
        front = [("z2", place, value) for place, value in enumerate(z2)]
        outputs, charges = [], []
        for i in range(m):
            own = [*table[:before], ("z1", before, i), *table[before + 1 :]] if before < m else table
            prompt = [*front, *own, ("z0", before), ("w", 0)]
            first = [tuple(prompt[max(0, place - before) : place + 1]) for place in range(len(prompt))]
            outputs.append(layers(run, prompt, before, after))
            if i == 0:
                known = first[: m + before]
                charges = [run.heard(1, known, first[-1])] * claim.w_pays
                last = first[len(prompt) - 1 - after : -1] if claim.last_tokens_pay else []
                charges += [run.heard(1, known, token) for token in last]
        require(seen.setdefault(tuple(charges), outputs) == outputs, f"seed {seed}: equal charges, and other outputs")


def check(claim: Windows) -> Checked:
    """Equal charges, equal outputs, in random models with windows; the calculator's verdicts against integers."""
    for seed in range(SEEDS):
        for before, after in ((1, 1), (1, 0), (0, 3)):
            require_determined(claim, seed, before, after)
    rng = Random(SEED)
    for _ in range(CASES):
        m, n1, beta, before, after = (rng.randint(*ends) for ends in ((2, 12), (1, 3), (1, 20), (0, 4), (0, 4)))
        found = theorem_a2w(m, (n1,), beta, (before, after)).certified
        require(claim.forbids(m, n1, beta, before, after) == found, f"m, n_1, β = {m}, {n1}, {beta}: {found}")
    return Checked(
        Status.TESTED,
        "models with equal charges; integers against the calculator",
        f"{3 * SEEDS} models, {CASES} cases",
    )


class Shape(NamedTuple):
    word: str
    m: int = 14
    beta: int = 33


STATEMENT = Statement(
    id="T.A2W",
    title="one full layer and windows do not compose two tables",
    latex=r"2r_0+r_1\le m,\qquad 2^{\beta(n_1+r_1)}<N^N",
    english="If these hold, no model with one full layer, messages of β bits and, besides, windows whose reaches add "
    "up to r_0 before and r_1 behind it solves FuncComp with two tables of m and N = m·n_1 entries.",
    subject=Windows(),
    check=check,
    twins={
        "w hears for nothing": Windows(w_pays=False),
        "the last tokens hear for nothing": Windows(last_tokens_pay=False),
        "table 1 one entry shorter": Windows(shorter=1),
    },
    speaks_of=("D1", "D2"),
    rests_on=("M2",),
    hypotheses=(
        Hypothesis("one full layer and windows alone", lambda s: Word.parse(s.word).windows_alone, Shape("RW(4)F")),
        Hypothesis("2r_0 + r_1 ≤ m", lambda s: theorem_a2w(s.m, (2,), 1, (3, 2)).certified, Shape("W(4)FW(3)", m=7)),
        Hypothesis(
            "w and the last tokens hear too little",
            lambda s: theorem_a2w(s.m, (2,), s.beta, (3, 2)).certified,
            Shape("W(4)FW(3)", beta=34),
        ),
    ),
    witness=Shape("W(4)FW(3)"),
)
