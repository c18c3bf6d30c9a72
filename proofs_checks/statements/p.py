"""The papers: cited theorems, whose regimes as they are printed here are checked, and sparse against full (P.1.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, log2

import sympy as sp
import z3

from constructions.two_sum_squares import build
from proofs_checks.kit.measurements import heads_times_bits
from proofs_checks.kit.solvers import require_no_numbers, require_relation
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, Step, Steps, require
from separation.bounds import (
    Budget,
    PowerProduct,
    Size,
    bound,
    cpw_prompt,
    log2_float,
    paper_linear_layers,
    paper_prompt,
    theorem_d,
)
from separation.tasks.two_sum import TwoSumSizes

Threshold = Callable[[int, int], Size]
"""(L, H·d·p) ↦ the least n of the regime."""
CASES = (*((L, product) for L in (1, 2, 3) for product in (1, 2, 3, 7, 48)), (4, 2), (4, 3))
TOO_LONG = 1_000_000
"""Bits of the longest integer that is written out."""
PRINTED = ((2, 8), (2, 5))
"""L and H·d·p of bounds whose printed regime is compared."""


@dataclass(frozen=True)
class Regime:
    """L, H·d·p and n."""

    L: int = 2
    product: int = 2
    tokens: int = 1 << 1024


def hybrid_roots(L: int) -> int:
    """n^{2^{-4L-2}} is the square root taken 4L+2 times."""
    return 4 * L + 2


def inside(product: int, tokens: int, square_roots: int) -> bool:
    """H·d·p ≤ n^{2^-roots}: ⌊n^{2^-roots}⌋ is the integer square root, taken that many times."""
    for _ in range(square_roots):
        tokens = isqrt(tokens)
    return product <= tokens


def require_edge(threshold: Threshold, square_roots: Callable[[int], int]) -> None:
    """At n the regime holds, at n − 1 it does not, for every case; no power is taken on this side."""
    for L, product in CASES:
        said = threshold(L, product)
        if isinstance(said, PowerProduct):
            require(said.bits_at_most < TOO_LONG, f"L = {L}, H·d·p = {product}: a prompt of more than 2^{TOO_LONG}")
            said = said.integer()
        where = f"L = {L}, H·d·p = {product}: n is said to be at least a number of {said.bit_length()} bits"
        require(inside(product, said, square_roots(L)), f"{where}; the regime does not hold there")
        require(not inside(product, said - 1, square_roots(L)), f"{where}; the regime begins earlier")


def hypotheses(text: str, square_roots: Callable[[int], int]) -> tuple[Hypothesis, ...]:
    """L, H·d·p ≥ 1, and the regime: H·d·p is at most that many square roots of n."""
    edge = 1 << (1 << square_roots(2))
    return (
        Hypothesis("L is an integer ≥ 1", lambda regime: regime.L >= 1, outside=Regime(L=0)),
        Hypothesis("H·d·p is an integer ≥ 1", lambda regime: regime.product >= 1, outside=Regime(product=0)),
        Hypothesis(
            text,
            lambda regime: inside(regime.product, regime.tokens, square_roots(regime.L)),
            outside=Regime(tokens=edge - 1),
        ),
    )


def check_hybrids(threshold: Threshold) -> Checked:
    """The impossibility itself is cited: the paper's proof and its sizes are not reproduced.

    Checked is that the least n of H·d·p ≤ n^{2^{-4L-2}}, as this project computes and prints it, is the least: at n the
    regime holds, at n − 1 it does not, by integer square roots, for L = 1..4. And that 2^{3L²} is the number of linear
    layers that the calculator charges for it.
    """
    require_edge(threshold, hybrid_roots)
    for L, product in PRINTED:
        printed = bound(L, Budget(beta=product, total=0)).document()["paper"]["tokens_log2"]
        least = threshold(L, product)
        expected = (least if isinstance(least, int) else least.integer()).bit_length()
        require(expected - 1 <= printed <= expected, f"L = {L}, H·d·p = {product}: printed is 2^{printed}")
    for L in range(1, 6):
        layers = paper_linear_layers(L).bit_length() - 1
        require(layers == 3 * L * L, f"L = {L}: 2^{layers} linear layers are charged")
    return Checked(
        Status.CITED,
        "cited; only the regime is checked: its edge by integer square roots, and what `bound` prints",
        "the regime for L up to 4",
    )


def power(product: int, exponent_log2: int) -> int:
    return int(product ** (1 << exponent_log2))


HYBRIDS = Statement(
    id="P.1.1",
    title="no hybrid in the paper's regime solves L-FuncComp (its Theorem 1.1)",
    latex=r"H\,d\,p\le n^{2^{-4L-2}}\ \Rightarrow\ F^{L-1}\ \text{with}\ 2^{3L^2}\ \text{linear layers around each }F"
    r"\ \text{does not solve}\ L\text{-FuncComp}",
    english="L−1 full layers with 2^(3L²) linear layers around each do not solve L-FuncComp if H·d·p ≤ n^(2^(-4L-2)).",
    explanation="""
