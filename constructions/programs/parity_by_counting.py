"""The number of ones so far, modulo m: one head counts them, and a table has the rest of every number up to n.

References
----------
Chiang, Cholak, Overcoming a theoretical limitation of self-attention, 2022.
"""

from __future__ import annotations

from separation.programs import Program, where


def program(n: int = 4, m: int = 2) -> Program:
    p = Program(f"counter modulo {m}, by counting")
    _, bits = p.start(), p.tokens("bits", n, x=2)
    ones = bits.count(where(bits.x == 1), name="ones")
    p.answer(p.map(lambda c: c % m, ones, size=m, name="rest"))
    return p


LARGE = {"n": 128}
