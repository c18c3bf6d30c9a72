"""L3: fixing: the most common value of b bits leaves a share 2^-b at least."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product

import z3

from proofs_checks.integers import require_no_integers
from proofs_checks.messages import most_common
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require

ELEMENTS = 5
BITS = (0, 1, 2)
Members = tuple[tuple[int], ...]


def left_over(density: Fraction, bits: int) -> Fraction:
    """density·2^-b."""
    return density / (1 << bits)


def check(bound: Callable[[Fraction, int], Fraction]) -> Checked:
    """Pigeonhole: |𝒬| elements fall into k = 2^b classes of at most M elements, so |𝒬| ≤ k·M.

    By induction over k: a class more adds at most M. z3 finds no integers that break the step. Then M ≥ |𝒬|/2^b, which
    is density·2^-b once both sides are divided by the number of all inputs. Beside, the fixing step itself, as T.run
    takes it (`most_common`): every set 𝒬 ≠ ∅ of a universe of 5 elements and every map from 𝒬 to 0, 1 or 2 bits. What
    is kept are all elements of 𝒬 with one value, their density is no less than the bound; and the bound is met for
    each number of bits, so it is not loose.
    """
    total, classes, largest, more = z3.Ints("total classes largest more")
    held = [classes >= 0, total <= classes * largest, more <= largest]
    require_no_integers([*held, total + more > (classes + 1) * largest], "one class more breaks the induction")
    for bits in BITS:
        densities = [_kept(members, values, bits, bound) for members, values in _fixings(bits)]
        require(any(found == said for found, said in densities), f"{bits} bits: the bound is never met")
    method = "induction over the classes (z3); every 𝒬 of 5 elements and map to 0, 1, 2 bits beside"
    return Checked(Status.ALL_SIZES, method, "every 𝒬 and b")


def _fixings(bits: int) -> Iterator[tuple[Members, tuple[int, ...]]]:
    """Every set 𝒬 that is not empty, with every map from it to so many bits."""
    for size in range(1, ELEMENTS + 1):
        for members in combinations([(element,) for element in range(ELEMENTS)], size):
            yield from ((members, values) for values in product(range(1 << bits), repeat=size))


def _kept(
    members: Members, values: tuple[int, ...], bits: int, bound: Callable[[Fraction, int], Fraction]
) -> tuple[Fraction, Fraction]:
    """The density of what the fixing keeps of one 𝒬 under one map, and the bound."""
    g = dict(zip(members, values, strict=True))
    kept = most_common(members, g)
    require(set(kept) == {member for member in members if g[member] == g[kept[0]]}, f"{g} is not fixed on {kept}")
    found, said = Fraction(len(kept), ELEMENTS), bound(Fraction(len(members), ELEMENTS), bits)
    require(found >= said, f"of {len(members)} elements under {values} the fixing keeps {found}, said {said}")
    return found, said


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
