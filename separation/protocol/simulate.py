"""The simulation lemma, checked: the protocol beside the forward pass, layer by layer, bit for bit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic.matrices import IntegerArray, widen
from separation.models import Model
from separation.models.run import logits_of, streams
from separation.models.scaled import Scaled
from separation.protocol.cut import Cut
from separation.protocol.player import Player
from separation.protocol.protocol import Protocol, seats
from separation.protocol.transcript import Transcript

Progress = Callable[[float, str], None]


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
