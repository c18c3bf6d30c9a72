"""L4: some choice of tables keeps the density and reaches enough values: averaging and cover together, by (E_ℓ)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import sympy as sp
import z3

from proofs_checks.integers import require_no_numbers
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require

Left = Callable[[Fraction, Fraction], Fraction]
"""(mean density, probability of a bad cover) ↦ a density that some good choice has."""


def kept(density: Fraction, bad: Fraction) -> Fraction:
    """E[density] − P[bad cover], at least half of the former by (E_ℓ)."""
    return density - bad


def check(left: Left) -> Checked:
    """If E[g] ≥ a and P[bad] ≤ b, some choice that is not bad has g ≥ a − b; with b ≤ a/2 that is a/2 or more.

    g ≤ 1 is a density, so bad choices bring at most P[bad] to the mean. By induction over the choices (z3): a choice
    more, bad or good, keeps total ≤ bad + good·largest. (E_ℓ) is b ≤ a/2 in logarithms: with a = 2^{-xD} and
    b = (𝖾N/Θ)^Θ·(Θ/N)^t, log2(a/2b) = −1 − xD + (t−Θ)·log2(N/Θ) − Θ·log2 𝖾 (sympy), for every Θ ≤ t, and for
    Θ = t/2 the right side is (t/2)·log2(2N/𝖾t). That the t values are independent: tables are drawn independently, and
    of one table the values at different addresses are; counted for all pairs of tables of 3 entries. Beside: every g
    in quarters on 4 choices, with every set of bad ones.
    """
    total, bad, good, largest, more = z3.Reals("total bad good largest more")
    held = [total <= bad + good * largest, largest >= 0, good >= 0, bad >= 0]
    require_no_numbers([*held, more <= 1, total + more > bad + 1 + good * largest], "a bad choice breaks the bound")
    require_no_numbers([*held, more <= largest, total + more > bad + (good + 1) * largest], "a good choice breaks it")
    _require_logarithms()
    _require_independent()
    quarters = [Fraction(part, 4) for part in range(5)]
    for densities in product(quarters, repeat=4):
        for flags in product((False, True), repeat=4):
            mean, chance = sum(densities) / Fraction(4), Fraction(sum(flags), 4)
            said = left(mean, chance)
            best = max((g for g, flag in zip(densities, flags, strict=True) if not flag), default=Fraction(0))
            require(best >= said, f"densities {densities}, bad {flags}: the best good one has {best}, said {said}")
    return Checked(
        Status.ALL_SIZES,
        "mean over choices by induction (z3), logarithms (sympy); 4 choices beside",
        "every x, D, N, t, Θ",
    )


def _require_logarithms() -> None:
    N, theta, t, xD = sp.symbols("N Theta t D", positive=True)
    rare = (sp.E * N / theta) ** theta * (theta / N) ** t
    said = -1 - xD + ((t - theta) * sp.log(N / theta) - theta) / sp.log(2)
    ratio = -xD - 1 - sp.log(rare) / sp.log(2)
    rest = sp.simplify(sp.expand_log(ratio - said, force=True))
    require(rest == 0, f"(E_ℓ) is off by {rest}")
    half = said.subs(theta, t / 2) + 1 + xD - t / 2 * sp.log(2 * N / (sp.E * t)) / sp.log(2)
    rest = sp.simplify(sp.expand_log(half, force=True))
    require(rest == 0, f"(E_ℓ) at Θ = t/2 is off by {rest}")


def _require_independent() -> None:
    """Of 2 tables [3] → [3] out of all 27, the 4 values at 2 addresses take each of 81 patterns equally often."""
    tables = list(product(range(3), repeat=3))
    seen: dict[tuple[int, ...], int] = {}
    for first, second in product(tables, repeat=2):
        pattern = (first[0], first[2], second[0], second[2])
        seen[pattern] = seen.get(pattern, 0) + 1
    require(len(seen) == 81 and set(seen.values()) == {9}, "values at different addresses are not independent")


STATEMENT = Statement(
    id="L4",
    title="a choice with density and cover",
    latex=r"\mathbb E[g]\ge2^{-xD},\ P[\text{bad}]\le\tfrac12 2^{-xD}\ \Rightarrow\ "
    r"\exists\ \text{good choice}:\ g\ge2^{-xD-1}",
    english="Because of (E_ℓ) some x tables keep half of the promised density and reach more than Θ values: "
    "D grows by the 1 in its formula.",
    subject=kept,
    check=check,
    twins={
        "nothing is lost": lambda density, bad: density,  # noqa: ARG005
        "half of the bad ones are good": lambda density, bad: density - bad / 2,
    },
    rests_on=("L1", "L2"),
    hypotheses=(
        Hypothesis("(E_ℓ): P[bad] is at most half of E[g]", lambda held: 2 * held[1] <= held[0], outside=(0.25, 0.25)),
        Hypothesis("E[g] is a density, at most 1", lambda held: held[0] <= 1, outside=(2, 0)),
    ),
    witness=(Fraction(1, 4), Fraction(1, 8)),
)
"""The witness: E[g] and P[bad]."""
