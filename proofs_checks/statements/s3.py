"""S3: a look-up with little leakage returns the match's value, up to the leaked share.

If other keys weigh at most λ times the match and values lie in an interval of length D, a coordinate of the output is
off by at most D·λ/(1+λ), plus the rounding step η = 2^-f.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import floor
from typing import Any, NamedTuple

import sympy as sp
import z3

from proofs_checks.kit.solvers import require_no_numbers, require_zero
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps

Bound = Callable[[Any, Any, Any], Any]
"""(λ, D, η) ↦ how far a look-up can be off."""


class LookUp(NamedTuple):
    """Weights and values of the match and of other keys, λ, D and η, and what came out."""

    match_weight: int
    match_value: int
    other_weights: tuple[int, ...]
    other_values: tuple[int, ...]
    leak: Fraction
    length: int
    step: Fraction
    out: Fraction


def error_bound(leak: Any, length: Any, step: Any) -> Any:
    """D·λ/(1+λ) + η."""
    return length * leak / (1 + leak) + step


def _any_leak(bound: Bound) -> None:
    """(1+λ')·e = λ'·(V − v*) is the error before rounding, λ' ≤ λ and |V − v*| ≤ D; rounding down takes less than η."""
    part, apart, error, lost, leak, length, step = z3.Reals("part apart error lost leak length step")
    held = [leak >= 0, length >= 0, step > 0, part >= 0, part <= leak, -length <= apart, apart <= length]
    held += [(1 + part) * error == part * apart, lost >= 0, lost < step]
    said, off = bound(leak, length, step), error - lost
    require_no_numbers([*held, z3.Or(off > said, -off > said)], "a look-up is off by more")


def _met(bound: Bound) -> None:
    """At λ' = λ and |V − v*| = D, the rounding aside: a larger bound would be true but loose."""
    leak, length, step = sp.symbols("lambda D eta", positive=True)
    value = sp.Symbol("v", real=True)
    out = (value + leak * (value + length)) / (1 + leak)
    require_zero(bound(leak, length, step) - step - (out - value), "the bound is off")


def others_leak_little(seen: LookUp) -> bool:
    return sum(seen.other_weights) <= seen.leak * seen.match_weight


def values_are_near(seen: LookUp) -> bool:
    values = (seen.match_value, *seen.other_values)
    return max(values) - min(values) <= seen.length


def is_rounded_down(seen: LookUp) -> bool:
    total = seen.match_weight + sum(seen.other_weights)
    pairs = zip(seen.other_weights, seen.other_values, strict=True)
    numerator = seen.match_weight * seen.match_value + sum(weight * value for weight, value in pairs)
    mean = Fraction(numerator, total) if total else Fraction(0)
    return seen.out == floor(mean / seen.step) * seen.step


WITNESS = LookUp(8, 1, (1,), (-1,), Fraction(1, 8), 2, Fraction(1, 16), Fraction(12, 16))


STATEMENT = Statement(
    id="S3",
    title="error of a look-up",
    latex=r"|{\rm out}-v^*|\le D\,\lambda/(1+\lambda)+\eta",
    english="If the other keys together weigh at most λ times the match, a coordinate is off by at most D·λ/(1+λ), "
    "plus η for rounding.",
    subject=error_bound,
    check=Steps(
        "every λ, D, η",
        (Step("any leak up to λ", _any_leak), Step("the bound is attained", _met)),
        {
            "all other keys are one": "Together they weigh λ' matches, and their weighted mean V is a mean of numbers "
            "in an interval of length D that holds v*, so |V − v*| ≤ D; the mean of all is (v* + λ'·V)/(1 + λ').",
        },
    ),
    twins={
        "rounding forgotten": lambda leak, length, step: length * leak / (1 + leak),  # noqa: ARG005
        "half the length": lambda leak, length, step: length * leak / (1 + leak) / 2 + step,
        "leak of 1 − λ": lambda leak, length, step: length * leak / (1 - leak) + step,
    },
    # Each of the four excluded look-ups is off by more than the bound.
    hypotheses=(
        Hypothesis(
            "the match has some weight",
            lambda seen: seen.match_weight > 0,
            WITNESS._replace(match_weight=0, other_weights=(0,), out=Fraction(0)),
        ),
        Hypothesis(
            "other keys weigh together at most λ matches",
            others_leak_little,
            WITNESS._replace(other_weights=(2,), out=Fraction(9, 16)),
        ),
        Hypothesis(
            "all values lie in an interval of length D",
            values_are_near,
            WITNESS._replace(other_values=(-2,), out=Fraction(10, 16)),
        ),
        Hypothesis(
            "the mean is rounded down to a multiple of η", is_rounded_down, WITNESS._replace(out=Fraction(11, 16))
        ),
    ),
    witness=WITNESS,
    rests_on=("S2",),
)
