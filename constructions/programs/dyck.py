"""Brackets of several types, nested at most so deep: is all that was opened closed, and nothing wrong so far?

References
----------
Yao et al., Self-attention networks can process bounded hierarchical languages, 2021.
"""

from __future__ import annotations

from itertools import product

from separation.programs import Program


def program(depth: int = 2, types: int = 2) -> Program:
    p = Program(f"Dyck-{types} of depth {depth}")
    stacks = [stack for d in range(depth + 1) for stack in product(range(types), repeat=d)]
    wrong = len(stacks)

    def move(state: int, bracket: int) -> int:
        kind, closes = divmod(bracket, 2)
        if state == wrong:
            return wrong
        stack = stacks[state]
        after = (*stack, kind) if not closes else stack[:-1] if stack[-1:] == (kind,) else None
        return stacks.index(after) if after in stacks else wrong

    _, text = p.start(), p.tokens("text", any, bracket=2 * types)
    state = p.scan(move, text.bracket, size=wrong + 1, name="stack")
    p.answer(p.map(lambda s: s == 0, state, size=2, name="closed"))
    return p


LARGE = {"depth": 3}
