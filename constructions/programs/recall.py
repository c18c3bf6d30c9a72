"""Associative recall: keys and values in turn, each key once; then queries, each a key: its value.

References
----------
Arora et al., Zoology: measuring and improving recall in efficient language models, 2023.
"""

from __future__ import annotations

from separation.programs import Program, where


def program(pairs: int = 2, V: int = 3, queries: int = 1) -> Program:
    p = Program("associative recall")
    _, text, query = p.start(), p.tokens("text", 2 * pairs, x=V), p.tokens("query", queries, asked=V)
    second = p.map(lambda place: place % 2, text.position, name="second")
    before = text.previous(text.x, default=V)
    p.answer(text.find(where(second == 1, before == query.asked), read=text.x, once=True))
    return p


LARGE = {"pairs": 256, "V": 256, "queries": 64}
