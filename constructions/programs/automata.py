"""Scans: what an automaton, a group or a stack of brackets keeps from token to token."""

from __future__ import annotations

from itertools import combinations, permutations, product

from separation.programs import Program, where


def parity() -> Program:
    """Is the number of ones so far odd?

    Grazzi et al., Unlocking state-tracking in linear RNNs through negative eigenvalues, 2024.
    """
    p = Program("parity")
    _, bits = p.start(), p.tokens("bits", any, x=2)
    p.answer(p.scan(lambda odd, x: odd ^ x, bits.x, name="odd"))
    return p


def modular_counter(m: int = 3) -> Program:
    """The number of ones so far, modulo m.

    Merrill, Petty, Sabharwal, The illusion of state in state-space models, 2024.
    """
    p = Program(f"counter modulo {m}")
    _, bits = p.start(), p.tokens("bits", any, x=2)
    p.answer(p.scan(lambda c, x: (c + x) % m, bits.x, size=m, name="ones"))
    return p


def addition() -> Program:
    """Two numbers, digit by digit from the lowest: the digits of their sum.
    The state is the digit plus twice the carry.

    Feng et al., Towards revealing the mystery behind chain of thought, 2023.
    """
    p = Program("addition")
    _, column = p.start(), p.tokens("column", any, a=2, b=2)
    total = p.scan(lambda s, a, b: a + b + s // 2, column.a, column.b, size=4, name="total")
    p.answer(p.map(lambda s: s % 2, total, name="digit"))
    return p


def s3_words() -> Program:
    """The product of permutations of three things so far.

    Merrill, Petty, Sabharwal, The illusion of state in state-space models, 2024.
    """
    p = Program("words of S3")
    group = sorted(permutations(range(3)))
    _, word = p.start(), p.tokens("word", any, g=len(group))
    p.answer(p.product(group, word.g, name="product"))
    return p


def a5_words(degree: int = 3) -> Program:
    """The product of even permutations of so many things so far; five of them: a word problem complete for NC¹.

    Barrington, Bounded-width polynomial-size branching programs, 1989; Siems et al., DeltaProduct, 2025.
    """
    p = Program(f"words of A{degree}")
    even = [g for g in sorted(permutations(range(degree))) if sum(a > b for a, b in combinations(g, 2)) % 2 == 0]
    _, word = p.start(), p.tokens("word", any, g=len(even))
    p.answer(p.product(even, word.g, name="product"))
    return p


def dyck(depth: int = 2, types: int = 2) -> Program:
    """Brackets of several types, nested at most so deep: is all that was opened closed, and nothing wrong so far?

    Yao et al., Self-attention networks can process bounded hierarchical languages, 2021.
    """
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


def dyck1(n: int = 4) -> Program:
    """Is the string of brackets balanced? Its height is never below 0, and 0 in the end.

    Yang, Chiang, Counting like transformers, 2024.
    """
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


def dyck_by_registers(depth: int = 2, types: int = 2) -> Program:
    """Brackets never nested deeper: one number counts the depth, one for each level keeps the bracket opened there.

    A third layer keeps whether a bracket was ever closed by one of another type; gates are 0 or 1.

    Sarrof, Veitsman, Hahn, The expressive capacity of state space models, 2024.
    """
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


LARGE = {
    "modular_counter": {"m": 24},
    "a5_words": {"degree": 5},
    "dyck": {"depth": 3},
    "dyck1": {"n": 256},
    "dyck_by_registers": {"depth": 3},
}
