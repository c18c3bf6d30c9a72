"""Scores that are minus sums of squares: a look-up of numbers that leaks nothing.

A number x is held as a pair, x in a slot and x² in the slot of that name with " square" behind it. Then

    −τ·(x + c − y)²  =  τ·( 2(x + c)·y − y² − (x² + 2c·x + c²) )

is a product of three numbers of the token that asks, x + c, and of the one that is asked, y: 0 at a match and at most
−τ elsewhere, where the weight ⌊2^P·exp(score)⌋ is 0 if τ > P·ln 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from separation.arithmetic import ExactMatrix
from separation.models import Blocks, Head, Stored, Stream
from separation.tasks.funccomp import Sizes

Terms = Sequence[tuple[str, str | None, int]]
"""(slot y of the token that is asked, slot x of the one that asks or None for 0, c): their squares are added."""


def pairs(*names: str) -> list[tuple[str, int]]:
    """The slots of numbers with their squares."""
    return [(name + square, 1) for name in names for square in ("", " square")]


def row_of(stream: Stream, values: Mapping[str, int]) -> list[int]:
    """The numbers in their slots, and their squares where there is a slot for them."""
    row = [0] * stream.width
    for name, value in values.items():
        row[stream[name][0]] = value
        if f"{name} square" in stream:
            row[stream[f"{name} square"][0]] = value**2
    return row


def stored(stream: Stream, rows: Iterable[Mapping[str, int]]) -> Stored:
    """A table with such rows."""
    return Stored(ExactMatrix.from_rows([row_of(stream, values) for values in rows]))


def funccomp_positions(sizes: Sizes, stream: Stream, w: int) -> Stored:
    """`one`; `table` (0 of z_0, ``w`` of w), `digit` and `index` of the entry that stands there."""
    rows = []
    for level in range(sizes.L, 0, -1):
        inner = sizes.N[max(level - 2, 0)]
        places = (divmod(place, inner) for place in range(sizes.N[level - 1]))
        rows += [{"one": 1, "table": level, "digit": digit, "index": index} for digit, index in places]
    return stored(stream, [*rows, {"one": 1, "table": 0}, {"one": 1, "table": w}])


def search(stream: Stream, terms: Terms, tau: int = 1) -> tuple[ExactMatrix, ExactMatrix]:
    """W_Q and W_K of the score −τ·Σ (x + c − y)²."""
    key = Stream([*pairs(*(name for name, _, _ in terms)), ("one", 1)])
    w_q, w_k = Blocks(key, stream), Blocks(key, stream).copy("one", "one")
    (one,), (last,) = stream["one"], key["one"]
    for name, own, constant in terms:
        w_k.copy(name, name).copy(f"{name} square", f"{name} square")
        w_q.copy(f"{name} square", "one", -tau)
        if constant:
            w_q.put(key[name][0], one, 2 * tau * constant)
        if own is not None:
            w_q.copy(name, own, 2 * tau).put(last, stream[f"{own} square"][0], -tau)
            if constant:
                w_q.put(last, stream[own][0], -2 * tau * constant)
    w_q.put(last, one, -tau * sum(constant**2 for _, _, constant in terms))
    return w_q.build(), w_k.build()


def finder(stream: Stream, terms: Terms, moved: Mapping[str, str], tau: int = 1) -> Head:
    """A full head with this score; of the token that it finds each slot of ``moved`` goes to the one it names."""
    w_q, w_k = search(stream, terms, tau)
    read = Stream([(name, 1) for name in moved])
    w_v, w_o = Blocks(read, stream), Blocks(stream, read)
    for name, place in moved.items():
        w_v.copy(name, name)
        w_o.copy(place, name)
    return Head(w_q, w_k, w_v.build(), w_o.build(), shift=Fraction(0))
