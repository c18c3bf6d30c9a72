"""Theorem D: how many summary bits one sparse layer needs for 2-Sum, exactly; D', with constant errors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from separation.bounds.condition import least_between
from separation.bounds.entropy import certified_share
from separation.bounds.log_sums import Inequality, LogSum, compare
from separation.files import InputError
from separation.tasks.checks import require_integer


@dataclass(frozen=True)
class SparseBound:
    """2^r ≥ ``values``: the least number of summary values of a block with which a sparse layer can be right.

    where u = M−1 is the number of values of a token, ``clear`` = d = ⌈u(g−k)/g⌉ how many of them some block must show
    without doubt, and r the bits of one block that are visible without opening it.
    """

    modulus: int
    block: int
    opened: int
    blocks: int
    clear: int
    values: int

    @property
    def bits(self) -> int:
        """⌈log2 values⌉: the least whole r."""
        return (self.values - 1).bit_length()

    def forbids(self, summary_bits: int) -> bool:
        """2^r < values: no scorer, however strong, makes the layer right at that query."""
        require_integer("summary bits", summary_bits, 0)
        return summary_bits < self.bits


def theorem_d(modulus: int, block: int, opened: int, blocks: int) -> SparseBound:
    """2^r ≥ V(d,B) if d < u, and 2^r ≥ V(u,B)−1 if d = u, with V(d,B) = Σ_{t ≤ min(B,d)} C(d,t); both are attained.

    where B = ``block`` tokens make a block, k = ``opened`` blocks are opened in total over all heads, and
    g = ``blocks`` complete blocks come before the query, outside its own block, window and sinks; g > k. The set of a
    block's elements among the d clear values is a function of its summary. If d < u it can be any set of at most B of
    them, the empty one too; if d = u it is not empty.

    >>> theorem_d(11, 3, 1, 4).values
    93
    """
    require_integer("modulus", modulus, 3)
    if modulus % 2 == 0:
        raise InputError(f"modulus is {modulus}; an odd number is needed")
    for field, value, least in (("block", block, 1), ("open", opened, 0), ("blocks", blocks, 1)):
        require_integer(field, value, least)
    if blocks <= opened:
        raise InputError(f"{opened} of {blocks} blocks are opened; the bound is about more blocks than are opened")
    u = modulus - 1
    clear = u - u * opened // blocks
    return SparseBound(modulus, block, opened, blocks, clear, subsets(clear, block) - (1 if clear == u else 0))


def subsets(size: int, most: int) -> int:
    """V(d,B) = Σ_{t=0..min(B,d)} C(d,t): the subsets of a set of d with at most B elements."""
    return sum(math.comb(size, t) for t in range(min(size, most) + 1))


def cyclic_summary(bound: SparseBound, position: int, block: Iterable[int]) -> frozenset[int]:
    """The elements of a block outside T, |T| = ⌊uk/g⌋, T running cyclically: a summary with exactly V values.

    where ``position`` ∈ [g] counts the blocks and the elements are in {1..u}.
    """
    u = bound.modulus - 1
    hidden = u - bound.clear
    doubtful = {(position * hidden + step) % u + 1 for step in range(hidden)}
    return frozenset(block) - doubtful


def can_be_right(ambiguous: Sequence[frozenset[int]], opened: int) -> bool:
    """The criterion: a layer with an arbitrary scorer can be right iff every x is ambiguous in at most k blocks.

    where ``ambiguous``[b] is the set of x for which two sequences with the same summary of block b exist, one with x
    and one without.
    """
    return all(sum(x in doubtful for doubtful in ambiguous) <= opened for x in frozenset().union(*ambiguous))


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
    left = LogSum(bits, ((b, b), (a, u), (b - a, v - u)))
    right = LogSum(0, ((a, a), (b - a, b - a), (b, v)))
    formula = "⌈r·b/B⌉ + b·log2 b + a·log2 u + (b−a)·log2(v−u) < a·log2 a + (b−a)·log2(b−a) + b·log2 v"
    return order, compare("summary", formula, left, right, strict=True)


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
    return least_between(lambda bits: not forbidden(bits), low, high)


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


def sparse_layers_solve(length: int, block: int, opened: int, layers: int, always: int = 0) -> bool | None:
    """λ sparse layers whose summaries are content-free: True for n ≤ (k·B)^λ, False for n > ((k+1)·B + s)^λ, else None.

    C8: n data tokens, workspace tokens (y, γ) behind them, those of one y in whole blocks, then the query x. In layer 1
    (y, γ) opens the γ-th k blocks and keeps whether y is among them, in layer t it keeps the OR of k·B of the layer
    before; the query opens the blocks of −x. D2: a token reads its own block, k others and s = ``always`` tokens of
    windows and sinks in each layer, so the output depends on ((k+1)B+s)^λ tokens; on an input without −x some data
    token is not read, and −x there changes no state that chose what to open.

    >>> [sparse_layers_solve(n, 4, 2, 2) for n in (64, 65, 144, 145)]
    [True, None, None, False]
    """
    for name, value, least in (("length", length, 1), ("block", block, 1), ("open", opened, 0), ("layers", layers, 1)):
        require_integer(name, value, least)
    require_integer("always", always, 0)
    if length <= (opened * block) ** layers:
        return True
    return False if length > ((opened + 1) * block + always) ** layers else None
