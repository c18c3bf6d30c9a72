"""The numbers of a run: integers over a common denominator, in units of 2^-f."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm

import numpy as np

from separation.arithmetic import FLOAT_EXACT, ExactMatrix, IntegerArray, integer_matmul, largest, narrow, widen


class Scaled:
    """values · 2^-f / denominator, for a batch of prompts (batch, tokens, …); f is the model's.

    No value is larger than ``bound``. It is passed on from operation to operation, so that long streams need not be
    looked through each time that int64, or float64, must be shown to be wide enough.
    """

    def __init__(self, values: IntegerArray, denominator: int, bound: int | None = None) -> None:
        self.values, self.denominator = values, denominator
        self.bound = largest(values) if bound is None else bound

    def times(self, matrix: ExactMatrix) -> Scaled:
        """matrix · x for the vector x of each token."""
        # Most maps read a few slots of the stream: the other columns need not be touched.
        used = np.flatnonzero((matrix.numerators != 0).any(axis=0))
        read = self.values if len(used) == matrix.shape[1] else self.values[..., used]
        weights = matrix.numerators[:, used].T
        bound = self.bound * max(map(int, np.abs(weights).sum(axis=0, dtype=object)), default=0)
        if bound < FLOAT_EXACT and read.dtype != object and self.bound:
            # Every partial sum is a float64 number, and as the stream is not 0, so is every weight.
            product: IntegerArray = np.matmul(read.astype(np.float64), weights.astype(np.float64)).astype(np.int64)
            return reduced(product, self.denominator * matrix.denominator, bound)
        return reduced(integer_matmul(read, weights), self.denominator * matrix.denominator)

    def plus(self, other: Scaled) -> Scaled:
        common = lcm(self.denominator, other.denominator)
        factors = common // self.denominator, common // other.denominator
        bound = self.bound * factors[0] + other.bound * factors[1]
        total = widen(self.values, factors[0]) + widen(other.values, factors[1])
        return reduced(total, common, bound if bound < 2**62 else None)

    def rectified(self) -> Scaled:
        """relu(x)."""
        return Scaled(np.maximum(self.values, 0), self.denominator, self.bound)

    def absolute(self) -> Scaled:
        return Scaled(np.abs(self.values), self.denominator, self.bound)

    def tokens(self, start: int, stop: int) -> Scaled:
        """The part of a block of tokens."""
        return Scaled(self.values[:, start:stop], self.denominator, self.bound)

    def exceeds(self, size: int) -> bool:
        """Whether some number is beyond ±size, in units of 2^-f."""
        return self.bound > size * self.denominator and self.largest > size * self.denominator

    @cached_property
    def largest(self) -> int:
        """max |value|."""
        return largest(self.values)

    def in_ones(self, fraction: int) -> Scaled:
        """The same numbers as values / denominator: whole numbers are small, and products need no powers of 2."""
        return reduced(self.values, self.denominator << fraction, self.bound)

    def in_steps(self, fraction: int) -> Scaled:
        """values / denominator in units of 2^-f again."""
        common = gcd(self.denominator, 1 << fraction)
        factor = (1 << fraction) // common
        return Scaled(widen(self.values, factor), self.denominator // common, self.bound * factor)


def reduced(values: IntegerArray, denominator: int, bound: int | None = None) -> Scaled:
    """values / denominator in lowest terms; ``bound``, below 2^62, of values that are int64."""
    if bound is None or values.dtype == object:
        values, bound = narrow(values), None
    if denominator == 1:
        return Scaled(values, 1, bound)
    divisor = int(np.gcd.reduce(values, axis=None)) if values.size else 0
    common = gcd(denominator, divisor)
    if not divisor:
        # Zeros over a denominator beyond 64 bits: int64 could not be divided by it.
        return Scaled(values, 1, 0)
    if common > 1:
        values, bound = narrow(values // common), None if bound is None else bound // common
    return Scaled(values, denominator // common, bound)


def joined(parts: Sequence[Scaled]) -> Scaled:
    """Blocks of tokens one after the other, over one denominator."""
    if len(parts) == 1:
        return parts[0]
    common = lcm(*(part.denominator for part in parts))
    values = [widen(part.values, common // part.denominator) for part in parts]
    bound = max(part.bound * (common // part.denominator) for part in parts)
    return Scaled(np.concatenate(values, axis=1), common, bound)


def product(left: Scaled, right: Scaled) -> Scaled:
    """left · right, matrix by matrix; one of them at least is in units of 1."""
    return reduced(integer_matmul(left.values, right.values), left.denominator * right.denominator)


def transposed(matrices: Scaled) -> Scaled:
    return Scaled(np.swapaxes(matrices.values, -1, -2), matrices.denominator, matrices.bound)


class HeadState:
    """The entries of a state for each prompt, values / denominator in units of 2^-f; immutable.

    values: (batch, entries), the arrays of the state one after the other, each row by row.
    """

    __slots__ = ("denominator", "values")

    def __init__(self, values: IntegerArray, denominator: int = 1) -> None:
        common = gcd(denominator, *(int(number) for number in values.flat)) if denominator != 1 else 1
        kept = narrow(values // common if common != 1 else values.copy())
        kept.flags.writeable = False
        self.values: IntegerArray = kept
        self.denominator: int = denominator // common

    @classmethod
    def of(cls, parts: Sequence[Scaled]) -> HeadState:
        """Arrays of one state, (batch, …) each, in units of 2^-f."""
        common = lcm(*(part.denominator for part in parts))
        flat = [widen(part.values, common // part.denominator).reshape(len(part.values), -1) for part in parts]
        return cls(np.concatenate(flat, axis=1), common)

    def part(self, start: int, shape: Sequence[int]) -> Scaled:
        """The entries from ``start`` on as an array (batch, *shape)."""
        size = int(np.prod(shape, dtype=np.int64))
        return Scaled(self.values[:, start : start + size].reshape(-1, *shape), self.denominator)

    @property
    def batch(self) -> int:
        return len(self.values)

    @property
    def entries(self) -> int:
        """Numbers in the state of one prompt."""
        return int(self.values.shape[1])

    def numbers(self, prompt: int) -> tuple[Fraction, ...]:
        """The entries of one prompt's state, in units of 2^-f."""
        return tuple(Fraction(int(number), self.denominator) for number in self.values[prompt])

    def canonical(self, prompt: int) -> bytes:
        """The same bytes for the same state, whatever the batch: what is hashed."""
        return ",".join(map(str, self.numbers(prompt))).encode()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HeadState):
            return NotImplemented
        return self.denominator == other.denominator and bool(np.array_equal(self.values, other.values))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"HeadState(batch={self.batch}, entries={self.entries}, denominator={self.denominator})"
