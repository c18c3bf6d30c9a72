"""False neighbours of the protocol: each is wrong in one way, and each must be caught."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from separation.models.attend_full import FullAttention
from separation.models.run import streams
from separation.models.scaled import Scaled
from separation.models.sums import Sums
from separation.protocol import Player, Protocol, Public
from separation.protocol.codes import AnySumCode, SumCode


class DropsASender(Protocol):
    """Forgets the second sender whenever there is one."""

    def added(self, totals: list[Sums], parts: list[Sums], first: int) -> list[Sums]:  # noqa: ARG002
        return totals


class RoundsForEachSender(Player):
    """Sends ⌊numerator / total⌋ · total: a quotient rounded before the sums are added up."""

    def _partial(self, attention: FullAttention, query: Scaled) -> Sums:
        sums = super()._partial(attention, query)
        quotient = sums.quotient()
        return Sums(quotient.values * sums.totals[..., None], sums.totals)


class HandsOnTooEarly(Player):
    """Hands on the states before its last token."""

    def hear(self, layer: int, soft: bytes | None, linear: bytes | None) -> tuple[Self, bytes | None]:
        new, handed = super().hear(layer, soft, linear)
        if handed is None or soft is not None:
            return new, handed
        if self.tokens == 1:
            return new, linear if linear is not None else bytes(len(handed))
        short = replace(self, ids=self.ids[:, :-1], stream=self.stream.tokens(0, self.tokens - 1))
        return new, Player.hear(short, layer, soft, linear)[1]


class ReadsEverybody(Player):
    """Right in every output, and a cheat: looks up the whole prompt on a board that all players write to."""

    board: ClassVar[dict[int, NDArray[np.int64]]] = {}

    @classmethod
    def seated(cls, public: Public, name: str, first: int, ids: NDArray[np.int64]) -> Self:
        if first == 0:
            cls.board.clear()
        cls.board[first] = np.array(ids)
        return super().seated(public, name, first, ids)

    def hear(self, layer: int, soft: bytes | None, linear: bytes | None) -> tuple[Self, bytes | None]:
        new, handed = super().hear(layer, soft, linear)
        whole = np.concatenate([ids for _, ids in sorted(self.board.items())])
        for _, stream in zip(range(layer + 1), streams(self.public.model, whole), strict=False):
            last = stream
        return replace(new, stream=last.tokens(self.first, self.first + self.tokens)), handed


class LetsATokenSlip(ReadsEverybody):
    """One coordinate of one token is changed by what somebody else holds."""

    def hear(self, layer: int, soft: bytes | None, linear: bytes | None) -> tuple[Self, bytes | None]:
        new, handed = Player.hear(self, layer, soft, linear)
        values = new.stream.values.copy()
        values[0, -1, -1] += sum(int(ids.sum()) for first, ids in self.board.items() if first != self.first) % 2
        return replace(new, stream=Scaled(values, new.stream.denominator)), handed


class WiderPublic(Public):
    """Counts one bit too many for every sum."""

    def sum_code(self, number: int) -> AnySumCode:
        code = super().sum_code(number)
        return replace(code, log2_tokens=code.log2_tokens + 1) if isinstance(code, SumCode) else code


class SendsTooMuch(Player):
    """Speaks a code with room for more than the sums."""

    @classmethod
    def seated(cls, public: Public, name: str, first: int, ids: NDArray[np.int64]) -> Self:
        return super().seated(WiderPublic(public.model, public.tokens), name, first, ids)


SOFT = {"drops a sender": (Player, DropsASender), "rounds for each sender": (RoundsForEachSender, Protocol)}
LINEAR = {"hands on too early": (HandsOnTooEarly, Protocol)}
LEAKS = {
    "reads everybody": (ReadsEverybody, Protocol),
    "lets a token slip": (LetsATokenSlip, Protocol),
    "sends too much": (SendsTooMuch, Protocol),
}
