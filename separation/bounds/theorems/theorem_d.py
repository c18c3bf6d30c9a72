"""Theorem D: how many summary bits one sparse layer needs for 2-Sum, exactly."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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
        raise InputError(f"{opened} of {blocks} blocks are opened; the bound speaks of more blocks than are opened")
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
