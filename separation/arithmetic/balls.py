"""Rigorous real bounds from Arb (python-flint): every result is a ball that contains the true number."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx, fmpq

from separation.files import NumberTooLarge

WORKING_BITS = 160
EXTREME_BITS = 1 << 20


class BoundOverflow(NumberTooLarge, OverflowError):
    """A bound that is not finite, or that memory should not hold."""


def ball(number: Fraction | int) -> arb:
    """The smallest ball Arb can make around an exact number."""
    number = Fraction(number)
    with ctx.workprec(WORKING_BITS):
        return arb(fmpq(number.numerator, number.denominator))


def exp_ball(exponent: Fraction | int) -> arb:
    """exp(exponent)."""
    with ctx.workprec(WORKING_BITS):
        return ball(exponent).exp()


def log_ball(number: Fraction | int) -> arb:
    """log(number), number > 0."""
    with ctx.workprec(WORKING_BITS):
        return ball(number).log()


def upper_fraction(number: arb) -> Fraction:
    """An exact rational that is at least every number in the ball (none below 2^-EXTREME_BITS but 0 is told apart)."""
    with ctx.workprec(WORKING_BITS):
        return _dyadic(number.upper(), 1)


def lower_fraction(number: arb) -> Fraction:
    """An exact rational that is at most every number in the ball, likewise."""
    with ctx.workprec(WORKING_BITS):
        return _dyadic(number.lower(), -1)


def floor_scaled_exp(power: int, exponent: Fraction) -> int:
    """⌊2^power · exp(exponent)⌋, with as much working precision as it takes.

    It ends: exp of a non-zero rational is irrational, so some precision separates it from every integer.
    """
    if exponent == 0:
        return 1 << power
    bits = WORKING_BITS + power
    while True:
        with ctx.workprec(bits):
            scaled = arb(fmpq(exponent.numerator, exponent.denominator)).exp() * arb(2) ** power
            whole = scaled.floor().unique_fmpz()
        if whole is not None:
            return int(whole)
        bits *= 2


def _dyadic(exact: arb, outward: int) -> Fraction:
    """An exact ball as a rational; one that memory should not hold goes outward (1 up, -1 down) or is an error."""
    if not exact.is_finite():
        raise BoundOverflow("a bound is not finite")
    mantissa, exponent = (int(part) for part in exact.man_exp())
    if mantissa and mantissa.bit_length() + exponent < -EXTREME_BITS:
        return Fraction(outward, 1 << EXTREME_BITS) if mantissa * outward > 0 else Fraction(0)
    if mantissa.bit_length() + exponent > EXTREME_BITS:
        raise BoundOverflow(f"a bound is beyond 2^{EXTREME_BITS}")
    return Fraction(mantissa) * Fraction(2) ** exponent
