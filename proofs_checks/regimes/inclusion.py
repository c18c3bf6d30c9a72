"""Every model of a regime H·d·p ≤ n^{1/T}, T = 2^roots, is too small at golden sizes of n tokens, for every L."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp
from flint import arb, ctx

from proofs_checks.statement import Checked, Status, require
from separation.bounds import Message, Point, Rule, evaluate, golden_point
from separation.bounds.powers import BALL_BITS, PowerProduct, Size, log2_ball, simplest
from separation.bounds.schedules import fibonacci

DEEPEST = 4
PRODUCTS = (1, 2, 3, 10)


@dataclass(frozen=True)
class Inclusion:
    """H·d·p ≤ n^{2^-roots(L)}; states of ``layers_log2``(L): log2 of the R layers before, and behind, each full layer.

    ``layers_log2`` is None when there are none. Each R layer has at most q(q+1) state bits, q = H·d·p: keys, values and
    a normaliser, H·d·(d+1)·p. Score bits are at most p. ``exponent`` is that of y in the length: F_{2L+1} for theorem A
    with x_0 = O(y²), F_{2L+2} for theorem B.
    """

    rule: Rule
    roots: Callable[[Any], Any]
    layers_log2: Callable[[Any], Any] | None = None

    @property
    def exponent_offset(self) -> int:
        return 1 + self.rule.more_layers

    def states(self, L: int, product: Size) -> Size:
        """2L·2^{layers}·q(q+1): at most 2·2^layers R layers in each of the L blocks."""
        if self.layers_log2 is None:
            return 0
        q = product if isinstance(product, PowerProduct) else PowerProduct(((product * (product + 1), 1),))
        return simplest(PowerProduct(((2 * L, 1), (2, self.layers_log2(L)), *q.factors)))

    def sizes(self, L: int, u: int) -> Point:
        """The golden sizes for y = 2^u, with x_0 = 2Λ for the Λ of all q ≤ y."""
        y = 1 << u
        if self.layers_log2 is None:
            return golden_point(self.rule, L, y)
        first = self.states(L, PowerProduct(((y * (y + 1), 1),)))
        return golden_point(self.rule, L, y, first if isinstance(first, int) else first.integer())


def check_inclusion(claim: Inclusion) -> None:
    """For every L ≥ 2 and even y with y ≥ L·2^{L+4}·(2⌈log2 n⌉+4), n the length at the golden sizes of y.

    Let λ = log2 n, k = ⌈λ⌉ and u = log2 y. A model with q = H·d·p and P ≤ p has β ≤ q(2k+4) ≤ q(2λ+6). By T.room it is
    enough that u ≥ log2 L + L + 4 + log2 q + log2(2λ+6). If n < 2^T the regime leaves q = 1, and that is the condition
    on y. Else log2 q ≤ λ/T; and n ≤ 2N_{L-1} (every n_ℓ ≥ 256), so λ ≤ E·u + s with E and s of the schedule. So
        g(λ) = (λ − s)/E − λ/T − log2(2λ+6) − (2L+3) ≥ 0 for λ ≥ T      (log2 L ≤ L − 1)
    is enough. g grows, since 1/E > 2.5/T and 1/ln 2 < 1.5; at λ = T it is at least (T − s)/E − r, r = roots + 2L + 6
    (2T + 6 ≤ 4T). With E ≤ E_2·3^j, j = L − 2, T ≥ s + E·r follows by induction over j: it holds at j = 0, the
    left side grows G = 16 times, and the right side at most so, as G·right(j) − right(j+1) has no negative coefficient.
    """
    j, Z = sp.symbols("j Z", nonnegative=True)  # Z = 3^j ≥ 1
    _require_three_times()
    start = fibonacci(4 + claim.exponent_offset)
    L = j + 2
    growth = sp.Integer(2) ** sp.expand(claim.roots(L) - claim.roots(L - 1))
    T = 1 << int(claim.roots(2))
    rest = sp.Integer(4)  # n ≤ 2·6·y^E
    if claim.layers_log2 is not None:
        rest = claim.layers_log2(L) + L + 6  # n ≤ 12·x_0·y^{E-2}, x_0 ≤ 8L·2^layers·y²: log2(96·L) ≤ 7 + L − 1
    require(
        5 * start < 2 * T and bool(growth >= 3), f"T is not above 2.5·E: {T}, {start} at L = 2, {growth} times more"
    )
    require(bool(1 / sp.log(2) < sp.Rational(3, 2)), "1/ln 2 is not below 1.5")
    right = rest + start * Z * (claim.roots(L) + 2 * L + 6)
    first = right.subs({j: 0, Z: 1})
    require(bool(first <= T), f"L = 2: T = {T} is less than {first}")
    following = right.subs({j: j + 1, Z: 3 * Z}, simultaneous=True)
    step = sp.Poly(sp.expand(growth * right - following), j, Z)
    require(all(value >= 0 for value in step.coeffs()), f"the induction over L fails: {step.as_expr()}")


def check_regime(claim: Inclusion) -> Checked:
    """The inclusion for every L, and the calculator's verdicts beside."""
    check_inclusion(claim)
    require_verdicts(claim)
    return Checked(
        Status.ALL_SIZES,
        "induction over L (sympy) on T.room; the calculator's verdicts beside",
        f"every L from 2 on, every H·d·p; verdicts for L up to {DEEPEST}",
    )


