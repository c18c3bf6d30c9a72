"""CPW.sizes: the sizes of arXiv 2412.02975 satisfy theorem B (and A) with slack, for every L and H·d·p.

arXiv 2412.02975 has K = (H·d·p·L)^8·8^{2L²}, x_ℓ = K^{8^{L-ℓ-1}}, n_ℓ = x_ℓ^4, m = K·Πx. They satisfy T.room with Y =
K for every L ≥ 2 and H·d·p, in theorem B and, with 2^{3L²} linear layers before and after each full one, in theorem A.
The only condition is K ≥ L·2^{L+4}·β. It holds for β = 2·H·d·p, and also for β = H(d(P+p+k+1)+P+k) with k = ⌈log2 n⌉
at their own n, if P ≤ p: β ≤ H·d·p·(2k+4), and k is at most 2·8^{L-1}·log2 K + 2. Their sizes fit into the shortest
prompt of their regime, that is their n is at most (H·d·p)^{2^{4L}} for every H·d·p from a small one on:
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from proofs_checks.kit.verdict import SYMPY
from proofs_checks.statements.t_room import Slack
from separation.bounds import (
    Message,
    Parameters,
    PowerProduct,
    check_cpw,
    cpw_parameters,
    paper_linear_layers,
    simplest,
    theorem_b,
)

DEEPEST = 7
PRODUCTS = (1, 2, 100, 1 << 20)


@dataclass(frozen=True)
class Sizes:
    """K = (H·d·p·L)^``product_power``·8^{2L²}; x_ℓ = K^{base^{L-ℓ-1}}; n_ℓ = x_ℓ^``power``; m = K^``margin``·Πx."""

    base: int = 8
    power: int = 4
    margin: int = 1
    product_power: int = 8
    two_power: int = 6
    """K has the factor 2^{this·L²}."""

    def point(self, L: int, product: int) -> Parameters:
        def of_k(exponent: int) -> Any:
            return simplest(
                PowerProduct(((product * L, self.product_power * exponent), (2, self.two_power * L * L * exponent)))
            )

        x = [self.base ** (L - level - 1) for level in range(L)]
        n = tuple(of_k(self.power * exponent) for exponent in x[1:])
        return Parameters(of_k(self.margin + sum(x)), n, tuple(map(of_k, x)))


@dataclass(frozen=True)
class Layers:
    """F^L of one shape, at CPW's sizes for L and H·d·p."""

    L: int = 2
    heads: int = 3
    dim: int = 5
    bits: int = 8
    score_bits: int = 8


def _falls(name: str, exponent: Any, at: int, most: int) -> None:
    """An exponent of K, linear in its letter, decreases and is at most ``most`` where the letter starts."""
    (letter,) = exponent.free_symbols
    below = sp.diff(exponent, letter) <= 0 and exponent.subs(letter, at) <= most
    require(bool(below), f"{name} is K^({sp.expand(exponent)}), which is not at most K^{most}", by=SYMPY)


def _rho(sizes: Sizes) -> None:
    """κ·ρ_ℓ = K^{1 + (8Z−1)/7 − 4Z} ≤ 1/K for Z = 8^{L-ℓ-1} ≥ 1."""
    Z = sp.Symbol("Z", positive=True)
    _falls("κ·ρ", sizes.margin + sp.Rational(1, sizes.base - 1) * (sizes.base * Z - 1) - sizes.power * Z, 1, -1)


def _sigma(sizes: Sizes) -> None:
    """σ_ℓ = K^{4(Z−1)/7 − Z} ≤ 1/K."""
    Z = sp.Symbol("Z", positive=True)
    _falls("σ", sp.Rational(sizes.power, sizes.base - 1) * (Z - 1) - Z, 1, -1)


def _start(sizes: Sizes) -> None:
    """W/x_0 = K^{-(3V+4)/7} ≤ 1/K for V = 8^{L-1} ≥ 8: D_1 = β·W ≤ x_0/2."""
    V = sp.Symbol("V", positive=True)
    _falls("W/x_0", sp.Rational(sizes.power, sizes.base - 1) * (V - 1) - V, sizes.base, -1)


def _cover(sizes: Sizes) -> None:
    require(sizes.margin >= 1, "m = Πx leaves no slack for the cover")


NEEDS = ("2·H·d·p", 1, 1, 1, 5), ("β with log2 n", 2, 3, 4, 7), ("2·Λ", 2, 1, None, 3)
"""What K must exceed: q^a·L^b·2^{cL+d}, q = H·d·p, and 2^{3L²+d} for the states."""


def _powers_of_the_product(sizes: Sizes) -> None:
    for name, of_product, of_tables, _, _ in NEEDS:
        enough = sizes.product_power >= max(of_product, of_tables)
        require(enough, f"{name}: (H·d·p·L)^{sizes.product_power} is too small a factor of K")


def _powers_of_two(sizes: Sizes) -> None:
    """2^{6L²} for every L ≥ 2, as a polynomial in L − 2 without a negative coefficient."""
    L = sp.Symbol("L", positive=True)
    for name, _, _, slope, offset in NEEDS:
        of_two = (3 * L**2 if slope is None else slope * L) + offset
        above = sp.Poly((sizes.two_power * L**2 - of_two).subs(L, L + 2), L)
        enough = all(value >= 0 for value in above.all_coeffs())
        require(enough, f"{name}: 2^({sizes.two_power}·L²) is too small a factor of K", by=SYMPY)


