"""T.room: a short list of conditions under which every inequality of theorems A and B holds, for every L."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Point, Rule, evaluate, golden_point
from separation.bounds.ladder import climb
from separation.bounds.powers import PowerProduct, Size, simplest
from separation.bounds.schedules import fibonacci
from separation.bounds.symbolic import BETA, linear_symbol, n_symbol, x_symbol

LEVELS = 6
"""Up to this L the bracket is compared with the calculator's, in symbols; the verdicts are tried up to DEEPEST."""
DEEPEST = 12
FIRST = 1000
"""Λ_0 of the golden points that are tried."""
LEAST_SHARE = Fraction(1, 256)
"""1/n_ℓ at most: n_ℓ ≥ Y·x_ℓ⋯x_{L-1} ≥ 2Y ≥ 2·2·2^6, since κ ≥ 6 and κ·ρ_ℓ ≤ 6/Y."""


@dataclass(frozen=True)
class Room:
    """y ≥ ``constant``(L)·β; m ≥ ``kappa``·Πx; D_1 ≤ ``start``·x_0; Λ_t ≤ ``states``·x_0·x_1·n_1."""

    constant: Callable[[Any], Any] = lambda L: L * 2 ** (L + 4)
    kappa: int = 6
    start: Fraction = Fraction(1, 2)
    states: Fraction = Fraction(1, 64)


@dataclass(frozen=True)
class Chosen:
    """β, Λ and y of theorem A, and the golden schedule with x_0 = 8: what the hypotheses speak of."""

    L: int = 2
    beta: int = 1
    y: int = 128
    linear: tuple[int, ...] = (4, 4)

    @property
    def x(self) -> tuple[Any, ...]:
        return golden_point(Rule.A, self.L, self.y, 4).x

    @property
    def n(self) -> tuple[Any, ...]:
        return golden_point(Rule.A, self.L, self.y, 4).n


def check(room: Room) -> Checked:
    """D_ℓ ≤ P_ℓ/2^ℓ for ℓ = 1..L by induction, P_ℓ = x_0⋯x_{ℓ-1}·n_1⋯n_{ℓ-1}; then (C_ℓ), (E_ℓ) and (F) hold.

    Put m = κ·Πx, ρ_ℓ = x_ℓ⋯x_{L-1}/n_ℓ and σ_ℓ = n_{ℓ+1}⋯n_{L-1}/x_ℓ; suppose all x_ℓ (ℓ ≥ 1) even, κ·ρ_ℓ ≤ 6/Y,
    σ_ℓ ≤ 1/Y with Y ≥ L·2^{L+4}·β. The golden schedule has κ = 6 and ρ = σ = 1/y.
    1. Divided by P_{ℓ+1}, the bracket of D_{ℓ+1} is a sum of monomials in κ, ρ, σ, 1/x, 1/n: `_bracket`, equal to the
       calculator's own recursion for L = 2..6 with all letters symbolic; by hand: each term is the same product with
       the same factors cancelled for every L.
    2. Each share 2^{ℓ+1}·(term/P_{ℓ+1}) is, by the conditions, at most a monomial with a positive coefficient in
       numbers with known upper ends ((ℓ+1)/L ≤ 1, 2^{ℓ+1-L} ≤ 1, β·L·2^{L+4}/Y ≤ 1, 1/L ≤ 1/2, 1/x ≤ 1/2, 1/n ≤ 1/256):
       so at most its value there (sympy), and these add up to at most 1.
    3. x_ℓ is even, so t_ℓ is not rounded and Θ_ℓ = x_ℓ·P_ℓ/2^ℓ. N_{ℓ-1}/Θ_ℓ ≥ κ·2 > 4𝖾, so the logarithm in (E_ℓ) is
       above 2, and 1 + x_ℓ·D_ℓ ≤ 1 + Θ_ℓ ≤ 2·Θ_ℓ; D_L ≤ n_{L-1}·Θ_{L-1}/2 is below (F)'s right side.
    Beside: the calculator's verdicts on golden points at the edge of the conditions, L = 2..12.
    """
    total = total_share(room)
    require(total <= 1, f"the shares of D_(l+1) add up to {total}, more than 1")
    require(room.start <= Fraction(1, 2), f"D_1 may be {room.start} of x_0, the induction starts at 1/2")
    require(bool(2 * room.kappa > 4 * sp.E), f"with m = {room.kappa}·Πx the logarithm in (E) is not above 2")
    for rule in (Rule.A, Rule.B):
        for L in range(2, LEVELS + 1):
            _require_bracket(rule, L, room)
        for L in range(2, DEEPEST + 1):
            for beta in (1, 1000):
                require(at_the_edge(room, rule, L, beta), f"{rule.value}, L = {L}, β = {beta}: not certified")
    return Checked(
        Status.ALL_SIZES,
        "induction over the levels by hand, shares by sympy, bracket against the calculator for L ≤ 6",
        f"every L from 2 on, every β, Λ; verdicts beside for L up to {DEEPEST}",
    )


