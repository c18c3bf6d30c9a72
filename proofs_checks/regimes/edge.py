"""Is a threshold the least n with H·d·p ≤ n^{2^-e}: on both sides of the edge, by integer square roots."""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt

from proofs_checks.statement import require
from separation.bounds.powers import PowerProduct, Size

Threshold = Callable[[int, int], Size]
"""(L, H·d·p) ↦ the least n of the regime."""

CASES = (*((L, product) for L in (1, 2, 3) for product in (1, 2, 3, 7, 48)), (4, 2), (4, 3))
TOO_LONG = 1_000_000
"""Bits of the longest integer that is written out."""


def inside(product: int, tokens: int, roots: int) -> bool:
    """H·d·p ≤ n^{2^-roots}: ⌊n^{2^-roots}⌋ is the integer square root, taken that many times."""
    for _ in range(roots):
        tokens = isqrt(tokens)
    return product <= tokens


def require_edge(threshold: Threshold, roots: Callable[[int], int]) -> None:
    """At n the regime holds, at n − 1 it does not, for every case; no power is taken on this side."""
    for L, product in CASES:
        said = threshold(L, product)
        if isinstance(said, PowerProduct):
            require(said.bits_at_most < TOO_LONG, f"L = {L}, H·d·p = {product}: a prompt of more than 2^{TOO_LONG}")
            said = said.integer()
        where = f"L = {L}, H·d·p = {product}: n is said to be at least a number of {said.bit_length()} bits"
        require(inside(product, said, roots(L)), f"{where}; the regime does not hold there")
        require(not inside(product, said - 1, roots(L)), f"{where}; the regime begins earlier")
