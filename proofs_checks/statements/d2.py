"""D2: the integer weights of attention are the floors they claim to be.

Attention weights are the integers e(q, k) = ⌊2^P·exp(q·k − c)⌋ ∈ {0, …, 2^P}, where the shift c is fixed for each
head, never taken from the input, and at least every score. Activations are multiples of 2^-f of absolute value at most
2^(p-f): p bits and a sign. Numerators and denominators of attention are integer sums, so the order of summation does
not matter; only their quotient is rounded, down to a multiple of 2^-f; 0/0 = 0. An activation that needs more than p
bits, or a score above c, is an error; nothing wraps around.

Linear maps are exact. If all weights are integers (as in C1) every activation is a multiple of 2^-f on its own.
Weights may be rational: the maps are then exact over ℚ, activations are within the same range, but they may lie
between multiples of 2^-f, and the model is not a p-bit model in the sense of communication bounds. A certificate says
which of the two it is (`integral`).

The other layers obey the same rules. A recurrent layer R has a state that is read after the token's own step: linear
attention S = Σ φ_k vᵀ with features φ = relu(W x + b), read as φ_qᵀS divided by φ_qᵀΣφ_k (the quotient is rounded
down) or not divided at all (nothing is rounded); the gated delta rule S ← α(S − β k kᵀS) + β k vᵀ, read as Sᵀq,
unrounded. Entries of the state are activations too. Where a state is counted in bits, an entry counts ⌈log2 of the
number of multiples of its grid within its proved range⌉. A block-sparse layer S attends, in one softmax a head, to
linear summaries of earlier blocks, to the tokens of the opened ones and to its own block.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.arithmetic import (
    IntegerArray,
    Precision,
    PrecisionOverflow,
    attention_weights,
    ball,
    floor_scaled_exp,
    log_ball,
)

Weights = Callable[[IntegerArray, int, Fraction, int], IntegerArray]
POWERS = (0, 1, 8, 24, 40, 64)
DENOMINATORS = (1, 64, 3)


class Scored(NamedTuple):
    """Scores over a common denominator, the shift, and P."""

    scores: tuple[int, ...]
    denominator: int
    shift: Fraction
    power: int


def is_below_the_shift(scored: Scored, weights: Weights = attention_weights) -> bool:
    """No score is above the shift: the weights are given, not refused."""
    try:
        weights(np.array(scored.scores), scored.denominator, scored.shift, max(0, scored.power))
    except PrecisionOverflow:
        return False
    return True


def is_precision(scored: Scored) -> bool:
    try:
        Precision(scored.power, 0, 0)
    except ValueError:
        return False
    return True


def by_nearest_integer(scores: IntegerArray, denominator: int, shift: Fraction, power: int) -> IntegerArray:
    """Broken: rounds to nearest."""
    return np.rint(np.exp(scores / denominator - float(shift)) * 2.0**power).astype(object)


def without_shift(scores: IntegerArray, denominator: int, shift: Fraction, power: int) -> IntegerArray:  # noqa: ARG001
    """Broken: forgets the shift."""
    return attention_weights(scores, denominator, Fraction(0), power)


def above_the_shift(scores: IntegerArray, denominator: int, shift: Fraction, power: int) -> IntegerArray:
    """Broken: a score above the shift gets a weight above 2^P, and is not refused."""
    floors = [floor_scaled_exp(power, Fraction(int(score), denominator) - shift) for score in scores]
    return np.array(floors, dtype=object)


def check(weights: Weights) -> Checked:
    """w ≤ 2^P e^x < w + 1, tested through logarithms: log(w / 2^P) ≤ x < log((w+1) / 2^P), in balls.

    No weight exceeds 2^P: a score above the shift is refused.
    """
    count = 0
    for power in POWERS:
        for denominator in DENOMINATORS:
            scores = -(np.arange(40) ** 2)
            for score, weight in zip(scores, weights(scores, denominator, Fraction(1, 2), power), strict=True):
                x = ball(Fraction(int(score), denominator) - Fraction(1, 2))
                above = log_ball(Fraction(int(weight) + 1, 2**power))
                require(bool(x < above), f"weight {weight} is too small for score {score}/{denominator}, P = {power}")
                if weight:
                    below = log_ball(Fraction(int(weight), 2**power))
                    require(
                        bool(below <= x), f"weight {weight} is too large for score {score}/{denominator}, P = {power}"
                    )
                count += 1
            too_high = Scored((0, denominator // 2 + 1), denominator, Fraction(1, 2), power)
            require(not is_below_the_shift(too_high, weights), f"a score above the shift is accepted, P = {power}")
    return Checked(Status.TESTED, "logarithms of both neighbours in Arb", f"{count} scores, P up to {max(POWERS)}")


WITNESS = Scored((-3, 0, 1), 2, Fraction(1, 2), 8)

STATEMENT = Statement(
    id="D2",
    title="exact attention weights",
    latex=r"e(q,k)=\lfloor 2^P\exp(q\cdot k-c)\rfloor\in\{0,\dots,2^P\}",
    english="Every weight is the floor of the scaled exponential, whatever P is.",
    subject=attention_weights,
    check=check,
    twins={
        "rounded to nearest": by_nearest_integer,
        "shift forgotten": without_shift,
        "a score above the shift is accepted": above_the_shift,
    },
    hypotheses=(
        Hypothesis("the shift c is at least every score", is_below_the_shift, WITNESS._replace(scores=(-3, 0, 2))),
        Hypothesis("P is an integer ≥ 0", is_precision, WITNESS._replace(power=-1)),
    ),
    witness=WITNESS,
)
