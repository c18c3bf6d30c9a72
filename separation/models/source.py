"""The stream that heads read, block by block: embedded anew when it is asked for, or kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import PrecisionOverflow
from separation.arithmetic.matrices import widen
from separation.models.narrow import narrowed_table
from separation.models.scaled import Scaled, joined
from separation.models.tables import RowTable
from separation.models.transformer import Model

BLOCK_ENTRIES = 1 << 20
KEPT_ENTRIES = 1 << 24


@dataclass(frozen=True)
class Source:
    """The stream x_0, x_1, … of a batch of prompts: ``rows(start, stop)`` is (batch, stop − start, width)."""

    batch: int
    tokens: int
    width: int
    rows: Callable[[int, int], Scaled]

    def blocks(self, start: int, stop: int) -> Iterator[tuple[int, Scaled]]:
        """(first token, stream) of the tokens start..stop−1, as many at a time as memory should hold."""
        for first, last in spans(start, stop, rows_at_once(self.batch * self.width)):
            yield first, self.rows(first, last)


def rows_at_once(entries: int) -> int:
    """How many tokens to take at a time, ``entries`` being the numbers that each of them brings."""
    return max(1, BLOCK_ENTRIES // max(1, entries))


def spans(start: int, stop: int, size: int) -> Iterator[tuple[int, int]]:
    """start..stop in pieces of at most ``size``."""
    for first in range(start, stop, size):
        yield first, min(first + size, stop)


def embedding(model: Model, ids: NDArray[np.int64], columns: NDArray[np.int64] | None = None, first: int = 0) -> Source:
    """positions[i] + tokens[id_i], of all coordinates or of these; computed each time that it is read.

    ``first``: the position of the first token.
    """
    tables = model.positions, model.tokens
    if columns is not None and len(columns) < model.width:
        tables = narrowed_table(model.positions, columns), narrowed_table(model.tokens, columns)
    batch, count = ids.shape
    return Source(batch, count, tables[0].width, lambda start, stop: _embed(model, tables, ids, start, stop, first))


def remembered(source: Source) -> Source:
    """The same stream, computed once if there is room for it."""
    if source.batch * source.tokens * source.width > KEPT_ENTRIES:
        return source
    return kept(joined([stream for _, stream in source.blocks(0, source.tokens)]))


def kept(stream: Scaled) -> Source:
    """A stream that has been computed."""
    batch, tokens, width = stream.values.shape
    return Source(batch, tokens, width, stream.tokens)


def checked(model: Model, scaled: Scaled, number: int, what: str) -> Scaled:
    """An activation outside ±2^(p-f) is an error; the embedding is layer 0."""
    if scaled.exceeds(1 << model.precision.bits):
        raise overflow(model, number, what)
    return scaled


def overflow(model: Model, number: int, what: str) -> PrecisionOverflow:
    bits = model.precision.bits
    return PrecisionOverflow(f"layer {number}: an activation ({what}) needs more than p = {bits} bits")


def _embed(
    model: Model, tables: tuple[RowTable, RowTable], ids: NDArray[np.int64], start: int, stop: int, first: int
) -> Scaled:
    step = 1 << model.precision.fraction_bits
    positions, tokens = tables
    place, word = positions.rows(np.arange(first + start, first + stop)), tokens.rows(ids[:, start:stop])
    placed = Scaled(widen(np.broadcast_to(place, word.shape), step), positions.denominator)
    return checked(model, placed.plus(Scaled(widen(word, step), tokens.denominator)), 0, "embedding")
