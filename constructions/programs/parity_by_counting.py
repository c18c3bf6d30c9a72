"""Is the number of ones so far odd? One head counts them, and a table says it of every number up to n.

References
----------
Chiang, Cholak, Overcoming a theoretical limitation of self-attention, 2022.
"""

from __future__ import annotations

from separation.programs import Program, where


def program(n: int = 4) -> Program:
    p = Program("parity, by counting")
    _, bits = p.start(), p.tokens("bits", n, x=2)
    ones = bits.count(where(bits.x == 1), name="ones")
    p.answer(p.map(lambda c: c % 2, ones, size=2, name="odd"))
    return p


LARGE = {"n": 128}
