"""Positive integers too large to write down: exact products of powers, and rigorous balls around them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from separation.arithmetic import number_to_json
from separation.files import InputError

if TYPE_CHECKING:
    from flint import arb

# Integers up to this many bits (they have less than 4,000 digits) are handled as integers; larger ones as balls whose
# exponents have no limit.
EXACT_BITS = 13_000
BALL_BITS = 256
DISPLAYED = Context(prec=40)


@dataclass(frozen=True)
class PowerProduct:
    """Π base^exponent over ``factors``, exactly, where base ≥ 1 and exponent ≥ 0 are integers of any size."""

    factors: tuple[tuple[int, int], ...]

    @property
    def bits_at_most(self) -> int:
        """1 + Σ exponent·⌈log2 base⌉: at least the number of binary digits."""
        return 1 + sum(exponent * (base - 1).bit_length() for base, exponent in self.factors)

    def integer(self) -> int:
        """The number itself; only sensible when ``bits_at_most`` is."""
        return math.prod(base**exponent for base, exponent in self.factors)


Size = int | PowerProduct


def bits_at_most(size: Size) -> int:
    """A bound of the number of binary digits of a size."""
    return size.bits_at_most if isinstance(size, PowerProduct) else size.bit_length()


def simplest(size: Size) -> Size:
    """The same number, as an integer if it has at most EXACT_BITS digits."""
    if isinstance(size, PowerProduct) and size.bits_at_most <= EXACT_BITS:
        return size.integer()
    return size


def precision_for(sizes: Sequence[Size]) -> int:
    """Working bits with which a product of all these sizes is known to about BALL_BITS bits.

    Powering by squaring multiplies a relative error by about the exponent, so an exponent costs its own length.
    """
    exponents = [exponent for size in sizes if isinstance(size, PowerProduct) for _, exponent in size.factors]
    return BALL_BITS + 2 * max((exponent.bit_length() for exponent in exponents), default=0) + 8 * len(sizes)


def size_ball(size: Size) -> arb:
    """A ball around a size at the current precision of Arb."""
    from flint import arb

    if not isinstance(size, PowerProduct):
        return arb(size)
    product = arb(1)
    for base, exponent in size.factors:
        product *= _power(base, exponent)
    return product


def log2_ball(size: Size) -> arb:
    """log2(size), to about BALL_BITS bits."""
    from flint import arb, ctx

    with ctx.workprec(precision_for([size])):
        return size_ball(size).log() / arb.const_log2()


def log2_float(number: Size | Fraction | arb) -> float:
    """log2 of a positive number, as a float for display."""
    if isinstance(number, Fraction):
        return math.log2(number.numerator) - math.log2(number.denominator)
    if isinstance(number, int):
        return math.log2(number)
    if isinstance(number, PowerProduct):
        logarithms = [DISPLAYED.multiply(exponent, DISPLAYED.ln(base)) for base, exponent in number.factors]
        return float(DISPLAYED.divide(sum(logarithms, Decimal(0)), DISPLAYED.ln(2)))
    from flint import arb, ctx

    with ctx.workprec(BALL_BITS):
        return float((number.log() / arb.const_log2()).mid())


def length_to_document(size: Size) -> dict[str, float | None]:
    """{tokens_log2}; beyond all floats, as at hundreds of layers, null with its own logarithm: tokens_log2_log2."""
    exponent = log2_float(size)
    if math.isfinite(exponent):
        return {"tokens_log2": exponent}
    from flint import ctx

    with ctx.workprec(precision_for([size])):
        return {"tokens_log2": None, "tokens_log2_log2": log2_float(log2_ball(size))}


def size_to_json(size: Size) -> int | str | None:
    """A number up to 2^53, a decimal string up to 4,000 digits, then None."""
    size = simplest(size)
    return None if isinstance(size, PowerProduct) else number_to_json(size)


def exact_json(size: Size) -> int | str | dict[str, Any]:
    """A number up to 2^53, a decimal string up to 4,000 digits, then {"powers": [[base, exponent], …]}.

    A long integer that is not a product of powers is written as mantissa·2^shift; mantissas of the search are short.
    """
    plain = None if isinstance(size, PowerProduct) else size_to_json(size)
    if plain is not None:
        return plain
    if not isinstance(size, PowerProduct):
        shift = (size & -size).bit_length() - 1
        size = PowerProduct(((size >> shift, 1), (2, shift)))
    pairs = [[size_to_json(base), size_to_json(exponent)] for base, exponent in size.factors]
    if any(None in pair for pair in pairs):
        raise InputError("no certificate: one of its numbers has more than 4,000 digits")
    return {"powers": pairs}


def _power(base: int, exponent: int) -> arb:
    from flint import arb

    if base & (base - 1) == 0:
        return arb((1, (base.bit_length() - 1) * exponent))
    result = arb(1)
    for digit in f"{exponent:b}":
        result *= result
        if digit == "1":
            result *= base
    return result
