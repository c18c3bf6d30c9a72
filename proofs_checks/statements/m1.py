"""M1: the summed contribution of all other tokens reaches one token in β bits.

A weight is at most 2^P, a value at most 2^p in absolute value, and other players have at most n−1 tokens. A numerator
summed over them is one of 2(n−1)·2^{P+p} + 1 integers, a denominator one of (n−1)·2^P + 1. So H heads of value
dimension d bring at most β = H·(d·(P+p+⌈log2 n⌉+1) + P+⌈log2 n⌉) bits. The sum over any group of senders has at most
n − 1 terms as well, so a player hears one sum of β bits for each of its tokens, however many senders there are. CPW
write 2·H·d·p: with P ≤ a·p and ⌈log2 n⌉ ≤ p, H·d·p ≤ β ≤ (a+2)·2·H·d·p.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import z3

from proofs_checks.kit.solvers import require_no_integers
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from separation.bounds import Message

SMALL_TOKENS = 70


@dataclass(frozen=True)
class BitCount:
    """Bits of one numerator: P + p + ⌈log2 n⌉ + ``sign``; of one denominator: P + ``length``·⌈log2 n⌉.

    All tokens but ``own`` belong to other players. β ≤ (a + ``more``)·2Hdp when P ≤ a·p and ⌈log2 n⌉ ≤ p.
    """

    sign: int = 1
    length: int = 1
    own: int = 1
    more: int = 2


class Heard(NamedTuple):
    """n, P and p, and what other players' tokens send: a weight and a value each."""

    tokens: int
    score_bits: int
    bits: int
    weights: tuple[int, ...]
    values: tuple[int, ...]


def _numerator(count: BitCount) -> None:
    """One of 2(n−1)·K + 1 integers fits into 2·C·K, K = 2^{P+p}, C = 2^⌈log2 n⌉."""
    n, K, C = z3.Ints("n K C")
    few = [n >= 1, n <= C, K >= 1, 2 * (n - count.own) * K + 1 > (1 << count.sign) * C * K]
    require_no_integers(few, "a numerator does not fit")


def _denominator(count: BitCount) -> None:
    """One of (n−1)·Q + 1 integers fits into C·Q, Q = 2^P."""
    n, Q, C = z3.Ints("n Q C")
    values = C if count.length else z3.IntVal(1)
    require_no_integers([n >= 1, n <= C, Q >= 1, (n - count.own) * Q + 1 > values * Q], "a denominator does not fit")


def _constant(count: BitCount) -> None:
    """H·d·p ≤ β ≤ (a+2)·2·H·d·p, divided by H: β/H = d·(P + p + log + 1) + P + log."""
    P, p, log, d, a = z3.Reals("P p log d a")
    per_head = d * (P + p + log + 1) + P + log
    ranges = [p >= 1, d >= 1, P >= 0, a >= 0, a * p >= P, log >= 0, log <= p]
    outside = z3.Or(per_head > (a + count.more) * 2 * d * p, per_head < d * p)
    require_no_integers([*ranges, outside], "β is not H·d·p up to the constant")


def _numbers_of_values(count: BitCount) -> None:
    for tokens in range(1, SMALL_TOKENS):
        for power, bits in ((0, 1), (3, 2), (8, 8)):
            logarithm = (tokens - 1).bit_length()
            numerator, denominator = power + bits + logarithm + count.sign, power + count.length * logarithm
            require(
                2 * (tokens - count.own) << (power + bits) < 1 << numerator, f"n = {tokens}: a numerator does not fit"
            )
            require((tokens - count.own) << power < 1 << denominator, f"n = {tokens}: a denominator does not fit")
            beta = Message(heads=3, dim=5, score_bits=power, bits=bits).beta(logarithm)
            require(beta == 3 * (5 * numerator + denominator), f"n = {tokens}: β is {beta}")


WITNESS = Heard(4, score_bits=3, bits=2, weights=(8, 0, 8), values=(4, 1, -4))


STATEMENT = Statement(
    id="M1",
    title="a soft message has β bits",
    latex=r"\beta=H\bigl(d\,(P+p+\lceil\log_2 n\rceil+1)+P+\lceil\log_2 n\rceil\bigr),\quad "
    r"Hdp\le\beta\le(a+2)\,2Hdp\ \text{if}\ P\le ap,\ \lceil\log_2n\rceil\le p",
    english="The tokens of other players, all of them or any group, together send β bits to one token of a full layer; "
    "β is H·d·p up to a constant.",
    subject=BitCount(),
    check=Steps(
        "every n, P, p, H, d",
        (
            Step("a numerator fits", _numerator),
            Step("a denominator fits", _denominator),
            Step("β and H·d·p", _constant),
            Step(f"numbers of values for n < {SMALL_TOKENS}", _numbers_of_values),
        ),
        {
            "how many values a sum has": "A numerator is a sum of at most n − 1 integers between −2^{P+p} and "
            "2^{P+p}, a denominator of as many between 0 and 2^P: one of 2(n−1)·2^{P+p} + 1 and of (n−1)·2^P + 1 "
            "integers.",
            "powers as letters": "K, Q and C stand for 2^{P+p}, 2^P and 2^⌈log2 n⌉, which is at least n by definition.",
            "heads and coordinates": "Each of H heads sends d numerators and one denominator: β is the sum of them.",
            "groups of senders": "A group has at most n − 1 tokens too, so its sums are among the same numbers.",
        },
    ),
    twins={
        "no bit for the sign": BitCount(sign=0),
        "the length of the sum forgotten": BitCount(length=0),
        "all n tokens are other players'": BitCount(own=0),
        "the constant a + 1": BitCount(more=1),
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
    speaks_of=("D2",),
)
