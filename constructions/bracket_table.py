"""The least β of one full layer for two tables, from both sides: certified impossible below, built above."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from separation.bounds.search.one_full_layer import most_reached
from separation.bounds.theorems.theorem_a2 import theorem_a2
from separation.tasks.shape import bit_count

RUN_SIZES = ((4, 8), (16, 1))
RUN_WORDS = (("FR", 0), ("RF", 0), ("RRF", 2))
"""(m, n_1), and (word, cell bits), at which the slow tests run what is built; elsewhere it is the same construction."""


@dataclass(frozen=True)
class BracketRow:
    """At these sizes and state bits: messages of ``impossible`` bits are too short (Theorem A2), ``built`` are enough.

    where ``built`` are the bits of the fields that one token hears in the protocol of `constructions.bracket`; None is
    said where the theorem excludes no β at all.
    """

    word: str
    m: int
    n1: int
    cell_bits: int
    linear: tuple[int, int]
    impossible: int | None
    built: int

    @property
    def known(self) -> str:
        """Whether what is built was run at these very sizes: by two extreme tables for each path, or not at all."""
        run = (self.m, self.n1) in RUN_SIZES and (self.word, self.cell_bits) in RUN_WORDS
        return "extremes" if run else "not run"

    @property
    def ratio(self) -> float | None:
        """built / (impossible + 1): the threshold is known up to this factor."""
        return None if self.impossible is None else self.built / (self.impossible + 1)


def bracket_row(word: str, m: int, n1: int, cell_bits: int = 0) -> BracketRow:
    """One row; the word is FR, RF (no cells) or RRF (cells of ``cell_bits`` bits)."""
    whole, entry = bit_count(m), bit_count(m * n1)
    low = whole - cell_bits
    candidates = min(1 << low, m)
    if word == "FR":
        linear, built = (0, whole), max(m * entry, whole)
    else:
        state = cell_bits * m + whole
        linear, built = (state, state), candidates * entry + (low if candidates > 1 else 0)
    return BracketRow(word, m, n1, cell_bits, linear, largest_impossible(m, n1, linear), built)


def bracket_rows(tables: Sequence[int] = (4, 16, 64), rows: Sequence[int] = (1, 8, 64)) -> Iterator[BracketRow]:
    """FR and RF at all these m and n_1, and RRF with half, and with all, of the bits of table 1 in the state."""
    for m in tables:
        for n1 in rows:
            yield bracket_row("FR", m, n1)
            yield bracket_row("RF", m, n1)
            if m > 2:
                yield bracket_row("RRF", m, n1, bit_count(m) // 2)
            yield bracket_row("RRF", m, n1, bit_count(m))


def largest_impossible(m: int, n1: int, linear: tuple[int, int]) -> int | None:
    """The largest β that Theorem A2 excludes, over all Θ; None if it excludes none."""
    theta = most_reached(m, m, linear[0])  # more asked entries are worth more than their late states, or nothing is

    def excluded(beta: int) -> bool:
        return any(theorem_a2(m, (n1,), chosen, beta, linear).holds for chosen in {1, theta})

    if not excluded(0):
        return None
    low, high = 0, 1
    while excluded(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if excluded(middle) else (low, middle)
    return low


__all__ = ["BracketRow", "bracket_row", "bracket_rows", "largest_impossible"]