def _require_three_times() -> None:
    """F_{i+4} = 3F_{i+2} − F_i, so F_{2L+o} ≤ F_{4+o}·3^{L-2}; with letters for F_i and F_{i+1}."""
    a, b = sp.symbols("a b", nonnegative=True)
    numbers = [a, b]
    for _ in range(3):
        numbers.append(numbers[-1] + numbers[-2])
    require(sp.expand(3 * numbers[2] - a - numbers[4]) == 0, "F_{i+4} is not 3F_{i+2} − F_i")


def require_verdicts(claim: Inclusion) -> None:
    """The calculator agrees, for the worst shape of each H·d·p: inside the regime, and long before it begins."""
    for L in range(2, DEEPEST + 1):
        for q in PRODUCTS:
            regime = (1 << int(claim.roots(L))) * log2_ball(q)
            for least in (arb(0), regime):
                point, k = golden_sizes(claim, L, q, least)
                shapes = [(h, d, q // h // d) for h in range(1, q + 1) for d in range(1, q + 1) if q % (h * d) == 0]
                beta = max(Message(h, d, bits=p, score_bits=p).beta(k) for h, d, p in shapes)
                require(beta <= q * (2 * k + 4), f"H·d·p = {q}: β = {beta} is above q(2k+4)")
                total = claim.states(L, q)
                linear = [total] * L if claim.rule is Rule.A else [0] * (L + 1)
                verdict = evaluate(claim.rule, point, beta, linear).certified
                require(verdict, f"L = {L}, H·d·p = {q}: not certified at 2^{point.tokens_log2():.0f} tokens")
                require(bool(least > 0) or q == 1 or k < regime, f"L = {L}, H·d·p = {q}: hard only from 2^{k} on")


def golden_sizes(claim: Inclusion, L: int, q: int, least: arb) -> tuple[Point, int]:
    """The golden sizes of the least y = 2^u with y ≥ L·2^{L+4}·q(2k+4) and log2 n ≥ ``least``; and k ≥ ⌈log2 n⌉."""
    u = max(1, int(float(least) / fibonacci(2 * L + claim.exponent_offset)) - 4 * L * L)
    while True:
        point = claim.sizes(L, u)
        with ctx.workprec(BALL_BITS):
            length = point.tokens_ball().log() / arb.const_log2()
        k = int(float(length.upper())) + 1
        if length >= least and 1 << u >= L * 2 ** (L + 4) * q * (2 * k + 4):
            return point, k
        u += 1
