"""Rows of matrices over named slots, and the parts of a layer that are gathered row by row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from separation.models import AnyHead, Layer

if TYPE_CHECKING:
    from separation.programs.slots import Slots

Row = dict[str, Fraction | int]
"""Σ coefficient · slot."""


def plus(*rows: Mapping[str, Fraction | int]) -> Row:
    """The sum of rows, without zeros."""
    result: Row = {}
    for row in rows:
        for slot, number in row.items():
            result[slot] = result.get(slot, 0) + number
    return {slot: number for slot, number in result.items() if number}


def scaled(row: Mapping[str, Fraction | int], factor: Fraction | int) -> Row:
    return {slot: number * factor for slot, number in row.items() if number * factor}


@dataclass
class Unit:
    """relu(reads), which goes into slots with given weights."""

    reads: Row
    goes: Row


@dataclass(frozen=True)
class Part:
    """Which definition a head is for: shown to people."""

    layer: int
    head: int
    kind: str
    name: str
    what: str


@dataclass
class Draft:
    """A layer before its matrices are made: what its heads and its MLPs, by rank, are to do.

    A head is made once all slots are known.
    """

    heads: list[Callable[[Slots], AnyHead]] = field(default_factory=list)
    mlps: dict[int, list[Unit]] = field(default_factory=dict)

    def add(self, head: Callable[[Slots], AnyHead]) -> int:
        """The number that the head gets."""
        self.heads.append(head)
        return len(self.heads) - 1

    def built(self, slots: Slots, number: int) -> Layer:
        slots.now = number, 0
        heads, mlps = tuple(head(slots) for head in self.heads), []
        for rank in sorted(rank for rank, units in self.mlps.items() if units):
            slots.now = number, rank
            mlps.append(slots.mlp(self.mlps[rank]))
        return Layer(heads, tuple(mlp for mlp in mlps if mlp.w_1.shape[0]))
