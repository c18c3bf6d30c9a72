"""Two numbers, digit by digit from the lowest: the digits of their sum. The state is the digit plus twice the carry.

References
----------
Feng et al., Towards revealing the mystery behind chain of thought, 2023.
"""

from __future__ import annotations

from separation.programs import Program


def program() -> Program:
    p = Program("addition")
    _, column = p.start(), p.tokens("column", any, a=2, b=2)
    total = p.scan(lambda s, a, b: a + b + s // 2, column.a, column.b, size=4, name="total")
    p.answer(p.map(lambda s: s % 2, total, name="digit"))
    return p


LARGE: dict[str, int] = {}
