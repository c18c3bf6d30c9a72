"""How messages are written down: sums and states as bits, in exactly as many as the theory charges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from math import lcm, prod

import numpy as np

from separation.arithmetic import Precision
from separation.arithmetic.matrices import IntegerArray, narrow
from separation.models.scaled import Scaled
from separation.models.sums import Sums
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
        """What a message for so many tokens counts."""
        return tokens * self.row.bits

    def encode(self, parts: Sequence[Sums]) -> bytes:
        """The sums of all heads for the tokens of one receiver."""
        if any(part.denominator != 1 for part in parts):
            raise ValueError("a value is no multiple of 2^-f")
        return self.row.pack([np.concatenate([part.numerators[0] for part in parts], axis=1), _totals(parts)])

    def decode(self, data: bytes, tokens: int) -> list[Sums]:
        numerators, totals = self.row.unpack(data, tokens)
        return _by_head(self.dims, numerators, totals, 1)


@dataclass(frozen=True)
class FreeSumCode:
    """For values that are no multiples of 2^-f: fractions in decimals, as long as they are. β says nothing here."""

    dims: tuple[int, ...]

    def bits(self, data: bytes, tokens: int) -> int:  # noqa: ARG002
        return 8 * len(data)

    def encode(self, parts: Sequence[Sums]) -> bytes:
        return _written(pair for part in parts for pair in ((part.numerators, part.denominator), (part.totals, 1)))

    def decode(self, data: bytes, tokens: int) -> list[Sums]:
        shapes = [shape for dim in self.dims for shape in ((1, tokens, dim), (1, tokens))]
        read = iter(_read(data, shapes))
        return [Sums(numerators, totals, below) for (numerators, below), (totals, _) in zip(read, read, strict=True)]


@dataclass(frozen=True)
class StateCode:
    """s = entries · (p + 2) bits: a state's entries are a·2^-f with |a| ≤ 2^p, which is 2^(p+1) + 1 values.

    where ``shapes`` are those of all arrays of all recurrent heads of the layer.
    """

    shapes: tuple[tuple[int, ...], ...]
    precision: Precision

    @cached_property
    def row(self) -> Row:
        return Row(tuple(Field(int(np.prod(shape)), self.precision.bits + 2, True) for shape in self.shapes))

    def bits(self, data: bytes) -> int:  # noqa: ARG002
        return self.row.bits

    def encode(self, states: Sequence[Scaled]) -> bytes:
        """States in units of 1."""
        steps = [state.in_steps(self.precision.fraction_bits) for state in states]
        if any(state.denominator != 1 for state in steps):
            raise ValueError("a state is no multiple of 2^-f")
        return self.row.pack([state.values.reshape(1, -1) for state in steps])

    def decode(self, data: bytes) -> list[Scaled]:
        parts = zip(self.row.unpack(data, 1), self.shapes, strict=True)
        return [Scaled(part.reshape(1, *shape), 1).in_ones(self.precision.fraction_bits) for part, shape in parts]


@dataclass(frozen=True)
class FreeStateCode:
    """For states that are no multiples of 2^-f: fractions in decimals, as long as they are."""

    shapes: tuple[tuple[int, ...], ...]

    def bits(self, data: bytes) -> int:
        return 8 * len(data)

    def encode(self, states: Sequence[Scaled]) -> bytes:
        return _written((state.values, state.denominator) for state in states)

    def decode(self, data: bytes) -> list[Scaled]:
        return [Scaled(values, below) for values, below in _read(data, [(1, *shape) for shape in self.shapes])]


AnySumCode = SumCode | FreeSumCode
AnyStateCode = StateCode | FreeStateCode


def _totals(parts: Sequence[Sums]) -> IntegerArray:
    return np.stack([part.totals[0] for part in parts], axis=1)


def _by_head(dims: Sequence[int], numerators: IntegerArray, totals: IntegerArray, denominator: int) -> list[Sums]:
    ends = pairwise(accumulate(dims, initial=0))
    return [
        Sums(numerators[None, :, start:stop], totals[None, :, head], denominator)
        for head, (start, stop) in enumerate(ends)
    ]


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
