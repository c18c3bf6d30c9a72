"""What a recurrent head hands from one token to the next, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from separation.arithmetic import IntegerArray, narrow, widen
from separation.models.scaled import Scaled


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
