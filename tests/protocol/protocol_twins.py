"""The false neighbours of the proof book, and one more that lets a single bit slip."""

from __future__ import annotations

from dataclasses import replace
from typing import Self

from proofs_checks.statements.m2 import (
    DropsASender,
    HandsOnTooEarly,
    ReadsEverybody,
    RoundsForEachSender,
    SendsTooMuch,
)
from separation.models import Scaled
from separation.protocol import Player, Protocol


class LetsATokenSlip(ReadsEverybody):
    """One coordinate of one token is changed by what somebody else holds."""

    def hear(self, layer: int, soft: bytes | None, linear: bytes | None) -> tuple[Self, bytes | None]:
        new, handed = Player.hear(self, layer, soft, linear)
        values = new.stream.values.copy()
        values[0, -1, -1] += sum(int(ids.sum()) for first, ids in self.board.items() if first != self.first) % 2
        return replace(new, stream=Scaled(values, new.stream.denominator)), handed


SOFT = {"drops a sender": (Player, DropsASender), "rounds for each sender": (RoundsForEachSender, Protocol)}
LINEAR = {"hands on too early": (HandsOnTooEarly, Protocol)}
LEAKS = {
    "reads everybody": (ReadsEverybody, Protocol),
    "lets a token slip": (LetsATokenSlip, Protocol),
    "sends too much": (SendsTooMuch, Protocol),
}

__all__ = ["LEAKS", "LINEAR", "SOFT", "ReadsEverybody"]
