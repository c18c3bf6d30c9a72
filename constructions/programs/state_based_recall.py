"""A table with a row for each permutation, then a word: the row of its product so far. A scan, then a look-up.

References
----------
arXiv 2603.08859, 2026.
"""

from __future__ import annotations

from itertools import combinations, permutations

from separation.programs import Program, where


def program(n: int = 1, V: int = 2, degree: int = 3, even: int = 0) -> Program:
    p = Program("state-based recall")
    group = [
        g for g in sorted(permutations(range(degree))) if not even or sum(a > b for a, b in combinations(g, 2)) % 2 == 0
    ]
    _, table, word = p.start(), p.tokens("table", len(group), value=V), p.tokens("word", n, g=len(group))
    state = p.product(group, word.g, name="product")
    p.answer(table.find(where(table.position == state), read=table.value))
    return p


LARGE = {"n": 64, "V": 16}
