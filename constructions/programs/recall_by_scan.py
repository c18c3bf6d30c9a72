"""Associative recall in one look: a state keeps the last key, so that every value knows the key before it.

References
----------
Arora et al., Zoology: measuring and improving recall in efficient language models, 2023.
"""

from __future__ import annotations

from separation.programs import Program, where


def program(pairs: int = 2, V: int = 3, queries: int = 1) -> Program:
    p = Program("associative recall, by a scan and a look")
    _, text, query = p.start(), p.tokens("text", 2 * pairs, x=V), p.tokens("query", queries, asked=V)
    second = p.map(lambda place: place % 2, text.position, name="second")
    key = p.scan(lambda kept, second, x: kept if second else x, second, text.x, size=V, name="key")
    p.answer(text.find(where(second == 1, key == query.asked), read=text.x, once=True))
    return p


LARGE = {"pairs": 64, "V": 64, "queries": 16}
