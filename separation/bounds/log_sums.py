"""Σ factor·log2(base) + Σ log2 C(N, k), compared with certainty: how products of large powers are compared."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from separation.bounds.powers import log2_float

# Binomials of at most this many bits are written out; larger ones are replaced by a bound from above.
WRITTEN_BINOMIAL_BITS = 20_000
FIRST_BITS = 128
TIE_BITS = 1024  # from this precision on, equality of the two products is looked for


@dataclass(frozen=True)
class Inequality:
    """left ≤ right or left < right, as ``formula`` says.

    Each side is exact, or a rational bound of the true one that proves the verdict: the left from above and the right
    from below if it holds, the other way round if it does not. At sizes beyond EXACT_BITS both are balls. ``holds`` is
    None when the balls do not decide.
    """

    name: str
    formula: str
    left: Any
    right: Any
    holds: bool | None

    def document(self) -> dict[str, Any]:
        """The formula, the verdict and log2 of both sides (None for a side that is not positive)."""
        sides = {"left_log2": _log2_or_none(self.left), "right_log2": _log2_or_none(self.right)}
        return {"name": self.name, "formula": self.formula, "holds": self.holds, **sides}


@dataclass(frozen=True)
class LogSum:
    """bits + nats·log2 𝖾 + Σ factor·log2(base) + Σ log2 C(N, k): log2 of 2^bits·𝖾^nats·Π base^factor·Π C(N, k).

    where bits, nats, every factor and every base are integers ≥ 0. A base 0 with a factor above 0 makes the product 0.
    A binomial that is too long to write out counts with its bound from above (`binomial_terms`).
    """

    bits: int = 0
    terms: tuple[tuple[int, int], ...] = ()
    binomials: tuple[tuple[int, int], ...] = ()
    nats: int = 0

    @property
    def is_zero(self) -> bool:
        """The product is 0, so its logarithm is −∞."""
        return any(base == 0 and factor > 0 for factor, base in self.terms)

    def rational_terms(self) -> list[tuple[Fraction, Fraction]]:
        """All terms as (factor, base) with base > 0; the binomials written out or bounded from above."""
        terms = [(Fraction(factor), Fraction(base)) for factor, base in self.terms if factor > 0 and base != 1]
        for top, bottom in self.binomials:
            terms += binomial_terms(top, bottom)
        return terms

    def ball(self) -> arb:
        """The sum at the current precision of Arb."""
        total = arb(self.bits)
        for factor, base in self.terms:
            if factor > 0 and base != 1:
                total += arb(factor) * log2_ball(Fraction(base))
        for top, bottom in self.binomials:
            total += _binomial_ball(top, bottom)
        return total + self.nats / arb.const_log2() if self.nats else total


def binomial_terms(top: int, bottom: int) -> list[tuple[Fraction, Fraction]]:
    """log2 C(N, k), exactly if it has at most 20,000 bits; if not, Robbins' bound from above.

    C(N, k) ≤ √(N / (2π·k·(N−k))) · N^N / (k^k·(N−k)^(N−k)) for 0 < k < N, and 2π > 157/25.
    """
    small = min(bottom, top - bottom)
    if small < 0:
        raise ValueError(f"C({top}, {bottom}) is 0, and has no logarithm")
    if small * top.bit_length() <= WRITTEN_BINOMIAL_BITS:
        return [(Fraction(1), Fraction(math.comb(top, small)))]
    rest = top - small
    return [
        (Fraction(1, 2), Fraction(25 * top, 157 * small * rest)),
        (Fraction(small), Fraction(top, small)),
        (Fraction(rest), Fraction(top, rest)),
    ]


def _binomial_ball(top: int, bottom: int) -> arb:
    """The sum of `binomial_terms` as a ball: no fraction is reduced, and log2(N/(N−k)) keeps its digits if k is
    small."""
    small = min(bottom, top - bottom)
    if small * top.bit_length() <= WRITTEN_BINOMIAL_BITS:
        return sum((_ball(factor) * log2_ball(base) for factor, base in binomial_terms(top, bottom)), arb(0))
    rest = top - small
    root = arb(25) * arb(top) / (arb(157) * arb(small) * arb(rest))
    powers = arb(small) * (arb(top) / arb(small)).log() + arb(rest) * (arb(small) / arb(rest)).log1p()
    return (root.log() / 2 + powers) / arb.const_log2()


def compare(name: str, formula: str, left: LogSum, right: LogSum, *, strict: bool) -> Inequality:
    """left < right if ``strict``, else left ≤ right: Arb's balls are refined until they decide.

    The sides shown are rational bounds that prove the verdict: from above and from below if it holds, the other way
    round if it does not. A left product of 0 is shown as 0 bits. Two equal products are recognised as equal.
    """
    if right.is_zero:
        return Inequality(name, formula, 0, 0, False)
    longest = _longest(left) + _longest(right)
    if left.is_zero:
        with ctx.workprec(FIRST_BITS + longest):
            return Inequality(name, formula, 0, rational(right.ball().lower()), True)
    bits = FIRST_BITS  # decides unless both sides agree to that many digits
    while True:
        with ctx.workprec(bits):
            low, high = left.ball(), right.ball()
            bounds = [rational(end) for end in (low.lower(), low.upper(), high.lower(), high.upper())]
        if bounds[1] < bounds[2]:
            return Inequality(name, formula, bounds[1], bounds[2], True)
        if bounds[0] > bounds[3]:
            return Inequality(name, formula, bounds[0], bounds[3], False)
        if bits >= TIE_BITS and left.nats == right.nats and _equal(left, right):
            with ctx.workprec(bits):
                side = rational(left.ball().mid())
            return Inequality(name, formula, side, side, not strict)
        bits = FIRST_BITS + longest if bits == FIRST_BITS else 2 * bits


def rational(exact: arb) -> Fraction:
    """The rational number that an exact ball is."""
    mantissa, exponent = (int(part) for part in exact.man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent


def log2_ball(number: Fraction) -> arb:
    """log2 of a positive rational number at the current precision of Arb; exact for powers of two."""
    if number.denominator == 1 and number.numerator & (number.numerator - 1) == 0:
        return arb(number.numerator.bit_length() - 1)
    return _ball(number).log() / arb.const_log2()


def _ball(number: Fraction) -> arb:
    return arb(number.numerator) / arb(number.denominator) if number.denominator != 1 else arb(number.numerator)


def _longest(side: LogSum) -> int:
    """Binary digits of the largest factor: a product needs these before the point."""
    factors = [side.bits, side.nats, *(factor for factor, _ in side.terms), *(top for top, _ in side.binomials)]
    return max(factor.bit_length() for factor in factors)


def _equal(left: LogSum, right: LogSum) -> bool:
    """Whether the two products are the same number: exponents over pairwise coprime bases, all 0; 𝖾 is not among them,
    as no power of it is rational.

    Terms with the factor 1/2 (bounded binomials) are doubled with all others.
    """
    exponents: list[tuple[int, int]] = [(2, 2 * (left.bits - right.bits))]
    for side, sign in ((left, 1), (right, -1)):
        for factor, base in side.rational_terms():
            power = int(2 * factor) * sign
            exponents += [(base.numerator, power), (base.denominator, -power)]
    return all(power == 0 for _, power in _coprime([(base, power) for base, power in exponents if base > 1]))


def _coprime(powers: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same product over pairwise coprime bases above 1."""
    result: list[tuple[int, int]] = []
    waiting = list(powers)
    while waiting:
        base, power = waiting.pop()
        for index, (other, exponent) in enumerate(result):
            common = math.gcd(base, other)
            if common > 1:
                del result[index]
                pieces = ((common, power + exponent), (base // common, power), (other // common, exponent))
                waiting += [piece for piece in pieces if piece[0] > 1]
                break
        else:
            result.append((base, power))
    return result


def _log2_or_none(side: Any) -> float | None:
    """Floats for display; verdicts never use them."""
    if isinstance(side, (int, Fraction)):
        return log2_float(side) if side > 0 else None
    logarithm = log2_float(side) if side > 0 else math.nan
    return logarithm if math.isfinite(logarithm) else None
