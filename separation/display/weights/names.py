"""Names of places and factors of terms, for a terminal and for LaTeX alike."""

from __future__ import annotations

from separation.models import Stream
from separation.verbs.show import CONSTANT, slot_at
from separation.verbs.show.places import range_text


def named(stream: Stream, places: range) -> tuple[str, str]:
    """(slot, coordinates): the latter empty for a whole slot, else 3 or 0:4."""
    name, width, start = slot_at(stream, places.start)
    return name, "" if len(places) == width else range_text(places.start - start, len(places))


def is_constant(stream: Stream, places: range) -> bool:
    return len(places) == 1 and slot_at(stream, places.start)[:2] == (CONSTANT, 1)


def before_name(factor: str, link: str) -> str:
    """A factor as it stands before a name: nothing for 1, a sign for -1, else linked to it."""
    return {"1": "", "-1": "-"}.get(factor, factor + link)
