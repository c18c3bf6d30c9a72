"""⟨q;κ⟩ and c_τ as rational bounds that integers prove; and the tail of Bin(N, 1/N) with a union bound."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from separation.bounds.log_sums import Inequality, LogSum, compare, decimals_up
from separation.bounds.powers import log2_float

if TYPE_CHECKING:
    import numpy as np

SHARE_BITS = 24  # significant binary digits of a rational bound
NEWTON_STEPS, ALMOST_ONE, LOG_2 = 9, 1 - 1e-12, math.log(2)


def largest_share(q: Any, kappa: Any, log_q: Any = None) -> Any:
    """⟨q;κ⟩ in floats: the largest p ∈ [q, 1] with D(p‖q) ≤ κ, D the binary relative entropy in bits. For searching.

    where ``log_q`` is log2 q, for a q that is too small for a float.
    """
    import numpy as np

    q = np.minimum(np.maximum(q, np.finfo(np.asarray(q, dtype=np.result_type(q, 1.0)).dtype).tiny), 1.0)
    logarithm, bits = np.log2(q) if log_q is None else log_q, np.minimum(kappa, 1e6)
    with np.errstate(all="ignore"):
        # D(p‖q) is convex in p, so Newton's steps come down to the root from above. It is at least each of
        # (p−q)²/(2p·ln 2), 2(p−q)²/ln 2 and p·log2(1/q) − 1.
        nats = bits * LOG_2
        above = q + np.minimum(nats + np.sqrt(nats * (nats + 2 * q)), np.sqrt(nats / 2))
        p = np.maximum(np.minimum(np.minimum(above, (bits + 1) / -logarithm), ALMOST_ONE), q)
        log_rest = np.log1p(-q)
        for _ in range(NEWTON_STEPS):
            first, rest = np.log2(p) - logarithm, (np.log1p(-p) - log_rest) / LOG_2
            over = p * first + (1 - p) * rest - bits
            p = np.clip(p - np.where(first > rest, np.maximum(over, 0) / (first - rest), 0), q, ALMOST_ONE)
    return np.where(bits >= -logarithm, 1.0, p)


def certified_share(q: Fraction, kappa: Fraction) -> Fraction:
    """A rational number a/b ≥ ⟨q;κ⟩, close to it, that `share_inequalities` proves; 1 if nothing smaller was proved."""
    if q >= 1:
        return Fraction(1)
    if q <= 0:
        raise ValueError("q must be positive: a term with q = 0 is 0 by itself")
    if kappa == 0:
        return q
    guess = share_of(log2_float(q), float(kappa) if kappa < 10**6 else math.inf)
    if guess >= 1:
        return Fraction(1)
    guess = max(guess, 2.0**-1000)
    b = 1 << SHARE_BITS - math.floor(math.log2(guess))
    a, step = math.ceil(Fraction(guess) * b), 1
    while a < b:
        if all(inequality.holds for inequality in share_inequalities(q, kappa, Fraction(a, b))):
            return Fraction(a, b)
        a, step = a + step, 2 * step
    return Fraction(1)


def share_inequalities(q: Fraction, kappa: Fraction, share: Fraction) -> tuple[Inequality, ...]:
    """⟨u/v;κ⟩ ≤ a/b: a·v ≥ u·b, and with K = ⌈b·κ⌉ a^a·(b−a)^(b−a)·v^b ≥ 2^K·b^b·u^a·(v−u)^(b−a).

    where D(p‖q) grows with p ≥ q, so that D(a/b‖u/v) ≥ κ is enough.
    """
    a, b, u, v = share.numerator, share.denominator, q.numerator, q.denominator
    bits = -(-b * kappa.numerator // kappa.denominator)
    order = Inequality("order", "u·b ≤ a·v", u * b, a * v, u * b <= a * v)
    left = LogSum(bits, ((b, b), (a, u), (b - a, v - u)))
    right = LogSum(0, ((a, a), (b - a, b - a), (b, v)))
    formula = "⌈b·κ⌉ + b·log2 b + a·log2 u + (b−a)·log2(v−u) ≤ a·log2 a + (b−a)·log2(b−a) + b·log2 v"
    return order, compare("share", formula, left, right, strict=False)


def excess_factor(tau: Fraction) -> Fraction:
    """A rational number b/a ≥ c_τ = 1/log2 y*, y* > τ the root of τ·ln y = y−1; c_τ = max_{y>τ} (y−τ)/(y·log2
    y−(y−1)·log2 𝖾)."""
    logarithm = math.log2(_root(float(tau)))
    share = Fraction(math.floor(logarithm * (1 - 1e-7) * 2**30), 2**30)
    while not all(inequality.holds for inequality in excess_inequalities(tau, share)):
        share *= Fraction(999, 1000)
    return 1 / share


def excess_inequalities(tau: Fraction, share: Fraction) -> tuple[Inequality, ...]:
    """c_τ ≤ b/a, a/b = ``share``: a rational Y with a ≤ b·log2 Y and Y − 1 ≤ τ·(a/b)·λ, λ = 0.693147180 < ln 2.

    With y = 2^(a/b) ≤ Y: τ·ln y ≥ Y − 1 ≥ y − 1, so y ≤ y*.
    """
    Y = power_above(share)
    a, b = share.numerator, share.denominator
    above = compare(
        "power",
        "a + b·log2(denominator of Y) ≤ b·log2(numerator of Y)",
        LogSum(a, ((b, Y.denominator),)),
        LogSum(0, ((b, Y.numerator),)),
        strict=False,
    )
    left, right = Y - 1, tau * share * LOG_2_BELOW
    return above, Inequality("root", "Y − 1 ≤ τ·(a/b)·0.69314718", left, right, left <= right)


def cube_excess_factors(tau: np.ndarray) -> np.ndarray:
    """c'_τ = sup_{a>τ} (1−τ/a)/(1−h(1/(1+a))) in floats."""
    return _cube_excess_factors(tuple(tau.tolist()))


