"""The two integer sums of full attention: parts of them add up exactly, and only their quotient is rounded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm

import numpy as np

from separation.arithmetic.matrices import IntegerArray, largest, narrow, widen
from separation.models.scaled import Scaled


@dataclass(frozen=True)
class Sums:
    """Σ_j e_ij v_j = numerators · 2^-f / denominator, and totals = Σ_j e_ij, for each query i and some tokens j.

    where numerators: (batch, queries, d_v); totals: (batch, queries).
    """

    numerators: IntegerArray
    totals: IntegerArray
    denominator: int = 1

    @classmethod
    def zeros(cls, batch: int, queries: int, values: int) -> Sums:
        """Of no tokens."""
        return cls(np.zeros((batch, queries, values), dtype=np.int64), np.zeros((batch, queries), dtype=np.int64))

    @classmethod
    def joined(cls, parts: Sequence[Sums]) -> Sums:
        """Blocks of queries one after the other."""
        if len(parts) == 1:
            return parts[0]
        common = lcm(*(part.denominator for part in parts))
        numerators = [widen(part.numerators, common // part.denominator) for part in parts]
        return cls(np.concatenate(numerators, axis=1), np.concatenate([part.totals for part in parts], axis=1), common)

    def plus(self, other: Sums) -> Sums:
        """The sums over both groups of tokens."""
        common = lcm(self.denominator, other.denominator)
        left, right = (widen(part.numerators, common // part.denominator) for part in (self, other))
        return Sums(_added(left, right), _added(self.totals, other.totals), common)

    def queries(self, start: int, stop: int | None) -> Sums:
        """Those of a block of queries."""
        return Sums(self.numerators[:, start:stop], self.totals[:, start:stop], self.denominator)

    def quotient(self) -> Scaled:
        """⌊numerators / totals⌋ in units of 2^-f; 0/0 = 0."""
        below = widen(np.where(self.totals == 0, 1, self.totals), self.denominator)
        return Scaled(narrow(self.numerators // below[..., None]), 1)


def _added(left: IntegerArray, right: IntegerArray) -> IntegerArray:
    """left + right; in Python integers where int64 might wrap."""
    if left.dtype != object and right.dtype != object and largest(left) + largest(right) >= 2**62:
        left = left.astype(object)
    return left + right
