"""The number of ones so far, modulo m.

References
----------
Merrill, Petty, Sabharwal, The illusion of state in state-space models, 2024.
"""

from __future__ import annotations

from separation.programs import Program


def program(m: int = 3) -> Program:
    p = Program(f"counter modulo {m}")
    _, bits = p.start(), p.tokens("bits", any, x=2)
    p.answer(p.scan(lambda c, x: (c + x) % m, bits.x, size=m, name="ones"))
    return p


LARGE = {"m": 24}
