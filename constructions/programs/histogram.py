"""How often this token has occurred so far.

References
----------
Weiss, Goldberg, Yahav, Thinking like transformers, 2021.
"""

from __future__ import annotations

from separation.programs import Program, where


def program(n: int = 4, V: int = 2) -> Program:
    p = Program("histogram")
    _, text = p.start(), p.tokens("text", n, letter=V)
    p.answer(text.count(where(text.letter == text.letter)))
    return p


LARGE = {"n": 64, "V": 16}
