"""Integers from outside: each refusal is one short line that names the field."""

from __future__ import annotations

import reprlib

from separation.files import InputError

# Python refuses to write integers of more than 4300 digits, and nobody reads more than these.
_WRITTEN_BITS = 200


def shown(value: object) -> str:
    """A value as one short line, whatever it is."""
    if isinstance(value, int) and value.bit_length() > _WRITTEN_BITS:
        return f"an integer of {value.bit_length()} bits"
    try:
        return " ".join(reprlib.repr(value).split())
    except ValueError:  # a huge integer further inside
        return f"a {type(value).__name__}"


def require_integer(field: str, value: object, low: int, high: int | None = None) -> int:
    """value ∈ {low..high}, an int and no bool; without ``high`` there is no upper end."""
    if type(value) is not int:
        raise InputError(f"{field} is {shown(value)}; an integer is needed")
    if value < low or (high is not None and value > high):
        allowed = f"{low}..{shown(high)}" if high is not None else f"{low} and above"
        raise InputError(f"{field} is {shown(value)}; allowed are {allowed}")
    return value
