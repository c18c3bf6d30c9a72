"""A player: its own tokens, the public weights, and what it was sent; no way to anything else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Self, cast

import numpy as np
from numpy.typing import NDArray

from separation.bounds import Message, Word, ceil_log2
from separation.files import InputError
from separation.models import (
    STATEFUL,
    Attention,
    FullAttention,
    Model,
    Reading,
    Scaled,
    Stateful,
    StatefulHead,
    StreamReader,
    Sums,
    attending,
    embedding_reader,
    joined,
    reader_of,
    rows_at_once,
    run_layer,
    spans,
    state_bits,
)
from separation.protocol.codes import Field, Row, StateCode, SumCode, Text, sum_row
from separation.tasks import TaskSizes, task_of
from separation.tasks.checks import shown

MAX_PLAYERS = 1 << 10


@dataclass(frozen=True)
class Cut:
    """Player j owns the next ``lengths[j]`` tokens; players are counted in the order of the prompt."""

    lengths: tuple[int, ...]
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        whole = all(type(length) is int and length >= 1 for length in self.lengths)
        if not self.lengths or not whole:
            raise InputError(f"the cut is {shown(list(self.lengths))}; a list of lengths, each at least 1, is needed")
        if len(self.lengths) > MAX_PLAYERS:
            raise InputError(f"the cut has {len(self.lengths)} players; at most {MAX_PLAYERS} are accepted")
        if len(set(self.names)) != len(self.lengths):
            raise InputError(f"{len(self.lengths)} players need as many different names, got {shown(list(self.names))}")

    @classmethod
    def of(cls, lengths: Sequence[int], tokens: int | None = None) -> Cut:
        """Players 1, 2, … with these many tokens each; together they have ``tokens``, if that is given."""
        cut = cls(tuple(lengths), tuple(f"player {number}" for number in range(1, len(lengths) + 1)))
        return cut if tokens is None else cut.covering(tokens)

    @classmethod
    def of_task(cls, sizes: TaskSizes) -> Cut:
        """The players of a task: of FuncComp z_L, …, z_1, z_0, w, and generated tokens belong to w."""
        names, lengths = zip(*task_of(sizes).players(), strict=True)
        return cls(lengths, names)

    def covering(self, tokens: int) -> Cut:
        """The cut itself, if it is a partition of ``tokens`` tokens."""
        if sum(self.lengths) != tokens:
            raise InputError(
                f"the cut covers {sum(self.lengths)} tokens, the prompt has {tokens}; "
                f"lengths of at least 1 that add up to {tokens} are accepted"
            )
        return self

    @property
    def tokens(self) -> int:
        return sum(self.lengths)

    @property
    def ranges(self) -> tuple[tuple[int, int], ...]:
        """The first token of each player and the one after its last."""
        return tuple(pairwise(accumulate(self.lengths, initial=0)))


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

    def full_places(self, number: int) -> tuple[int, ...]:
        """The places of the full heads of layer ``number`` (counted from 1) that have values at all."""
        heads = enumerate(self.model.layers[number - 1].heads)
        return tuple(place for place, head in heads if head.LETTER == "F" and head.w_o.shape[1])

    def value_dims(self, number: int) -> tuple[int, ...]:
        """d_h of these heads."""
        heads = self.model.layers[number - 1].heads
        return tuple(heads[place].w_o.shape[1] for place in self.full_places(number))

    def recurrent_heads(self, number: int) -> list[StatefulHead]:
        return self.model.layers[number - 1].stateful_heads

    def sum_code(self, number: int) -> SumCode:
        """How the sums of layer ``number`` are written."""
        return self._sum_codes[number - 1]

    @cached_property
    def _sum_codes(self) -> tuple[SumCode, ...]:
        found = []
        for number in range(1, len(self.model.layers) + 1):
            dims = self.value_dims(number)
            exact = sum_row(dims, self.model.precision, ceil_log2(self.tokens))
            found.append(SumCode(dims, exact if self.on_grid else Text((sum(dims), len(dims)))))
        return tuple(found)

    def state_code(self, number: int) -> StateCode:
        """How the states of layer ``number`` are written."""
        heads, precision = self.recurrent_heads(number), self.model.precision
        exact = Row(tuple(Field(head.state_entries, head.entry_bits(precision), True) for head in heads))
        return StateCode(exact if self.on_grid else Text(tuple(head.state_entries for head in heads)))

    def beta(self, number: int) -> int | None:
        """β of layer ``number`` by the formula; None without full heads or where values are no p-bit numbers."""
        precision, dims = self.model.precision, self.value_dims(number)
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

    @property
    def betas(self) -> dict[int, int]:
        """β of each layer that has one."""
        numbers = range(1, len(self.model.layers) + 1)
        return {number: beta for number in numbers if (beta := self.beta(number)) is not None}

    @property
    def cumulative_bits(self) -> tuple[int, ...]:
        """Λ_0..Λ_{#F} by the formula."""
        found = (self.state_bits(number) for number in range(1, len(self.model.layers) + 1))
        return self.word.cumulative_bits([bits for bits in found if bits is not None])


@dataclass(frozen=True)
class Request:
    """The queries of a player's tokens in one layer, one block a full head: Π_{j,i} depends on both sides.

    It is not charged: what counts are the sums that come back.
    """

    layer: int
    queries: tuple[Scaled, ...]


@dataclass(frozen=True)
class Player:
    """X: all that one player knows. Nothing here changes; a layer makes a new player.

    where ``first`` is the position of its first token, ``ids``: (1, tokens), ``stream``: x of its own tokens.
    """

    public: Public
    name: str
    first: int
    ids: NDArray[np.int64]
    stream: Scaled

    @classmethod
    def seated(cls, public: Public, name: str, first: int, ids: NDArray[np.int64]) -> Self:
        """A player who has read its own tokens; the array is its own copy."""
        own = np.array(ids, dtype=np.int64).reshape(1, -1)
        stream = embedding_reader(public.model, own, first=first).rows(0, own.shape[1])
        return cls(public, name, first, _sealed(own), stream)

    @property
    def tokens(self) -> int:
        return int(self.ids.shape[1])

    def request(self, layer: int) -> Request:
        """The queries of all its tokens."""
        return Request(
            layer, tuple(self._full(layer, head).query(self.stream) for head in self.public.full_places(layer))
        )

    def answer(self, requests: Sequence[Request]) -> list[bytes]:
        """Π_{j,i}, one message for each request of a player i further on in the prompt: own partial sums, encoded."""
        layer = requests[0].layer
        ends = list(accumulate((_count(request) for request in requests), initial=0))
        sums = []
        for index, head in enumerate(self.public.full_places(layer)):
            # All receivers at once: a request may be a single token, and large products are quicker than many.
            query = joined([request.queries[index] for request in requests])
            sums.append(self._partial(self._full(layer, head), query))
        return self.public.sum_code(layer).encode(sums, ends)

    def hear(self, layer: int, soft: bytes | None, states: bytes | None) -> tuple[Self, bytes | None]:
        """The player after a layer, and the states that it hands on.

        where ``soft`` is the sum of all soft messages to it, ``states`` those after the token before its first;
        None: nobody stands before it, or the layer has no such heads.
        """
        model, public = self.public.model, self.public
        heads, code = model.layers[layer - 1].heads, public.state_code(layer)
        reader = self._standing()
        attentions = attending(model, model.layers[layer - 1], layer, reader)
        recurrent = [
            cast(Stateful, at) for head, at in zip(heads, attentions, strict=True) if isinstance(head, STATEFUL)
        ]
        if states is not None:
            for attention, state in zip(recurrent, code.decode(states), strict=True):
                attention.restore(state, self.first)
        sums = [] if soft is None else public.sum_code(layer).decode([soft], [0, self.tokens])
        heard = dict(zip(self.public.full_places(layer), sums, strict=soft is not None))
        for place in (place for place, head in enumerate(heads) if head.LETTER == "F"):
            attentions[place] = _Hearing(self._full(layer, place), self.first, heard.get(place))
        stream = run_layer(model, model.layers[layer - 1], layer, reader, self.first, self.stream, attentions)
        handed = code.encode([attention.head_state() for attention in recurrent]) if recurrent else None
        return replace(self, stream=stream), handed

    def _standing(self) -> StreamReader:
        """Its own stream at the positions where it stands: there is nothing before them."""
        own, first = self.stream, self.first
        width = self.public.model.width
        return StreamReader(1, first + self.tokens, width, lambda start, stop: own.tokens(start - first, stop - first))

    def _partial(self, attention: FullAttention, query: Scaled) -> Sums:
        size = rows_at_once(max(self.tokens, self.public.model.width))
        count = query.values.shape[1]
        return Sums.joined([attention.sums(query.tokens(*span), self.tokens) for span in spans(0, count, size)])

    def _full(self, layer: int, place: int) -> FullAttention:
        head = self.public.model.layers[layer - 1].heads[place]
        attention = head.attend(Reading(self.public.model, layer, reader_of(self.stream)))
        assert isinstance(attention, FullAttention)
        return attention


class _Hearing(Attention):
    """A full head whose sums start from those that others sent; rounded once, when all are added up."""

    def __init__(self, own: FullAttention, first: int, heard: Sums | None) -> None:
        self.own, self.first, self.heard = own, first, heard
        self.row_entries = own.row_entries

    def rows(self, start: int, queries: Scaled) -> Scaled:
        begin = start - self.first
        end = begin + queries.values.shape[1]
        sums = self.own.sums(self.own.query(queries), end, np.arange(begin, end))
        return (sums if self.heard is None else sums.plus(self.heard.queries(begin, end))).quotient()


def _count(request: Request) -> int:
    return int(request.queries[0].values.shape[1])


def _sealed(array: NDArray[np.int64]) -> NDArray[np.int64]:
    array.setflags(write=False)
    return array
