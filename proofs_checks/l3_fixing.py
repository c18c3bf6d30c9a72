"""L3: fixing: the most common value of b bits leaves a share 2^-b at least."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import z3

from proofs_checks.integers import require_no_integers
from proofs_checks.statement import Checked, Statement, Status, require

ELEMENTS = 6
BITS = (0, 1, 2)


def left_over(density: Fraction, bits: int) -> Fraction:
    """density·2^-b."""
    return density / (1 << bits)


def check(bound: Callable[[Fraction, int], Fraction]) -> Checked:
    """Pigeonhole: |𝒬| elements fall into k = 2^b classes of at most M elements, so |𝒬| ≤ k·M.

    By induction over k: a class more adds at most M. z3 finds no integers that break the step. Then M ≥ |𝒬|/2^b, which
    is density·2^-b once both sides are divided by the number of all inputs. Beside, every map from up to six elements
    to 0, 1 or 2 bits: the largest class against the bound; and the bound is met for each number of bits:
    it is not loose.
    """
    total, classes, largest, more = z3.Ints("total classes largest more")
    held = [classes >= 0, total <= classes * largest, more <= largest]
    require_no_integers([*held, total + more > (classes + 1) * largest], "one class more breaks the induction")
    met = set()
    for bits in BITS:
        for size in range(1, ELEMENTS + 1):
            said = bound(Fraction(size, ELEMENTS), bits)
            for values in product(range(1 << bits), repeat=size):
                found = Fraction(max(values.count(value) for value in set(values)), ELEMENTS)
                require(found >= said, f"{size} elements, {bits} bits: the largest class is {found}, said {said}")
                if found == said:
                    met.add(bits)
    require(met == set(BITS), f"the bound is met for {sorted(met)} bits only")
    method = "induction over the classes (z3); every map from 6 elements beside"
    return Checked(Status.ALL_SIZES, method, "every 𝒬 and b")


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
