"""The largest number so far.

References
----------
Weiss, Goldberg, Yahav, Thinking like transformers, 2021.
"""

from __future__ import annotations

from separation.programs import Program


def program(n: int = 3, V: int = 4) -> Program:
    p = Program("maximum")
    _, numbers = p.start(), p.tokens("numbers", n, x=V)
    p.answer(numbers.largest(numbers.x, name="top"))
    return p


LARGE = {"n": 256, "V": 256}
