"""The product of permutations of three things so far.

References
----------
Merrill, Petty, Sabharwal, The illusion of state in state-space models, 2024.
"""

from __future__ import annotations

from itertools import permutations

from separation.programs import Program


def program() -> Program:
    p = Program("words of S3")
    group = sorted(permutations(range(3)))
    _, word = p.start(), p.tokens("word", any, g=len(group))
    p.answer(p.product(group, word.g, name="product"))
    return p


LARGE: dict[str, int] = {}
