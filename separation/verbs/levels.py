"""How many tables a verb takes; apart from the other options, so that a bound loads no construction."""

from __future__ import annotations

from separation.files import InputError

MAX_L = 128


def require_few_levels(L: int) -> None:
    """At most MAX_L tables."""
    if L > MAX_L:
        raise InputError(f"L is {L}; at most {MAX_L} is accepted")