def _require_bracket(rule: Rule, L: int, room: Room) -> None:
    """The calculator's D_{ℓ+1} − x_ℓ·D_ℓ − 1 − Λ, divided by β·P_{ℓ+1}, is `_bracket`; letters for all numbers."""
    n, x = [n_symbol(k) for k in range(1, L)], [x_symbol(k) for k in range(L)]
    linear = [linear_symbol(t) for t in range(rule.linear_count(L))]
    m = room.kappa * sp.prod(x)
    ladder = climb(rule, BETA, linear, m, n, x, lambda _level, product: (product, product), sp.Min)
    for level in range(1, L):
        product = sp.prod(x[: level + 1]) * sp.prod(n[:level])
        rest = ladder.D[level] - x[level] * ladder.D[level - 1] - 1 - linear[level + rule.more_layers]
        off = sp.expand(rest - BETA * sp.expand(product * _bracket(rule, level, room.kappa, n, x)))
        require(off == 0, f"L = {L}, level {level}: the bracket is off by {off}")


def _bracket(rule: Rule, level: int, kappa: int, n: list[Any], x: list[Any]) -> Any:
    """(ℓ+more)·κρ_ℓ + σ_ℓ + 1/(x_ℓ·n_1⋯n_ℓ) + Σ_{i<ℓ} κρ_i/(n_{i+1}⋯n_{ℓ-1}·x_ℓ·n_ℓ) (+ 1/n_1 in B at ℓ = 1)."""

    def rho(i: int) -> Any:
        return sp.prod(x[i:]) / n[i - 1]

    sigma = sp.prod(n[level:]) / x[level]
    found = (level + rule.more_layers) * kappa * rho(level) + sigma + 1 / (x[level] * sp.prod(n[:level]))
    for i in range(1, level):
        found += kappa * rho(i) / (sp.prod(n[i : level - 1]) * x[level] * n[level - 1])
    return found + (1 / n[0] if rule is Rule.B and level == 1 else 0)


def total_share(room: Room) -> Fraction:
    """The largest that 2^{ℓ+1}·(x_ℓ·D_ℓ + 1 + Λ + β·bracket)/P_{ℓ+1} can be, over all L, ℓ, β and Y."""
    beta = sp.Symbol("beta", positive=True)
    # ℓ+1 = a·L, 2^{ℓ+1} = b·2^L, Y = constant·β/c, L = 1/i, 2^L = 1/j, 1/x = ξ, 1/n = ν
    ends = {"a": 1, "b": 1, "c": 1, "i": Fraction(1, 2), "j": Fraction(1, 4), "xi": Fraction(1, 2)}
    letters = {sp.Symbol(name, positive=True): sp.Rational(end) for name, end in (ends | {"nu": LEAST_SHARE}).items()}
    depth, level_power, budget, table, power, kept, size = letters
    L = sp.Symbol("L", positive=True)
    Y = (room.constant(L) * beta / budget).subs(2 ** (L + 4), 16 / power).subs(L, 1 / table)
    factor = level_power / power
    shares = {
        "x_l·D_l": 2 * size,
        "tables kept": factor * beta * depth / table * 6 / Y,
        "queries": factor * beta / Y,
        "z_0..z_(l-1) once": factor * beta / Y,  # 1/(x_ℓ·n_1⋯n_ℓ) ≤ σ_ℓ
        "earlier tables": factor * beta * depth / table * 6 / Y * kept * size,
        "z_0's token in B": 4 * beta * kept / Y,  # 1/n_1 ≤ ρ_1/x_1 and κ·ρ_1 ≤ 6/Y with κ ≥ 6; 2^{ℓ+1} = 4
        "one": 4 * kept * size,  # P_{ℓ+1} ≥ x_1·n_1·2^{ℓ-1}
        "states": 4 * sp.Rational(room.states),  # P_{ℓ+1} ≥ x_0·x_1·n_1·2^{ℓ-1}
    }
    total = sp.Integer(0)
    for name, share in shares.items():
        above, below = sp.fraction(sp.cancel(share))
        require(not below.free_symbols, f"the share of {name} has no upper end: {sp.cancel(share)}")
        polynomial = sp.Poly(above / below, *letters)
        require(all(value > 0 for value in polynomial.coeffs()), f"the share of {name} may be negative")
        total += polynomial.as_expr().subs(letters)
    return Fraction(int(sp.numer(total)), int(sp.denom(total)))


