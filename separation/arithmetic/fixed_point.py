"""The exact arithmetic model of attention: integer weights, integer sums, one rounding."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from separation.arithmetic.balls import floor_scaled_exp
from separation.arithmetic.matrices import IntegerArray, largest, narrow, widen
from separation.files import NumberTooLarge

FLOAT_WEIGHT_BITS = 40


class PrecisionOverflow(NumberTooLarge):
    """An activation needs more than p bits, or a score is above its head's shift; nothing ever wraps."""


@dataclass(frozen=True)
class Precision:
    """Weights of attention are integers in [0, 2^P]; activations are multiples a·2^-f with |a| ≤ 2^p.

    P: ``score_bits``; p: ``bits``; f: ``fraction_bits``, at most p.
    """

    score_bits: int
    bits: int
    fraction_bits: int

    def __post_init__(self) -> None:
        if not (self.score_bits >= 0 and 0 <= self.fraction_bits <= self.bits):
            raise ValueError(f"precision needs P >= 0 and 0 <= f <= p, got {self}")

    @property
    def step(self) -> Fraction:
        """2^-f, the distance between neighbouring activations."""
        return Fraction(1, 1 << self.fraction_bits)

    @property
    def limit(self) -> Fraction:
        """2^(p-f), the largest activation."""
        return Fraction(1 << self.bits, 1 << self.fraction_bits)


def attention_weights(scores: IntegerArray, denominator: int, shift: Fraction, power: int) -> IntegerArray:
    """⌊2^power · exp(scores/denominator − shift)⌋ for each score; a score above the shift is an error.

    float64 decides every floor that lies further from the next integer than its own error; the rest, and all floors
    when 2^power has more than 40 bits, are decided by Arb.
    """
    exponents = widen(scores, shift.denominator)
    exponents = _subtract(exponents, shift.numerator * denominator)
    scale = denominator * shift.denominator
    if exponents.size and int(exponents.max()) > 0:
        worst = Fraction(int(exponents.max()), scale) + shift
        raise PrecisionOverflow(f"a score of {_shown(worst)} is above the head's shift {_shown(shift)}")
    if power > FLOAT_WEIGHT_BITS or exponents.dtype == object or largest(exponents) >= 2**53 or scale >= 2**53:
        return _weights_by_balls(exponents, scale, power)
    return _weights_by_floats(exponents, scale, power)


def _shown(number: Fraction) -> str:
    try:
        return f"{float(number):g}"
    except OverflowError:
        return f"{'-' if number < 0 else ''}2^{abs(int(number)).bit_length() - 1} or so"


def _subtract(array: IntegerArray, number: int) -> IntegerArray:
    if array.dtype != object and largest(array) + abs(number) >= 2**62:
        array = array.astype(object)
    return array - number


def _weights_by_floats(exponents: IntegerArray, scale: int, power: int) -> IntegerArray:
    # exponents and scale are exact in float64, so their quotient x is off by a factor 1 ± 2^-53, and exp(x) by a
    # factor 1 ± |x|·2^-52. NumPy documents its exp to 4 ulp; 2^-46 (64 ulp) is allowed here. Below x = −(power + 2)
    # the weight is under 1/2 and its floor is 0 whatever the error.
    x = exponents.astype(np.float64) / scale
    small = x < -(power + 2.0)
    scaled = np.exp(np.where(small, 0.0, x)) * 2.0**power
    error = scaled * (2.0**-46 + (power + 2.0) * 2.0**-51)
    weights = np.floor(scaled - error)
    doubtful = (np.floor(scaled + error) != weights) & ~small
    weights = np.where(small, 0.0, weights).astype(np.int64)
    if doubtful.any():
        weights[doubtful] = _weights_by_balls(exponents[doubtful], scale, power)
    return weights


def _weights_by_balls(exponents: IntegerArray, scale: int, power: int) -> IntegerArray:
    flat = exponents.reshape(-1)
    distinct, places = np.unique(flat, return_inverse=True)
    floors = [floor_scaled_exp(power, Fraction(int(exponent), scale)) for exponent in distinct]
    table = narrow(np.array(floors, dtype=object)) if floors else np.zeros(0, dtype=np.int64)
    return np.asarray(table[places.reshape(-1)]).reshape(exponents.shape)
