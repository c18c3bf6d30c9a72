"""Named slots of a vector space: nobody writes a bare coordinate."""

from __future__ import annotations

from collections.abc import Iterable


class Stream:
    """A direct sum of named slots, in order: one(1) ⊕ tag(2) ⊕ …; used for the residual stream and inside heads."""

    def __init__(self, slots: Iterable[tuple[str, int]]) -> None:
        self.slots: tuple[tuple[str, int], ...] = tuple(slots)
        self._ranges: dict[str, range] = {}
        start = 0
        for name, width in self.slots:
            if name in self._ranges:
                raise ValueError(f"slot {name} is named twice")
            self._ranges[name] = range(start, start + width)
            start += width
        self.width = start

    def __getitem__(self, name: str) -> range:
        """The coordinates of a slot."""
        return self._ranges[name]

    def name(self, coordinate: int) -> str:
        """pointer[3], or the bare name for a slot of width 1."""
        for name, places in self._ranges.items():
            if coordinate in places:
                return name if len(places) == 1 else f"{name}[{coordinate - places.start}]"
        raise IndexError(f"coordinate {coordinate} of {self.width}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and self.slots == other.slots

    def __hash__(self) -> int:
        return hash(self.slots)

    def __repr__(self) -> str:
        return "Stream(" + " ⊕ ".join(f"{name}({width})" for name, width in self.slots) + ")"
