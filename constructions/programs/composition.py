"""L-step function composition: i_0 = z, then each table is read at (w of the level, the hop before).

References
----------
Peng, Narayanan, Papadimitriou, 2024; Chen, Peng, Wu, Theoretical limitations of multi-layer transformer, 2024.
"""

from __future__ import annotations

from typing import Any

from separation.programs import Program, where


def program(m: int = 2, n: int = 2, L: int = 2) -> Program:
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


LARGE = {"m": 8, "n": 4, "L": 3}
