"""M1: the summed contribution of all earlier tokens reaches one token in β bits.

A weight is at most 2^P, a value at most 2^p in absolute value, and there are at most n−1 earlier tokens. A numerator
summed over them is one of 2(n−1)·2^{P+p} + 1 integers, a denominator one of (n−1)·2^P + 1. So H heads of value
dimension d bring at most β = H·(d·(P+p+⌈log2 n⌉+1) + P+⌈log2 n⌉) bits. The sum over any group of senders has at most
n − 1 terms as well, so a player hears one sum of β bits for each of its tokens, however many senders there are. CPW
write 2·H·d·p: with P ≤ a·p and ⌈log2 n⌉ ≤ p, H·d·p ≤ β ≤ (a+2)·2·H·d·p.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from proofs_checks.kit.coq.comparison import IN_COQ, altered
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Message, ceil_log2

CASES = 200
BITS = "2 ^ (H * (d * (P + p + k + 1) + (P + k)))"


class Heard(NamedTuple):
    """n, P and p, and what other players' tokens send: a weight and a value each."""

    tokens: int
    score_bits: int
    bits: int
    weights: tuple[int, ...]
    values: tuple[int, ...]


def check(text: CoqText) -> Checked:
    """The calculator's β is the exponent of `M1_softmax`; every pair of sums at the largest weights and values fits."""
    rng = Random(1)
    for _ in range(CASES):
        H, d, P, p, n = (rng.randint(*ends) for ends in ((1, 8), (1, 8), (0, 6), (1, 6), (1, 300)))
        k = ceil_log2(n)
        coq = text.term("M1_softmax", r"sums l = 2 \^ \((.*?)\), states l", H=H, d=d, P=P, p=p, k=k)
        where, beta = f"H, d, P, p, n = {H}, {d}, {P}, {p}, {n}", Message(H, d, bits=p, score_bits=P).beta(k)
        require(coq == beta, f"{where}: β is {beta} in the calculator, {coq} in Coq")
        values = (2 * (n - 1) * 2 ** (P + p) + 1) ** (H * d) * ((n - 1) * 2**P + 1) ** H
        require(values <= 2**coq, f"{where}: {values} sums do not fit into {coq} bits")
        a = -(-P // p)
        in_regime = k > p or H * d * p <= coq <= (a + 2) * 2 * H * d * p
        require(in_regime, f"{where}: β = {coq} is not H·d·p up to the constant")
    return Checked(
        Status.TESTED,
        "M1_softmax in Coq; its bits, read from the Coq files, against the calculator's",
        f"{CASES} cases",
    )


WITNESS = Heard(4, score_bits=3, bits=2, weights=(8, 0, 8), values=(4, 1, -4))

STATEMENT = Statement(
    id="M1",
    title="a soft message has β bits",
    latex=r"\beta=H\bigl(d\,(P+p+\lceil\log_2 n\rceil+1)+P+\lceil\log_2 n\rceil\bigr),\quad "
    r"Hdp\le\beta\le(a+2)\,2Hdp\ \text{if}\ P\le ap,\ \lceil\log_2n\rceil\le p",
    english="All earlier tokens together, or any group of them, tell one token of a full layer one of 2^β things.",
    subject=IN_COQ,
    check=check,
    twins={
        "no bit for the sign": altered(BITS, BITS.replace("k + 1", "k")),
        "the length of the sum forgotten": altered(BITS, BITS.replace("(P + k)", "P")),
        "one head": altered(BITS, BITS.replace("H * (", "1 * (")),
    },
    hypotheses=(
        Hypothesis(
            "other players have at most n−1 tokens",
            lambda heard: len(heard.weights) == len(heard.values) <= heard.tokens - 1,
            WITNESS._replace(weights=(8, 8, 8, 8), values=(4, 4, 4, 4)),
        ),
        Hypothesis(
            "weights are integers from 0 to 2^P",
            lambda heard: all(weight in range((1 << heard.score_bits) + 1) for weight in heard.weights),
            WITNESS._replace(weights=(9, 0, 8)),
        ),
        Hypothesis(
            "values are integers of absolute value at most 2^p",
            lambda heard: all(abs(value) in range((1 << heard.bits) + 1) for value in heard.values),
            WITNESS._replace(values=(4, 1, -5)),
        ),
    ),
    witness=WITNESS,
    applies_to=("D2",),
)
