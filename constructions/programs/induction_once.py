"""A query that occurs exactly once before the end of the text: what followed it.

References
----------
Sanford, Hsu, Telgarsky, One-layer transformers fail to solve the induction heads task, 2024.
"""

from __future__ import annotations

from separation.programs import Program, where


def program(n: int = 3, V: int = 4) -> Program:
    p = Program("induction, once")
    _, text, query = p.start(), p.tokens("text", n, letter=V), p.tokens("query", 1, asked=V)
    before = text.previous(text.letter, default=V)
    p.answer(text.find(where(before == query.asked), read=text.letter, once=True))
    return p


LARGE = {"n": 128, "V": 256}
