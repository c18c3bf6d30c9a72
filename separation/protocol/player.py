"""A player: its own tokens, the public weights, and what it was sent; no way to anything else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Self, cast

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import IntegerArray
from separation.models import (
    Attention,
    FullAttention,
    Reading,
    Scaled,
    Seen,
    Stateful,
    StreamReader,
    Sums,
    embedding_reader,
    joined,
    reader_of,
    rows_at_once,
    run_layer,
    spans,
)
from separation.protocol.public import Public


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
        return Request(layer, tuple(self._full(layer, head).query(self.stream) for head in self._full_places(layer)))

    def answer(self, requests: Sequence[Request]) -> list[bytes]:
        """Π_{j,i}, one message for each request of a player i further on in the prompt: own partial sums, encoded."""
        layer = requests[0].layer
        ends = list(accumulate((_count(request) for request in requests), initial=0))
        sums = []
        for index, head in enumerate(self._full_places(layer)):
            # All receivers at once: a request may be a single token, and large products are quicker than many.
            query = joined([request.queries[index] for request in requests])
            sums.append(self._partial(self._full(layer, head), query))
        return self.public.sum_code(layer).encode(sums, ends)

    def hear(self, layer: int, soft: bytes | None, linear: bytes | None) -> tuple[Self, bytes | None]:
        """The player after a layer, and the states that it hands on.

        where ``soft`` is the sum of all soft messages to it, ``linear`` the states after the token before its first;
        None: nobody stands before it, or the layer has no such heads.
        """
        model, public = self.public.model, self.public
        heads, code = model.layers[layer - 1].heads, public.state_code(layer)
        reader = self._standing()
        attentions: list[Attention] = [head.attend(Reading(model, layer, reader)) for head in heads]
        recurrent = [cast(Stateful, attentions[place]) for place in public.layers[layer - 1].recurrent]
        if linear is not None:
            for attention, state in zip(recurrent, code.decode(linear), strict=True):
                attention.restore(state, self.first)
        sums = [] if soft is None else public.sum_code(layer).decode([soft], [0, self.tokens])
        heard = dict(zip(self._full_places(layer), sums, strict=soft is not None))
        for place in (place for place, head in enumerate(heads) if head.LETTER == "F"):
            attentions[place] = _Hearing(self._full(layer, place), self.first, heard.get(place))
        stream, _ = run_layer(model, model.layers[layer - 1], layer, reader, self.first, self.stream, attentions)
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

    def _full_places(self, layer: int) -> tuple[int, ...]:
        return self.public.layers[layer - 1].full

    def _full(self, layer: int, place: int) -> FullAttention:
        head = self.public.model.layers[layer - 1].heads[place]
        attention = head.attend(Reading(self.public.model, layer, reader_of(self.stream)))
        assert isinstance(attention, FullAttention)
        return attention


class _Hearing:
    """A full head whose sums start from those that others sent; rounded once, when all are added up."""

    def __init__(self, own: FullAttention, first: int, heard: Sums | None) -> None:
        self.own, self.first, self.heard = own, first, heard
        self.row_entries = own.row_entries

    def rows(self, start: int, queries: Scaled) -> Scaled:
        begin = start - self.first
        end = begin + queries.values.shape[1]
        sums = self.own.sums(self.own.query(queries), end, np.arange(begin, end))
        return (sums if self.heard is None else sums.plus(self.heard.queries(begin, end))).quotient()

    def seen(self) -> Seen | None:
        return None

    def weights(self) -> IntegerArray | None:
        return None


def _count(request: Request) -> int:
    return int(request.queries[0].values.shape[1])


def _sealed(array: NDArray[np.int64]) -> NDArray[np.int64]:
    array.setflags(write=False)
    return array
