"""Coordinates of a space as text: found[0:4], and back."""

from __future__ import annotations

import re

from separation.files import InputError
from separation.models import Stream

_PLACE = re.compile(r"(.+)\[(\d{1,9})(?::(\d{1,9}))?\]\Z", re.ASCII | re.DOTALL)


def place_text(stream: Stream, places: range) -> str:
    """found[0:4], found[2] for one coordinate, the bare name for a slot of width 1."""
    name, width, start = slot_at(stream, places.start)
    if width == 1 and not name.endswith("]"):
        return name
    return f"{name}[{range_text(places.start - start, len(places))}]"


def parse_place(text: object, field: str, stream: Stream) -> range:
    """The inverse of `place_text`."""
    match = _PLACE.match(text) if isinstance(text, str) else None
    name = match[1] if match else text
    widths = dict(stream.slots)
    if not isinstance(name, str) or name not in widths:
        known = ", ".join(widths)[:200]
        raise InputError(f"{field}: {str(text)[:40]!r} is no place in the slots {known}")
    first = int(match[2]) if match else 0
    stop = (int(match[3]) if match[3] else first + 1) if match else 1
    if not first < stop <= widths[name] or (match is None and widths[name] != 1):
        raise InputError(f"{field}: {str(text)[:40]!r} does not fit the slot {name}, which has width {widths[name]}")
    return stream[name][first:stop]


def range_text(first: int, count: int) -> str:
    """2, or 0:4 for more than one."""
    return str(first) if count == 1 else f"{first}:{first + count}"


def slot_at(stream: Stream, coordinate: int) -> tuple[str, int, int]:
    """(name, width, first coordinate) of the slot of a coordinate."""
    start = 0
    for name, width in stream.slots:
        if start <= coordinate < start + width:
            return name, width, start
        start += width
    raise IndexError(f"coordinate {coordinate} of {stream.width}")
