"""What a float run rounds, and where: the types of its stored numbers, of its scores and of its sums.

Sums of weighted values are taken so that their error does not grow with the number of terms.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, log2
from typing import Any

from separation.files import InputError, NumberTooLarge

PATHS = ("rows", "full")
EXPONENTIAL_ULPS = 4
"""exp(x) is taken to be within this many units in the last place, 2u each; libraries promise 1 or 2."""
CHUNK = 8
"""Where no wider type is at hand, this many terms are added up at a time, and then these sums in pairs."""
LONGEST_BLOCK = 1 << 15
"""Keys of one block at most."""
QUICK_CHUNK = 32
"""With more keys than that, one query adds up this many at a time in the type of weights, these sums in the wide one:
memory is read almost as fast as it comes, and the error is that of 32 terms."""


@dataclass(frozen=True)
class Format:
    """A binary floating-point type: ``digits`` of significand, and the exponents of its smallest and largest numbers.

    where unit, u = 2^-digits, is the largest relative error of one rounding to nearest.
    """

    name: str
    digits: int
    smallest_exponent: int
    largest_exponent: int

    @property
    def unit(self) -> Fraction:
        return Fraction(1, 1 << self.digits)

    @property
    def tiny(self) -> Fraction:
        """Half the distance between neighbours around 0, or all of it where such numbers are flushed to 0."""
        return Fraction(1, 1 << -self.smallest_exponent)

    @property
    def largest(self) -> int:
        return 1 << self.largest_exponent


FLOAT64 = Format("float64", 53, -1022, 1023)
FLOAT32 = Format("float32", 24, -126, 127)
FLOAT16 = Format("float16", 11, -24, 15)
BFLOAT16 = Format("bfloat16", 8, -126, 127)
FORMATS = {form.name: form for form in (FLOAT64, FLOAT32, FLOAT16, BFLOAT16)}
DTYPES = tuple(FORMATS)


@dataclass(frozen=True)
class Arithmetic:
    """A way to run: the stream, keys and values are ``stored``; scores and weights ``weighed``; all else is ``wide``.

    ``path`` rows: only the rows that the answer needs, keys in blocks, weights exp(score − shift), sums in the wide
    type. ``path`` full: torch's own operations on whole matrices, every result rounded to the stored type; partial sums
    in ``wide``, in an order that nobody promises.
    """

    stored: Format
    weighed: Format
    wide: Format
    path: str

    @property
    def name(self) -> str:
        return self.stored.name

    @property
    def result(self) -> Format:
        """What the result of an operation inside a layer is rounded to."""
        return self.wide if self.path == "rows" else self.stored


def arithmetic_of(dtype: str, path: str = "rows", has_float64: bool = True) -> Arithmetic:
    """float64 has no wider type; the others add up in float64, or in float32 on a device without it."""
    if dtype not in FORMATS:
        raise InputError(f"dtype is {dtype[:20]!r}; known are {', '.join(DTYPES)}")
    if path not in PATHS:
        raise InputError(f"path is {path[:20]!r}; known are {', '.join(PATHS)}")
    stored = FORMATS[dtype]
    if stored is FLOAT64 and not has_float64:
        raise InputError("this device has no float64; float32, bfloat16 and float16 run on it")
    if path == "full":
        wide = stored if stored.digits >= FLOAT32.digits else FLOAT32
        return Arithmetic(stored, wide, wide, path)
    weighed = FLOAT64 if stored is FLOAT64 else FLOAT32
    return Arithmetic(stored, weighed, FLOAT64 if has_float64 else FLOAT32, path)


@lru_cache(maxsize=1 << 12)
def gamma(operations: int, unit: Fraction) -> Fraction:
    """γ_k = k·u / (1 − k·u): the relative error of a sum of products with at most k roundings for each term."""
    share = operations * unit
    if share >= Fraction(1, 2):
        raise TooLong(f"{operations} roundings of 2^{-(unit.denominator.bit_length() - 1)} each leave nothing certain")
    return share / (1 - share)


class TooLong(NumberTooLarge):
    """A sum is too long, or an error too large, for anything to be known of the result."""


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
