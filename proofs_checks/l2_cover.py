"""L2: the cover lemma: independent draws rarely reach few values."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import sympy as sp

from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from separation.arithmetic.balls import floor_scaled_exp

LARGEST = 9
EXPONENT_BITS = 40


def rare(values: int, draws: int, reached: int) -> Fraction:
    """C(N, Θ)·(Θ/N)^t."""
    return comb(values, reached) * Fraction(reached, values) ** draws


def check(bound: Callable[[int, int, int], Fraction]) -> Checked:
    """P[t draws from [N] lie in Θ values] ≤ C(N,Θ)·(Θ/N)^t ≤ (𝖾N/Θ)^Θ·(Θ/N)^t, and (𝖾t/2N)^{t/2} for Θ = t/2.

    First step by hand: the draws reach at most Θ values only if they lie in one of the C(N,Θ) sets of Θ values, each
    with probability (Θ/N)^t. Second step: C(N,Θ) ≤ N^Θ/Θ!, as N(N−1)⋯ ≤ N^Θ, and Θ! ≥ (Θ/𝖾)^Θ, as 𝖾^Θ ≥ Θ^Θ/Θ! (one
    term of its series). The rest is algebra, checked with symbols. Beside: the probability itself, counted by the
    recursion of draw after draw, for all t ≤ N ≤ 9; and all draws listed for N ≤ 4.
    """
    _require_algebra()
    for values in range(1, LARGEST + 1):
        for draws in range(1, LARGEST + 1):
            chances = _distinct(values, draws)
            for reached in range(1, min(values, draws) + 1):
                chance, said = sum(chances[: reached + 1], Fraction(0)), bound(values, draws, reached)
                require(chance <= said, f"N = {values}, t = {draws}, Θ = {reached}: {chance} is more than {said}")
                # ⌊2^40·𝖾^Θ⌋ is below 2^40·𝖾^Θ: with it in place of 𝖾^Θ the claim is stronger than the one made.
                power = Fraction(floor_scaled_exp(EXPONENT_BITS, Fraction(reached)), 1 << EXPONENT_BITS)
                most = power * Fraction(values, reached) ** reached * Fraction(reached, values) ** draws
                require(said <= most, f"N = {values}, t = {draws}, Θ = {reached}: {said} is more than the form in 𝖾")
    for values, draws in product(range(1, 5), repeat=2):
        listed = [len(set(drawn)) for drawn in product(range(values), repeat=draws)]
        counted = [Fraction(listed.count(size), values**draws) for size in range(draws + 1)]
        require(counted == _distinct(values, draws), f"N = {values}, t = {draws}: the recursion is not what is listed")
    return Checked(
        Status.ALL_SIZES, "union bound by hand, algebra by sympy; all t, N ≤ 9 counted beside", "every N, t, Θ ≤ t"
    )


def _require_algebra() -> None:
    N, k, t = sp.symbols("N k t", positive=True)
    general = (sp.E * N / k) ** k * (k / N) ** t
    half = sp.expand_log(sp.log(general.subs(t, 2 * k)), force=True)
    rest = sp.simplify(half - sp.expand_log(sp.log((sp.E * k / N) ** k), force=True))
    require(rest == 0, f"with Θ = t/2 the bound is off by a factor 𝖾^({rest})")


def _distinct(values: int, draws: int) -> list[Fraction]:
    """The probabilities that draws reach exactly 0, 1, 2, … values."""
    chances = [Fraction(1)] + [Fraction(0)] * draws
    for _ in range(draws):
        old = [Fraction(size, values) * chance for size, chance in enumerate(chances)]
        new = [Fraction(values - size, values) * chance for size, chance in enumerate(chances)]
        chances = [same + (new[size - 1] if size else 0) for size, same in enumerate(old)]
    return chances


def _without_choice(values: int, draws: int, reached: int) -> Any:
    return Fraction(reached, values) ** draws


STATEMENT = Statement(
    id="L2",
    title="cover",
    latex=r"P[\text{at most }\Theta\text{ values}]\le\tbinom N\Theta(\Theta/N)^t\le(eN/\Theta)^\Theta(\Theta/N)^t",
    english="t independent draws from N values reach at most Θ of them with that probability at most.",
    subject=rare,
    check=check,
    twins={
        "one set instead of all": _without_choice,
        "one draw more": lambda values, draws, reached: rare(values, draws + 1, reached),
        "sets of one value less": lambda values, draws, reached: (
            comb(values, reached - 1) * Fraction(reached, values) ** draws
        ),
    },
    hypotheses=(
        Hypothesis("1 ≤ Θ ≤ N", lambda sizes: 1 <= sizes[2] <= sizes[0], outside=(3, 2, 4)),
        Hypothesis("at least one value is drawn: t ≥ 1", lambda sizes: sizes[1] >= 1, outside=(3, 0, 1)),
    ),
    witness=(9, 4, 2),
)
