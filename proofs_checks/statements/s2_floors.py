"""S2.floors: weights rounded down leak no more if the match is an integer, else at most 1 + 1/w times as much.

Weights are floors (D2). If c is the match's score the match weighs 2^P exactly, floors only make the other weights
smaller, and both leakage bounds stay. Otherwise ⌊x⌋/⌊y⌋ ≤ (1 + 1/w*)·x/y for every w* with 1 ≤ w* ≤ ⌊y⌋: the bounds
are multiplied by 1 + 1/w*. No claim is made when the match itself floors to 0.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import z3

from proofs_checks.kit.solvers import require_no_numbers
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from separation.arithmetic import attention_weights, ball, exp_ball

Factor = Callable[[bool, Any], Any]
"""(the match's weight is an integer, its floor w ≥ 1) ↦ the factor by which the leak may grow."""


def growth(whole: bool, weight: Any) -> Any:
    """1, or 1 + 1/w."""
    return 1 if whole else 1 + 1 / weight


def _floors() -> tuple[list[z3.BoolRef], tuple[Any, Any, Any]]:
    """X ≤ x, a sum of floors and the sum itself; w = ⌊y⌋ ≥ 1: what is known, then X·y, x·w and w."""
    x, y = z3.Reals("x y")
    below, weight = z3.Ints("below weight")
    known = [x >= 0, below <= x, below >= 0, weight <= y, y < weight + 1, weight >= 1]
    return known, (z3.ToReal(below) * y, x * weight, weight)


def _whole(factor: Factor) -> None:
    known, (leak, allowed, weight) = _floors()
    too_much = leak > factor(True, z3.ToReal(weight)) * allowed
    require_no_numbers([*known, z3.Real("y") == weight, too_much], "the match is an integer, and it leaks more")


def _not_whole(factor: Factor) -> None:
    known, (leak, allowed, weight) = _floors()
    require_no_numbers([*known, leak > factor(False, z3.ToReal(weight)) * allowed], "the leak grows by more")


def _lower_bound(factor: Factor) -> None:
    """With w* ≤ w the factor 1 + 1/w* is larger still."""
    known, (leak, allowed, weight) = _floors()
    least = z3.Int("least")
    fewer = [least >= 1, least <= weight, leak > factor(False, z3.ToReal(least)) * allowed]
    require_no_numbers([*known, *fewer], "a lower bound on w is not enough")


def _own_weights(factor: Factor) -> None:
    """The weights of the arithmetic model: keys at distances h ≤ 6 from the query, c at or above the match's score."""
    for power in (2, 3, 8):
        for above in (0, Fraction(1, 2), 1):
            _require_weights(factor, power, above)


def _require_weights(factor: Factor, power: int, above: Fraction | int) -> None:
    """One key at each distance, τ = 1/4."""
    exponents = np.array([-distance for distance in range(7)])
    match, *others = (int(weight) for weight in attention_weights(exponents, 2, Fraction(above), power))
    allowed = factor(above == 0, Fraction(match))
    for distance, other in enumerate(others, start=1):
        true = exp_ball(Fraction(-distance, 2))
        require(
            bool(other <= ball(Fraction(allowed * match)) * true),
            f"P = {power}: distance {distance} leaks {other}/{match}",
        )


STATEMENT = Statement(
    id="S2.floors",
    title="leakage of floored weights",
    latex=r"\frac{\sum_j\lfloor x_j\rfloor}{\lfloor y\rfloor}\le\Bigl(1+\frac{[y\notin\mathbb Z]}{w^*}\Bigr)"
    r"\frac{\sum_j x_j}{y},\quad 1\le w^*\le\lfloor y\rfloor",
    english="Integer weights that are rounded down keep every leakage bound if c is the match's score; otherwise the "
    "bound grows by a factor 1 + 1/w*.",
    subject=growth,
    check=Steps(
        "every weight",
        (
            Step("the match is an integer", _whole),
            Step("the match is not an integer", _not_whole),
            Step("a lower bound on its floor", _lower_bound),
            Step("weights of the arithmetic model", _own_weights),
        ),
        {
            "floors add up": "⌊x_1⌋ + … + ⌊x_k⌋ is an integer X ≤ x_1 + … + x_k = x, one key after the other; "
            "that is all that is used of the other keys.",
            "quotients are compared by products": "X/w ≤ f·x/y is X·y ≤ f·x·w, as y and w = ⌊y⌋ ≥ 1 are positive.",
            "when the match is an integer": "It weighs 2^P·exp(score − c), which is the integer 2^P when its score is "
            "the shift c.",
        },
    ),
    twins={
        "never grows": lambda whole, weight: 1,  # noqa: ARG005
        "1 + 1/(w+1)": lambda whole, weight: 1 if whole else 1 + 1 / (weight + 1),
        "shrinks when the match is an integer": lambda whole, weight: 1 - 1 / (2 * weight) if whole else 1 + 1 / weight,
    },
    hypotheses=(
        Hypothesis("the floored weight w* of the match is at least 1", lambda held: held[1] >= 1, outside=(0.5, 0)),
        Hypothesis("w* is at most the match's weight", lambda held: held[1] <= held[0], outside=(2.5, 3)),
    ),
    witness=(2.5, 2),
)
"""The witness: y and w*."""
