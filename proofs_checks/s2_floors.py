"""S2.floors: weights rounded down leak no more if the match is a whole number, else at most 1 + 1/w times as much."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import z3

from proofs_checks.integers import require_no_numbers
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from separation.arithmetic import attention_weights
from separation.arithmetic.balls import ball, exp_ball

Factor = Callable[[bool, Any], Any]
"""(the match weighs a whole number, w) ↦ by how much the leak may grow, w ≥ 1 the floored weight of the match."""


def growth(whole: bool, weight: Any) -> Any:
    """1, or 1 + 1/w."""
    return 1 if whole else 1 + 1 / weight


def check(factor: Factor) -> Checked:
    """⌊x_1⌋ + … + ⌊x_k⌋ over ⌊y⌋ is at most f·(x_1 + … + x_k)/y, with f = 1 if y is whole and f = 1 + 1/⌊y⌋ if not.

    z3, over all reals x, y ≥ 0 and whole numbers: a floor is a whole number X with X ≤ x < X + 1, so sums of floors
    stay below sums (induction over the keys), and X/w ≤ f·x/y is X·y ≤ f·x·w, as y and w = ⌊y⌋ are positive. With
    w* ≤ w the factor 1 + 1/w* is larger still. The match weighs 2^P, a whole number, exactly when its score is the
    shift c. Beside: the project's own weights, for c at and above the match's score.
    """
    small, large, more, floored = z3.Reals("small large more floored")
    added = [small <= large, floored <= more, small + floored > large + more]
    require_no_numbers(added, "the sum of floors is above the sum")
    x, y = z3.Reals("x y")
    below, weight, least = z3.Ints("below weight least")
    floors = [x >= 0, below <= x, below >= 0, weight <= y, y < weight + 1, weight >= 1]
    leak = z3.ToReal(below) * y
    require_no_numbers(
        [*floors, y == weight, leak > factor(True, z3.ToReal(weight)) * x * weight], "the match is whole, and it leaks"
    )
    require_no_numbers([*floors, leak > factor(False, z3.ToReal(weight)) * x * weight], "the leak grows by more")
    fewer = [least >= 1, least <= weight, leak > factor(False, z3.ToReal(least)) * x * weight]
    require_no_numbers([*floors, *fewer], "a lower bound of w does not do")
    count = sum(_require_weights(factor, power, above) for power in (2, 3, 8) for above in (0, Fraction(1, 2), 1))
    return Checked(
        Status.ALL_SIZES,
        f"floors as whole numbers (z3); {count} weights of the arithmetic model beside",
        "every weight",
    )


def _require_weights(factor: Factor, power: int, above: Fraction | int) -> int:
    """Keys at all distances h ≤ 6 from the query, one each, with c at or above the match's score (τ = 1/4)."""
    exponents = np.array([-distance for distance in range(7)])
    match, *others = (int(weight) for weight in attention_weights(exponents, 2, Fraction(above), power))
    allowed = factor(above == 0, Fraction(match))
    for distance, other in enumerate(others, start=1):
        true = exp_ball(Fraction(-distance, 2))
        require(
            bool(other <= ball(Fraction(allowed * match)) * true),
            f"P = {power}: distance {distance} leaks {other}/{match}",
        )
    return len(others)


STATEMENT = Statement(
    id="S2.floors",
    title="leakage of floored weights",
    latex=r"\frac{\sum_j\lfloor x_j\rfloor}{\lfloor y\rfloor}\le\Bigl(1+\frac{[y\notin\mathbb Z]}{w^*}\Bigr)"
    r"\frac{\sum_j x_j}{y},\quad 1\le w^*\le\lfloor y\rfloor",
    english="Floored integer weights keep every leakage bound if c is the match's score; else it grows by 1 + 1/w*.",
    subject=growth,
    check=check,
    twins={
        "never grows": lambda whole, weight: 1,  # noqa: ARG005
        "1 + 1/(w+1)": lambda whole, weight: 1 if whole else 1 + 1 / (weight + 1),
        "shrinks when the match is whole": lambda whole, weight: 1 - 1 / (2 * weight) if whole else 1 + 1 / weight,
    },
    hypotheses=(
        Hypothesis("the floored weight w* of the match is at least 1", lambda held: held[1] >= 1, outside=(0.5, 0)),
        Hypothesis("w* is at most the match's weight", lambda held: held[1] <= held[0], outside=(2.5, 3)),
    ),
    witness=(2.5, 2),
)
"""The witness: y and w*."""
