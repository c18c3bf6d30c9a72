"""What all players know before they hear their tokens: the weights, the length of the prompt, and the codes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from separation.bounds import Message, Word, ceil_log2
from separation.files import InputError
from separation.models import Head, Model, StatefulHead, state_bits
from separation.protocol.codes import AnyStateCode, AnySumCode, FreeStateCode, FreeSumCode, StateCode, SumCode


@dataclass(frozen=True)
class LayerHeads:
    """The places of a layer's full heads (those that have values at all) and of its recurrent heads."""

    full: tuple[int, ...]
    recurrent: tuple[int, ...]


@dataclass(frozen=True)
class Public:
    """A causal model over F, R and [FR], and n, the tokens of all players together, generated ones included."""

    model: Model
    tokens: int

    def __post_init__(self) -> None:
        if not self.model.causal:
            raise InputError(
                "the protocol is for causal models; this one is an encoder, whose attention goes both ways"
            )
        for number, layer in enumerate(self.model.layers, start=1):
            if "S" in layer.letter:
                raise InputError(f"the protocol is for the layers F, R and [FR]; layer {number} is {layer.letter}")

    @property
    def on_grid(self) -> bool:
        """All numbers that are sent are known to be multiples of 2^-f."""
        return self.model.is_integral

    @property
    def word(self) -> Word:
        return Word(tuple(layer.letter.strip("[]") for layer in self.model.layers if layer.heads))

    @cached_property
    def layers(self) -> tuple[LayerHeads, ...]:
        return tuple(
            LayerHeads(
                tuple(i for i, head in enumerate(layer.heads) if head.LETTER == "F" and head.w_o.shape[1]),
                tuple(i for i, head in enumerate(layer.heads) if head.LETTER == "R"),
            )
            for layer in self.model.layers
        )

    def full_heads(self, number: int) -> list[Head]:
        return [head for head in self.model.layers[number - 1].heads_of(Head) if head.w_v.shape[0]]

    def recurrent_heads(self, number: int) -> list[StatefulHead]:
        return self.model.layers[number - 1].stateful_heads

    def sum_code(self, number: int) -> AnySumCode:
        """How the sums of layer ``number`` (counted from 1) are written."""
        return self._sum_codes[number - 1]

    @cached_property
    def _sum_codes(self) -> tuple[AnySumCode, ...]:
        return tuple(self._sum_code(number) for number in range(1, len(self.layers) + 1))

    def _sum_code(self, number: int) -> AnySumCode:
        dims = tuple(head.w_v.shape[0] for head in self.full_heads(number))
        if not self.on_grid:
            return FreeSumCode(dims)
        return SumCode(dims, self.model.precision, ceil_log2(self.tokens))

    def state_code(self, number: int) -> AnyStateCode:
        """How the states of layer ``number`` are written."""
        heads = tuple(self.recurrent_heads(number))
        return StateCode(heads, self.model.precision) if self.on_grid else FreeStateCode(heads)

    def beta(self, number: int) -> int | None:
        """β of layer ``number`` by the formula; None without full heads or where values are no p-bit numbers."""
        precision, dims = self.model.precision, [head.w_v.shape[0] for head in self.full_heads(number)]
        if not dims or not self.on_grid:
            return None
        messages = [Message(dims.count(d), d, precision.bits, precision.score_bits) for d in sorted(set(dims))]
        return sum(message.beta(ceil_log2(self.tokens)) for message in messages)

    def state_bits(self, number: int) -> int | None:
        """s of layer ``number`` by the formula, Σ entries · (bits of one); None without R heads, or off the grid.

        An entry has p bits in a head that rounds its state, and p + 2 where |a| ≤ 2^p, which are 2^(p+1) + 1 numbers.
        """
        heads = self.recurrent_heads(number)
        if not heads or not self.on_grid:
            return None
        return sum(state_bits(head, self.model.precision) for head in heads)