arXiv 2602.01763: a hybrid with L−1 full layers and 2^{3L²} linear layers around each does not solve L-FuncComp when
H·d·p ≤ n^{2^{-4L-2}}. Cited: neither its proof nor its sizes are here. What is checked is that the prompt that this
project prints for it, (H·d·p)^{2^{4L+2}}, is the least of that regime. From some H·d·p on, which depends on L, the
impossibility is proved here with other sizes (`main_separation_regime` in Coq): the golden sizes have n polynomial in
β with the exponent F_{2L+1}, far below 2^{4L+2}.
""",
    subject=paper_prompt,
    check=check_hybrids,
    twins={
        "one square root less": lambda L, product: power(product, 4 * L + 1),
        "CPW's exponent": lambda L, product: power(product, 4 * L),
        "L−1 for L": lambda L, product: power(product, 4 * L - 2),
        "one token more": lambda L, product: power(product, 4 * L + 2) + 1,
    },
    applies_to=("D1",),
    hypotheses=hypotheses("H·d·p ≤ n^(2^(-4L-2))", hybrid_roots),
    witness=Regime(),
)


def cpw_roots(L: int) -> int:
    """n^{2^{-4L}} is the square root taken 4L times."""
    return 4 * L


def check_cpw(threshold: Threshold) -> Checked:
    """The impossibility itself is cited; what this project proves about it is T.golden, C1, C4 and C5.

    Checked is that the least n of H·d·p ≤ n^{2^{-4L}}, as this project computes and prints it, is the least, on both
    sides of the edge by integer square roots, for L = 1..4. And what L = Õ(log log n) means here: where H·d·p ≥ 2 the
    regime itself says 4L ≤ log2 log2 n, with equality at its edge for H·d·p = 2.
    """
    require_edge(threshold, cpw_roots)
    for L in range(1, 9):
        depth = log2(log2_float(threshold(L, 2)))
        require(depth == 4 * L, f"L = {L}: log2 log2 n is {depth} at the edge for H·d·p = 2")
    return Checked(
        Status.CITED,
        "cited; only the regime is checked: its edge by integer square roots",
        "the regime for L up to 4",
    )


CPW = Statement(
    id="CPW.1.1",
    title="L full layers in CPW's regime do not solve L-FuncComp (their Theorem 1.1)",
    latex=r"H\,d\,p\le n^{2^{-4L}},\ L=\tilde O(\log\log n)\ \Rightarrow\ F^{L}\ \text{does not solve}\ "
    r"L\text{-FuncComp};\quad F^{L+1}\ \text{does with}\ H\,d\,p=\mathrm{polylog}\,n",
    english="L full layers do not solve L-FuncComp if H·d·p ≤ n^(2^(-4L)); for L+1 full layers polylog n is enough.",
    explanation="""
