"""Is the string of brackets balanced? Its height is never below 0, and 0 in the end.

References
----------
Yang, Chiang, Counting like transformers, 2024.
"""

from __future__ import annotations

from separation.programs import Program, where


def program(n: int = 4) -> Program:
    p = Program("Dyck-1")
    _, text, end = p.start(), p.tokens("text", n, opens=2), p.tokens("end", 1)

    def step(height: int, opens: int) -> int | None:
        after = height + 2 * opens - 1
        return after if 0 <= after <= 2 * n else None

    height = p.scan(step, text.opens, start=n, size=2 * n + 1, hold=end, name="height")
    low = p.map(lambda h: h < n, height, size=2, name="low")
    bad = text.exists(where(low == 1), at=end)
    p.answer(p.map(lambda h, b: h == n and not b, end.height, bad, size=2, name="balanced"))
    return p


LARGE = {"n": 256}
