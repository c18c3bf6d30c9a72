"""The protocol, and the simulation lemma checked: it agrees with the forward pass layer by layer, bit for bit.

In each layer requests go out, sums come back added up, and states pass from player to player.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import IntegerArray, widen
from separation.models import Model, Scaled, Sums, checked_ids, joined, logits_of, streams
from separation.progress import Progress
from separation.protocol.player import Cut, Player, Public
from separation.protocol.transcript import Kind, Sent, Transcript


def seats(model: Model, token_ids: NDArray[np.int64], cut: Cut, player: type[Player] = Player) -> tuple[Player, ...]:
    """The players of one prompt, in its order, each with its own tokens and no others."""
    ids = checked_ids(model, token_ids)
    if ids.shape[0] != 1:
        raise ValueError(f"players read one prompt, got {ids.shape[0]}")
    cut.covering(ids.shape[1])
    public = Public(model, ids.shape[1])
    named = zip(cut.names, cut.ranges, strict=True)
    return tuple(player.seated(public, name, start, ids[0, start:stop]) for name, (start, stop) in named)


class Protocol:
    """The wires between players. They carry bytes; of a full layer a player hears one sum, in β bits a token."""

    def __init__(self, players: Sequence[Player], cut: Cut, keep: bool = False) -> None:
        """``keep``: the contents of messages too, not only their hashes."""
        self.players, self.cut, self.keep = tuple(players), cut, keep
        self.public = players[0].public
        self.messages: list[Sent] = []
        self.sums: list[Sent] = []

    @property
    def transcript(self) -> Transcript:
        """All messages so far."""
        return Transcript(self.public, self.cut, tuple(self.messages), tuple(self.sums))

    @property
    def stream(self) -> Scaled:
        """The streams of all players, for the comparison with the forward pass."""
        return joined([player.stream for player in self.players])

    def run(self) -> Iterator[int]:
        """Layer by layer; yields the number of each when it is done."""
        for number in range(1, len(self.public.model.layers) + 1):
            self._layer(number)
            yield number

    def finish(self) -> Protocol:
        """All layers at once."""
        for _ in self.run():
            pass
        return self

    def _layer(self, number: int) -> None:
        heard = self.soft(number) if self.public.full_places(number) else [None] * len(self.players)
        states: bytes | None = None
        after: list[Player] = []
        for index, player in enumerate(self.players):
            if states is not None:
                self._note(number, "linear", self.cut.names[index - 1], index, states)
            new, states = player.hear(number, heard[index], states)
            after.append(new)
        self.players = tuple(after)

    def soft(self, number: int) -> list[bytes | None]:
        """For each player the sum of the soft messages to it; None for the first, who has nobody before it."""
        if len(self.players) == 1:
            return [None]
        code = self.public.sum_code(number)
        requests = [player.request(number) for player in self.players]
        # The tokens that hear something, the second player's first one being 0.
        starts = list(accumulate((player.tokens for player in self.players[1:]), initial=0))
        totals: list[Sums] | None = None
        for sender, player in enumerate(self.players[:-1]):
            messages = player.answer(requests[sender + 1 :])
            for receiver, data in enumerate(messages, start=sender + 1):
                self._note(number, "soft", player.name, receiver, data)
            parts = code.decode(messages, [start - starts[sender] for start in starts[sender:]])
            totals = parts if totals is None else self.added(totals, parts, starts[sender])
        assert totals is not None
        heard = code.encode(totals, starts)
        for receiver, data in enumerate(heard, start=1):
            self._note(number, "sum", "all before", receiver, data)
        return [None, *heard]

    def added(self, totals: list[Sums], parts: list[Sums], first: int) -> list[Sums]:
        """The sums so far with those of one more sender, whose receivers' tokens start at ``first``."""
        return [
            Sums.joined([whole.queries(0, first), whole.queries(first, None).plus(part)])
            for whole, part in zip(totals, parts, strict=True)
        ]

    def _note(self, number: int, kind: Kind, sender: str, receiver: int, data: bytes) -> None:
        tokens, public = self.players[receiver].tokens, self.public
        linear = kind == "linear"
        code = public.state_code(number) if linear else public.sum_code(number)
        bits = code.row.counted(data, 1 if linear else tokens)
        sent = Sent.of(number, kind, (sender, self.cut.names[receiver]), tokens, bits, data, self.keep)
        (self.sums if kind == "sum" else self.messages).append(sent)


