"""Transcripts of the simulator, one for each input of FuncComp: who said what in which layer, and what is known."""

from __future__ import annotations

from collections.abc import Callable, KeysView, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self, TypeVar

from separation.models import Model, Scaled
from separation.protocol import Cut, Player, Protocol, Public, Request, Transcript
from separation.tasks.funccomp import Instance, Sizes, token_ids

T = TypeVar("T")


@dataclass(frozen=True)
class Recalled(Public):
    """What is public, and a memory: the same player with the same messages does the same."""

    done: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)


class Recalling(Player):
    """The simulator's player, except that it looks up what it did when it last knew and heard the same."""

    def hear(self, layer: int, soft: bytes | None, linear: bytes | None) -> tuple[Self, bytes | None]:
        hear = super().hear
        return self._once(("hear", layer, soft, linear), lambda: hear(layer, soft, linear))

    def request(self, layer: int) -> Request:
        request = super().request
        return self._once(("request", layer), lambda: request(layer))

    def answer(self, requests: Sequence[Request]) -> list[bytes]:
        answer = super().answer

        def answered(request: Request) -> bytes:
            key = ("answer", request.layer, tuple(map(_written, request.queries)))
            return self._once(key, lambda: answer([request])[0])

        return list(map(answered, requests))

    def _once(self, key: tuple[Any, ...], act: Callable[[], T]) -> T:
        """What the player does, looked up if it did the same before."""
        assert isinstance(self.public, Recalled)
        done, key = self.public.done, (self._known, *key)
        if key not in done:
            done[key] = act()
        return done[key]  # type: ignore[no-any-return]

    @cached_property
    def _known(self) -> tuple[Any, ...]:
        return self.first, self.ids.tobytes(), _written(self.stream)


def _written(numbers: Scaled) -> tuple[Any, ...]:
    return numbers.denominator, numbers.values.shape, tuple(numbers.values.flat)


@dataclass(frozen=True)
class InputTranscript:
    """One transcript; players are numbered as in the theorems: L, …, 1 hold tables, 0 holds z_0 and −1 the query.

    where full layers are counted from 1.
    """

    transcript: Transcript
    sizes: Sizes
    sums: dict[Any, bytes] = field(repr=False)

    def soft(self, layer: int, receiver: int, above: int) -> bytes:
        """Σ_{j > above} Π_{j,i} of a full layer, in the bits in which the simulator writes it."""
        index, senders = self._full_layers[layer - 1], [self._name(j) for j in range(above + 1, self.sizes.L + 1)]
        parts = tuple(self._contents["soft", index, self._name(receiver), sender] for sender in senders)
        key = (index, receiver, parts)
        if key not in self.sums:
            self.sums[key] = self.transcript.summed(index, self._name(receiver), senders)
        return self.sums[key]

    def soft_bits(self, layer: int, receiver: int) -> int:
        """As the transcript counts them."""
        index, name = self._full_layers[layer - 1], self._name(receiver)
        (bits,) = {m.bits for m in self.transcript.sums if (m.layer, m.receiver) == (index, name)}
        return bits

    def linear(self, receiver: int, before: int) -> tuple[bytes, ...]:
        """The states that cross into a player before full layer ``before`` is run, layer after layer."""
        return tuple(message.content or b"" for message in self._states(receiver, before))

    def linear_bits(self, receiver: int, before: int) -> int:
        return sum(message.bits for message in self._states(receiver, before))

    def view(self, receiver: int, before: int) -> tuple[bytes | None, ...]:
        """All that a player heard before full layer ``before``: sums over all senders, and states."""
        name, end = self._name(receiver), self._end(before)
        heard = [*self.transcript.sums, *(m for m in self.transcript.messages if m.kind == "linear")]
        return tuple(m.content for m in sorted(heard, key=lambda m: m.layer) if m.receiver == name and m.layer < end)

    def _states(self, receiver: int, before: int) -> list[Any]:
        name, end = self._name(receiver), self._end(before)
        return [m for m in self.transcript.messages if m.kind == "linear" and m.receiver == name and m.layer < end]

    def _end(self, before: int) -> int:
        """The index of that full layer; nothing precedes the 0th, and everything precedes the one after the last."""
        if before < 1:
            return 0
        return (
            self._full_layers[before - 1]
            if before <= len(self._full_layers)
            else len(self.transcript.public.layers) + 1
        )

    @cached_property
    def _contents(self) -> dict[tuple[str, int, str, str], bytes]:
        return {(m.kind, m.layer, m.receiver, m.sender): m.content or b"" for m in self.transcript.messages}

    @cached_property
    def _full_layers(self) -> list[int]:
        return [number for number, heads in enumerate(self.transcript.public.layers, start=1) if heads.full]

    def _name(self, player: int) -> str:
        return self.transcript.cut.names[self.sizes.L - player]


@dataclass(frozen=True, eq=False)
class Transcripts:
    """One model, and the transcript of every input that is asked for, run once."""

    model: Model
    sizes: Sizes

    def of(self, instance: Instance) -> InputTranscript:
        if instance not in self._said:
            ids = token_ids(instance)
            named = zip(self._cut.names, self._cut.ranges, strict=True)
            seated = [Recalling.seated(self._public, name, a, ids[a:b]) for name, (a, b) in named]
            run = Protocol(seated, self._cut, keep=True).finish()
            self._said[instance] = InputTranscript(run.transcript, self.sizes, self._sums)
        return self._said[instance]

    @property
    def instances(self) -> KeysView[Instance]:
        """Those run so far."""
        return self._said.keys()

    @cached_property
    def _said(self) -> dict[Instance, InputTranscript]:
        return {}

    @cached_property
    def _sums(self) -> dict[Any, bytes]:
        return {}

    @cached_property
    def _cut(self) -> Cut:
        return Cut.of_task(self.sizes)

    @cached_property
    def _public(self) -> Recalled:
        return Recalled(self.model, self.sizes.length)
