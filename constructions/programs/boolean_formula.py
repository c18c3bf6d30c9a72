"""Inputs, then NAND gates line by line, each of an input and of an input or the gate before it: the value of the last.

References
----------
Buss, The Boolean formula value problem is in ALOGTIME, 1987.
"""

from __future__ import annotations

from separation.programs import Program, where


def program(inputs: int = 2, gates: int = 2) -> Program:
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


LARGE = {"inputs": 16, "gates": 8}
