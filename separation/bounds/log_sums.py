"""Σ factor·log2(base) + Σ log2 C(N, k), compared with certainty: how products of large powers are compared."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from separation.bounds.powers import log2_float

# Binomials of at most this many bits are written out; larger ones are replaced by a bound from above.
WRITTEN_BINOMIAL_BITS = 20_000
FIRST_DIGITS = 39
TIE_DIGITS = 308  # from this precision on, equality of the two products is looked for
SPARE_BITS = 64  # of a long base, beyond the digits asked for: the others are rounded away, down and up


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

    def between(self, digits: int) -> tuple[Decimal, Decimal]:
        """The sum from below and from above."""
        down, up = decimals_down(digits), decimals_up(digits)
        terms: list[tuple[Fraction | int, Fraction | int]] = [(f, base) for f, base in self.terms if f > 0]
        for top, bottom in self.binomials:
            terms += binomial_terms(top, bottom)
        low = high = Decimal(self.bits)
        if self.nats:
            least, most = log2_e_between(digits)
            low = down.add(low, _times(down, self.nats, least))
            high = up.add(high, _times(up, self.nats, most))
        for factor, base in terms:
            if base != 1:
                least, most = log2_between(base, digits)
                low, high = down.add(low, _times(down, factor, least)), up.add(high, _times(up, factor, most))
        return low, high


@lru_cache(maxsize=64)
def decimals_down(digits: int) -> Context:
    """Decimal numbers with so many digits, each result rounded down."""
    return Context(prec=digits, rounding=ROUND_FLOOR, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])


@lru_cache(maxsize=64)
def decimals_up(digits: int) -> Context:
    return Context(prec=digits, rounding=ROUND_CEILING, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])


def log2_between(number: Fraction | int, digits: int) -> tuple[Decimal, Decimal]:
    """log2 of a positive rational number from below and from above; exact for powers of two."""
    if number.denominator == 1:
        return _log2_of_integer(number.numerator, digits)
    (least, most), (low, high) = (_log2_of_integer(part, digits) for part in (number.numerator, number.denominator))
    return decimals_down(digits).subtract(least, high), decimals_up(digits).subtract(most, low)


@lru_cache(maxsize=4096)
def _log2_of_integer(number: int, digits: int) -> tuple[Decimal, Decimal]:
    shift = number.bit_length() - 1
    if number == 1 << shift:
        return Decimal(shift), Decimal(shift)
    down, up = decimals_down(digits), decimals_up(digits)
    shift -= 4 * digits + SPARE_BITS
    if shift > 0:
        (least, _), (_, most) = (_log2_of_integer((number >> shift) + more, digits) for more in (0, 1))
        return down.add(least, Decimal(shift)), up.add(most, Decimal(shift))
    (least, most), (low, high) = _ln_between(number, digits), _ln_between(2, digits)
    return down.divide(least, high), up.divide(most, low)


def log2_e_between(digits: int) -> tuple[Decimal, Decimal]:
    low, high = _ln_between(2, digits)
    return decimals_down(digits).divide(Decimal(1), high), decimals_up(digits).divide(Decimal(1), low)


@lru_cache(maxsize=4096)
def _ln_between(number: int, digits: int) -> tuple[Decimal, Decimal]:
    """`Context.ln` is correctly rounded, to the nearest."""
    context = decimals_down(digits)
    nearest = context.ln(Decimal(number))
    return context.next_minus(nearest), context.next_plus(nearest)


def _times(context: Context, factor: Fraction | int, number: Decimal) -> Decimal:
    product = context.multiply(Decimal(factor.numerator), number)
    return product if factor.denominator == 1 else context.divide(product, Decimal(factor.denominator))


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


def compare(name: str, formula: str, left: LogSum, right: LogSum, *, strict: bool) -> Inequality:
    """left < right if ``strict``, else left ≤ right, with as many digits as decide it.

    The sides shown are rational bounds that prove the verdict: from above and from below if it holds, the other way
    round if it does not. A left product of 0 is shown as 0 bits. Two equal products are recognised as equal.
    """
    if right.is_zero:
        return Inequality(name, formula, 0, 0, False)
    digits = FIRST_DIGITS
    if left.is_zero:
        return Inequality(name, formula, 0, Fraction(right.between(digits)[0]), True)
    while True:
        (low, high), (least, most) = left.between(digits), right.between(digits)
        if high < least:
            return Inequality(name, formula, Fraction(high), Fraction(least), True)
        if low > most:
            return Inequality(name, formula, Fraction(low), Fraction(most), False)
        if digits >= TIE_DIGITS and left.nats == right.nats and _equal(left, right):
            return Inequality(name, formula, Fraction(low), Fraction(low), not strict)
        longest = math.ceil((_longest(left) + _longest(right)) * math.log10(2))
        digits = FIRST_DIGITS + longest if digits == FIRST_DIGITS else 2 * digits


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
