"""Units of MLPs, slot by slot: a clip, and a slot that is emptied."""

from __future__ import annotations

from collections.abc import Mapping

from separation.models import Stream, Unit


def units(stream: Stream, reads: Mapping[str, int], constant: int, writes: Mapping[str, int]) -> list[Unit]:
    """relu(Σ coefficient·slot + constant), times its coefficient into each slot written, coordinate by coordinate.

    A slot of one coordinate is read by all units.
    """

    def at(index: int, slots: Mapping[str, int]) -> dict[int, int]:
        return {stream[slot][index % len(stream[slot])]: coefficient for slot, coefficient in slots.items()}

    count = max((len(stream[slot]) for slot in writes), default=0)
    return [Unit(at(index, reads), constant, at(index, writes)) for index in range(count)]


def emptied(stream: Stream, slot: str) -> list[Unit]:
    """slot ← 0, as x = relu(x) − relu(−x)."""
    return [*units(stream, {slot: 1}, 0, {slot: -1}), *units(stream, {slot: -1}, 0, {slot: 1})]


def clip(stream: Stream, found: str, slot: str) -> list[Unit]:
    """slot ← clip(found) + 1, where clip(x) = relu(2x+1) − relu(2x−1) − 1."""
    above, below = (units(stream, {found: 2}, sign, {slot: sign}) for sign in (1, -1))
    return [*above, *below, *emptied(stream, slot)]
