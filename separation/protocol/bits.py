"""Integers as bits: a field of w bits holds exactly 2^w values, and a message is its fields, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import PrecisionOverflow
from separation.arithmetic.matrices import IntegerArray, narrow
from separation.models.source import rows_at_once, spans

WORD = 64


@dataclass(frozen=True)
class Field:
    """``count`` integers of ``width`` bits each: −2^(w−1)..2^(w−1)−1 if ``signed``, else 0..2^w−1."""

    count: int
    width: int
    signed: bool

    @property
    def bits(self) -> int:
        return self.count * self.width

    def require_fit(self, values: IntegerArray) -> None:
        """Nothing is cut off in silence."""
        if not values.size:
            return
        least, most = int(values.min()), int(values.max())
        low, high = (-(1 << self.width >> 1), (1 << self.width >> 1) - 1) if self.signed else (0, (1 << self.width) - 1)
        if least < low or most > high:
            worst = most if most > high else least
            sign = "signed" if self.signed else "unsigned"
            raise PrecisionOverflow(f"a sum or state of {worst} does not fit in {self.width} bits, {sign}")


@dataclass(frozen=True)
class Row:
    """The fields of one row of a message; a message has one row for each token, a state is one row."""

    fields: tuple[Field, ...]

    @property
    def bits(self) -> int:
        return sum(field.bits for field in self.fields)

    def pack(self, columns: Sequence[IntegerArray]) -> bytes:
        """(rows, count) integers for each field → rows · bits, filled up with zeros to a whole byte."""
        rows = columns[0].shape[0]
        for field, values in zip(self.fields, columns, strict=True):
            field.require_fit(values)
        parts = []
        for first, last in self._spans(rows):
            bits = [_to_bits(values[first:last], f.width) for f, values in zip(self.fields, columns, strict=True)]
            parts.append(np.packbits(np.concatenate(bits, axis=1)).tobytes())
        return b"".join(parts)

    def unpack(self, data: bytes, rows: int) -> list[IntegerArray]:
        """The inverse of `pack`; data of another length is an error."""
        if len(data) != (rows * self.bits + 7) // 8:
            raise ValueError(f"{len(data)} bytes are no message of {rows} rows with {self.bits} bits each")
        found: list[list[IntegerArray]] = [[] for _ in self.fields]
        raw = np.frombuffer(data, dtype=np.uint8)
        for first, last in self._spans(rows):
            size = (last - first) * self.bits
            start = first * self.bits // 8
            bits = np.unpackbits(raw[start : start + (size + 7) // 8])[:size].reshape(last - first, self.bits)
            place = 0
            for field, parts in zip(self.fields, found, strict=True):
                own = bits[:, place : place + field.bits].reshape(last - first, field.count, field.width)
                parts.append(_from_bits(own, field.signed))
                place += field.bits
        return [np.concatenate(parts) if parts else np.zeros((0, 0), dtype=np.int64) for parts in found]

    def _spans(self, rows: int) -> list[tuple[int, int]]:
        """Blocks of rows that memory should hold; a multiple of 8 rows is a whole number of bytes."""
        return list(spans(0, rows, max(8, rows_at_once(max(1, self.bits)) // 8 * 8)))


def _to_bits(values: IntegerArray, width: int) -> NDArray[np.uint8]:
    """(rows, count) integers → (rows, count · width) bits in two's complement, the most significant first."""
    rows, count = values.shape
    if values.dtype != object and width <= WORD:
        raw = np.ascontiguousarray(values, dtype=">i8").view(np.uint8).reshape(rows, count, 8)
    else:
        size = (width + 7) // 8
        whole = b"".join((int(value) % (1 << (8 * size))).to_bytes(size, "big") for value in values.reshape(-1))
        raw = np.frombuffer(whole, dtype=np.uint8).reshape(rows, count, size)
    return np.unpackbits(raw, axis=2)[:, :, raw.shape[2] * 8 - width :].reshape(rows, count * width)


def _from_bits(bits: NDArray[np.uint8], signed: bool) -> IntegerArray:
    """(rows, count, width) bits → (rows, count) integers."""
    rows, count, width = bits.shape
    if not width or not bits.size:
        return np.zeros((rows, count), dtype=np.int64)
    size = WORD if width < WORD else (width + 8) // 8 * 8
    sign = bits[:, :, :1] if signed else np.zeros((rows, count, 1), dtype=np.uint8)
    raw = np.packbits(np.concatenate([np.repeat(sign, size - width, axis=2), bits], axis=2), axis=2)
    if size == WORD:
        return np.ascontiguousarray(raw).view(">i8").reshape(rows, count).astype(np.int64)
    numbers = [int.from_bytes(number.tobytes(), "big", signed=True) for number in raw.reshape(rows * count, -1)]
    return narrow(np.array(numbers, dtype=object).reshape(rows, count))
