"""L3: fixing: the most common value of b bits leaves at least a share 2^-b.

Whatever takes at most 2^b values on 𝒬 is constant on a part of 𝒬 that has at least 2^{-b} of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require

ELEMENTS = 5
BITS = (0, 1, 2)
Share = Callable[[int, int], Fraction]
"""(elements, number of classes) ↦ a lower bound for the largest class."""


def left_over(total: int, classes: int) -> Fraction:
    """|𝒬|/2^b."""
    return Fraction(total, classes)


def check(share: Share) -> Checked:
    """`fixing` in Coq; every map of up to 5 elements to 0, 1, 2 bits: the bound holds, and is attained."""
    for bits in BITS:
        attained = False
        for size in range(1, ELEMENTS + 1):
            said = share(size, 1 << bits)
            for values in product(range(1 << bits), repeat=size):
                largest = max(Counter(values).values())
                require(largest >= said, f"of {size} elements under {values} {largest} are alike, claimed {said}")
                attained = attained or largest == said
        require(attained, f"{bits} bits: the bound is never attained")
    return Checked(
        Status.EXHAUSTIVE, "`fixing` in Coq; all maps counted", f"up to {ELEMENTS} elements, {BITS[-1]} bits"
    )


STATEMENT = Statement(
    id="L3",
    title="fixing b bits to their most common value",
    latex=r"\max_v|\{q\in\mathcal Q:g(q)=v\}|\ge 2^{-b}|\mathcal Q|",
    english="Fixing b bits to their most common value costs b in the exponent of the density.",
    subject=left_over,
    check=check,
    twins={
        "one bit for free": lambda total, classes: Fraction(total, max(1, classes // 2)),
        "one bit too many paid": lambda total, classes: Fraction(total, 2 * classes),
        "one element more": lambda total, classes: Fraction(total + 1, classes),
    },
    hypotheses=(
        Hypothesis("𝒬 is not empty", lambda fixing: len(fixing[0]) > 0, outside=((), 1)),
        Hypothesis(
            "what is fixed takes at most 2^b values on 𝒬",
            lambda fixing: len(set(fixing[0])) <= 1 << fixing[1],
            outside=((0, 1, 2), 1),
        ),
    ),
    witness=((0, 1, 1, 0, 1), 1),
)
