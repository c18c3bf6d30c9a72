"""What a search for a pair says in the end: what it found, or what it tried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from separation.fooling.budget import Clock
from separation.fooling.pair import Pair

NOTHING_PROVED = "nothing was found; that proves nothing"


@dataclass(frozen=True)
class Closest:
    """Two tables whose states agree in ``equal`` of ``entries`` numbers: the best that a search had."""

    equal: int
    entries: int
    a: tuple[int, ...]
    b: tuple[int, ...]

    def document(self) -> dict[str, Any]:
        return {"equal_entries": self.equal, "entries": self.entries, "a": list(self.a), "b": list(self.b)}


@dataclass(frozen=True)
class Search:
    """A pair, or None with what was tried; ``exhaustive``: there was nothing else to try."""

    pair: Pair | None
    method: str
    samples: int
    seconds: float
    exhaustive: bool
    note: str
    closest: Closest | None = None

    @property
    def found(self) -> bool:
        return self.pair is not None

    def document(self) -> dict[str, Any]:
        """Of what was tried."""
        return {
            "method": self.method,
            "samples": self.samples,
            "seconds": round(self.seconds, 3),
            "exhaustive": self.exhaustive,
            "note": self.note,
            "closest": None if self.closest is None else self.closest.document(),
        }


class Interrupted(KeyboardInterrupt):
    """Stopped by hand; ``search`` is how far it came."""

    def __init__(self, search: Search) -> None:
        super().__init__("stopped")
        self.search = search


def ended(clock: Clock, method: str, exhaustive: bool, note: str, closest: Closest | None = None) -> Search:
    """A search without a pair."""
    return Search(None, method, clock.samples, clock.seconds, exhaustive, note, closest)
