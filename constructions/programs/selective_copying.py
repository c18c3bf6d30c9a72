"""Letters among blanks, then as many places: the letters in order, without the blanks; V after the last.

References
----------
Gu, Dao, Mamba: linear-time sequence modeling with selective state spaces, 2023.
"""

from __future__ import annotations

from separation.programs import Program, where


def program(n: int = 4, V: int = 2) -> Program:
    p = Program("selective copying")
    _, text, copy = p.start(), p.tokens("text", n, letter=V + 1), p.tokens("copy", n)
    kept = text.count(where(text.letter < V), name="kept")
    place = p.map(lambda x, c: c - 1 if x < V and c else n, text.letter, kept, size=n + 1, name="place")
    p.answer(text.find(where(place == copy.position), read=text.letter, default=V, once=True))
    return p


LARGE = {"n": 128, "V": 8}
