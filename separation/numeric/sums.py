"""Sums of weighted values whose error does not grow with the number of terms."""

from __future__ import annotations

from math import ceil, log2
from typing import Any

from separation.numeric.arithmetic import CHUNK, LONGEST_BLOCK, QUICK_CHUNK, Arithmetic

ENTRIES_AT_ONCE = 1 << 20


def block_length(rows: int, width: int) -> int:
    """How many keys to take at a time for ``rows`` queries, with values of ``width`` numbers."""
    return max(CHUNK, min(LONGEST_BLOCK, ENTRIES_AT_ONCE // max(1, rows * max(1, width // CHUNK))))


def roundings(arithmetic: Arithmetic, keys: int) -> int:
    """How many roundings of the wide type each term of `weighted_sums` over blocks goes through, at most."""
    length = min(keys, LONGEST_BLOCK)
    if arithmetic.wide != arithmetic.weighed:
        return length + 2
    chunks = -(-length // CHUNK)
    return CHUNK + ceil(log2(chunks) if chunks > 1 else 0) + 2


def quick_sums(weights: Any, values: Any, wide: Any) -> Any:
    """Σ_j weights_j · values_j for one query: 32 terms at a time in the type of the weights, these sums in ``wide``."""
    from torch.nn.functional import pad

    missing = -weights.shape[-1] % QUICK_CHUNK
    if missing:
        weights, values = pad(weights, (0, missing)), pad(values, (0, 0, 0, missing))
    parts = weights.unflatten(-1, (-1, QUICK_CHUNK)).transpose(-2, -3) @ values.to(weights.dtype).unflatten(
        -2, (-1, QUICK_CHUNK)
    )
    return parts.sum(dim=-3, dtype=wide)


def weighted_sums(weights: Any, values: Any, wide: Any) -> Any:
    """Σ_j weights_j · values_j for a block of keys, in the wide type: (…, rows, keys) by (…, keys, d).

    If the weights have that type already, eight terms at a time, then these sums in pairs: log2 of the keys decides.
    """
    from torch.nn.functional import pad

    if weights.dtype != wide:
        return weights.to(wide) @ values.to(wide)
    keys = weights.shape[-1]
    chunks = 1 << ceil(log2(max(1, -(-keys // CHUNK))))
    missing = chunks * CHUNK - keys
    weights, values = pad(weights, (0, missing)), pad(values.to(wide), (0, 0, 0, missing))
    weights = weights.unflatten(-1, (chunks, CHUNK)).transpose(-2, -3)
    sums = weights @ values.unflatten(-2, (chunks, CHUNK))
    while chunks > 1:
        chunks //= 2
        sums = sums[..., :chunks, :, :] + sums[..., chunks:, :, :]
    return sums[..., 0, :, :]


class RunningSum:
    """Σ of blocks, with what each addition loses kept apart: two roundings in all, to first order."""

    def __init__(self, start: Any) -> None:
        self.total, self.lost = start, start * 0

    def add(self, part: Any) -> None:
        total = self.total + part
        kept = total - self.total
        self.lost = self.lost + ((self.total - (total - kept)) + (part - kept))
        self.total = total

    def value(self) -> Any:
        return self.total + self.lost
