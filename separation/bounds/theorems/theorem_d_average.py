"""Theorem D': how many summary bits one sparse layer needs for 2-Sum with constant errors."""

from __future__ import annotations

import math
from fractions import Fraction

from separation.bounds.entropy import certified_share
from separation.bounds.log_sums import Inequality, LogSum, compare
from separation.files import InputError
from separation.tasks.checks import require_integer


def forbids_errors(
    summary_bits: int, block: int, opened: int, blocks: int, missed: Fraction, false_alarms: Fraction
) -> tuple[Inequality, ...]:
    """r ≥ B·D(1−δ ‖ k/g+ε) is violated: 1−δ = a/b > k/g+ε = u/v and
    a^a·(b−a)^(b−a)·v^b > 2^⌈r·b/B⌉·b^b·u^a·(v−u)^(b−a).

    where r = ``summary_bits``, B = ``block`` tokens, k = ``opened`` of g = ``blocks`` blocks, δ = ``missed`` =
    Pr[answer 0 | x
    is minus a random entry], ε = ``false_alarms`` = Pr[answer 1 | x is independent]. If both hold, no layer is
    that good.
    """
    hit, chance = 1 - missed, _chance(summary_bits, block, opened, blocks, missed, false_alarms)
    a, b, u, v = hit.numerator, hit.denominator, chance.numerator, chance.denominator
    order = Inequality("order", "k/g + ε < 1 − δ", chance, hit, chance < hit)
    if chance >= hit:
        return (order,)
    bits = -(-summary_bits * b // block)
    told = LogSum(bits, ((b, b), (a, u), (b - a, v - u)))
    known = LogSum(0, ((a, a), (b - a, b - a), (b, v)))
    formula = "⌈r·b/B⌉ + b·log2 b + a·log2 u + (b−a)·log2(v−u) < a·log2 a + (b−a)·log2(b−a) + b·log2 v"
    return order, compare("summary", formula, told, known, strict=True)


def least_summary_bits(block: int, opened: int, blocks: int, missed: Fraction, false_alarms: Fraction) -> int:
    """The least whole r that Theorem D' does not forbid."""
    low, high = -1, 1

    def forbidden(bits: int) -> bool:
        inequalities = forbids_errors(bits, block, opened, blocks, missed, false_alarms)
        return all(inequality.holds for inequality in inequalities)

    while forbidden(high):
        low, high = high, 2 * high
        if high > block * (blocks.bit_length() + false_alarms.denominator.bit_length() + 64):
            break
    while high - low > 1:
        middle = (low + high) // 2
        if forbidden(middle):
            low = middle
        else:
            high = middle
    return high


def most_hits(summary_bits: int, block: int, opened: int, blocks: int, false_alarms: Fraction) -> Fraction:
    """1 − δ ≤ ⟨k/g + ε; r/B⟩: the largest share of matches that are found, certified."""
    chance = _chance(summary_bits, block, opened, blocks, Fraction(0), false_alarms)
    if chance == 0:
        return Fraction(0)
    return certified_share(chance, Fraction(summary_bits, block)) if chance < 1 else Fraction(1)


def _chance(
    summary_bits: int, block: int, opened: int, blocks: int, missed: Fraction, false_alarms: Fraction
) -> Fraction:
    """k/g + ε."""
    for field, value, least in (
        ("summary bits", summary_bits, 0),
        ("block", block, 1),
        ("open", opened, 0),
        ("blocks", blocks, 1),
    ):
        require_integer(field, value, least)
    for field, share in (("missed", missed), ("false alarms", false_alarms)):
        if not 0 <= share <= 1:
            raise InputError(f"the share of {field} is {share}; a number from 0 to 1 is needed")
    return Fraction(opened, blocks) + false_alarms


def accidental_matches(block: int, blocks: int, values: int) -> Fraction:
    """g·B/u: the most by which chance matches can turn a right no into a yes."""
    return min(Fraction(1), Fraction(block * blocks, values))


def covering_bits(block: int, opened: int, blocks: int) -> float:
    """B·log2(2g/k): about the bits of the random covering that nearly meets the bound (k ≥ 1)."""
    return block * math.log2(2 * blocks / opened)