def _length(sizes: Sizes) -> None:
    """N_{L-1} = K^{(12V+2)/7} ≤ K^{2V}."""
    V = sp.Symbol("V", positive=True)
    length = sizes.margin + sp.Rational(1, sizes.base - 1) * (sizes.base * V - 1 + sizes.power * (V - 1))
    _falls("N_(L-1)/K^(2V)", length - 2 * V, 1, 0)


def _verdicts(sizes: Sizes) -> None:
    for L in range(2, DEEPEST + 1):
        for product in PRODUCTS:
            _require_verdicts(sizes, L, product)


def _require_verdicts(sizes: Sizes, L: int, product: int) -> None:
    """Theorem B at these sizes in balls: β = 2·H·d·p, then the β of one head of H·d·p coordinates of one bit."""
    point, where = sizes.point(L, product), f"L = {L}, H·d·p = {product}"
    k = int(point.tokens_log2()) + 2
    for beta in (2 * product, Message(heads=1, dim=product, bits=1, score_bits=1).beta(k), product * (2 * k + 4)):
        require(theorem_b(point, beta, [0] * (L + 1)).certified, f"{where}: theorem B fails with β = {beta}")
    if sizes == Sizes():
        require(point == cpw_parameters(L, product), f"{where}: the calculator has other sizes")
        layers = 2 * paper_linear_layers(L)
        require(check_cpw(L, product, layers).certified, f"{where}: theorem A fails with the paper's linear layers")


def slack(model: Layers) -> Fraction:
    """K/(L·2^{L+4}·β): at least 1 if K is large enough for this β, at CPW's own length."""
    message = Message(model.heads, model.dim, bits=model.bits, score_bits=model.score_bits)
    k = int(cpw_parameters(model.L, message.product).tokens_log2()) + 2
    K = (message.product * model.L) ** 8 << 6 * model.L**2
    return Fraction(K, Slack().constant(model.L) * message.beta(k))


STATEMENT = Statement(
    id="CPW.sizes",
    title="CPW's sizes satisfy theorems A and B",
    latex=r"K=(HdpL)^8\,8^{2L^2},\ x_\ell=K^{8^{L-\ell-1}},\ n_\ell=x_\ell^4,\ m=K\prod x_\ell\ \Rightarrow\ "
    r"(C_\ell),(E_\ell),(F)",
    english="CPW's sizes satisfy every inequality of theorem B, also when β counts log2 n, for every L and H·d·p.",
    subject=Sizes(),
    check=Steps(
        f"every L ≥ 2, every H·d·p, P ≤ p; verdicts for L up to {DEEPEST}",
        (
            Step("κ·ρ ≤ 1/K", _rho),
            Step("σ ≤ 1/K", _sigma),
            Step("W/x_0 ≤ 1/K", _start),
            Step("slack for the cover", _cover),
            Step("powers of H·d·p and L", _powers_of_the_product),
            Step("powers of 2", _powers_of_two),
            Step("N_{L-1} ≤ K^{2V}", _length),
            Step(f"verdicts in balls for L ≤ {DEEPEST}", _verdicts),
        ),
        {
            "T.room at Y = κ = K": "Its conditions are those above and K ≥ L·2^{L+4}·β; geometric sums give the "
            "exponents.",
            "β with log2 n": "β = H(d(P+p+k+1)+P+k) ≤ q(2k+4), q = H·d·p, k = ⌈log2 n⌉, P ≤ p; n ≤ 2N_{L-1} and log2 "
            "K ≤ 8qL + 6L² ≤ 14·q·L² give 2k+4 ≤ 4V·log2 K + 8 ≤ 2^6·V·q·L² and L·2^{L+4}·β ≤ q²·L³·2^{4L+7} ≤ "
            "(q·L)^8·2^{6L²}.",
            "CPW's own β": "2·H·d·p needs L·2^{L+5}·q ≤ K only.",
            "states": "2^{3L²} linear layers before and after each full one, of q(q+1) bits, have 2Λ ≤ "
            "4L·2^{3L²}·q(q+1) ≤ q²·L·2^{3L²+3} ≤ K ≤ x_0, which fits theorem A.",
        },
    ),
    twins={
        "n_l = x_l^2": Sizes(power=2),
        "n_l = x_l^8": Sizes(power=8),
        "powers of two for powers of eight": Sizes(base=2),
        "m = Πx": Sizes(margin=0),
        "K without H·d·p": Sizes(product_power=0),
        "K without powers of 2": Sizes(two_power=0),
    },
    speaks_of=("T.A", "T.B"),
    rests_on=("M1", "T.room"),
    hypotheses=(
        Hypothesis("there are at least two tables", lambda model: model.L >= 2, outside=Layers(L=1)),
        Hypothesis("β is small enough for K", lambda model: slack(model) >= 1, outside=Layers(score_bits=1 << 90)),
        Hypothesis("P ≤ p", lambda model: model.score_bits <= model.bits, outside=Layers(score_bits=9)),
    ),
    witness=Layers(),
)