arXiv 2412.02975: L full layers do not solve L-FuncComp when H·d·p ≤ n^{2^{-4L}}, L = Õ(log log n), and L+1 do with
polylog n; an encoder does with exponentially fewer layers, and a chain of thought helps. Cited; checked is the printed
prompt (H·d·p)^{2^{4L}}. Where H·d·p ≥ 2 the regime itself says 4L ≤ log2 log2 n.
""",
    subject=cpw_prompt,
    check=check_cpw,
    twins={
        "one square root less": lambda L, product: power(product, 4 * L - 1),
        "the exponent of hybrids": lambda L, product: power(product, 4 * L + 2),
        "L−1 for L": lambda L, product: power(product, 4 * L - 4),
        "one token more": lambda L, product: power(product, 4 * L) + 1,
    },
    applies_to=("D1",),
    hypotheses=hypotheses("H·d·p ≤ n^(2^(-4L))", cpw_roots),
    witness=Regime(tokens=1 << 256),
)

LENGTHS = (8, 16, 32, 64)
POWER = 1
"""c in M − 1 ≥ n^{1+c}, where numbers are compared."""


@dataclass(frozen=True)
class Layer:
    """A prompt of n tokens modulo M, M−1 ≥ n²; blocks of B tokens, k of g opened."""

    n: int = 4
    modulus: int = 17
    block: int = 2
    opened: int = 0
    blocks: int = 1


@dataclass(frozen=True)
class BitCounts:
    """H·d·p ≥ ``sparse``·c·B·log2 n for one sparse layer with g ≥ ``share``·k and ``fill``·B ≤ n; one full layer has
    at most ``full``·⌈log2 M⌉. ``modulus_power``: M − 1 = n^modulus_power, rounded up to even.
    """

    sparse: Fraction = Fraction(1, 2)
    full: int = 6
    modulus_power: int = 2
    share: int = 2
    fill: int = 2


def _half_is_closed(counts: BitCounts) -> None:
    """g ≥ 2k gives d ≥ u(g−k)/g ≥ u/2 = h, over all reals."""
    d, u, g, k = z3.Reals("d u g k")
    sizes = [g >= 1, k >= 0, u >= 0, counts.share * k <= g, d * g >= u * (g - k)]
    require_no_numbers([*sizes, 2 * d < u], "more than half is opened: d is below u/2")


def _factor_of_a_binomial(counts: BitCounts) -> None:
    """(h−i)/(B−i) ≥ h/B for i < B ≤ h, as B ≤ n/2 and h ≥ n/2."""
    h, B, i, n = z3.Reals("h B i n")
    sizes = [B >= 1, i >= 0, i < B, counts.fill * B <= n, 2 * h >= n]
    require_no_numbers([*sizes, B * (h - i) < h * (B - i)], "a factor of C(h,B) is below h/B")


def _power_of_n(counts: BitCounts) -> None:
    """h/B ≥ (n^{1+c}/2)/(n/2) = n^c."""
    n, c = sp.symbols("n c", positive=True)
    quotient = sp.simplify((n ** (1 + c) / 2) / (n / counts.fill) / n**c)
    require_relation(quotient >= 1, f"h/B is only {quotient}·n^c")


def _half_of_the_summary(counts: BitCounts) -> None:
    """r ≥ c·B·log2 n and r ≤ 2·H·d·p leave no H·d·p below (c/2)·B·log2 n."""
    summary, product_, rounds = z3.Reals("r Hdp cBlog")
    known = [rounds > 0, summary >= rounds, summary <= 2 * product_]
    small = product_ < z3.RealVal(str(counts.sparse)) * rounds
    require_no_numbers([*known, small], "a sparse layer needs less")


def _sparse_numbers(counts: BitCounts) -> None:
    """The bits of theorem D itself for all B ≤ n/2 and all k ≤ g/2."""
    for layer in layers(counts):
        bits = theorem_d(layer.modulus, layer.block, layer.opened, layer.blocks).bits
        least = -(-bits // 2)
        log = layer.n.bit_length() - 1
        require(least >= counts.sparse * POWER * layer.block * log, f"{layer}: H·d·p = {least} is not forbidden")


def _full_numbers(counts: BitCounts) -> None:
    """The full layer, built at the same moduli and counted."""
    for n in LENGTHS[:2]:
        sizes = TwoSumSizes(n, _modulus(n, counts))
        built = heads_times_bits(build(sizes))
        require(built <= counts.full * sizes.code_bits, f"n = {n}: the full layer has H·d·p = {built}")


def _modulus(n: int, counts: BitCounts) -> int:
    u = int(n**counts.modulus_power)
    return u + u % 2 + 1


def layers(counts: BitCounts) -> Iterator[Layer]:
    for n in LENGTHS:
        for block in range(1, n // 2 + 1):
            blocks = (n - 1) // block
            for opened in range(blocks // 2 + 1):
                yield Layer(n, _modulus(n, counts), block, opened, blocks)


SPARSE = Statement(
    id="P.1.2",
    title="sparse against full on 2-Sum (the paper's Theorem 1.2)",
    latex=r"\text{one }(B,k)\text{-sparse layer: } H\,d\,p\ge\tfrac r2\ge\tfrac B2\log_2\tfrac{M-1}{2B}"
    r"\ge\tfrac c2B\log_2n;\quad\text{one full layer: } H\,d\,p\le6\lceil\log_2M\rceil=O(\log n)",
    english="For 2-Sum one sparse layer needs H·d·p of order B·log n; for one full layer, order log n is enough.",
    explanation="""
