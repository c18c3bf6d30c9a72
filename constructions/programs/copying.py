"""A string, then a place for each of its letters: the letter.

References
----------
Jelassi et al., Repeat after me: transformers are better than state space models at copying, 2024.
"""

from __future__ import annotations

from separation.programs import Program, where


def program(n: int = 4, V: int = 3) -> Program:
    p = Program("copying")
    source, copy = p.tokens("source", n, letter=V), p.tokens("copy", n)
    p.answer(source.find(where(source.position == copy.position), read=source.letter))
    return p


LARGE = {"n": 8192, "V": 16}
