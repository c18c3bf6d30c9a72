"""A list, given twice: its numbers in order. The second time every number learns its rank.

References
----------
Weiss, Goldberg, Yahav, Thinking like transformers, 2021.
"""

from __future__ import annotations

from separation.programs import Program, where


def program(n: int = 3, V: int = 2) -> Program:
    p = Program("sorting")
    _, once, again = p.start(), p.tokens("once", n, x=V), p.tokens("again", n, x=V)
    there = once.find(where(once.position == again.position), read=once.x)
    p.promise(lambda a, b: a == b, there, again.x)
    smaller = once.count(where(once.x < again.x), name="smaller")
    ties = once.count(where(once.x == again.x, once.position < again.position), name="ties")
    rank = p.map(lambda a, b: a + b if a + b < n else None, smaller, ties, size=n, name="rank")
    place = p.tokens("place", n)
    p.answer(again.find(where(rank == place.position), read=again.x, once=True))
    return p


LARGE = {"n": 16, "V": 16}
