"""Brackets never nested deeper: one number counts the depth, one for each level keeps the bracket opened there.

A third layer keeps whether a bracket was ever closed by one of another type; gates are 0 or 1.

References
----------
Sarrof, Veitsman, Hahn, The expressive capacity of state space models, 2024.
"""

from __future__ import annotations

from separation.programs import Program


def program(depth: int = 2, types: int = 2) -> Program:
    p = Program(f"Dyck-{types} of depth {depth}, by registers")
    _, text = p.start(), p.tokens("text", any, bracket=2 * types)

    def deeper(d: int, bracket: int) -> int | None:
        after = d + (-1 if bracket % 2 else 1)
        return after if 0 <= after <= depth else None

    level = p.scan(deeper, text.bracket, size=depth + 1, name="depth")
    bad = []
    for k in range(1, depth + 1):
        opened = p.scan(
            lambda kept, d, bracket, k=k: bracket // 2 if bracket % 2 == 0 and d == k else kept,
            level, text.bracket, size=types, name=f"opened{k}",
        )  # fmt: skip
        bad.append(
            p.map(
                lambda kept, d, bracket, k=k: int(bracket % 2 == 1 and d == k - 1 and kept != bracket // 2),
                opened, level, text.bracket, size=2, name=f"wrong{k}",
            )
        )  # fmt: skip
    now = p.map(lambda *flags: int(any(flags)), *bad, size=2, name="wrong")
    ever = p.scan(lambda kept, wrong: kept | wrong, now, size=2, name="ever")
    p.answer(p.map(lambda d, wrong: int(d == 0 and not wrong), level, ever, size=2, name="closed"))
    return p


LARGE = {"depth": 3}
