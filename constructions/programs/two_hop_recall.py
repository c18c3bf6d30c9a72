"""Pairs of a key and a value that is again a key: the value of the value of the query.

References
----------
Peng, Narayanan, Papadimitriou, On limitations of the transformer architecture, 2024.
"""

from __future__ import annotations

from separation.programs import Program, where


def program(pairs: int = 2, V: int = 3) -> Program:
    p = Program("two-hop recall")
    pair = p.tokens("pair", pairs, key=V, value=V, distinct="key")
    query = p.tokens("query", 1, asked=V)
    middle = pair.find(where(pair.key == query.asked), read=pair.value)
    p.answer(pair.find(where(pair.key == middle), read=pair.value))
    return p


LARGE = {"pairs": 128, "V": 256}
