"""How messages are written down: sums and states as bits, in exactly as many as the theory charges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from math import lcm

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import IntegerArray, Precision, PrecisionOverflow, narrow, widen
from separation.models import HeadState, Sums, rows_at_once

WORD = 64
Column = tuple[IntegerArray, int]
"""(rows, count) integers over one denominator, in units of 2^-f."""


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

    def counted(self, data: bytes, rows: int) -> int:  # noqa: ARG002
        """How many bits a message of so many rows counts as."""
        return rows * self.bits

    def pack(self, columns: Sequence[Column], ends: Sequence[int]) -> list[bytes]:
        """Messages of the rows ends[0]..ends[1]−1, ends[1]..ends[2]−1, …, from (rows, count) integers for each field.

        A message is rows · bits long, filled up with zeros to a whole byte.
        """
        if any(below != 1 for _, below in columns):
            raise ValueError("a value is no multiple of 2^-f")
        integers = [values for values, _ in columns]
        for field, values in zip(self.fields, integers, strict=True):
            field.require_fit(values)
        return [data for group in self._groups(ends) for data in self._packed(integers, group)]

    def unpack(self, messages: Sequence[bytes], ends: Sequence[int]) -> list[Column]:
        """The inverse of `pack`: all rows of all messages; data of another length is an error."""
        parts: list[list[IntegerArray]] = []
        done = 0
        for group in self._groups(ends):
            parts.append(self._unpacked(messages[done : done + len(group) - 1], group))
            done += len(group) - 1
        return [(np.concatenate(columns), 1) for columns in zip(*parts, strict=True)]

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


@dataclass(frozen=True)
class Text:
    """For numbers that are no multiples of 2^-f: fractions in decimals, as long as they are, ``counts`` in a row."""

    counts: tuple[int, ...]

    def counted(self, data: bytes, rows: int) -> int:  # noqa: ARG002
        return 8 * len(data)

    def pack(self, columns: Sequence[Column], ends: Sequence[int]) -> list[bytes]:
        """All numbers in lowest terms: the same bytes for the same numbers."""
        parts = [[(values[start:stop], below) for values, below in columns] for start, stop in pairwise(ends)]
        texts = ((str(Fraction(int(n), below)) for values, below in part for n in values.flat) for part in parts)
        return [",".join(text).encode() for text in texts]

    def unpack(self, messages: Sequence[bytes], ends: Sequence[int]) -> list[Column]:
        found = [self._one(data, stop - start) for data, (start, stop) in zip(messages, pairwise(ends), strict=True)]
        return [_over_one_denominator(parts) for parts in zip(*found, strict=True)]

    def _one(self, data: bytes, rows: int) -> list[IntegerArray]:
        """For each column (rows, count) fractions."""
        numbers = [Fraction(text) for text in data.decode().split(",") if text]
        places = list(accumulate((rows * count for count in self.counts), initial=0))
        if places[-1] != len(numbers):
            raise ValueError(f"{len(numbers)} numbers are no message of {places[-1]}")
        whole = np.array(numbers, dtype=object)
        return [whole[a:b].reshape(rows, n) for (a, b), n in zip(pairwise(places), self.counts, strict=True)]


def _over_one_denominator(parts: Sequence[IntegerArray]) -> Column:
    fractions: IntegerArray = np.concatenate(parts)
    below = lcm(*(number.denominator for number in fractions.flat))
    values = np.array([int(number * below) for number in fractions.flat], dtype=object)
    return narrow(values.reshape(fractions.shape)), below


def sum_row(dims: Sequence[int], precision: Precision, log2_tokens: int) -> Row:
    """β = Σ_h ( d_h·(P + p + k + 1) + P + k ) bits a token: numerators with a sign, then denominators, k = ⌈log2 n⌉.

    where d_h is the value dimension of head h and n the tokens of all players. The sums of any group of other tokens
    fit: there are at most n − 1 < 2^k of them, so |Σ e v| ≤ (n−1)·2^(P+p) < 2^(P+p+k) and Σ e ≤ (n−1)·2^P < 2^(P+k).
    """
    P, p, k = precision.score_bits, precision.bits, log2_tokens
    return Row((Field(sum(dims), P + p + k + 1, True), Field(len(dims), P + k, False)))


@dataclass(frozen=True)
class SumCode:
    """The sums of a layer's full heads, of dimensions ``dims``: one row for each token of the receiver."""

    dims: tuple[int, ...]
    row: Row | Text

    def encode(self, parts: Sequence[Sums], ends: Sequence[int]) -> list[bytes]:
        """The sums of all heads, one message for each receiver; receiver r has the queries ends[r]..ends[r+1]−1."""
        below = lcm(*(part.denominator for part in parts))
        numerators = [widen(part.numerators[0], below // part.denominator) for part in parts]
        totals = np.stack([part.totals[0] for part in parts], axis=1)
        return self.row.pack([(np.concatenate(numerators, axis=1), below), (totals, 1)], ends)

    def decode(self, messages: Sequence[bytes], ends: Sequence[int]) -> list[Sums]:
        """The sums of all heads for the queries of all receivers."""
        (numerators, below), (totals, _) = self.row.unpack(messages, ends)
        places = pairwise(accumulate(self.dims, initial=0))
        return [Sums(numerators[None, :, a:b], totals[None, :, head], below) for head, (a, b) in enumerate(places)]


@dataclass(frozen=True)
class StateCode:
    """s bits: the states of a layer's recurrent heads side by side in one row."""

    row: Row | Text

    def encode(self, states: Sequence[HeadState]) -> bytes:
        return self.row.pack([(state.values, state.denominator) for state in states], [0, 1])[0]

    def decode(self, data: bytes) -> list[HeadState]:
        return [HeadState(values, below) for values, below in self.row.unpack([data], [0, 1])]
