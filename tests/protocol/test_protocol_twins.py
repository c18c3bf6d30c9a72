"""False protocols and players that peek are caught, by the check that the true ones pass."""

from __future__ import annotations

import gc
from dataclasses import replace
from types import FunctionType, ModuleType
from typing import ClassVar, Self

import numpy as np
import pytest
from numpy.typing import NDArray
from protocol_cases import model_of, prompt

from separation.models import FullAttention, Scaled, Sums, streams
from separation.protocol import Cut, Player, Protocol, Public, faults, seats, simulate

CUT = Cut.of([3, 2, 1, 3])


class DropsASender(Protocol):
    """Broken: forgets every sender but the first."""

    def added(self, totals: list[Sums], parts: list[Sums], first: int) -> list[Sums]:  # noqa: ARG002
        return totals


class RoundsForEachSender(Player):
    """Broken: sends ⌊numerator / total⌋ · total, a quotient rounded before the sums are added up."""

    def _partial(self, attention: FullAttention, query: Scaled) -> Sums:
        sums = super()._partial(attention, query)
        return Sums(sums.quotient().values * sums.totals[..., None], sums.totals)


class HandsOnTooEarly(Player):
    """Broken: hands on the states before its last token."""

    def hear(self, layer: int, soft: bytes | None, linear: bytes | None) -> tuple[Self, bytes | None]:
        new, handed = super().hear(layer, soft, linear)
        if handed is None or soft is not None:
            return new, handed
        if self.tokens == 1:
            return new, linear if linear is not None else bytes(len(handed))
        short = replace(self, ids=self.ids[:, :-1], stream=self.stream.tokens(0, self.tokens - 1))
        return new, Player.hear(short, layer, soft, linear)[1]


class ReadsEverybody(Player):
    """Broken, though every output is right: it looks up the prompt on a board that all players write to."""

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
        stream = [stream for _, stream in zip(range(layer + 1), streams(self.public.model, whole), strict=False)][-1]
        return replace(new, stream=stream.tokens(self.first, self.first + self.tokens)), handed


FALSE: dict[str, tuple[type[Player], type[Protocol], str]] = {
    "a sender is dropped": (Player, DropsASender, "differs from the forward pass"),
    "rounded for each sender": (RoundsForEachSender, Protocol, "differs from the forward pass"),
    "the state before the last token": (HandsOnTooEarly, Protocol, "differs from the forward pass"),
    "a player reads everybody's tokens": (ReadsEverybody, Protocol, "knows more than it was sent"),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_players_are_caught(name: str) -> None:
    model, ids = model_of("FRF", 1), prompt(1)
    player, protocol, fault = FALSE[name]
    assert faults(model, ids, CUT) == ()
    assert any(fault in said for said in faults(model, ids, CUT, player, protocol))


def test_a_model_that_peeks_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A forward pass whose full heads see one token too far is no protocol's."""
    model, ids = model_of("F", 1), prompt(1)
    assert simulate(model, ids, CUT).ok
    original = FullAttention.rows

    def ahead(self, start, queries):  # type: ignore[no-untyped-def]
        count, most = queries.values.shape[1], self.reading.reader.tokens
        last = np.minimum(np.arange(start, start + count) + 1, most - 1)
        return self.sums(self.query(queries), min(start + count + 1, most), last).quotient()

    monkeypatch.setattr(FullAttention, "rows", ahead)
    assert not simulate(model, ids, CUT).ok
    monkeypatch.setattr(FullAttention, "rows", original)
    assert simulate(model, ids, CUT).ok


def reachable(player: Player) -> list[object]:
    """All that can be reached from a player by following references, but code and modules."""
    seen: dict[int, object] = {}
    waiting: list[object] = [player]
    while waiting:
        item = waiting.pop()
        if id(item) not in seen and not isinstance(item, (type, ModuleType, FunctionType)):
            seen[id(item)] = item
            waiting += gc.get_referents(item)
    return list(seen.values())


def test_no_way_leads_from_a_player_to_other_tokens() -> None:
    model, ids = model_of("RFR", 4), prompt(4)
    protocol = Protocol(seats(model, ids, CUT), CUT).finish()
    for player in protocol.players:
        found = reachable(player)
        others = [other for other in protocol.players if other is not player]
        assert not any(item is other for item in found for other in others)
        arrays = [item for item in found if isinstance(item, np.ndarray)]
        private = [array for other in others for array in (other.ids, other.stream.values)]
        assert not any(np.shares_memory(array, secret) for array in arrays for secret in private)
        assert not any(np.shares_memory(array, ids) for array in arrays)
        assert any(array is player.ids for array in arrays)


def test_answering_changes_nothing() -> None:
    """A sender cannot learn from requests: it is the same afterwards, and its arrays cannot be written."""
    model, ids = model_of("FF", 5), prompt(5)
    first, second = seats(model, ids, Cut.of([4, 5]))
    before = first.stream.values.copy()
    assert first.answer([second.request(1)]) == first.answer([second.request(1)])
    assert (first.stream.values == before).all()
    with pytest.raises(ValueError, match="read-only"):
        first.ids[0, 0] = 1
    with pytest.raises(AttributeError):
        first.first = 3  # type: ignore[misc]
