"""Integers as bits: a field of w bits holds exactly 2^w values, and a message is its fields, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import IntegerArray, PrecisionOverflow, narrow
from separation.models import rows_at_once

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
    """The fields of one row of a message; a message has one row for each token of its receiver."""

    fields: tuple[Field, ...]

    @cached_property
    def bits(self) -> int:
        return sum(field.bits for field in self.fields)

    def pack(self, columns: Sequence[IntegerArray], ends: Sequence[int]) -> list[bytes]:
        """Messages of the rows ends[0]..ends[1]−1, ends[1]..ends[2]−1, …, from (rows, count) integers for each field.

        A message is rows · bits long, filled up with zeros to a whole byte.
        """
        for field, values in zip(self.fields, columns, strict=True):
            field.require_fit(values)
        return [data for group in self._groups(ends) for data in self._packed(columns, group)]

    def unpack(self, messages: Sequence[bytes], ends: Sequence[int]) -> list[IntegerArray]:
        """The inverse of `pack`: all rows of all messages; data of another length is an error."""
        parts: list[list[IntegerArray]] = []
        done = 0
        for group in self._groups(ends):
            parts.append(self._unpacked(messages[done : done + len(group) - 1], group))
            done += len(group) - 1
        return [np.concatenate(columns) for columns in zip(*parts, strict=True)]

    def _packed(self, columns: Sequence[IntegerArray], ends: Sequence[int]) -> list[bytes]:
        fields = zip(self.fields, columns, strict=True)
        bits = np.concatenate([_to_bits(values[ends[0] : ends[-1]], field.width) for field, values in fields], axis=1)
        return [np.packbits(bits[start - ends[0] : stop - ends[0]]).tobytes() for start, stop in pairwise(ends)]

    def _unpacked(self, messages: Sequence[bytes], ends: Sequence[int]) -> list[IntegerArray]:
        parts = []
        for data, (start, stop) in zip(messages, pairwise(ends), strict=True):
            size = (stop - start) * self.bits
            if len(data) != (size + 7) // 8:
                raise ValueError(f"{len(data)} bytes are no message of {stop - start} rows with {self.bits} bits each")
            parts.append(np.unpackbits(np.frombuffer(data, dtype=np.uint8))[:size])
        rows = ends[-1] - ends[0]
        bits = np.concatenate(parts).reshape(rows, self.bits)
        places = pairwise(accumulate((field.bits for field in self.fields), initial=0))
        return [
            _from_bits(bits[:, start:stop].reshape(rows, field.count, field.width), field.signed)
            for field, (start, stop) in zip(self.fields, places, strict=True)
        ]

    def _groups(self, ends: Sequence[int]) -> Iterator[list[int]]:
        """Messages that are written together: as many rows as memory should hold, at least one message."""
        most = rows_at_once(max(1, self.bits))
        group = [ends[0]]
        for end in ends[1:]:
            if end - group[0] > most and len(group) > 1:
                yield group
                group = [group[-1]]
            group.append(end)
        yield group


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
