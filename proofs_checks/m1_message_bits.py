"""M1: the summed contribution of all other tokens reaches one token in β bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import z3

from proofs_checks.integers import require_no_integers
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Message

SMALL_TOKENS = 70


@dataclass(frozen=True)
class BitCount:
    """Bits of one numerator: P + p + ⌈log2 n⌉ + ``sign``; of one denominator: P + ``length``·⌈log2 n⌉.

    All tokens but ``own`` are other players'.
    """

    sign: int = 1
    length: int = 1
    own: int = 1


class Heard(NamedTuple):
    """n, P and p, and what other players' tokens send: a weight and a value each."""

    tokens: int
    score_bits: int
    bits: int
    weights: tuple[int, ...]
    values: tuple[int, ...]


def check(count: BitCount) -> Checked:
    """A numerator is one of 2(n−1)·2^{P+p} + 1 integers, a denominator one of (n−1)·2^P + 1: both fit.

    With K = 2^{P+p}, Q = 2^P and C = 2^⌈log2 n⌉ ≥ n the two claims are free of logarithms, and z3 finds no integers
    that break them; that C ≥ n is the definition of ⌈log2 n⌉. β = H·(d·numerator + denominator) is then a sum over
    heads and coordinates. At small sizes β is compared with the numbers of values themselves.
    """
    n, K, Q, C = z3.Ints("n K Q C")
    common = [n >= 1, n <= C, K >= Q, Q >= 1]
    room = C if count.length else z3.IntVal(1)
    require_no_integers([*common, 2 * (n - count.own) * K + 1 > (1 << count.sign) * C * K], "a numerator does not fit")
    require_no_integers([*common, (n - count.own) * Q + 1 > room * Q], "a denominator does not fit")
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
    return Checked(
        Status.ALL_SIZES, "no counterexample in the integers (z3), numbers of values beside", "every n, P, p, H, d"
    )


WITNESS = Heard(4, score_bits=3, bits=2, weights=(8, 0, 8), values=(4, 1, -4))

STATEMENT = Statement(
    id="M1",
    title="a soft message has β bits",
    latex=r"\beta=H\bigl(d\,(P+p+\lceil\log_2 n\rceil+1)+P+\lceil\log_2 n\rceil\bigr)",
    english="All tokens of other players together reach one token of a full layer in β bits.",
    subject=BitCount(),
    check=check,
    twins={
        "no bit for the sign": BitCount(sign=0),
        "the length of the sum forgotten": BitCount(length=0),
        "all n tokens are other players'": BitCount(own=0),
    },
    hypotheses=(
        Hypothesis(
            "other players have at most n−1 tokens",
            lambda heard: len(heard.weights) == len(heard.values) <= heard.tokens - 1,
            WITNESS._replace(weights=(8, 8, 8, 8), values=(4, 4, 4, 4)),
        ),
        Hypothesis(
            "weights are whole numbers from 0 to 2^P",
            lambda heard: all(weight in range((1 << heard.score_bits) + 1) for weight in heard.weights),
            WITNESS._replace(weights=(9, 0, 8)),
        ),
        Hypothesis(
            "values are whole numbers of absolute value at most 2^p",
            lambda heard: all(abs(value) in range((1 << heard.bits) + 1) for value in heard.values),
            WITNESS._replace(values=(4, 1, -5)),
        ),
    ),
    witness=WITNESS,
    speaks_of=("D2",),
)
