"""The exact whole part of log2 of numbers too large to write down."""

from __future__ import annotations

from collections.abc import Sequence

# (low, high, shift) stands for a number x with low·2^shift ≤ x ≤ high·2^shift.
_Enclosure = tuple[int, int, int]


def floor_log2_of_powers(powers: Sequence[tuple[int, int]], bits: int | None = None) -> int:
    """⌊log2 Π base^exponent⌋ for pairs (base ≥ 1, exponent ≥ 0), exact however large the product is.

    The product is enclosed between two numbers of about ``bits`` bits, rounded outwards; when their whole logarithms
    agree, that is the answer, otherwise ``bits`` doubles. This ends: a product of powers of two is enclosed without
    error, and any other product has an odd factor above 1, so it lies strictly between two powers of two.
    """
    if bits is None:
        # An exponent e multiplies the relative error by about e; 64 bits more nearly always decide at once.
        bits = 64 + sum(exponent.bit_length() for _, exponent in powers)
    while True:
        low, high, shift = _enclose(powers, bits)
        if low.bit_length() == high.bit_length():
            return shift + low.bit_length() - 1
        bits *= 2


def _enclose(powers: Sequence[tuple[int, int]], bits: int) -> _Enclosure:
    product = (1, 1, 0)
    for base, exponent in powers:
        product = _times(product, _power(base, exponent, bits), bits)
    return product


def _power(base: int, exponent: int, bits: int) -> _Enclosure:
    result = (1, 1, 0)
    for binary_digit in f"{exponent:b}":
        result = _times(result, result, bits)
        if binary_digit == "1":
            result = _times(result, (base, base, 0), bits)
    return result


def _times(a: _Enclosure, b: _Enclosure, bits: int) -> _Enclosure:
    low, high, shift = a[0] * b[0], a[1] * b[1], a[2] + b[2]
    cut = max(0, high.bit_length() - bits)
    return low >> cut, -(-high >> cut), shift + cut
