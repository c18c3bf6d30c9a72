"""How work in progress reports to its caller; every room may import this."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[float, str], None]
"""report(share done, from 0 to 1; what is being done)."""


def silent(_done: float, _what: str) -> None:
    """Progress that nobody asked for."""
