"""L1: the averaging step: tables drawn independently keep the density that a power of the mean promises."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require

DRAWS = (1, 2, 3)


def promised(mean: Any, draws: Any) -> Any:
    """(E f)^x."""
    return mean**draws


def check(bound: Callable[[Any, Any], Any]) -> Checked:
    """E[f^x] ≥ (E f)^x for f ≥ 0 and whole x ≥ 1, by the tangent at a = E f.

    f^x ≥ a^x + x·a^{x-1}·(f − a), and the mean of the right side is a^x. The tangent lies below by induction over x:
    with T_x = f^x − a^x − x·a^{x-1}(f − a) one has T_1 = 0 and T_{x+1} = f·T_x + x·a^{x-1}(f − a)², which is ≥ 0. The
    identity is checked symbolically with A = a^{x-1} and G = f^x as letters of their own.
    By hand: the x tables are independent, so given z_{>ℓ} all of them extend it inside 𝒬 with chance f(z_{>ℓ})^x;
    that is compared with a count over all sets 𝒬 ⊆ 4 × 2 and all draws.
    """
    f, a, A, G, x = sp.symbols("f a A G x", nonnegative=True)
    tangent = G - a * A - x * A * (f - a)
    following = G * f - a * a * A - (x + 1) * a * A * (f - a)
    rest = sp.expand(following - f * tangent - x * A * (f - a) ** 2)
    require(rest == 0, f"the induction over x is off by {rest}")
    first = tangent.subs({G: f, A: 1, x: 1})
    require(sp.expand(first) == 0, f"the tangent at x = 1 is off by {first}")
    require(sp.simplify(bound(a, x) - a**x) == 0, f"what is promised is {bound(a, x)}, the tangent's mean is a^x")
    for chosen in product((False, True), repeat=8):
        _require_counted([chosen[:4], chosen[4:]], bound)
    return Checked(Status.ALL_SIZES, "tangent by induction over x (sympy); every 𝒬 ⊆ 4 × 2 counted", "every f and x")


def _require_counted(inside: list[tuple[bool, ...]], bound: Callable[[Any, Any], Any]) -> None:
    """inside[z_{>ℓ}][z_ℓ]: over all draws of x tables the mean density of the z_{>ℓ} that extend all of them."""
    tables = range(len(inside[0]))
    mean = Fraction(sum(sum(row) for row in inside), len(inside) * len(tables))
    for draws in DRAWS:
        total = sum(all(row[table] for table in drawn) for drawn in product(tables, repeat=draws) for row in inside)
        density = Fraction(total, len(tables) ** draws * len(inside))
        require(density >= bound(mean, draws), f"{draws} draws keep {density}, promised were {bound(mean, draws)}")


STATEMENT = Statement(
    id="L1",
    title="averaging",
    latex=r"\mathbb E[f^{x}]\ge(\mathbb E f)^{x}\ge 2^{-xD}",
    english="Of x tables drawn independently, a share 2^{-xD} of what follows extends all of them, on average.",
    subject=promised,
    check=check,
    twins={
        "one draw is free": lambda mean, draws: mean ** (draws - 1),
        "draws do not multiply": lambda mean, draws: mean * (draws / draws),
    },
    hypotheses=(
        Hypothesis(
            "f is a share of the tables, for each z_{>ℓ}: between 0 and 1",
            lambda subject: all(0 <= share <= 1 for share in subject[0]),
            outside=((Fraction(-2), Fraction(1)), 3),
        ),
        Hypothesis(
            "x is a whole number of draws, at least 1",
            lambda subject: subject[1] == int(subject[1]) and subject[1] >= 1,
            outside=((Fraction(0), Fraction(1)), Fraction(1, 2)),
        ),
    ),
    witness=((Fraction(1, 4), Fraction(1)), 3),
)
