"""What all players know before they hear their tokens: the weights, the length of the prompt, and the codes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from separation.bounds.message import Message, ceil_log2
from separation.bounds.word import Word
from separation.files import InputError
from separation.models import DeltaHead, Head, LinearHead, Model
from separation.models.heads import AnyHead
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
                tuple(i for i, head in enumerate(layer.heads) if isinstance(head, Head) and head.w_v.shape[0]),
                tuple(i for i, head in enumerate(layer.heads) if not isinstance(head, Head)),
            )
            for layer in self.model.layers
        )

    def full_heads(self, number: int) -> list[Head]:
        heads = self.model.layers[number - 1].heads
        return [head for i in self.layers[number - 1].full if isinstance(head := heads[i], Head)]

    def recurrent_heads(self, number: int) -> list[AnyHead]:
        return [self.model.layers[number - 1].heads[i] for i in self.layers[number - 1].recurrent]

    def sum_code(self, number: int) -> AnySumCode:
        """How the sums of layer ``number`` (counted from 1) are written."""
        dims = tuple(head.w_v.shape[0] for head in self.full_heads(number))
        if not self.on_grid:
            return FreeSumCode(dims)
        return SumCode(dims, self.model.precision, ceil_log2(self.tokens))

    def state_code(self, number: int) -> AnyStateCode:
        """How the states of layer ``number`` are written."""
        shapes = tuple(shape for head in self.recurrent_heads(number) for shape in state_shapes(head))
        return StateCode(shapes, self.model.precision) if self.on_grid else FreeStateCode(shapes)

    def beta(self, number: int) -> int | None:
        """β of layer ``number`` by the formula; None without full heads or where values are no p-bit numbers."""
        precision, dims = self.model.precision, [head.w_v.shape[0] for head in self.full_heads(number)]
        if not dims or not self.on_grid:
            return None
        messages = [Message(dims.count(d), d, precision.bits, precision.score_bits) for d in sorted(set(dims))]
        return sum(message.beta(ceil_log2(self.tokens)) for message in messages)

    def state_bits(self, number: int) -> int | None:
        """s of layer ``number`` by the formula: entries · (p + 2); None without recurrent heads, or off the grid."""
        heads = self.recurrent_heads(number)
        if not heads or not self.on_grid:
            return None
        return sum(head.state_entries for head in heads if isinstance(head, (LinearHead, DeltaHead))) * (
            self.model.precision.bits + 2
        )


def state_shapes(head: AnyHead) -> tuple[tuple[int, ...], ...]:
    """The arrays of a head's state: S, and n where there is a normaliser."""
    keys, values = head.w_k.shape[0], head.w_v.shape[0]
    return ((keys, values), (keys, 1)) if isinstance(head, LinearHead) and head.normalised else ((keys, values),)
