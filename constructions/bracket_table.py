"""The least β of one full layer for two tables, from both sides: certified impossible below, built above.

What is built is known by `constructions/bracket_record.json`, which `python -m tools.bracket` writes: it has a row for
each word and size at which the kernel accepted a certificate of the weights, and another of Theorem A2 just below, and
at which β and Λ were counted in the weights.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from separation.bounds.condition import least_that
from separation.bounds.one_full_layer import most_reached
from separation.bounds.theorems.theorem_a2 import theorem_a2
from separation.tasks.shape import bit_count

SIZES = (2, 4, 8, 16, 32, 64)
RECORD = Path(__file__).with_name("bracket_record.json")
Cell = tuple[str, int, int, int]
"""Word, m, n_1 and cell bits."""


@dataclass(frozen=True)
class Threshold:
    """Messages of ``impossible`` bits are too short (None: no theorem says so of any), ``built`` are enough."""

    impossible: int | None
    built: int

    @property
    def ratio(self) -> float | None:
        """built / (impossible + 1): the threshold is known up to this factor."""
        return None if self.impossible is None else self.built / (self.impossible + 1)


@dataclass(frozen=True)
class BracketRow(Threshold):
    """At these sizes and state bits: messages of ``impossible`` bits are too short (Theorem A2), ``built`` are enough.

    where ``built`` are the bits of what one token hears in `constructions.bracket`, each number in as many bits as its
    values need; None is said where the theorem excludes no β at all. ``record``: what was checked at these very sizes.
    """

    word: str
    m: int
    n1: int
    cell_bits: int
    state_bits: tuple[int, int]
    record: dict[str, Any] | None = None

    @property
    def known(self) -> str:
        """How it is known that what is built answers every input at these sizes, with this β and this Λ."""
        return "formula" if self.record is None else "certificate"

    @property
    def weights_beta(self) -> int | None:
        """β of the weights in the exact model, where every number has all the bits that any number could need."""
        return None if self.record is None else int(self.record["weights_beta"])


def bracket_row(word: str, m: int, n1: int, cell_bits: int = 0) -> BracketRow:
    """One row; the word is FR, RF (no cells) or RRF (cells of ``cell_bits`` bits)."""
    whole, entry = bit_count(m), bit_count(m * n1)
    low = whole - cell_bits
    candidates = min(1 << low, m)
    if word == "FR":
        state_bits, built = (0, whole), max(m * entry, whole)
    else:
        state = cell_bits * m + whole
        state_bits, built = (state, state), candidates * entry + (low if candidates > 1 else 0)
    record = recorded().get((word, m, n1, cell_bits))
    return BracketRow(largest_impossible(m, n1, state_bits), built, word, m, n1, cell_bits, state_bits, record)


def bracket_cells(tables: Sequence[int] = SIZES, rows: Sequence[int] = SIZES) -> Iterator[Cell]:
    """FR and RF at all these m and n_1, and RRF with half, and with all, of the bits of table 1 in the state."""
    for m in tables:
        for n1 in rows:
            yield "FR", m, n1, 0
            yield "RF", m, n1, 0
            if m > 2:
                yield "RRF", m, n1, bit_count(m) // 2
            yield "RRF", m, n1, bit_count(m)


def bracket_rows(tables: Sequence[int] = SIZES, rows: Sequence[int] = SIZES) -> Iterator[BracketRow]:
    """The rows of these cells."""
    for cell in bracket_cells(tables, rows):
        yield bracket_row(*cell)


@lru_cache(maxsize=1)
def recorded() -> dict[Cell, dict[str, Any]]:
    """What was checked, by cell."""
    rows = json.loads(RECORD.read_text(encoding="utf-8"))["rows"]
    return {(row["word"], row["m"], row["n1"], row["cell_bits"]): row for row in rows}


def largest_impossible(m: int, n1: int, state_bits: tuple[int, int]) -> int | None:
    """The largest β that Theorem A2 excludes, over all Θ; None if it excludes none."""

    def excluded(beta: int) -> bool:
        return excluding_theta(m, n1, beta, state_bits) > 0

    return least_that(lambda beta: not excluded(beta), 1) - 1 if excluded(0) else None


def excluding_theta(m: int, n1: int, beta: int, state_bits: tuple[int, int]) -> int:
    """A Θ with which Theorem A2 excludes this β; 0 if it does with none."""
    most = most_reached(m, m, state_bits[0])  # more asked entries are worth more than their late states, or nothing is
    return next((theta for theta in (most, 1) if theorem_a2(m, (n1,), theta, beta, state_bits).certified), 0)