def at_the_edge(room: Room, rule: Rule, L: int, beta: int) -> bool:
    """The calculator's verdict on the golden schedule with y = constant·β, m = κ·Πx and the largest states allowed."""
    y = room.constant(L) * beta
    golden = golden_point(rule, L, y, FIRST)
    point = Point(product_of(room.kappa, *golden.x), golden.n, golden.x)
    # ⌊states·x_0·x_1·n_1⌋, with one factor y of x_1 taken out
    share = max(1, int(room.states * y))
    later = product_of(golden.x[0], golden.n[0], PowerProduct(((y, fibonacci(2 * L - 2) - 1), (share, 1))))
    begin = [int(room.start * 2 * FIRST)] if rule is Rule.A else [0, 0]
    return evaluate(rule, point, beta, [*begin, *([later] * (L - 1))]).certified


def product_of(*sizes: Size) -> Size:
    """The product of sizes, however large."""
    factors = [size.factors if isinstance(size, PowerProduct) else ((size, 1),) for size in sizes]
    return simplest(PowerProduct(tuple(pair for part in factors for pair in part)))


HYPOTHESES = (
    Hypothesis("there are at least two tables", lambda chosen: chosen.L >= 2, outside=Chosen(L=1)),
    Hypothesis("y is even", lambda chosen: chosen.y % 2 == 0, outside=Chosen(y=129)),
    Hypothesis("y ≥ L·2^(L+4)·β", lambda chosen: chosen.y >= Room().constant(chosen.L) * chosen.beta, Chosen(y=126)),
    Hypothesis("D_1 ≤ x_0/2", lambda chosen: 2 * chosen.linear[0] <= chosen.x[0], Chosen(linear=(5, 5))),
    Hypothesis(
        "64·Λ_t ≤ x_0·x_1·n_1",
        lambda chosen: 64 * max(chosen.linear) <= chosen.x[0] * chosen.x[1] * chosen.n[0],
        outside=Chosen(linear=(4, 2**20)),
    ),
)

STATEMENT = Statement(
    id="T.room",
    title="golden sizes are hard for every L",
    latex=r"y\ge L\,2^{L+4}\beta\ \text{even},\ x_0\ge2D_1,\ 64\Lambda_t\le x_0x_1n_1\ \Rightarrow\ "
    r"D_\ell\le 2^{-\ell}x_0\cdots x_{\ell-1}n_1\cdots n_{\ell-1},\ (C_\ell),(E_\ell),(F)",
    english="With y ≥ L·2^(L+4)·β even, the golden sizes satisfy every inequality of theorem A, and of theorem B.",
    subject=Room(),
    check=check,
    twins={
        "a constant without 2^L": Room(constant=lambda L: 16 * L),
        "y = β": Room(constant=lambda L: L / L if isinstance(L, sp.Basic) else 1),
        "m = Πx": Room(kappa=1),
        "x_0 half of D_1": Room(start=Fraction(2)),
        "states 64 times too large": Room(states=Fraction(64)),
    },
    rests_on=("T.golden",),
    hypotheses=HYPOTHESES,
    witness=Chosen(),
)
