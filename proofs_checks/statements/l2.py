"""L2: the cover lemma: independent draws rarely reach few values.

t independent uniform draws from [N] reach at most Θ values with probability at most C(N,Θ)·(Θ/N)^t ≤ (𝖾N/Θ)^Θ·(Θ/N)^t;
for Θ = t/2 that is (𝖾t/2N)^{t/2}.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import sympy as sp

from proofs_checks.kit.solvers import require_zero
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from separation.arithmetic import floor_scaled_exp

LARGEST, LISTED = 9, 4
EXPONENT_BITS = 40


def rare(values: int, draws: int, reached: int) -> Fraction:
    """C(N, Θ)·(Θ/N)^t."""
    return comb(values, reached) * Fraction(reached, values) ** draws


@dataclass(frozen=True)
class Cover:
    """P[t draws from [N] lie in Θ values] ≤ ``rare`` ≤ ``with_e``, and that is ``for_half`` if Θ = t/2."""

    rare: Callable[[int, int, int], Fraction] = rare
    with_e: Callable[[Any, Any, Any], Any] = lambda N, t, theta: (sp.E * N / theta) ** theta * (theta / N) ** t
    for_half: Callable[[Any, Any], Any] = lambda N, t: (sp.E * t / (2 * N)) ** (t / 2)


def _half(cover: Cover) -> None:
    N, k = sp.symbols("N k", positive=True)
    general, half = cover.with_e(N, 2 * k, k), cover.for_half(N, 2 * k)
    require_zero(sp.log(general) - sp.log(half), "with Θ = t/2 the logarithm of the bound is off")


def _counted(cover: Cover) -> None:
    """The chance itself, by the recursion of draw after draw, for all t, N ≤ 9; all draws listed for t, N ≤ 4."""
    for values, draws in product(range(1, LARGEST + 1), repeat=2):
        chances = _distinct(values, draws)
        for reached in range(1, min(values, draws) + 1):
            where = f"N = {values}, t = {draws}, Θ = {reached}"
            chance, said = sum(chances[: reached + 1], Fraction(0)), cover.rare(values, draws, reached)
            require(chance <= said, f"{where}: {chance} is more than {said}")
    for values, draws in product(range(1, LISTED + 1), repeat=2):
        listed = [len(set(drawn)) for drawn in product(range(values), repeat=draws)]
        counted = [Fraction(listed.count(size), values**draws) for size in range(draws + 1)]
        require(
            counted == _distinct(values, draws), f"N = {values}, t = {draws}: the recursion does not match the list"
        )


def _with_e(cover: Cover) -> None:
    """⌊2^40·𝖾^Θ⌋ is below 2^40·𝖾^Θ: with it in place of 𝖾^Θ the claim is stronger than the one made."""
    e = sp.Symbol("e", positive=True)
    for values, draws in product(range(1, LARGEST + 1), repeat=2):
        for reached in range(1, min(values, draws) + 1):
            form = cover.with_e(sp.Integer(values), sp.Integer(draws), sp.Integer(reached))
            factor, exponent = form.subs(sp.E, e).as_coeff_exponent(e)
            power = Fraction(floor_scaled_exp(EXPONENT_BITS, Fraction(int(exponent))), 1 << EXPONENT_BITS)
            most = Fraction(str(factor)) * power
            said = cover.rare(values, draws, reached)
            require(said <= most, f"N = {values}, t = {draws}, Θ = {reached}: {said} is more than the form in 𝖾")


def _distinct(values: int, draws: int) -> list[Fraction]:
    """The probabilities that draws reach exactly 0, 1, 2, … values."""
    chances = [Fraction(1)] + [Fraction(0)] * draws
    for _ in range(draws):
        old = [Fraction(size, values) * chance for size, chance in enumerate(chances)]
        new = [Fraction(values - size, values) * chance for size, chance in enumerate(chances)]
        chances = [same + (new[size - 1] if size else 0) for size, same in enumerate(old)]
    return chances


STATEMENT = Statement(
    id="L2",
    title="independent draws cover many values",
    latex=r"P[\text{at most }\Theta\text{ values}]\le\tbinom N\Theta(\Theta/N)^t\le(eN/\Theta)^\Theta(\Theta/N)^t",
    english="The probability that t independent draws from N values reach at most Θ of them is at most this bound.",
    subject=Cover(),
    check=Steps(
        "every N, t, Θ ≤ t",
        (
            Step("the form at Θ = t/2", _half),
            Step(f"all t, N ≤ {LARGEST} counted", _counted),
            Step(f"the form in 𝖾 for t, N ≤ {LARGEST}", _with_e),
        ),
        {
            "union bound": "Draws that reach at most Θ values lie in one of the C(N,Θ) sets of Θ values, each with "
            "chance (Θ/N)^t.",
            "the form in 𝖾": "C(N,Θ) ≤ N^Θ/Θ! because N(N−1)⋯ ≤ N^Θ, and Θ! ≥ (Θ/𝖾)^Θ because Θ^Θ/Θ! is one term of "
            "the series of 𝖾^Θ.",
        },
    ),
    twins={
        "one set instead of all": Cover(lambda values, draws, reached: Fraction(reached, values) ** draws),
        "one draw more": Cover(lambda values, draws, reached: rare(values, draws + 1, reached)),
        "sets of one value less": Cover(
            lambda values, draws, reached: comb(values, reached - 1) * Fraction(reached, values) ** draws
        ),
        "no factor 𝖾": Cover(with_e=lambda N, t, theta: (sp.E / sp.E * N / theta) ** theta * (theta / N) ** t),
        "t for t/2 inside": Cover(for_half=lambda N, t: (sp.E * t / N) ** (t / 2)),
    },
    hypotheses=(
        Hypothesis("1 ≤ Θ ≤ N", lambda sizes: 1 <= sizes[2] <= sizes[0], outside=(3, 2, 4)),
        Hypothesis("at least one value is drawn: t ≥ 1", lambda sizes: sizes[1] >= 1, outside=(3, 0, 1)),
    ),
    witness=(9, 4, 2),
)
