"""Are more than half of the bits ones? One head weighs all ones alike.

References
----------
Merrill, Sabharwal, Smith, Saturated transformers are constant-depth threshold circuits, 2022.
"""

from __future__ import annotations

from separation.programs import Program, where


def program(n: int = 4) -> Program:
    p = Program("majority, by attention")
    _, bits, end = p.start(), p.tokens("bits", n, x=2), p.tokens("end", 1)
    ones = bits.count(where(bits.x == 1), at=end, name="ones")
    p.answer(p.map(lambda c: 2 * c > n, ones, size=2, name="more"))
    return p


LARGE = {"n": 256}
