"""What a protocol run must be: equal to the forward pass, of exactly the theory's bits, and blind to other inputs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from separation.models import Model
from separation.protocol.cut import Cut
from separation.protocol.player import Player
from separation.protocol.simulate import Protocol, equal, seats, simulate


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
