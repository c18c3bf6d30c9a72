"""Matrices and row tables of a model document, plainly; nothing is imported from the project."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

Document = dict[str, Any]


def bits_of(size: int) -> int:
    return (size - 1).bit_length()


def code(value: int, width: int) -> list[int]:
    return [1 if value >> j & 1 else -1 for j in range(width)]


def matrix(rows: int, columns: int, entries: dict[tuple[int, int], Any]) -> Document:
    return {"shape": [rows, columns], "entries": [[r, c, value] for (r, c), value in entries.items()]}


def expand(segments: list[Document], rows: int, width: int) -> Document:
    """The rows of a declared table, one by one."""
    entries: dict[tuple[int, int], str] = {}
    for segment in segments:
        for x, digits in enumerate(itertools.product(*map(range, segment["radices"]))):
            pairs = zip(digits, segment["radices"], strict=True)
            bits = [1, *(bit for digit, radix in pairs for bit in code(digit, bits_of(radix)))]
            if "mirror" in segment:
                bits += code(segment["mirror"] - x, bits_of(segment["mirror"]))
            for digit in segment.get("digits", []):
                bits += code(digit["values"][x], bits_of(digit["size"]))
            row = [Fraction(0)] * width
            for r, c, value in segment["matrix"]["entries"]:
                row[r] += Fraction(value) * bits[c]
            entries |= {(segment["start"] + x, r): str(value) for r, value in enumerate(row) if value}
    return matrix(rows, width, entries)
