"""P.1.2: one sparse layer needs Ω(B log n) for 2-Sum, one full layer O(log n): Theorem 1.2 of arXiv 2602.01763."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from proofs_checks.c6_bits import build, product
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.t_d_log import Layer
from separation.bounds.theorem_d import theorem_d
from separation.tasks.two_sum import TwoSumSizes

LENGTHS = (8, 16, 32, 64)
POWER = Fraction(1)
"""c in M − 1 ≥ n^{1+c}."""


@dataclass(frozen=True)
class Needs:
    """H·d·p ≥ ``sparse``·c·B·log2 n for one sparse layer, and ≤ ``full``·⌈log2 M⌉ for one full layer.

    ``modulus_power``: M − 1 = n^modulus_power, rounded up to even.
    """

    sparse: Fraction = Fraction(1, 2)
    full: int = 6
    modulus_power: int = 2


def check(needs: Needs) -> Checked:
    """Lower half: T.D.criterion, T.D.every, T.D.log, and r ≤ 2·H·d·p. Upper half: C6.bits.

    Supposed of the sparse layer: what is seen of a closed block is one key and one value in each of H heads, d numbers
    of p bits each, so r ≤ 2·H·d·p; its scorer is arbitrary. At the last of n tokens g = ⌊(n−1)/B⌋ blocks are complete.
    With r ≥ c·B·log2 n (T.D.log) H·d·p ≥ (c/2)·B·log2 n. Compared, in integers, with the bits of theorem D itself for
    n = 8..64, all B ≤ n/2 and all k ≤ g/2; the full layer is built at each of these moduli and counted.
    """
    for layer in layers(needs):
        bits = theorem_d(layer.modulus, layer.block, layer.opened, layer.blocks).bits
        least = -(-bits // 2)
        log = layer.n.bit_length() - 1
        require(least >= needs.sparse * POWER * layer.block * log, f"{layer}: H·d·p = {least} is not forbidden")
    for n in LENGTHS[:2]:
        sizes = TwoSumSizes(n, _modulus(n, needs))
        built = product(build(sizes))
        require(built <= needs.full * sizes.code_bits, f"n = {n}: the full layer has H·d·p = {built}")
    return Checked(
        Status.ALL_SIZES,
        "T.D.criterion and T.D.every with T.D.log, and C6.bits; numbers of both halves compared beside",
        "every n, c, M, B, k, g; n up to 64 beside",
    )


def _modulus(n: int, needs: Needs) -> int:
    u = int(n**needs.modulus_power)
    return u + u % 2 + 1


def layers(needs: Needs) -> Iterator[Layer]:
    for n in LENGTHS:
        for block in range(1, n // 2 + 1):
            blocks = (n - 1) // block
            for opened in range(blocks // 2 + 1):
                yield Layer(n, POWER, _modulus(n, needs), block, opened, blocks)


STATEMENT = Statement(
    id="P.1.2",
    title="sparse against full on 2-Sum (the paper's Theorem 1.2)",
    latex=r"\text{one }(B,k)\text{-sparse layer: } H\,d\,p\ge\tfrac c2B\log_2n;\quad "
    r"\text{one full layer: } H\,d\,p\le6\lceil\log_2M\rceil=O(\log n)",
    english="For 2-Sum one sparse layer needs H·d·p of order B·log n; one full layer does with order log n.",
    subject=Needs(),
    check=check,
    twins={
        "the sparse layer needs twice as much": Needs(sparse=Fraction(1)),
        "two thirds for the full layer": Needs(full=4),
        "values up to n only": Needs(modulus_power=1),
    },
    speaks_of=("D2", "D3"),
    rests_on=("T.D.criterion", "T.D.every", "T.D.log", "C6.bits"),
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
