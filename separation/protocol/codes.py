"""How messages are written down: sums and states as bits, in exactly as many as the theory charges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from math import lcm, prod

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import IntegerArray, Precision, PrecisionOverflow, narrow
from separation.models import HeadState, StatefulHead, Sums, decode_state, encode_state, rows_at_once, state_bits

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


@dataclass(frozen=True)
class SumCode:
    """β = Σ_h ( d_h·(P + p + k + 1) + P + k ) bits a token: numerators with a sign, then denominators, k = ⌈log2 n⌉.

    where d_h is the value dimension of head h and n the tokens of all players. The sums of any group of other tokens
    fit: there are at most n − 1 < 2^k of them, so |Σ e v| ≤ (n−1)·2^(P+p) < 2^(P+p+k) and Σ e ≤ (n−1)·2^P < 2^(P+k).
    """

    dims: tuple[int, ...]
    precision: Precision
    log2_tokens: int

    @cached_property
    def row(self) -> Row:
        P, p, k = self.precision.score_bits, self.precision.bits, self.log2_tokens
        return Row((Field(sum(self.dims), P + p + k + 1, True), Field(len(self.dims), P + k, False)))

    def bits(self, data: bytes, tokens: int) -> int:  # noqa: ARG002
        """How many bits a message for that many tokens counts as."""
        return tokens * self.row.bits

    def encode(self, parts: Sequence[Sums], ends: Sequence[int]) -> list[bytes]:
        """The sums of all heads, one message for each receiver; receiver r has the queries ends[r]..ends[r+1]−1."""
        if any(part.denominator != 1 for part in parts):
            raise ValueError("a value is no multiple of 2^-f")
        numerators = np.concatenate([part.numerators[0] for part in parts], axis=1)
        return self.row.pack([numerators, np.stack([part.totals[0] for part in parts], axis=1)], ends)

    def decode(self, messages: Sequence[bytes], ends: Sequence[int]) -> list[Sums]:
        """The sums of all heads for the queries of all receivers."""
        numerators, totals = self.row.unpack(messages, ends)
        places = pairwise(accumulate(self.dims, initial=0))
        return [Sums(numerators[None, :, a:b], totals[None, :, head]) for head, (a, b) in enumerate(places)]


@dataclass(frozen=True)
class FreeSumCode:
    """For values that are no multiples of 2^-f: fractions in decimals, as long as they are. β says nothing here."""

    dims: tuple[int, ...]

    def bits(self, data: bytes, tokens: int) -> int:  # noqa: ARG002
        return 8 * len(data)

    def encode(self, parts: Sequence[Sums], ends: Sequence[int]) -> list[bytes]:
        return [
            _written(
                pair
                for part in (whole.queries(start, stop) for whole in parts)
                for pair in ((part.numerators, part.denominator), (part.totals, 1))
            )
            for start, stop in pairwise(ends)
        ]

    def decode(self, messages: Sequence[bytes], ends: Sequence[int]) -> list[Sums]:
        found = [self._one(data, b - a) for data, (a, b) in zip(messages, pairwise(ends), strict=True)]
        return [Sums.joined(parts) for parts in zip(*found, strict=True)]

    def _one(self, data: bytes, tokens: int) -> list[Sums]:
        shapes = [shape for dim in self.dims for shape in ((1, tokens, dim), (1, tokens))]
        read = iter(_read(data, shapes))
        return [Sums(numerators, totals, below) for (numerators, below), (totals, _) in zip(read, read, strict=True)]


@dataclass(frozen=True)
class StateCode:
    """s bits: the states of a layer's recurrent heads, one after the other, each in its own number of bits."""

    heads: tuple[StatefulHead, ...]
    precision: Precision

    def bits(self, data: bytes) -> int:  # noqa: ARG002
        return sum(self._sizes)

    def encode(self, states: Sequence[HeadState]) -> bytes:
        number = 0
        for head, state, size in zip(self.heads, states, self._sizes, strict=True):
            number = number << size | encode_state(head, self.precision, state)[0]
        return number.to_bytes((sum(self._sizes) + 7) // 8, "big")

    def decode(self, data: bytes) -> list[HeadState]:
        if len(data) != (sum(self._sizes) + 7) // 8:
            raise ValueError(f"{len(data)} bytes are no states of {sum(self._sizes)} bits")
        number, states = int.from_bytes(data, "big"), []
        for head, size in zip(reversed(self.heads), reversed(self._sizes), strict=True):
            states.append(decode_state(head, self.precision, [number & (1 << size) - 1]))
            number >>= size
        return states[::-1]

    @property
    def _sizes(self) -> list[int]:
        return [state_bits(head, self.precision) for head in self.heads]


@dataclass(frozen=True)
class FreeStateCode:
    """For states that are no multiples of 2^-f: fractions in decimals, as long as they are."""

    heads: tuple[StatefulHead, ...]

    def bits(self, data: bytes) -> int:
        return 8 * len(data)

    def encode(self, states: Sequence[HeadState]) -> bytes:
        return _written((state.values, state.denominator) for state in states)

    def decode(self, data: bytes) -> list[HeadState]:
        shapes = [(1, head.state_entries) for head in self.heads]
        return [HeadState(values, below) for values, below in _read(data, shapes)]


AnySumCode = SumCode | FreeSumCode
AnyStateCode = StateCode | FreeStateCode


def _written(arrays: Iterable[tuple[IntegerArray, int]]) -> bytes:
    """All numbers in lowest terms: the same bytes for the same numbers."""
    return ",".join(str(Fraction(int(n), below)) for values, below in arrays for n in values.flat).encode()


def _read(data: bytes, shapes: Sequence[tuple[int, ...]]) -> list[tuple[IntegerArray, int]]:
    """Arrays of these shapes, each with one denominator."""
    numbers = [Fraction(text) for text in data.decode().split(",") if text]
    ends = list(accumulate((prod(shape) for shape in shapes), initial=0))
    if ends[-1] != len(numbers):
        raise ValueError(f"{len(numbers)} numbers are no message of {ends[-1]}")
    found = []
    for shape, (start, stop) in zip(shapes, pairwise(ends), strict=True):
        below = lcm(*(number.denominator for number in numbers[start:stop]))
        values = np.array([int(number * below) for number in numbers[start:stop]], dtype=object)
        found.append((narrow(values.reshape(shape)), below))
    return found
