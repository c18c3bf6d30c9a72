"""L3: fixing: the most common value of b bits leaves at least a share 2^-b.

Whatever takes at most 2^b values on 𝒬 is constant on a part of 𝒬 that has at least 2^{-b} of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import z3

from proofs_checks.kit.messages import most_common
from proofs_checks.kit.solvers import require_no_numbers
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require

ELEMENTS = 5
BITS = (0, 1, 2)
Members = tuple[tuple[int], ...]
Share = Callable[[Any, Any], Any]
"""(elements or their density, number of classes) ↦ a lower bound for the largest class."""


def left_over(total: Any, classes: Any) -> Any:
    """|𝒬|/2^b."""
    return total / classes


def _one_class(share: Share) -> None:
    total, largest = z3.Reals("total largest")
    require_no_numbers([total >= 0, total <= largest, largest < share(total, z3.RealVal(1))], "one class is too small")


def _one_class_more(share: Share) -> None:
    """It adds at most the largest: total + more ≤ (k+1)·largest, so the largest has at least the share of k+1."""
    total, classes, largest, more = z3.Reals("total classes largest more")
    held = [classes >= 1, total >= 0, total <= classes * largest, more >= 0, more <= largest]
    require_no_numbers([*held, largest < share(total + more, classes + 1)], "with one class more all are too small")


def _all_fixings(share: Share) -> None:
    """The fixing step itself, as T.run takes it: what is kept has one value, and the bound on its density is tight."""
    for bits in BITS:
        densities = [_kept(members, values, bits, share) for members, values in _fixings(bits)]
        require(any(found == said for found, said in densities), f"{bits} bits: the bound is never attained")


def _fixings(bits: int) -> Iterator[tuple[Members, tuple[int, ...]]]:
    """Every set 𝒬 that is not empty, with every map from it to that many bits."""
    for size in range(1, ELEMENTS + 1):
        for members in combinations([(element,) for element in range(ELEMENTS)], size):
            yield from ((members, values) for values in product(range(1 << bits), repeat=size))


def _kept(members: Members, values: tuple[int, ...], bits: int, share: Share) -> tuple[Fraction, Fraction]:
    """The density of what the fixing keeps of one 𝒬 under one map, and the bound."""
    g = dict(zip(members, values, strict=True))
    kept = most_common(members, g)
    require(set(kept) == {member for member in members if g[member] == g[kept[0]]}, f"{g} is not fixed on {kept}")
    found, said = Fraction(len(kept), ELEMENTS), share(Fraction(len(members), ELEMENTS), 1 << bits)
    require(found >= said, f"of {len(members)} elements under {values} the fixing keeps {found}, claimed {said}")
    return found, said


def _half_of_the_classes(total: Any, classes: Any) -> Any:
    """One bit for free."""
    if isinstance(classes, z3.ArithRef):
        return total / z3.If(classes < 2, 1, classes / 2)
    return total / max(1, classes // 2)


STATEMENT = Statement(
    id="L3",
    title="fixing b bits to their most common value",
    latex=r"\max_v|\{q\in\mathcal Q:g(q)=v\}|\ge 2^{-b}|\mathcal Q|",
    english="Fixing b bits to their most common value costs b in the exponent of the density.",
    subject=left_over,
    check=Steps(
        "every 𝒬 and b",
        (
            Step("one class", _one_class),
            Step("one class more", _one_class_more),
            Step(f"every 𝒬 of {ELEMENTS} elements and map to 0, 1, 2 bits", _all_fixings),
        ),
        {
            "induction over the classes": "k classes of at most M elements hold at most k·M: one class, then one more.",
            "from numbers to densities": "b bits make at most 2^b classes, and both sides are divided by the number "
            "of all inputs.",
        },
    ),
    twins={
        "one bit for free": _half_of_the_classes,
        "one bit too many paid": lambda total, classes: total / (2 * classes),
        "one element more": lambda total, classes: (total + 1) / classes,
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
