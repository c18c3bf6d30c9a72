"""Where the largest number so far stands first.

References
----------
Weiss, Goldberg, Yahav, Thinking like transformers, 2021.
"""

from __future__ import annotations

from separation.programs import Program, where


def program(n: int = 3, V: int = 3) -> Program:
    p = Program("argmax")
    _, numbers = p.start(), p.tokens("numbers", n, x=V)
    top = numbers.largest(numbers.x, name="top")
    p.answer(numbers.first(where(numbers.x == top), read=numbers.position))
    return p


LARGE = {"n": 256, "V": 64}
