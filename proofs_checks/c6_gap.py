"""C6.gap: a match and no match are told apart by Σ|out − code|: at most 3/4 against at least 7/4."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product

import z3

from proofs_checks.integers import require_no_numbers
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require

MOST_KEYS = 3


@dataclass(frozen=True)
class Tolerances:
    """δ ≤ 1/(``leak``·b), η ≤ 1/(``rounding``·b), b ≥ ``bits``; relu(``high``−4D) − relu(``low``−4D)."""

    leak: int = 4
    rounding: int = 4
    bits: int = 2
    high: int = 7
    low: int = 3


def check(given: Tolerances) -> Checked:
    """D = Σ_r |out_r − y_r| over b coordinates; z3 over all reals b, δ, η, D.

    Match: each coordinate is within 2δ + η of y_r (S3 with values ±1 and δ = λ/(1+λ)), so D ≤ 2bδ + bη ≤ 3/4.
    No match, some weight not 0: by hand |out_r − y_r| ≥ 1 − y_r·out_r; the mean of ⟨y, code_j⟩ over the keys is at most
    b − 2 by S1, rounding down moves each coordinate by less than η: D ≥ b − (b − 2) − bη ≥ 7/4.
    All weights 0: out = 0 as 0/0 = 0, so D = b, enough as b ≥ 2. Then the two ReLUs give 4 or 0, exactly.
    Beside: for b = 2, 3 every multiset of up to 3 keys without a match: D ≥ 2 before rounding, and 2 occurs.
    """
    b, leak, rounding, D, agreed = z3.Reals("b leak rounding D agreed")
    held = [b >= given.bits, leak >= 0, rounding >= 0, given.leak * b * leak <= 1, given.rounding * b * rounding <= 1]
    fires, silent = given.low - 4 * D < 0, given.high - 4 * D > 0
    require_no_numbers([*held, D >= 0, 2 * b * leak + b * rounding >= D, fires], "a match is missed")
    known = [agreed <= b - 2, b - agreed - b * rounding <= D]
    require_no_numbers([*held, *known, silent], "a key that does not match is taken for one")
    require_no_numbers([*held, b == D, silent], "no weight at all is taken for a match")
    require(given.high - given.low == 4, f"a match gives {given.high - given.low}, not 4")
    for bits in (2, 3):
        least = min(_distances(bits))
        require(least == 2, f"b = {bits}: without a match D is as small as {least}")
    return Checked(Status.ALL_SIZES, "no counterexample in the reals (z3); keys of 2 and 3 bits beside", "every b ≥ 2")


def _distances(bits: int) -> list[Fraction]:
    """D of the mean of every multiset of keys that all differ from y = (1, …, 1)."""
    codes = [code for code in product((1, -1), repeat=bits) if min(code) < 0]
    chosen = (keys for size in range(1, MOST_KEYS + 1) for keys in combinations_with_replacement(codes, size))
    return [
        sum((abs(Fraction(sum(place), len(keys)) - 1) for place in zip(*keys, strict=True)), Fraction(0))
        for keys in chosen
    ]


STATEMENT = Statement(
    id="C6.gap",
    title="a match and no match are far apart",
    latex=r"\delta,\eta\le\tfrac1{4b},\ b\ge2:\quad\text{match}\Rightarrow D\le2b\delta+b\eta\le\tfrac34,\quad"
    r"\text{no match}\Rightarrow D\ge2-b\eta\ge\tfrac74",
    english="The sum of distances over the bits separates a match from every other case, also when all weights are 0.",
    subject=Tolerances(),
    check=check,
    twins={
        "δ ≤ 1/(2b)": Tolerances(leak=2),
        "η ≤ 1/b": Tolerances(rounding=1),
        "one bit": Tolerances(bits=1),
        "a threshold one higher": Tolerances(high=11, low=7),
        "a threshold one lower": Tolerances(high=3, low=-1),
    },
    rests_on=("S1", "S3", "S2.repeated", "S2.floors"),
    hypotheses=(
        Hypothesis("b ≥ 2, which M ≥ 3 gives", lambda held: held[0] >= 2, outside=(1, 0, 0)),
        Hypothesis("δ ≤ 1/(4b)", lambda held: 4 * held[0] * held[1] <= 1, outside=(2, Fraction(1, 4), 0)),
        Hypothesis("η ≤ 1/(4b)", lambda held: 4 * held[0] * held[2] <= 1, outside=(2, 0, Fraction(1, 4))),
    ),
    witness=(2, Fraction(1, 8), Fraction(1, 8)),
)
"""The witness: b, δ, η."""
