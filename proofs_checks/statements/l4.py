"""L4: some choice of tables keeps the density and reaches enough values: averaging and cover together, by (E_ℓ).

Of the x_ℓ tables that are drawn, (E_ℓ) makes the chance of a bad cover (at most Θ_ℓ values, L2) at most half of the
mean density (L1). Densities are at most 1, so some choice with a good cover keeps half of the mean density: that is
the 1 in D_{ℓ+1}. The t_ℓ values drawn are independent, since they are values of independent tables at different
addresses. This holds for every Θ_ℓ ≤ t_ℓ (the chosen cover of [bounds.md](bounds.md)); Θ_ℓ = t_ℓ/2 gives the theorem's
own (E_ℓ). Where there is one draw only, t_ℓ = 2 and Θ_ℓ = 1: one value is reached in any case.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp
import z3

from proofs_checks.kit.solvers import require_no_numbers, require_zero
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require


def kept(density: Any, bad: Any) -> Any:
    """E[density] − P[bad cover], by (E_ℓ) at least half of the former."""
    return density - bad


def demanded(N: Any, theta: Any, t: Any, xD: Any) -> Any:
    """−1 − xD + (t−Θ)·log2(N/Θ) − Θ·log2 𝖾: (E_ℓ) says that this is at least 0."""
    return -1 - xD + ((t - theta) * sp.log(N / theta) - theta) / sp.log(2)


@dataclass(frozen=True)
class Choice:
    """If E[g] ≥ a and P[bad] ≤ b some good choice has g ≥ ``left``(a, b); b ≤ a/2 is ``demand`` ≥ 0."""

    left: Callable[[Any, Any], Any] = kept
    demand: Callable[[Any, Any, Any, Any], Any] = demanded
    for_half: Callable[[Any, Any], Any] = lambda N, t: t / 2 * sp.log(2 * N / (sp.E * t)) / sp.log(2)
    addresses: tuple[int, int] = (0, 2)


def _choices(choice: Choice, more: Any, bad: Any, good: Any, total: Any, largest: Any) -> list[z3.BoolRef]:
    """One choice more, of density ``more``; no good one among them has the claimed density."""
    mean, chance = z3.Reals("mean chance")
    number = bad + good
    return [mean * number == total + more, chance * number == bad, largest < choice.left(mean, chance), number >= 1]


def _held() -> tuple[list[z3.BoolRef], tuple[Any, Any, Any, Any, Any]]:
    """total ≤ bad + good·largest so far: a density is at most 1, that of a good choice at most ``largest``."""
    total, bad, good, largest, more = z3.Reals("total bad good largest more")
    known = [total >= 0, total <= bad + good * largest, largest >= 0, good >= 0, bad >= 0, more >= 0]
    return known, (total, bad, good, largest, more)


def _bad_choice(choice: Choice) -> None:
    known, (total, bad, good, largest, more) = _held()
    found = _choices(choice, more, bad + 1, good, total, largest)
    require_no_numbers([*known, more <= 1, *found], "a bad choice breaks the bound")


def _good_choice(choice: Choice) -> None:
    known, (total, bad, good, largest, more) = _held()
    found = _choices(choice, more, bad, good + 1, total, largest)
    require_no_numbers([*known, more <= largest, *found], "a good choice breaks the bound")


def _in_logarithms(choice: Choice) -> None:
    """log2(a/2b) with a = 2^{-xD} and b = (𝖾N/Θ)^Θ·(Θ/N)^t."""
    N, theta, t, xD = sp.symbols("N Theta t D", positive=True)
    rare = (sp.E * N / theta) ** theta * (theta / N) ** t
    require_zero(-xD - 1 - sp.log(rare) / sp.log(2) - choice.demand(N, theta, t, xD), "(E_ℓ) is off")


def _at_half(choice: Choice) -> None:
    N, t, xD = sp.symbols("N t D", positive=True)
    rest = choice.demand(N, t / 2, t, xD) + 1 + xD - choice.for_half(N, t)
    require_zero(rest, "(E_ℓ) at Θ = t/2 is off")


def _independent(choice: Choice) -> None:
    """Of 2 tables [3] → [3] out of all 27, the 4 values at 2 addresses take each of 81 patterns equally often."""
    one, two = choice.addresses
    tables = list(product(range(3), repeat=3))
    seen: dict[tuple[int, ...], int] = {}
    for first, second in product(tables, repeat=2):
        pattern = (first[one], first[two], second[one], second[two])
        seen[pattern] = seen.get(pattern, 0) + 1
    require(len(seen) == 81 and set(seen.values()) == {9}, "values at these addresses are not independent")


def _four_choices(choice: Choice) -> None:
    """Every g in quarters on 4 choices, with every set of bad ones."""
    quarters = [Fraction(part, 4) for part in range(5)]
    for densities in product(quarters, repeat=4):
        for flags in product((False, True), repeat=4):
            mean, chance = sum(densities) / Fraction(4), Fraction(sum(flags), 4)
            said = choice.left(mean, chance)
            best = max((g for g, flag in zip(densities, flags, strict=True) if not flag), default=Fraction(0))
            require(best >= said, f"densities {densities}, bad {flags}: the best good one has {best}, claimed {said}")


STATEMENT = Statement(
    id="L4",
    title="some choice of tables keeps density and cover",
    latex=r"\mathbb E[g]\ge2^{-xD},\ P[\text{bad}]\le\tfrac12 2^{-xD}\ \Rightarrow\ "
    r"\exists\ \text{good choice}:\ g\ge2^{-xD-1}",
    english="Because of (E_ℓ) some x tables keep half of the promised density and reach more than Θ values: "
    "D grows by the 1 in its formula.",
    subject=Choice(),
    check=Steps(
        "every x, D, N, t, Θ",
        (
            Step("one bad choice more", _bad_choice),
            Step("one good choice more", _good_choice),
            Step("(E_ℓ) in logarithms", _in_logarithms),
            Step("(E_ℓ) at Θ = t/2", _at_half),
            Step("values of all pairs of tables of 3 entries", _independent),
            Step("four choices in quarters", _four_choices),
        ),
        {
            "induction over the choices": "Each choice, bad or good, keeps total ≤ bad + good·largest, so some good "
            "one has E[g] − P[bad] or more.",
            "half is left": "(E_ℓ) is log2(a/2b) ≥ 0, so b ≤ a/2 and a − b ≥ a/2, with a ≤ E[g] and b ≥ P[bad] (L1, "
            "L2).",
            "independent values": "Tables are drawn independently, and so are the values of one table at different "
            "addresses: t draws for L2.",
        },
    ),
    twins={
        "nothing is lost": Choice(lambda density, _bad: density),
        "half of the bad ones are good": Choice(lambda density, bad: density - bad / 2),
        "(E_ℓ) without Θ·log2 𝖾": Choice(
            demand=lambda N, theta, t, xD: -1 - xD + (t - theta) * sp.log(N / theta) / sp.log(2)
        ),
        "N for 2N at Θ = t/2": Choice(for_half=lambda N, t: t / 2 * sp.log(N / (sp.E * t)) / sp.log(2)),
        "one address twice": Choice(addresses=(0, 0)),
    },
    rests_on=("L1", "L2"),
    hypotheses=(
        Hypothesis("(E_ℓ): P[bad] is at most half of E[g]", lambda held: 2 * held[1] <= held[0], outside=(0.25, 0.25)),
        Hypothesis("E[g] is a density, at most 1", lambda held: held[0] <= 1, outside=(2, 0)),
    ),
    witness=(Fraction(1, 4), Fraction(1, 8)),
)
"""The witness: E[g] and P[bad]."""
