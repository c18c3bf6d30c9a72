"""How many bits the messages of several runs need, number by number, if only the values that occur are told apart.

β and Λ of the bounds charge for every number its whole field, P+p+⌈log2 n⌉+1 bits of a numerator, whatever it can be.
A theorem about messages of β bits uses no more of them than how many there are: so a number that takes v values over
all inputs needs ⌈log2 v⌉ bits. Over some inputs, as here, that is a lower bound of what it needs over all of them, and
exact where no number can take more values than were seen: as with weights 0 and 1 on values ±1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from separation.protocol.transcript import Sent, Transcript
from separation.tasks.shape import bit_count

Place = tuple[int, str, int]
"""Layer, receiver, and the token of the receiver; a state is handed to its first token."""


@dataclass(frozen=True)
class CountedBits:
    """``beta``: the most that a token hears in a layer; ``linear``: Λ_0..Λ_{#F}, the most that crosses a boundary.

    ``values``: the most values that one number of a message took.
    """

    beta: int
    linear: tuple[int, ...]
    values: int


def counted_bits(transcripts: Iterable[Transcript]) -> CountedBits:
    """Of runs of one model on prompts of one length, with the contents of their messages kept."""
    runs = list(transcripts)
    heard, states = _Values(), _Values()
    for run in runs:
        for message in run.sums:
            _note_sum(run, message, heard)
        for message in run.messages:
            if message.kind == "linear":
                _note_state(run, message, states)
    public, boundaries = runs[0].public, runs[0].cut.names[1:]
    layers = [number for number in range(1, len(public.layers) + 1) if public.recurrent_heads(number)]
    crossing = [[states.bits((number, name, 0)) for number in layers] for name in boundaries]
    totals = [public.word.linear_bits(bits) for bits in crossing]
    return CountedBits(heard.most_bits, tuple(map(max, zip(*totals, strict=True))), max(heard.most, states.most))


class _Values:
    """For each place the values of each number there."""

    def __init__(self) -> None:
        self.seen: dict[Place, list[set[int]]] = defaultdict(list)

    def note(self, place: Place, numbers: Iterable[int]) -> None:
        numbers = list(numbers)
        known = self.seen[place]
        known += [set() for _ in range(len(numbers) - len(known))]
        for values, number in zip(known, numbers, strict=True):
            values.add(number)

    def bits(self, place: Place) -> int:
        return sum(bit_count(len(values)) for values in self.seen[place])

    @property
    def most_bits(self) -> int:
        return max((self.bits(place) for place in list(self.seen)), default=0)

    @property
    def most(self) -> int:
        return max((len(values) for known in self.seen.values() for values in known), default=1)


def _note_sum(run: Transcript, message: Sent, heard: _Values) -> None:
    heads = run.public.sum_code(message.layer).decode([_content(message)], [0, message.tokens])
    for token in range(message.tokens):
        numbers = [int(x) for sums in heads for x in (*sums.numerators[0, token], sums.totals[0, token])]
        heard.note((message.layer, message.receiver, token), numbers)


def _note_state(run: Transcript, message: Sent, states: _Values) -> None:
    found = run.public.state_code(message.layer).decode(_content(message))
    if any(state.denominator != found[0].denominator for state in found):
        raise ValueError("states over different denominators are not compared")
    states.note((message.layer, message.receiver, 0), [int(x) for state in found for x in state.values.flat])


def _content(message: Sent) -> bytes:
    if message.content is None:
        raise ValueError("the contents of the messages were not kept")
    return message.content


__all__ = ["CountedBits", "counted_bits"]
