"""L1: the averaging step: independently drawn tables keep a density of at least a power of the mean.

𝒬 is a set of inputs of the players ℓ, ℓ+1, …, L of density at least 2^{-D}. Draw x tables of player ℓ independently
and uniformly. The z_{>ℓ} that extend all of them inside 𝒬 have density E[f^x] ≥ (E f)^x ≥ 2^{-xD} on average, where
f(z_{>ℓ}) is the share of tables that extend it. Repeats among the draws do no harm.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from proofs_checks.kit.solvers import require_zero
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require

DRAWS = (1, 2, 3)


Part = Callable[[Any, Any, Any], Any]
"""(a, a^{x-1}, x) ↦ a part of the tangent, a = E f."""


@dataclass(frozen=True)
class Promise:
    """E[f^x] ≥ ``value`` = a^x, by the tangent of f^x at a with that value and ``slope`` = x·a^{x-1}."""

    value: Part = lambda mean, power, _draws: mean * power
    slope: Part = lambda _mean, power, draws: draws * power


def _tangent(promise: Promise, f: Any, a: Any, power: Any, draws: Any, drawn: Any) -> Any:
    """T_x = f^x − (value + slope·(f − a)), f^x and a^{x-1} as letters ``drawn`` and ``power``."""
    return drawn - promise.value(a, power, draws) - promise.slope(a, power, draws) * (f - a)


def _one_draw_more(promise: Promise) -> None:
    """T_{x+1} = f·T_x + x·a^{x-1}·(f − a)²."""
    f, a, A, G, x = sp.symbols("f a A G x", nonnegative=True)
    grown = f * _tangent(promise, f, a, A, x, G) + x * A * (f - a) ** 2
    require_zero(_tangent(promise, f, a, a * A, x + 1, G * f) - grown, "T_{x+1} is off")


def _one_draw(promise: Promise) -> None:
    """T_1 = 0."""
    f, a = sp.symbols("f a", nonnegative=True)
    require_zero(_tangent(promise, f, a, 1, 1, f), "the tangent at x = 1 is off")


def _counted(promise: Promise) -> None:
    """Every 𝒬 ⊆ 4 × 2 and all draws, against f(z_{>ℓ})^x."""
    for chosen in product((False, True), repeat=8):
        _require_counted([chosen[:4], chosen[4:]], promise)


def _require_counted(inside: list[tuple[bool, ...]], promise: Promise) -> None:
    """inside[z_{>ℓ}][z_ℓ]: over all draws of x tables the mean density of the z_{>ℓ} that extend all of them."""
    tables = range(len(inside[0]))
    mean = Fraction(sum(sum(row) for row in inside), len(inside) * len(tables))
    for draws in DRAWS:
        total = sum(all(row[table] for table in drawn) for drawn in product(tables, repeat=draws) for row in inside)
        density = Fraction(total, len(tables) ** draws * len(inside))
        said = promise.value(mean, mean ** (draws - 1), draws)
        require(density >= said, f"{draws} draws keep {density}, less than the promised {said}")


STATEMENT = Statement(
    id="L1",
    title="averaging over x independent tables",
    latex=r"\mathbb E[f^{x}]\ge(\mathbb E f)^{x}\ge 2^{-xD}",
    english="On average, a share 2^{-xD} of the later tables extends all x independently drawn ones.",
    subject=Promise(),
    check=Steps(
        "every f and x",
        (
            Step("one draw more", _one_draw_more),
            Step("one draw", _one_draw),
            Step("every 𝒬 ⊆ 4 × 2 counted", _counted),
        ),
        {
            "induction over x": "T_1 = 0 and T_{x+1} is f·T_x plus a square times x·a^{x-1} ≥ 0, so T_x ≥ 0: f^x ≥ "
            "tangent.",
            "the mean of the tangent": "With a = E f the mean of a^x + x·a^{x-1}·(f − a) is a^x; and a ≥ 2^{-D} gives "
            "2^{-xD}.",
            "independent draws": "The x tables are independent, so given z_{>ℓ} all of them extend it inside 𝒬 with "
            "chance f(z_{>ℓ})^x.",
        },
    ),
    twins={
        "one draw is free": Promise(value=lambda _mean, power, _draws: power),
        "draws do not multiply": Promise(value=lambda mean, _power, _draws: mean),
        "the slope of a line": Promise(slope=lambda _mean, power, _draws: power),
    },
    hypotheses=(
        Hypothesis(
            "f is a share of the tables for each z_{>ℓ}, between 0 and 1",
            lambda subject: all(0 <= share <= 1 for share in subject[0]),
            outside=((Fraction(-2), Fraction(1)), 3),
        ),
        Hypothesis(
            "x is an integer ≥ 1",
            lambda subject: subject[1] == int(subject[1]) and subject[1] >= 1,
            outside=((Fraction(0), Fraction(1)), Fraction(1, 2)),
        ),
    ),
    witness=((Fraction(1, 4), Fraction(1)), 3),
)
