"""P.1.2: one sparse layer needs Ω(B log n) for 2-Sum, one full layer O(log n): Theorem 1.2 of arXiv 2602.01763.

arXiv 2602.01763: for 2-Sum one (B, k)-sparse layer needs H·d·p = Ω(B log n), one full layer O(log n). Lower half: with
g ≥ 2k at least half of the values are clear, d ≥ (M−1)/2 (T.D), and V(d,B) ≥ C(d,B) ≥ (d/B)^B, so r ≥
B·log2((M−1)/(2B)) for B ≤ (M−1)/2; with M−1 ≥ n^{1+c} and B ≤ n/2 that is r ≥ c·B·log2 n. A closed block shows one key
and one value a head, so r ≤ 2·H·d·p, and H·d·p ≥ (c/2)·B·log2 n. Upper half: C6.bits, H·d·p = 6⌈log2 M⌉, which is O(log
n) for M polynomial in n.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp
import z3

from constructions.two_sum_squares import build
from proofs_checks.kit.measurements import heads_times_bits
from proofs_checks.kit.solvers import require_no_numbers, require_relation
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from separation.bounds import theorem_d
from separation.tasks.two_sum import TwoSumSizes

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


STATEMENT = Statement(
    id="P.1.2",
    title="sparse against full on 2-Sum (the paper's Theorem 1.2)",
    latex=r"\text{one }(B,k)\text{-sparse layer: } H\,d\,p\ge\tfrac r2\ge\tfrac B2\log_2\tfrac{M-1}{2B}"
    r"\ge\tfrac c2B\log_2n;\quad\text{one full layer: } H\,d\,p\le6\lceil\log_2M\rceil=O(\log n)",
    english="For 2-Sum one sparse layer needs H·d·p of order B·log n; for one full layer, order log n is enough.",
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
