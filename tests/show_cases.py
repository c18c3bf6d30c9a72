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
from separation.models import Stored, Stream
from separation.proving.construction import Construction
from separation.tasks.funccomp import Sizes
from separation.verbs.show import describe

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
    result: dict[str, Any] = json.loads(json.dumps(describe(construction, layer).document()))
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


def all_blocks(document: dict[str, Any]) -> Iterator[tuple[list[dict[str, str]], int]]:
    """Every block of a document, as (list, place in it)."""
    tables = [*document["embedding"].values(), document["unembedding"]]
    lists = [segment["blocks"] for table in tables for segment in table.get("segments", [table])]
    for layer in document["layers"]:
        for part in [*layer["heads"], layer["mlp"]]:
            lists += [part[name] for name in part if name.startswith(("W_", "b_"))]
    return ((blocks, place) for blocks in lists for place in range(len(blocks)))
