"""2^bits·Π base^factor·Π C(N, k) compared: in integers where they are short, in balls of Arb where they are long."""

from __future__ import annotations

from math import comb, prod

from separation.bounds.log_sums import LogSum, compare

MOST_BITS = 1 << 16


def is_less(left: LogSum, right: LogSum, strict: bool = True) -> bool:
    """left < right, or left ≤ right; long binomials are bounded from above, so a yes is proved and a no may be unsure.

    >>> is_less(LogSum(2, ((3, 5),)), LogSum(9)), is_less(LogSum(9), LogSum(9)), is_less(LogSum(9), LogSum(9), False)
    (True, False, True)
    """
    if max(_bits(left), _bits(right)) < MOST_BITS:
        sides = _product(left), _product(right)
        return sides[0] < sides[1] if strict else sides[0] <= sides[1]
    return compare("", "", left, right, strict=strict).holds is True


def covers(values: int, theta: int, tries: int, told: int, strict: bool, guard: bool = True) -> bool:
    """Θ ≤ v (the ``guard``) and C(v, Θ−1)·(Θ−1)^tries·2^told < v^tries, or ≤: so many tries take Θ of v values."""
    if guard and theta > values:
        return False
    left = LogSum(told, ((tries, theta - 1),), ((values, theta - 1),))
    return is_less(left, LogSum(0, ((tries, values),)), strict)


def reaches(values: int, theta: int, entries: int, told: int) -> bool:
    """(Θ−1)^entries·2^told < v^entries: some entry takes Θ of v values."""
    return is_less(LogSum(told, ((entries, theta - 1),)), LogSum(0, ((entries, values),)))


def _bits(side: LogSum) -> int:
    powers = sum(factor * base.bit_length() for factor, base in side.terms)
    return side.bits + powers + sum(bottom * top.bit_length() for top, bottom in side.binomials)


def _product(side: LogSum) -> int:
    return int(2**side.bits * prod(base**factor for factor, base in side.terms) * _binomials(side))


def _binomials(side: LogSum) -> int:
    return prod(comb(top, bottom) for top, bottom in side.binomials)
