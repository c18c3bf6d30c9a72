"""Rigorous real bounds from Arb (python-flint): every result is a ball that contains the true number."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx, fmpq

WORKING_BITS = 160


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
    """An exact rational that is at least every number in the ball."""
    with ctx.workprec(WORKING_BITS):
        return _dyadic(number.upper())


def lower_fraction(number: arb) -> Fraction:
    """An exact rational that is at most every number in the ball."""
    with ctx.workprec(WORKING_BITS):
        return _dyadic(number.lower())


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


def _dyadic(exact: arb) -> Fraction:
    mantissa, exponent = exact.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
