"""M1.group: the sum over any group of senders has β bits a token; and β is H·d·p up to a constant."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import z3

from proofs_checks.integers import require_no_integers, require_no_numbers
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Message


@dataclass(frozen=True)
class Count:
    """β·tokens(i) bits for a group of k ≤ n − 1 tokens; β ≤ (a + ``more``)·2Hdp when P ≤ a·p and ⌈log2 n⌉ ≤ p."""

    most: int = 1
    """k ≤ n − this."""
    more: int = 2


def check(count: Count) -> Checked:
    """A group of k ≤ n − 1 tokens has sums among 2k·2^{P+p} + 1 and k·2^P + 1 numbers: they fit where all others' do.

    z3, as in M1, with k for n − 1. By hand: one sum a token of the receiver, so tokens(i) of them, whatever the number
    of senders. Then H·d·p ≤ β ≤ (a+2)·2·H·d·p for P ≤ a·p and ⌈log2 n⌉ ≤ p (z3 over reals; H divides out): β and the
    2·H·d·p of CPW agree up to a constant. Beside: the calculator's β for P, p, k ≤ 12.
    """
    n, k, K, Q, C = z3.Ints("n k K Q C")
    group = [n >= 1, k >= 0, k <= n - count.most, n <= C, K >= Q, Q >= 1]
    require_no_integers([*group, 2 * k * K + 1 > 2 * C * K], "a numerator of a group does not fit")
    require_no_integers([*group, k * Q + 1 > C * Q], "a denominator of a group does not fit")
    P, p, log, d, a = z3.Reals("P p log d a")
    ranges = [p >= 1, d >= 1, P >= 0, a >= 0, a * p >= P, log >= 0, log <= p]
    per_head = d * (P + p + log + 1) + P + log
    require_no_numbers([*ranges, per_head > (a + count.more) * 2 * d * p], "β is more than the constant times 2Hdp")
    require_no_numbers([*ranges, per_head < d * p], "β is less than Hdp")
    for score_bits, bits, heads, dim in product((0, 1, 12), (1, 5, 12), (1, 3), (1, 4)):
        message: Any = Message(heads, dim, bits, score_bits)
        factor = -(-score_bits // bits)
        for length in range(bits + 1):
            high = (factor + count.more) * 2 * message.product
            require(message.product <= message.beta(length) <= high, f"{message}: β is {message.beta(length)}")
    return Checked(
        Status.ALL_SIZES, "no counterexample in integers and reals (z3)", "every group; P ≤ a·p, ⌈log2 n⌉ ≤ p"
    )


STATEMENT = Statement(
    id="M1.group",
    title="sums over any senders, and H·d·p",
    latex=r"\bigl|\sum_{j\in G}\Pi_{j,i}\bigr|=\beta\cdot{\rm tokens}(i)\ \text{bits},\quad "
    r"Hdp\le\beta\le(a+2)\,2Hdp\ \text{if}\ P\le ap,\ \lceil\log_2n\rceil\le p",
    english="Player i hears one sum, of β bits a token, however many senders there are; β is H·d·p up to a constant.",
    subject=Count(),
    check=check,
    twins={
        "as many tokens as there are": Count(most=0),
        "the constant a + 1": Count(more=1),
    },
    rests_on=("M1",),
    hypotheses=(
        Hypothesis("the group has at most n − 1 tokens", lambda held: held[1] <= held[0] - 1, outside=(4, 4, 1)),
        Hypothesis("⌈log2 n⌉ ≤ p", lambda held: (held[0] - 1).bit_length() <= held[2], outside=(40, 3, 2)),
    ),
    witness=(40, 3, 8),
)
"""The witness: n, k, p."""
