"""The product of permutations of three things so far: swaps are counted, then rotations with the sign of the swaps.

A permutation is x -> ±x + a modulo 3, a minus sign being a swap. After t of them the shift is ± Σ ±a_i, the signs those
of the number of swaps up to i and up to t: three counts, each by one head.

References
----------
Barrington, Thérien, Finite monoids and the fine structure of NC¹, 1988.
"""

from __future__ import annotations

from itertools import permutations

from separation.programs import Program, where

GROUP = sorted(permutations(range(3)))


def swap(g: int) -> int:
    return int(GROUP[g][1] != (GROUP[g][0] + 1) % 3)


def element(shift: int, odd: int) -> int:
    return GROUP.index(tuple(((-x if odd else x) + shift) % 3 for x in range(3)))


def program(n: int = 3) -> Program:
    p = Program("words of S3, by counting")
    _, word = p.start(), p.tokens("word", n, g=6)
    swaps = p.map(swap, word.g, size=2, name="swaps")
    odd = p.map(lambda c: c % 2, word.count(where(swaps == 1), name="swapped"), size=2, name="odd")
    turn = p.map(lambda g, odd: (-GROUP[g][0] if odd else GROUP[g][0]) % 3, word.g, odd, size=3, name="turn")
    once = p.map(lambda c: c % 3, word.count(where(turn == 1), name="turned1"), size=3, name="once")
    twice = p.map(lambda c: 2 * c % 3, word.count(where(turn == 2), name="turned2"), size=3, name="twice")
    p.answer(
        p.map(lambda a, b, odd: element(-(a + b) if odd else a + b, odd), once, twice, odd, size=6, name="product")
    )
    return p


LARGE = {"n": 32}
