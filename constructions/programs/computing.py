"""Look-ups that follow each other: functions composed, a formula evaluated, a machine run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from separation.programs import Program, where


def composition(m: int = 2, n: int = 2, L: int = 2) -> Program:
    """L-step function composition: i_0 = z, then each table is read at (w of the level, the hop before).

    Peng, Narayanan, Papadimitriou, 2024; Chen, Peng, Wu, Theoretical limitations of multi-layer transformer, 2024.
    """
    p = Program(f"{L}-step composition")
    sizes = [m * n**level for level in range(L)]
    tables = [p.tokens(f"table{level}", sizes[level - 1], value=sizes[level - 1]) for level in range(L, 0, -1)][::-1]
    z = p.tokens("z", 1, i=m)
    digits: Any = {f"w{level}": n for level in range(1, L)}
    w = p.tokens("w", 1, **digits)
    hop = z.find(at=w, read=z.i, name="hop0")
    for level, table in enumerate(tables, 1):
        below = sizes[level - 2] if level > 1 else m
        index = p.map(lambda x, below=below: x % below, table.position, size=below, name="index")
        here = where(index == hop)
        if level > 1:
            digit = p.map(lambda x, below=below: x // below, table.position, size=n, name="digit")
            here = where(digit == getattr(w, f"w{level - 1}"), index == hop)
        hop = table.find(here, read=table.value, name=f"hop{level}", once=True)
    p.answer(hop)
    return p


def boolean_formula(inputs: int = 2, gates: int = 2) -> Program:
    """Inputs, then NAND gates line by line, each of an input and of an input or the gate before it:
    the value of the last.

    Buss, The Boolean formula value problem is in ALOGTIME, 1987.
    """
    p = Program("boolean formula")
    _, leaf = p.start(), p.tokens("leaf", inputs, value=2)
    value = leaf.value
    for number in range(gates):
        gate = p.tokens(f"gate{number}", 1, left=inputs + (number > 0), right=inputs)
        right = leaf.find(where(leaf.position == gate.right), read=leaf.value, name="b")
        left = leaf.find(where(leaf.position == gate.left), read=leaf.value, default=2 if number else None, name="a")
        if number:
            last = value.kind.find(at=gate, read=value, name="last")
            left = p.map(lambda a, before: before if a == 2 else a, left, last, size=2, name="either")
        value = p.map(lambda a, b: 1 - (a & b), left, right, size=2, name="nand")
    p.answer(value)
    return p


def counter_machine(lines: int = 2, most: int = 2, steps: int = 1) -> Program:
    """A machine with two counters thinks aloud: each thought (line, a, b) says the next one;
    its code stands in the prompt.

    Minsky, Recursive unsolvability of Post's problem of tag, 1961.
    """
    p = Program("counter machine")
    code = p.tokens("code", lines, register=2, adds=2, jump=lines)
    thought = p.tokens("thought", steps, line=lines, a=most, b=most)
    here = where(code.position == thought.line)
    register, adds, jump = (code.find(here, read=v) for v in (code.register, code.adds, code.jump))

    def counter(own: int) -> Callable[[int, int, int], int]:
        return lambda x, r, plus: x if r != own else min(x + 1, most - 1) if plus else max(x - 1, 0)

    # A line adds 1 to its register and goes on; or takes 1 away, and jumps if there is none.
    tested = p.map(lambda r, a, b: b if r else a, register, thought.a, thought.b, name="tested")
    jumps = p.map(lambda plus, x: not plus and x == 0, adds, tested, size=2, name="jumps")
    line = p.map(lambda at, j, to: to if j else (at + 1) % lines, thought.line, jumps, jump, size=lines, name="then")
    a = p.map(counter(0), thought.a, register, adds, size=most, name="a_then")
    b = p.map(counter(1), thought.b, register, adds, size=most, name="b_then")
    p.next_thought(thought, line=line, a=a, b=b)
    return p


LARGE = {
    "composition": {"m": 8, "n": 4, "L": 3},
    "boolean_formula": {"inputs": 16, "gates": 8},
    "counter_machine": {"lines": 8, "most": 8, "steps": 64},
}
