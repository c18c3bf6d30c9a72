"""How messages are written down: sums and states as bits, in exactly as many as the theory charges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from math import lcm, prod

import numpy as np

from separation.arithmetic import IntegerArray, Precision, narrow
from separation.models import HeadState, StatefulHead, Sums, decode_state, encode_state, state_bits
from separation.protocol.bits import Field, Row


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
