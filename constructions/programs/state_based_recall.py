"""A table with a row for each permutation, then a word: the row of its product so far. A scan, then a look-up.

References
----------
arXiv 2603.08859, 2026.
"""

from __future__ import annotations

from itertools import permutations

from separation.programs import Program, where


def program(n: int = 1, V: int = 2) -> Program:
    p = Program("state-based recall")
    group = sorted(permutations(range(3)))
    _, table, word = p.start(), p.tokens("table", len(group), value=V), p.tokens("word", n, g=len(group))
    state = p.product(group, word.g, name="product")
    p.answer(table.find(where(table.position == state), read=table.value))
    return p


LARGE = {"n": 64, "V": 16}