arXiv 2602.01763: for 2-Sum one (B, k)-sparse layer needs H·d·p = Ω(B log n), one full layer O(log n). Lower half: with
g ≥ 2k at least half of the values are clear, d ≥ (M−1)/2 (T.D), and V(d,B) ≥ C(d,B) ≥ (d/B)^B, so r ≥
B·log2((M−1)/(2B)) for B ≤ (M−1)/2; with M−1 ≥ n^{1+c} and B ≤ n/2 that is r ≥ c·B·log2 n. A closed block shows one key
and one value a head, so r ≤ 2·H·d·p, and H·d·p ≥ (c/2)·B·log2 n. Upper half: C6.bits, H·d·p = 6⌈log2 M⌉, which is O(log
n) for M polynomial in n.
""",
    subject=BitCounts(),
    check=Steps(
        f"every n, c, M, B, k, g; also n up to {LENGTHS[-1]} in numbers",
        (
            Step("at least half is closed", _half_is_closed),
            Step("a factor of C(h, B)", _factor_of_a_binomial),
            Step("h/B ≥ n^c", _power_of_n),
            Step("half of the summary's bits", _half_of_the_summary),
            Step(f"theorem D's numbers for n ≤ {LENGTHS[-1]}", _sparse_numbers),
            Step("bits of the full layer", _full_numbers),
        ),
        {
            "from d to h": "If d = u, V(u,B) − 1 ≥ V(h,B), as V(u,B) = V(u−1,B) + V(u−1,B−1) (the last element is out "
            "or in) and u − 1 ≥ h; if h ≤ d < u, V(d,B) ≥ V(h,B); and V(h,B) ≥ C(h,B), one of its terms, as B ≤ h.",
            "the product of the factors": "C(h,B) is the product of (h−i)/(B−i) over i < B, so it is at least (h/B)^B "
            "≥ n^{cB}.",
            "what is seen of a closed block": "It is one key and one value in each of H heads, d numbers of p bits "
            "each, so r ≤ 2·H·d·p, whatever the scorer is; at the last of n tokens g = ⌊(n−1)/B⌋ blocks are complete.",
        },
    ),
    twins={
        "the sparse layer needs twice as much": BitCounts(sparse=Fraction(1)),
        "two thirds for the full layer": BitCounts(full=4),
        "values up to n only": BitCounts(modulus_power=1),
        "blocks as long as the prompt": BitCounts(fill=1),
        "all blocks but one opened": BitCounts(share=1),
    },
    applies_to=("D2", "D3"),
    rests_on=("T.D", "C6.bits"),
    hypotheses=(
        Hypothesis("M is odd", lambda layer: layer.modulus % 2 == 1, outside=Layer(modulus=18)),
        Hypothesis("M−1 ≥ n^(1+c)", lambda layer: layer.modulus - 1 >= layer.n**2, outside=Layer(modulus=15)),
        Hypothesis("1 ≤ B ≤ n/2", lambda layer: 1 <= layer.block <= layer.n / 2, outside=Layer(block=3)),
        Hypothesis("k ≤ g/2", lambda layer: 2 * layer.opened <= layer.blocks, outside=Layer(opened=1)),
        Hypothesis(
            "all g blocks are complete before the last token",
            lambda layer: layer.blocks * layer.block < layer.n,
            outside=Layer(blocks=2),
        ),
    ),
    witness=Layer(),
)

STATEMENTS = (HYBRIDS, CPW, SPARSE)