@dataclass(frozen=True)
class Simulation:
    """A run as players, and how it compares with the forward pass.

    ``differs``: the first layer (0: the embedding; one more than there are: the logits) after which some token's stream
    is another; None if none is. ``stream``: of all tokens after the last layer, by the players. ``logits``: at the last
    token, up to one common factor.
    """

    transcript: Transcript
    stream: Scaled
    logits: IntegerArray
    differs: int | None

    @property
    def ok(self) -> bool:
        return self.differs is None

    @property
    def answers(self) -> NDArray[np.int64]:
        """The answer at the last token: (1,)."""
        return np.asarray(self.logits.argmax(axis=1))


def simulate(
    model: Model,
    token_ids: NDArray[np.int64],
    cut: Cut,
    *,
    keep: bool = False,
    player: type[Player] = Player,
    protocol: type[Protocol] = Protocol,
    progress: Progress | None = None,
) -> Simulation:
    """Run one prompt as players, and compare the stream of every token after every layer with the forward pass.

    where ``keep`` keeps the contents of messages; ``player`` and ``protocol`` may be false neighbours, which must not
    pass.
    """
    run = protocol(seats(model, token_ids, cut, player), cut, keep)
    ordinary = streams(model, token_ids)
    own = next(ordinary)
    differs = None if equal(run.stream, own) else 0
    for number in run.run():
        own = next(ordinary)
        if differs is None and not equal(run.stream, own):
            differs = number
        if progress is not None:
            progress(number / len(model.layers), f"layer {number}")
    logits, forward = (
        logits_of(model, stream.tokens(stream.values.shape[1] - 1, stream.values.shape[1]))
        for stream in (run.stream, own)
    )
    if differs is None and not equal(Scaled(logits, run.stream.denominator), Scaled(forward, own.denominator)):
        differs = len(model.layers) + 1
    return Simulation(run.transcript, run.stream, logits[:, 0], differs)


def equal(left: Scaled, right: Scaled) -> bool:
    """The same numbers, over whichever denominators."""
    return left.values.shape == right.values.shape and bool(
        (widen(left.values, right.denominator) == widen(right.values, left.denominator)).all()
    )


def faults(
    model: Model,
    token_ids: NDArray[np.int64],
    cut: Cut,
    player: type[Player] = Player,
    protocol: type[Protocol] = Protocol,
) -> tuple[str, ...]:
    """All that is wrong with a run, in words; empty if nothing is.

    where ``player`` and ``protocol`` may be false neighbours of the true ones.
    """
    found = simulate(model, token_ids, cut, keep=True, player=player, protocol=protocol)
    wrong = [] if found.ok else [f"differs from the forward pass after layer {found.differs}"]
    if found.transcript.agrees is False:
        wrong.append("the bits of its messages are not those of the formulas")
    wrong += [f"{name} knows more than it was sent" for name in peekers(model, token_ids, cut, player, protocol)]
    return tuple(wrong)


def peekers(
    model: Model,
    token_ids: NDArray[np.int64],
    cut: Cut,
    player: type[Player] = Player,
    protocol: type[Protocol] = Protocol,
) -> tuple[str, ...]:
    """The players who do something else with the same messages when everybody else holds other tokens.

    Each player in turn is seated again with its own tokens, among others whose tokens are all changed, and given the
    messages of the first run: its stream, its states and its answers must be the same.
    """
    ids = np.atleast_2d(np.asarray(token_ids, dtype=np.int64))
    run = protocol(seats(model, ids, cut, player), cut, keep=True)
    history = [run.players]
    history += [run.players for _ in run.run()]
    changed = (ids + 1) % model.tokens.height
    found = []
    for index, (start, stop) in enumerate(cut.ranges):
        others = changed.copy()
        others[:, start:stop] = ids[:, start:stop]
        replayed = seats(model, others, cut, player)[index]
        if not all(_acts_alike(run, replayed, history, index)):
            found.append(cut.names[index])
    return tuple(found)


def _acts_alike(run: Protocol, replayed: Player, history: list[tuple[Player, ...]], place: int) -> Iterator[bool]:
    """Whether a replayed player says and becomes what it said and became, layer by layer."""
    name = run.cut.names[place]
    yield equal(replayed.stream, history[0][place].stream)
    for number, (before, after) in enumerate(pairwise(history), start=1):
        said = [m for m in run.messages if (m.layer, m.sender) == (number, name)]
        heard = [m for m in (*run.messages, *run.sums) if (m.layer, m.receiver) == (number, name)]
        contents = {message.kind: message.content for message in heard if message.kind != "soft"}
        soft = [message.content for message in said if message.kind == "soft"]
        if soft:
            yield replayed.answer([player.request(number) for player in before[place + 1 :]]) == soft
        replayed, handed = replayed.hear(number, contents.get("sum"), contents.get("linear"))
        yield equal(replayed.stream, after[place].stream)
        yield all(message.content == handed for message in said if message.kind == "linear")
