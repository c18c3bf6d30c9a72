"""P.1.2: one sparse layer needs Ω(B log n) for 2-Sum, one full layer O(log n): Theorem 1.2 of arXiv 2602.01763.

arXiv 2602.01763: for 2-Sum one (B, k)-sparse layer needs H·d·p = Ω(B log n), one full layer O(log n). Lower half: a
closed block shows one key and one value a head, so r ≤ 2·H·d·p, and with T.D.criterion, T.D and T.D.log H·d·p ≥
(c/2)·B·log2 n if M−1 ≥ n^{1+c}, B ≤ n/2 and at most half of the complete blocks are opened. Upper half: C6.bits, H·d·p
= 6⌈log2 M⌉, which is O(log n) for M polynomial in n.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import z3

from constructions.two_sum_squares import build
from proofs_checks.kit.measurements import heads_times_bits
from proofs_checks.kit.solvers import require_no_numbers
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from proofs_checks.statements.t_d_log import Layer
from separation.bounds import theorem_d
from separation.tasks.two_sum import TwoSumSizes

LENGTHS = (8, 16, 32, 64)
POWER = Fraction(1)
"""c in M − 1 ≥ n^{1+c}."""


@dataclass(frozen=True)
class BitCounts:
    """H·d·p ≥ ``sparse``·c·B·log2 n for one sparse layer, and ≤ ``full``·⌈log2 M⌉ for one full layer.

    ``modulus_power``: M − 1 = n^modulus_power, rounded up to even.
    """

    sparse: Fraction = Fraction(1, 2)
    full: int = 6
    modulus_power: int = 2


def _half_of_the_summary(counts: BitCounts) -> None:
    """r ≥ c·B·log2 n (T.D.log) and r ≤ 2·H·d·p leave no H·d·p below (c/2)·B·log2 n."""
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
                yield Layer(n, POWER, _modulus(n, counts), block, opened, blocks)


STATEMENT = Statement(
    id="P.1.2",
    title="sparse against full on 2-Sum (the paper's Theorem 1.2)",
    latex=r"\text{one }(B,k)\text{-sparse layer: } H\,d\,p\ge\tfrac c2B\log_2n;\quad "
    r"\text{one full layer: } H\,d\,p\le6\lceil\log_2M\rceil=O(\log n)",
    english="For 2-Sum one sparse layer needs H·d·p of order B·log n; for one full layer, order log n is enough.",
    subject=BitCounts(),
    check=Steps(
        f"every n, c, M, B, k, g; also n up to {LENGTHS[-1]} in numbers",
        (
            Step("half of the summary's bits", _half_of_the_summary),
            Step(f"theorem D's numbers for n ≤ {LENGTHS[-1]}", _sparse_numbers),
            Step("bits of the full layer", _full_numbers),
        ),
        {
            "what is seen of a closed block": "It is one key and one value in each of H heads, d numbers of p bits "
            "each, so r ≤ 2·H·d·p, whatever the scorer is; at the last of n tokens g = ⌊(n−1)/B⌋ blocks are complete.",
            "the two halves": "T.D.criterion and T.D say how many summaries a right layer needs, T.D.log that "
            "this is c·B·log2 n bits, and C6.bits that 6⌈log2 M⌉ are enough for a full layer.",
        },
    ),
    twins={
        "the sparse layer needs twice as much": BitCounts(sparse=Fraction(1)),
        "two thirds for the full layer": BitCounts(full=4),
        "values up to n only": BitCounts(modulus_power=1),
    },
    speaks_of=("D2", "D3"),
    rests_on=("T.D.criterion", "T.D", "T.D.log", "C6.bits"),
    hypotheses=(
        Hypothesis(
            "M−1 ≥ n^(1+c)", lambda layer: layer.modulus - 1 >= layer.n ** int(1 + layer.c), outside=Layer(modulus=15)
        ),
        Hypothesis("1 ≤ B ≤ n/2", lambda layer: 1 <= layer.block <= layer.n / 2, outside=Layer(block=3)),
        Hypothesis("k ≤ g/2", lambda layer: 2 * layer.opened <= layer.blocks, outside=Layer(opened=2)),
        Hypothesis(
            "all g blocks are complete before the last token",
            lambda layer: layer.blocks * layer.block < layer.n,
            outside=Layer(blocks=2),
        ),
    ),
    witness=Layer(opened=0, blocks=1),
)
