"""CPW.sizes: the sizes of arXiv 2412.02975 satisfy theorem B (and A) with room to spare, for every L and H·d·p."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.t_room import Room
from separation.bounds import Message, Point, check_cpw, cpw_point, theorem_b
from separation.bounds.papers import paper_linear_layers
from separation.bounds.powers import PowerProduct, simplest

DEEPEST = 7
PRODUCTS = (1, 2, 100, 1 << 20)


@dataclass(frozen=True)
class Sizes:
    """K = (H·d·p·L)^``product_power``·8^{2L²}; x_ℓ = K^{base^{L-ℓ-1}}; n_ℓ = x_ℓ^``power``; m = K^``margin``·Πx."""

    base: int = 8
    power: int = 4
    margin: int = 1
    product_power: int = 8

    def point(self, L: int, product: int) -> Point:
        def of_k(exponent: int) -> Any:
            return simplest(PowerProduct(((product * L, self.product_power * exponent), (2, 6 * L * L * exponent))))

        x = [self.base ** (L - level - 1) for level in range(L)]
        n = tuple(of_k(self.power * exponent) for exponent in x[1:])
        return Point(of_k(self.margin + sum(x)), n, tuple(map(of_k, x)))


@dataclass(frozen=True)
class Layers:
    """F^L of one shape, at CPW's sizes for L and H·d·p."""

    L: int = 2
    heads: int = 3
    dim: int = 5
    bits: int = 8
    score_bits: int = 8


def check(sizes: Sizes) -> Checked:
    """T.room with Y = K and κ = K, exponents of K as exact numbers; Z = 8^{L-ℓ-1} and V = 8^{L-1} are letters.

    κ·ρ_ℓ = K^{1 + (8Z−1)/7 − 4Z}, σ_ℓ = K^{4(Z−1)/7 − Z}: both exponents fall with Z ≥ 1 and are at most −1 at Z = 1.
    D_1 = β·W ≤ x_0/2, as x_0/W = K^{(3V+4)/7} ≥ K^4. What is left is K ≥ L·2^{L+4}·β:
    with CPW's β = 2·H·d·p, as K ≥ q·L·2^{6L²}, q = H·d·p; and with β = H(d(P+p+k+1)+P+k), k = ⌈log2 n⌉, P ≤ p, which
    contains log2 n: β ≤ q(2k+4), n ≤ 2N_{L-1} and N_{L-1} = K^{(12V+2)/7} ≤ K^{2V}, log2 K ≤ 8qL + 6L² ≤ 14·q·L², so
    2k+4 ≤ 4V·log2 K + 8 ≤ 2^6·V·q·L² and L·2^{L+4}·β ≤ q²·L³·2^{4L+7} ≤ (q·L)^8·2^{6L²}. No condition is needed.
    States up to x_0/2 fit theorem A, and so 2^{3L²} linear layers before and behind each full one, of q(q+1) bits:
    2Λ ≤ 4L·2^{3L²}·q(q+1) ≤ q²·L·2^{3L²+3} ≤ K ≤ x_0.
    """
    _require_exponents(sizes)
    _require_budget(sizes)
    for L in range(2, DEEPEST + 1):
        for product in PRODUCTS:
            _require_verdicts(sizes, L, product)
    return Checked(
        Status.ALL_SIZES,
        "T.room on exponents of K (sympy); verdicts in balls beside, log2 n in β included",
        f"every L from 2 on, every H·d·p, P ≤ p; verdicts for L up to {DEEPEST}",
    )


def _require_exponents(sizes: Sizes) -> None:
    """The exponents of K in κ·ρ and σ, linear in Z = base^{L-ℓ-1} ≥ 1, are at most −1; that of x_0/W is at least 1."""
    Z, V = sp.symbols("Z V", positive=True)
    b, a = sizes.base, sizes.power
    rho = sizes.margin + sp.Rational(1, b - 1) * (b * Z - 1) - a * Z
    sigma = sp.Rational(a, b - 1) * (Z - 1) - Z
    for name, exponent in (("κ·ρ", rho), ("σ", sigma)):
        at_one, slope = exponent.subs(Z, 1), sp.diff(exponent, Z)
        require(slope <= 0 and at_one <= -1, f"{name} is K^({sp.expand(exponent)}), which is not at most 1/K for Z ≥ 1")
    start = V - sp.Rational(a, b - 1) * (V - 1)
    require(sp.diff(start, V) >= 0 and start.subs(V, b) >= 1, f"x_0/W is K^({sp.expand(start)})")
    require(sizes.margin >= 1, "m = Πx leaves no room for the cover")