@lru_cache(maxsize=64)
def _cube_excess_factors(numbers: tuple[float, ...]) -> np.ndarray:
    """On a grid of log2(a/τ); its errors of the second order are below 10^-4."""
    import numpy as np

    tau = np.array(numbers)
    a = tau * np.exp2(np.linspace(1e-2, 12, 600))[:, None]
    p = 1 / (1 + a)
    entropy = -(p * np.log2(p) + (1 - p) * np.log2(1 - p))
    return np.asarray(np.max((1 - tau / a) / (1 - entropy), axis=0))


@lru_cache(maxsize=4096)
def cube_excess(tau: Fraction) -> tuple[Fraction, Fraction]:
    """(c, p) with c ≥ c'_τ, as `cube_excess_inequalities` prove with p, about the 1/(1+a) of the supremum."""
    import numpy as np

    number = float(tau)
    a = number * np.exp2(np.linspace(1e-4, 12, 20_000))
    p = 1 / (1 + a)
    values = (1 - number / a) / (1 + p * np.log2(p) + (1 - p) * np.log2(1 - p))
    factor, more = Fraction(float(np.max(values))), Fraction(1, 10**7)
    while True:
        c = Fraction(math.ceil(factor * (1 + more) * (1 << 30)), 1 << 30)
        point = _lowest_point(number, float(c))
        if all(found.holds for found in cube_excess_inequalities(tau, c, point)):
            return c, point
        more *= 2


def _lowest_point(tau: float, c: float) -> Fraction:
    """The p where c·(1−h(p)) − 1 + τ·p/(1−p) is least: its slope −c·log2((1−p)/p) + τ/(1−p)² grows."""
    _, high = halved(0.0, 0.5, lambda p: tau / (1 - p) ** 2 < c * math.log2((1 - p) / p), 60)
    return Fraction(high).limit_denominator(10**12)


