"""S3: a look-up with little leakage returns the match's value, up to the leaked share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from proofs_checks.statement import Checked, Statement, Status, require

leak, length, step = sp.symbols("lambda D eta", positive=True)
share = sp.Symbol("s", nonnegative=True)


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
    rests_on=("S2",),
)
