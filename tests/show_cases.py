"""Constructions, and documents of `show`, that its tests share."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from constructions import build
from separation.arithmetic import ExactMatrix
from separation.models import Declared, DeltaHead, LinearHead, RecurrentHead, Segment, SparseHead, Stored, Stream
from separation.proving import Construction
from separation.tasks.funccomp import Sizes
from separation.verbs.show import show

SIZES = [
    Sizes(2, ()),
    Sizes(5, ()),
    Sizes(3, (1,)),
    Sizes(2, (7,)),
    Sizes(4, (4, 4)),
    Sizes(5, (3, 2)),
    Sizes(2, (1, 1)),
    Sizes(2, (1, 3, 1)),
    Sizes(3, (2, 5, 4)),
]
SMALL = Sizes(3, (2,))


def document_of(construction: Construction, layer: int | None = None) -> dict[str, Any]:
    """The document as JSON gives it back."""
    result: dict[str, Any] = json.loads(json.dumps(show(construction, layer=layer).document()))
    return result


def scrambled(seed: int = 1, sizes: Sizes = SMALL) -> Construction:
    """C1 in a random rational basis, its token table stored, its slots with names that are hard to set."""
    plain = build("C1", sizes)
    width, rng = plain.model.width, Random(seed)
    while True:
        rows = [[Fraction(rng.randint(-3, 3), rng.choice([1, 1, 2, 3])) for _ in range(width)] for _ in range(width)]
        try:
            moved = plain.in_basis(ExactMatrix.from_rows(rows))
        except ZeroDivisionError:
            continue
        stream = Stream([("a_b%τ{", 3), ("a[0]", 1), ("\\x = y", width - 4)])
        stored = moved.model.tokens if isinstance(moved.model.tokens, Stored) else moved.model.tokens.stored()
        return replace(moved, model=replace(moved.model, stream=stream, tokens=stored))


def with_every_head(construction: Construction, seed: int = 0) -> Construction:
    """The same slots and stages with heads of all types, no MLP or two of them, and a table with a mirror."""
    model, rng = construction.model, Random(seed)
    width = model.width

    def some(rows: int, columns: int) -> ExactMatrix:
        cells = {(rng.randrange(rows), rng.randrange(columns)) for _ in range(rows + columns)}
        return ExactMatrix.from_entries(
            (rows, columns), [(*cell, rng.choice([1, -1, Fraction(2, 3)])) for cell in cells]
        )

    reads = {"w_q": some(3, width), "w_k": some(3, width), "w_v": some(2, width)}
    w_o = some(width, 2)
    biases = {"b_q": some(3, 1), "b_k": some(3, 1)}
    gates = {"w_a": some(1, width), "b_a": some(1, 1), "w_b": some(1, width), "b_b": ExactMatrix.zeros(1, 1)}
    copied = {"c_k": some(3, 4 * 3), "c_v": some(2, 4 * 2)}
    heads = [
        LinearHead(**reads, **biases, w_o=w_o, normalised=True),
        LinearHead(**reads, **biases, w_o=w_o, normalised=False),
        DeltaHead(**reads, **gates, w_o=w_o),
        SparseHead(**reads, **copied, w_o=w_o, shift=Fraction(5, 2), block=4, opened=1),
        RecurrentHead(some(8, width), some(8, 1), some(2, 1), w_o, "mamba", d_k=1, d_v=2),
        RecurrentHead(
            some(12, width), some(12, 1), ExactMatrix.zeros(0, 1), w_o, "delta-product", d_k=2, d_v=2, count=2
        ),
    ]
    first, second, *rest = model.layers
    layers = (
        replace(first, heads=(*heads[:2], *first.heads), mlps=first.mlps * 2),
        replace(second, heads=(*heads[2:], *second.heads), mlps=()),
        *rest,
    )
    vocabulary = model.tokens.height
    size = vocabulary - (vocabulary + 1) % 2
    parts = [Segment(0, (size,), some(width, 1 + 2 * (size - 1).bit_length()), size)]
    if size < vocabulary:
        parts.append(Segment(size, (), some(width, 1)))
    return replace(construction, model=replace(model, layers=layers, tokens=Declared(tuple(parts))))


def all_blocks(document: dict[str, Any]) -> Iterator[tuple[list[dict[str, str]], int]]:
    """Every block of a document, as (list, place in it)."""
    tables = [*document["embedding"].values(), document["unembedding"]]
    lists = [segment["blocks"] for table in tables for segment in table.get("segments", [table])]
    for layer in document["layers"]:
        for part in [*layer["heads"], *layer["mlps"]]:
            lists += [part[name] for name in part if name.startswith(("W_", "b_", "C_"))]
    return ((blocks, place) for blocks in lists for place in range(len(blocks)))
