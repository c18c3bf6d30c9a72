"""Are more than half of the bits ones? A scan counts, a map compares.

References
----------
Merrill, Sabharwal, Smith, Saturated transformers are constant-depth threshold circuits, 2022.
"""

from __future__ import annotations

from separation.programs import Program


def program(n: int = 4) -> Program:
    p = Program("majority, by a scan")
    _, bits, end = p.start(), p.tokens("bits", n, x=2), p.tokens("end", 1)
    p.scan(lambda c, x: c + x if c + x <= n else None, bits.x, size=n + 1, hold=end, name="ones")
    p.answer(p.map(lambda c: 2 * c > n, end.ones, size=2, name="more"))
    return p


LARGE = {"n": 1024}
