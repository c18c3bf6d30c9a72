"""How work in progress reports to its caller; every room may import this."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[float, str], None]
"""report(share done, from 0 to 1; what is being done)."""


def silent(_done: float, _what: str) -> None:
    """Progress that nobody asked for."""


def part_of(progress: Progress, number: int, count: int, name: str) -> Progress:
    """The progress of one of ``count`` pieces, counted from 0, as that of the whole."""
    return lambda done, what: progress((number + done) / count, f"{name}{what}")
