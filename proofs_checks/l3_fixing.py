"""L3: fixing: the most common value of b bits leaves a share 2^-b at least."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from proofs_checks.statement import Checked, Statement, Status, require

ELEMENTS = 6
BITS = (0, 1, 2)


def left_over(density: Fraction, bits: int) -> Fraction:
    """density·2^-b."""
    return density / (1 << bits)


def check(bound: Callable[[Fraction, int], Fraction]) -> Checked:
    """Pigeonhole: |𝒬| elements fall into 2^b classes, so one has at least |𝒬|/2^b.

    By hand for all sizes: the classes add up to |𝒬|, so their largest is at least their mean. Beside, every map from up
    to six elements to 0, 1 or 2 bits: the largest class against the bound; and the bound is met, so it is not loose.
    """
    met = set()
    for bits in BITS:
        for size in range(1, ELEMENTS + 1):
            density = Fraction(size, ELEMENTS)
            for values in product(range(1 << bits), repeat=size):
                largest = Fraction(max(values.count(value) for value in set(values)), ELEMENTS)
                said = bound(density, bits)
                require(largest >= said, f"{size} elements, {bits} bits: the largest class is {largest}, said {said}")
                if largest == said:
                    met.add(bits)
    require(met == set(BITS), f"the bound is met for {sorted(met)} bits only")
    return Checked(Status.EXHAUSTIVE, "every map from 6 elements to 2 bits", f"{ELEMENTS} elements, up to 2 bits")


STATEMENT = Statement(
    id="L3",
    title="fixing",
    latex=r"\max_v|\{q\in\mathcal Q:g(q)=v\}|\ge 2^{-b}|\mathcal Q|",
    english="Fixing b bits to their most common value costs b in the exponent of the density.",
    subject=left_over,
    check=check,
    twins={
        "one bit for free": lambda density, bits: density / (1 << max(0, bits - 1)),
        "one bit too many paid": lambda density, bits: density / (1 << (bits + 1)),
    },
)
