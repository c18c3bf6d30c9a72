"""The tasks: which programs of the gallery build them on which layers, and which theorems bound them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from math import factorial
from typing import Any

from separation.bounds.capacity import Asked


@dataclass(frozen=True)
class Recipe:
    """A program compiled to these layers in this order: F, or what its weights ask of R (`columns.CAN`)."""

    layers: tuple[str, ...]
    program: str
    sizes: dict[str, int] = field(default_factory=dict)
    each_length: bool = False
    """Each length has weights of its own, although others of the row serve every length."""

    @property
    def word(self) -> str:
        return "".join("F" if layer == "F" else "R" for layer in self.layers)


@dataclass(frozen=True)
class Row:
    """``every_length``: one set of weights is asked for; else each size has its own. ``at``: sizes for a prompt of so
    many tokens, for the theorems of `bounds.capacity`. ``period``: on equal tokens the answers never come to rest."""

    name: str
    title: str
    recipes: tuple[Recipe, ...]
    every_length: bool = False
    at: Callable[[int, int], Asked] | None = None
    grows: bool = False
    """What must be kept grows faster than the logarithm of the length."""
    period: bool = False
    nc1: bool = False
    """Complete for NC¹: out of reach of TC⁰, unless the two are equal."""
    elsewhere: str = ""
    """What is known of cells that are open here."""


def _pairs(tokens: int, symbols: int) -> Asked:
    pairs = max(1, (tokens - 2) // 2)
    return Asked("recall", (pairs, max(symbols, pairs)))


def _rows(tokens: int, symbols: int) -> Asked:
    """The largest A_d, d ≥ 5, whose table fills at most half of the prompt."""
    d = 5
    while factorial(d + 1) <= tokens:
        d += 1
    rows = factorial(d) // 2
    return Asked("state_based_recall", (rows, symbols, max(1, tokens - 1 - rows)))


def _by_counting(program: str, layers: int, **sizes: int) -> Iterator[Recipe]:
    """Each layer counts by attention or by a state that adds; the tables behind it grow with the length."""
    for asked in product(("F", "adds"), repeat=layers):
        yield Recipe(asked, program, sizes, each_length=True)


A5: dict[str, Any] = {"degree": 5}
ELSEWHERE = "several layers of a delta rule with β in [0, 2] are said to do it (arXiv 2604.03444); that is not built"
ROWS: dict[str, Row] = {
    row.name: row
    for row in (
        Row("composition", "compose L tables", ()),
        Row(
            "recall",
            "recall the value of a key, among pairs",
            (Recipe(("F", "F"), "recall"), Recipe(("keeps or sets", "F"), "recall")),
            at=_pairs,
            grows=True,
            elsewhere="a window or a short convolution in front of F could hand on the key; such weights are not built",
        ),
        Row(
            "copying",
            "copy a string",
            (Recipe(("F",), "copying"),),
            at=lambda tokens, symbols: Asked("copying", (max(1, tokens // 2), symbols)),
            grows=True,
        ),
        Row(
            "selective_copying",
            "copy the letters, without the blanks",
            (Recipe(("adds", "F"), "selective_copying"), Recipe(("F", "F"), "selective_copying")),
            at=lambda tokens, symbols: Asked("selective_copying", (max(1, (tokens - 1) // 2), symbols)),
            grows=True,
        ),
        Row(
            "parity",
            "parity, at every length",
            (Recipe(("reflects",), "parity"), *_by_counting("parity_by_counting", 1, m=2)),
            every_length=True,
            at=lambda tokens, symbols: Asked("parity", (tokens - 1,)),  # noqa: ARG005
            period=True,
        ),
        Row(
            "modular_counting",
            "count modulo 3, at every length",
            (Recipe(("moves",), "modular_counter", {"m": 3}), *_by_counting("parity_by_counting", 1, m=3)),
            every_length=True,
            period=True,
            elsewhere="a rotation has determinant 1 and is no single reflection",
        ),
        Row(
            "s3_words",
            "words of S3, at every length",
            (Recipe(("moves",), "s3_words"), *_by_counting("s3_by_counting", 2)),
            every_length=True,
            period=True,
            elsewhere="a rotation has determinant 1 and is no single reflection",
        ),
        Row(
            "a5_words",
            "words of A5, at every length",
            (Recipe(("moves",), "a5_words", A5),),
            every_length=True,
            period=True,
            nc1=True,
            elsewhere=ELSEWHERE,
        ),
        Row(
            "dyck",
            "brackets of bounded depth, at every length",
            (Recipe(("moves",), "dyck"), Recipe(("adds", "keeps or sets", "keeps or sets"), "dyck_by_registers")),
            every_length=True,
            elsewhere="attention with positions does it (Yao et al., 2021); such weights are not built",
        ),
        Row(
            "majority",
            "majority",
            (Recipe(("F",), "majority_by_attention"), Recipe(("adds",), "majority")),
            at=lambda tokens, symbols: Asked("majority", (max(1, tokens - 2),)),  # noqa: ARG005
            elsewhere="a count that a delta rule or a product would keep is not built",
        ),
        Row(
            "two_sum",
            "find a pair (2-Sum)",
            (Recipe(("F",), "two_sum"),),
            at=lambda tokens, symbols: Asked("two_sum", (tokens - 1, tokens | 1)),  # noqa: ARG005
            grows=True,
        ),
        Row(
            "state_based_recall",
            "look up the row that a word of A_d leads to",
            (Recipe(("moves", "F"), "state_based_recall", {**A5, "even": 1}),),
            at=_rows,
            nc1=True,
            grows=True,
            elsewhere=ELSEWHERE,
        ),
    )
}
"""By their names, from top to bottom."""