def _require_budget(sizes: Sizes) -> None:
    """K ≥ L·2^{L+4}·β for every L ≥ 2 and q ≥ 1: powers of q, L and 2 one by one."""
    L = sp.Symbol("L", positive=True)
    needs = (("2·H·d·p", 1, 1, L + 5), ("β with log2 n", 2, 3, 4 * L + 7), ("2·Λ", 2, 1, 3 * L**2 + 3))
    for name, of_product, of_tables, of_two in needs:
        enough = sizes.product_power >= max(of_product, of_tables)
        require(enough, f"{name}: (H·d·p·L)^{sizes.product_power} is too small a factor of K")
        above = sp.Poly((6 * L**2 - of_two).subs(L, L + 2), L)
        require(all(value >= 0 for value in above.all_coeffs()), f"{name}: 8^(2L²) is too small a factor of K")
    # 2k+4 ≤ 4·V·log2 K + 8 ≤ 56·V·q·L² + 8 ≤ 2^6·V·q·L², and L·2^{L+4}·q·2^6·2^{3L-3}·q·L² = q²·L³·2^{4L+7}.
    V = sp.Symbol("V", positive=True)
    length = sizes.margin + sp.Rational(1, sizes.base - 1) * (sizes.base * V - 1 + sizes.power * (V - 1))
    above = sp.Poly(sp.expand((2 * V - length).subs(V, V + 1)), V)
    require(all(value >= 0 for value in above.all_coeffs()), f"N_(L-1) is K^({sp.expand(length)}), above K^(2V)")


def _require_verdicts(sizes: Sizes, L: int, product: int) -> None:
    """Theorem B at these sizes in balls: β = 2·H·d·p, then the β of one head of H·d·p coordinates of one bit."""
    point, where = sizes.point(L, product), f"L = {L}, H·d·p = {product}"
    k = int(point.tokens_log2()) + 2
    for beta in (2 * product, Message(heads=1, dim=product, bits=1, score_bits=1).beta(k), product * (2 * k + 4)):
        require(theorem_b(point, beta, [0] * (L + 1)).certified, f"{where}: theorem B fails with β = {beta}")
    if sizes == Sizes():
        require(point == cpw_point(L, product), f"{where}: the calculator has other sizes")
        layers = 2 * paper_linear_layers(L)
        require(check_cpw(L, product, layers).certified, f"{where}: theorem A fails with the paper's linear layers")


def room(model: Layers) -> Fraction:
    """K/(L·2^{L+4}·β): how much smaller than K β is than it may be, at CPW's own length."""
    message = Message(model.heads, model.dim, bits=model.bits, score_bits=model.score_bits)
    k = int(cpw_point(model.L, message.product).tokens_log2()) + 2
    K = (message.product * model.L) ** 8 << 6 * model.L**2
    return Fraction(K, Room().constant(model.L) * message.beta(k))


STATEMENT = Statement(
    id="CPW.sizes",
    title="CPW's sizes satisfy theorems A and B",
    latex=r"K=(HdpL)^8\,8^{2L^2},\ x_\ell=K^{8^{L-\ell-1}},\ n_\ell=x_\ell^4,\ m=K\prod x_\ell\ \Rightarrow\ "
    r"(C_\ell),(E_\ell),(F)",
    english="CPW's sizes satisfy every inequality of theorem B, also when β counts log2 n, for every L and H·d·p.",
    subject=Sizes(),
    check=check,
    twins={
        "n_l = x_l^2": Sizes(power=2),
        "n_l = x_l^8": Sizes(power=8),
        "powers of two for powers of eight": Sizes(base=2),
        "m = Πx": Sizes(margin=0),
        "K without H·d·p": Sizes(product_power=0),
    },
    speaks_of=("T.A", "T.B"),
    rests_on=("M1", "T.room"),
    hypotheses=(
        Hypothesis("there are at least two tables", lambda model: model.L >= 2, outside=Layers(L=1)),
        Hypothesis("β is small enough for K", lambda model: room(model) >= 1, outside=Layers(score_bits=1 << 90)),
        Hypothesis("P ≤ p", lambda model: model.score_bits <= model.bits, outside=Layers(score_bits=9)),
    ),
    witness=Layers(),
)
