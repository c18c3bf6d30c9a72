"""The product of even permutations of so many things so far; five of them: a word problem complete for NC¹.

References
----------
Barrington, Bounded-width polynomial-size branching programs, 1989; Siems et al., DeltaProduct, 2025.
"""

from __future__ import annotations

from itertools import combinations, permutations

from separation.programs import Program


def program(degree: int = 3) -> Program:
    p = Program(f"words of A{degree}")
    even = [g for g in sorted(permutations(range(degree))) if sum(a > b for a, b in combinations(g, 2)) % 2 == 0]
    _, word = p.start(), p.tokens("word", any, g=len(even))
    p.answer(p.product(even, word.g, name="product"))
    return p


LARGE = {"degree": 5}
