"""S3: a look-up with little leakage returns the match's value, up to the leaked share."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import floor
from typing import Any, NamedTuple

import sympy as sp

from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require

leak, length, step = sp.symbols("lambda D eta", positive=True)
share = sp.Symbol("s", nonnegative=True)


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


def check(bound: Callable[[Any, Any, Any], Any]) -> Checked:
    """out = (v* + λ'·V)/(1 + λ') with λ' ≤ λ and V a mean of values, so |V − v*| ≤ D; rounding down loses under η.

    Symbolically: the error before rounding is λ'(V − v*)/(1 + λ'), which grows with λ'; at λ' = λ, |V − v*| = D it is
    D·λ/(1+λ), so the bound minus η minus that must be 0 (a larger bound would be true but loose, a smaller one false).
    """
    value, mean, part = sp.symbols("v V p", real=True)
    out = (value + part * mean) / (1 + part)
    error = part * (mean - value) / (1 + part)
    off = sp.simplify(out - value - error)
    require(off == 0, f"the error of a weighted mean is off by {off}")
    slope = sp.simplify(sp.diff(share / (1 + share), share) * (1 + share) ** 2)
    require(slope == 1, "λ/(1+λ) does not grow with λ")
    worst = error.subs({part: leak, mean: value + length})
    rest = sp.simplify(bound(leak, length, step) - step - worst)
    require(rest == 0, f"the bound is off by {rest}")
    return Checked(Status.ALL_SIZES, "symbolic identity and slope (sympy)", "every λ, D, η")


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
    english="If other keys weigh at most λ matches, a coordinate is off by at most D·λ/(1+λ), and η of rounding.",
    subject=error_bound,
    check=check,
    twins={
        "rounding forgotten": lambda leak, length, step: length * leak / (1 + leak),  # noqa: ARG005
        "half the length": lambda leak, length, step: length * leak / (1 + leak) / 2 + step,
        "leak of 1 − λ": lambda leak, length, step: length * leak / (1 - leak) + step,
    },
    # Each of the four looks that are excluded is off by more than the bound.
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
