"""What the heads of a layer have in common: they read a stream, and say where they looked."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import ExactMatrix, PrecisionOverflow, attention_weights
from separation.arithmetic.matrices import IntegerArray, widen
from separation.models.carried import Carried
from separation.models.scaled import Scaled
from separation.models.source import Source, checked
from separation.models.transformer import Model


class Seen(NamedTuple):
    """Of the last query of each prompt: the heaviest token, its weight, and the sum of all weights."""

    positions: NDArray[np.int64]
    weights: IntegerArray
    totals: IntegerArray


class Attention(Protocol):
    """A head at work in one layer."""

    @property
    def row_entries(self) -> int:
        """The numbers held for each query of a prompt."""

    def rows(self, start: int, queries: Scaled) -> Scaled:
        """out_i for the tokens i = start, start + 1, …, whose stream is ``queries``; later tokens may follow."""

    def seen(self) -> Seen | None:
        """Where the last query so far looked; None for a head without weights."""


class Stateful(Attention, Protocol):
    """A recurrent head at work: it can stop after any token, and somebody else can go on from its state."""

    def restore(self, carried: Carried, first: int) -> None:
        """Go on from the state before token ``first``."""

    def carried(self) -> Carried:
        """The state after the last token that was read."""


@dataclass(frozen=True)
class Reading:
    """A layer of a model and the stream that it reads."""

    model: Model
    number: int
    source: Source

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