def cube_excess_inequalities(tau: Fraction, c: Fraction, point: Fraction) -> tuple[Inequality, Inequality]:
    """1 − τ·p/(1−p) ≤ c·(1−h(p)) for 0 < p < 1/(1+τ): the difference is convex, so its tangent at u/v, ``point``, that
    is at least 0 at both ends proves it. With ℓ_0 = 1 + log2((v−u)/v), ℓ_1 = 1 + log2(u/v) and r = u/(v−u):
    1 + τ·r² ≤ c·ℓ_0 (at 0), and 1 + τ + τ²·r² ≤ c·(τ·ℓ_0 + ℓ_1) + τ·(1 + 2r) (at 1/(1+τ)).
    """
    u, v = point.numerator, point.denominator
    r = point / (1 - point)
    scale = tau.denominator**2 * c.denominator * (v - u) ** 2
    t, factor = int(tau * scale), int(c * scale)
    at_0 = compare(
        "tangent at 0",
        "1 + τ·r² ≤ c·ℓ_0",
        LogSum(int(scale * (1 + tau * r * r)), ((factor, v),)),
        LogSum(factor, ((factor, v - u),)),
        strict=False,
    )
    product = int(c * tau * scale)
    at_end = compare(
        "tangent at 1/(1+τ)",
        "1 + τ + τ²·r² ≤ c·(τ·ℓ_0 + ℓ_1) + τ·(1 + 2r)",
        LogSum(int(scale * (1 + tau + (tau * r) ** 2)), ((product + factor, v),)),
        LogSum(product + factor + t + 2 * int(scale * tau * r), ((product, v - u), (factor, u))),
        strict=False,
    )
    return at_0, at_end


LOG_2_BELOW = Fraction(69314718055, 10**11)


def power_above(exponent: Fraction) -> Fraction:
    """A rational number slightly above 2^exponent."""
    up = decimals_up(24)
    power = up.divide(
        up.multiply(up.next_plus(up.ln(Decimal(2))), Decimal(exponent.numerator)), Decimal(exponent.denominator)
    )
    return Fraction(math.ceil(Fraction(up.next_plus(up.exp(power))) * 2**40), 2**40)


def union_share(N: int, bits: int) -> Fraction:
    """(1/N)·Σ_{a=1..N} min(1, 2^bits·Pr[Bin(N, 1/N) ≥ a]), rounded up to 40 significant binary digits.

    N^N·Pr[Bin(N, 1/N) ≥ a] = Σ_{j≥a} C(N, j)·(N−1)^(N−j): all in integers.
    """
    whole = N**N
    if bits >= whole.bit_length():
        return Fraction(1)
    tail = total = 0
    term = 1  # C(N, j)·(N−1)^(N−j) at j = N
    for a in range(N, 0, -1):
        tail += term
        total += min(whole, tail << bits)
        term = term * a * (N - 1) // (N - a + 1)
    return rounded_up(Fraction(total, whole * N))


def rounded_up(value: Fraction, bits: int = 40) -> Fraction:
    """The next multiple of a power of two, with this number of significant binary digits."""
    if value <= 0:
        return Fraction(0)
    scale = 1 << max(0, bits + value.denominator.bit_length() - value.numerator.bit_length())
    return min(Fraction(1), Fraction(-(-value.numerator * scale // value.denominator), scale))


def share_of(log_q: float, kappa: float) -> float:
    """⟨q;κ⟩ in floats, as in `largest_share`, when log2 q alone is a float."""
    if kappa >= -log_q:
        return 1.0
    q, nats = 2.0**log_q if log_q > -1000 else 0.0, kappa * LOG_2
    above = q + min(nats + math.sqrt(nats * (nats + 2 * q)), math.sqrt(nats / 2))
    p, log_rest = max(min(above, (kappa + 1) / -log_q, ALMOST_ONE), q), math.log1p(-q)
    for _ in range(NEWTON_STEPS):
        if p <= q:
            return q
        first, rest = math.log2(p) - log_q, (math.log1p(-p) - log_rest) / LOG_2
        step = max(p * first + (1 - p) * rest - kappa, 0.0) / (first - rest) if first > rest else 0.0
        p = max(p - step, q)
        if step < 1e-15 * p:
            break
    return p


def _root(tau: float) -> float:
    """y* > τ with τ·ln y = y − 1."""
    return halved(tau, 4 * tau * (1 + math.log(tau)) + 4, lambda y: tau * math.log(y) >= y - 1, 200)[0]


def halved(low: float, high: float, is_low: Callable[[float], bool], steps: int) -> tuple[float, float]:
    """The ends of the interval in which ``is_low`` stops to hold."""
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if is_low(middle) else (low, middle)
    return low, high
