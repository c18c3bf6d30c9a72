"""Multi-query associative recall: pairs of a key and a value, each key once; then queries, each a key: its value.

A pair is one token, which is what a short convolution makes of two (`recall` has two): so one look-up is all, F, and
a state with a value for every key, R.

References
----------
Arora et al., Zoology: measuring and improving recall in efficient language models, 2023.
"""

from __future__ import annotations

from separation.programs import Program, where


def program(pairs: int = 2, keys: int = 3, values: int = 2, queries: int = 1) -> Program:
    p = Program("MQAR")
    pair = p.tokens("pair", pairs, key=keys, value=values, distinct="key")
    query = p.tokens("query", queries, asked=keys)
    p.answer(pair.find(where(pair.key == query.asked), read=pair.value))
    return p


LARGE = {"pairs": 256, "keys": 512, "values": 64, "queries": 64}
