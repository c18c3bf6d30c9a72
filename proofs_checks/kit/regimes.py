"""The papers' regimes H·d·p ≤ n^{1/T}: exactly at their edge, and inside what the golden schedule forbids."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isqrt
from typing import Any

import sympy as sp
from flint import arb, ctx

from proofs_checks.kit.solvers import require_relation, require_zero
from proofs_checks.kit.statement import Hypothesis, Step, Steps, require
from proofs_checks.kit.verdict import SYMPY
from separation.bounds import (
    BALL_BITS,
    Message,
    Parameters,
    PowerProduct,
    Rule,
    Size,
    evaluate,
    fibonacci,
    golden_parameters,
    log2_ball,
    simplest,
)

DEEPEST = 4
PRODUCTS = (1, 2, 3, 10)


@dataclass(frozen=True)
class Inclusion:
    """H·d·p ≤ n^{2^-roots(L)}; states of ``layers_log2``(L): log2 of the R layers before, and after, each full layer.

    ``layers_log2`` is None when there are none. Each R layer has at most q(q+1) state bits, q = H·d·p: keys, values and
    a normaliser, H·d·(d+1)·p. Score bits are at most p. ``exponent`` is that of y in the length: F_{2L+1} for theorem A
    with x_0 = O(y²), F_{2L+2} for theorem B.
    """

    rule: Rule
    roots: Callable[[Any], Any]
    layers_log2: Callable[[Any], Any] | None = None
    factor: int = 3
    """With one more table E grows at most by this factor."""

    @property
    def first_exponent(self) -> int:
        """E at L = 2."""
        return fibonacci(4 + self.exponent_offset)

    @property
    def exponent_offset(self) -> int:
        return 1 + self.rule.more_layers

    def states(self, L: int, product: Size) -> Size:
        """2L·2^{layers}·q(q+1): at most 2·2^layers R layers in each of the L blocks."""
        if self.layers_log2 is None:
            return 0
        q = product if isinstance(product, PowerProduct) else PowerProduct(((product * (product + 1), 1),))
        return simplest(PowerProduct(((2 * L, 1), (2, self.layers_log2(L)), *q.factors)))

    def sizes(self, L: int, u: int) -> Parameters:
        """The golden sizes for y = 2^u, with x_0 = 2Λ for the Λ of all q ≤ y."""
        y = 1 << u
        if self.layers_log2 is None:
            return golden_parameters(self.rule, L, y)
        first = self.states(L, PowerProduct(((y * (y + 1), 1),)))
        return golden_parameters(self.rule, L, y, first if isinstance(first, int) else first.integer())

    def tokens(self, L: int, u: int) -> int:
        found = self.sizes(L, u).tokens()
        assert found is not None
        return found


@dataclass(frozen=True)
class GoldenModel:
    """A model at the golden sizes of y = 2^u; all its R layers have the same number of state bits."""

    L: int = 2
    u: int = 202
    heads: int = 1
    dim: int = 2
    bits: int = 1
    score_bits: int = 1
    layers_log2: int = 12
    state_bits: int = 6

    @property
    def product(self) -> int:
        return self.heads * self.dim * self.bits


def inclusion_hypotheses(regime: Inclusion, text: str, witness: GoldenModel, short: int) -> tuple[Hypothesis, ...]:
    """``text`` is the regime in words; y = 2^short is too small for its own length."""

    def has_long_tables(model: GoldenModel) -> bool:
        log_tokens = (regime.tokens(model.L, model.u) - 1).bit_length()
        return bool(1 << model.u >= model.L * 2 ** (model.L + 4) * (2 * log_tokens + 4))

    return (
        Hypothesis("there are at least two tables", lambda model: model.L >= 2, replace(witness, L=1)),
        Hypothesis("y ≥ L·2^(L+4)·(2⌈log2 n⌉+4)", has_long_tables, replace(witness, u=short)),
        Hypothesis(
            text,
            lambda model: inside(model.product, regime.tokens(model.L, model.u), regime.roots(model.L)),
            replace(witness, dim=3),
        ),
        Hypothesis("P ≤ p", lambda model: model.score_bits <= model.bits, replace(witness, score_bits=2)),
    )


def _right(claim: Inclusion, j: Any, Z: Any) -> Any:
    """s + E·r at L = j + 2, E ≤ E_2·Z and Z = 3^j: what T must be at least."""
    L = j + 2
    rest = sp.Integer(4)  # n ≤ 2·6·y^E
    if claim.layers_log2 is not None:
        rest = claim.layers_log2(L) + L + 6  # n ≤ 12·x_0·y^{E-2}, x_0 ≤ 8L·2^layers·y²: log2(96·L) ≤ 7 + L − 1
    return rest + claim.first_exponent * Z * (claim.roots(L) + 2 * L + 6)


def _growth(claim: Inclusion) -> Any:
    """T at L + 1 over T at L."""
    L = sp.Symbol("j", nonnegative=True) + 2
    return sp.Integer(2) ** sp.expand(claim.roots(L) - claim.roots(L - 1))


def require_three_times(claim: Inclusion) -> None:
    """F_{i+4} = 3F_{i+2} − F_i, so F_{2L+o} ≤ F_{4+o}·3^{L-2}; with letters for F_i and F_{i+1}."""
    a, b = sp.symbols("a b", nonnegative=True)
    numbers = [a, b]
    for _ in range(3):
        numbers.append(numbers[-1] + numbers[-2])
    require_zero(claim.factor * numbers[2] - a - numbers[4], "F_{i+4} is off from 3F_{i+2} − F_i")


def require_growing(claim: Inclusion) -> None:
    """1/E > 2.5/T at every L, and 1/ln 2 < 1.5."""
    T, start, growth = 1 << int(claim.roots(2)), claim.first_exponent, _growth(claim)
    above = 5 * start < 2 * T and bool(growth >= claim.factor) and bool(1 / sp.log(2) < sp.Rational(3, 2))
    require(above, f"T is not above 2.5·E: {T}, {start} at L = 2, {growth} times more", by=SYMPY)


def require_first_level(claim: Inclusion) -> None:
    T, first = 1 << int(claim.roots(2)), _right(claim, sp.Integer(0), 1)
    require_relation(first <= T, f"L = 2: T = {T} is less than {first}")


def require_one_level_more(claim: Inclusion) -> None:
    """G·right(j) − right(j+1) has no negative coefficient in j and Z = 3^j."""
    j, Z = sp.symbols("j Z", nonnegative=True)
    step = sp.Poly(sp.expand(_growth(claim) * _right(claim, j, Z) - _right(claim, j + 1, claim.factor * Z)), j, Z)
    grown = all(value >= 0 for value in step.coeffs())
    require(grown, f"the induction over L fails: {step.as_expr()}", by=SYMPY)


def require_verdicts(claim: Inclusion) -> None:
    """The calculator agrees, for the worst shape of each H·d·p: inside the regime, and well before it begins."""
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
                require(bool(least > 0) or q == 1 or k < regime, f"L = {L}, H·d·p = {q}: hard only for n ≥ 2^{k}")


def golden_sizes(claim: Inclusion, L: int, q: int, least: arb) -> tuple[Parameters, int]:
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


INCLUSION = Steps(
    f"every L ≥ 2, every H·d·p; verdicts for L up to {DEEPEST}",
    (
        Step("Fibonacci numbers at most triple", require_three_times),
        Step("what is left grows with n", require_growing),
        Step("two tables", require_first_level),
        Step("one table more", require_one_level_more),
        Step(f"the calculator's verdicts for L ≤ {DEEPEST}", require_verdicts),
    ),
    {
        "what T.room requires": "Let λ = log2 n, k = ⌈λ⌉, u = log2 y: a model with q = H·d·p and P ≤ p has β ≤ "
        "q(2k+4) ≤ q(2λ+6), so u ≥ log2 L + L + 4 + log2 q + log2(2λ+6) is enough, for every large enough even y.",
        "inside the regime": "If n < 2^T the regime leaves q = 1, and that is the condition on y; else log2 q ≤ λ/T, "
        "and n ≤ 2N_{L-1} (every n_ℓ ≥ 256) gives λ ≤ E·u + s with E and s of the schedule.",
        "an increasing function": "g(λ) = (λ − s)/E − λ/T − log2(2λ+6) − (2L+3) ≥ 0 for λ ≥ T is enough (log2 L ≤ L − "
        "1); its derivative is positive there, and g(T) ≥ (T − s)/E − r with r = roots + 2L + 6, as 2T + 6 ≤ 4T.",
        "induction over L": "T ≥ s + E·r holds at L = 2; with one table more, T grows by at least as large a factor "
        "as the right side.",
    },
)
"""For every L ≥ 2 and even y with y ≥ L·2^{L+4}·(2⌈log2 n⌉+4), n the length at the golden sizes of y."""


Threshold = Callable[[int, int], Size]
"""(L, H·d·p) ↦ the least n of the regime."""

CASES = (*((L, product) for L in (1, 2, 3) for product in (1, 2, 3, 7, 48)), (4, 2), (4, 3))
TOO_LONG = 1_000_000
"""Bits of the longest integer that is written out."""


def inside(product: int, tokens: int, roots: int) -> bool:
    """H·d·p ≤ n^{2^-roots}: ⌊n^{2^-roots}⌋ is the integer square root, taken that many times."""
    for _ in range(roots):
        tokens = isqrt(tokens)
    return product <= tokens


def require_edge(threshold: Threshold, roots: Callable[[int], int]) -> None:
    """At n the regime holds, at n − 1 it does not, for every case; no power is taken on this side."""
    for L, product in CASES:
        said = threshold(L, product)
        if isinstance(said, PowerProduct):
            require(said.bits_at_most < TOO_LONG, f"L = {L}, H·d·p = {product}: a prompt of more than 2^{TOO_LONG}")
            said = said.integer()
        where = f"L = {L}, H·d·p = {product}: n is said to be at least a number of {said.bit_length()} bits"
        require(inside(product, said, roots(L)), f"{where}; the regime does not hold there")
        require(not inside(product, said - 1, roots(L)), f"{where}; the regime begins earlier")
