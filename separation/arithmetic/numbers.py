"""Exact numbers in JSON: integers up to 2^53 as numbers, larger ones as decimal strings, rationals as "a/b"."""

from __future__ import annotations

import re
from fractions import Fraction

from separation.files import InputError

PLAIN = 2**53
MAX_DIGITS = 4000
_BEYOND = 10**MAX_DIGITS
_NUMBER = re.compile(rf"(-?\d{{1,{MAX_DIGITS}}})(?:/(\d{{1,{MAX_DIGITS}}}))?\Z", re.ASCII)


def number_to_json(number: Fraction | int) -> int | str | None:
    """3 → 3; 2^60 → "1152921504606846976"; 3/2 → "3/2"; more than 4,000 digits → None."""
    number = Fraction(number) if not isinstance(number, Fraction) else number
    if max(abs(number.numerator), number.denominator) >= _BEYOND:
        return None
    if number.denominator != 1:
        return f"{number.numerator}/{number.denominator}"
    return number.numerator if abs(number.numerator) <= PLAIN else str(number.numerator)


def number_from_json(value: object, field: str) -> Fraction:
    """The inverse of `number_to_json`; anything else, floats too, is refused with the field's name."""
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    match = _NUMBER.match(value) if isinstance(value, str) else None
    if match is None:
        given = str(value)[:40]
        raise InputError(f'{field} must be an exact number (3, "123456789012345678901" or "3/2"), got {given!r}')
    denominator = int(match[2] or 1)
    if denominator == 0:
        raise InputError(f"{field} has denominator 0")
    return Fraction(int(match[1]), denominator)


def integer_from_json(value: object, field: str, least: int = 0, most: int | None = None) -> int:
    """An integer within [least, most], or an error with the field's name."""
    number = number_from_json(value, field)
    if number.denominator != 1 or number < least or (most is not None and number > most):
        allowed = f"an integer >= {least}" if most is None else f"an integer in {least}..{most}"
        raise InputError(f"{field} must be {allowed}, got {str(value)[:40]}")
    return int(number)
