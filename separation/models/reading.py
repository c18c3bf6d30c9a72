"""What heads read: the stream of other tokens, block by block, and what all heads have in common when they read it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import ExactMatrix, IntegerArray, Precision, PrecisionOverflow, attention_weights, widen
from separation.models.scaled import HeadState, Scaled, joined

BLOCK_ENTRIES = 1 << 20
KEPT_ENTRIES = 1 << 24


@dataclass(frozen=True)
class StreamReader:
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


def reader_with_memory(reader: StreamReader) -> StreamReader:
    """The same stream, computed once if it fits into memory."""
    if reader.batch * reader.tokens * reader.width > KEPT_ENTRIES:
        return reader
    return reader_of(joined([stream for _, stream in reader.blocks(0, reader.tokens)]))


def reader_of(stream: Scaled) -> StreamReader:
    """A stream that has been computed."""
    batch, tokens, width = stream.values.shape
    return StreamReader(batch, tokens, width, stream.tokens)


class Machine(Protocol):
    """What a head must know of the model that it is part of."""

    @property
    def precision(self) -> Precision: ...

    @property
    def causal(self) -> bool: ...


def checked(model: Machine, scaled: Scaled, number: int, what: str) -> Scaled:
    """An activation outside ±2^(p-f) is an error; the embedding is layer 0."""
    if scaled.exceeds(1 << model.precision.bits):
        raise overflow(model, number, what)
    return scaled


def overflow(model: Machine, number: int, what: str) -> PrecisionOverflow:
    bits = model.precision.bits
    return PrecisionOverflow(f"layer {number}: an activation ({what}) needs more than p = {bits} bits")


class LastWeights(NamedTuple):
    """Of the last query of each prompt: the weight of each token, (batch, tokens), and the sum of all weights."""

    weights: IntegerArray
    totals: IntegerArray


class Attention(Protocol):
    """A head at work in one layer."""

    row_entries: int
    """The numbers held for each query of a prompt."""

    def rows(self, start: int, queries: Scaled) -> Scaled:
        """out_i for the tokens i = start, start + 1, …, whose stream is ``queries``; later tokens may follow."""

    def weights(self) -> LastWeights | None:
        """Where the last query so far looked, up to one common factor; None for a head without weights."""
        return None


class Stateful(Attention, Protocol):
    """A recurrent head at work: it can stop after any token, and somebody else can go on from its state."""

    def restore(self, state: HeadState, first: int) -> None:
        """Go on from the state before token ``first``."""

    def head_state(self) -> HeadState:
        """The state after the last token that was read."""


class Matrices:
    """Matrices, and numbers beside them: a head, or the block of an MLP. Which field is what, its type says.

    ``MATRICES`` are in order, ``READERS`` those that read the stream, all W but W_O, and ``NUMBERS`` the other fields.
    """

    MATRICES: ClassVar[tuple[str, ...]]
    READERS: ClassVar[tuple[str, ...]]
    NUMBERS: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls) -> None:
        fields = {name: kind for base in reversed(cls.__mro__) for name, kind in inspect.get_annotations(base).items()}
        cls.MATRICES = tuple(name for name, kind in fields.items() if kind == "ExactMatrix")
        cls.READERS = tuple(name for name in cls.MATRICES if name.startswith("w_") and name != "w_o")
        cls.NUMBERS = tuple(name for name in fields if name not in cls.MATRICES and not name.isupper())


class NeverRounded(Matrices):
    """A recurrent head whose state is kept as it is."""

    def entry_bits(self, precision: Precision) -> int:
        """p + 2 where an entry has |a| ≤ 2^p: these are 2^(p+1) + 1 numbers."""
        return precision.bits + 2


@dataclass(frozen=True)
class Reading:
    """A layer of a model and the stream that it reads."""

    model: Machine
    number: int
    reader: StreamReader

    def map(self, stream: Scaled, matrix: ExactMatrix, what: str, bias: ExactMatrix | None = None) -> Scaled:
        """matrix · x (+ bias), within the size of activations."""
        product = stream.times(matrix)
        return self.checked(product if bias is None else product.plus(self.bias(bias)), what)

    def bias(self, bias: ExactMatrix) -> Scaled:
        return Scaled(widen(bias.numerators[:, 0], 1 << self.model.precision.fraction_bits), bias.denominator)

    def checked(self, scaled: Scaled, what: str) -> Scaled:
        return checked(self.model, scaled, self.number, what)

    def weights(
        self, scores: IntegerArray, visible: NDArray[np.bool_] | None, denominator: int, shift: Fraction
    ) -> IntegerArray:
        """⌊2^P exp(scores/denominator − shift)⌋ where visible, else 0; None: all are visible."""
        if visible is not None:
            visible = np.broadcast_to(visible, scores.shape)
            if not visible.any():
                return np.zeros(scores.shape, dtype=np.int64)
            # What a query does not read gets the lowest score there is: it must not trip the shift check.
            scores = np.where(visible, scores, scores.min())
        try:
            weights = attention_weights(scores, denominator, shift, self.model.precision.score_bits)
        except PrecisionOverflow as error:
            raise PrecisionOverflow(f"layer {self.number}: {error}") from None
        return weights if visible is None else np.where(visible, weights, 0)
