"""M1.group: the sum over any group of senders has β bits per token; and β is H·d·p up to a constant.

The sum over any group of senders has at most n − 1 terms as well, so it fits in β bits for each token of the receiver.
CPW write 2·H·d·p: with P ≤ a·p and ⌈log2 n⌉ ≤ p, H·d·p ≤ β ≤ (a+2)·2·H·d·p.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import z3

from proofs_checks.kit.solvers import require_no_integers, require_no_numbers
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from separation.bounds import Message


@dataclass(frozen=True)
class Count:
    """β·tokens(i) bits for a group of k ≤ n − 1 tokens; β ≤ (a + ``more``)·2Hdp when P ≤ a·p and ⌈log2 n⌉ ≤ p."""

    most: int = 1
    """k ≤ n − this."""
    more: int = 2
    least: int = 1
    """β ≥ this·Hdp."""


def _group(count: Count) -> tuple[list[z3.BoolRef], tuple[Any, Any, Any, Any]]:
    k, K, Q, C = z3.Ints("k K Q C")
    n = z3.Int("n")
    return [n >= 1, k >= 0, k <= n - count.most, n <= C, K >= Q, Q >= 1], (k, K, Q, C)


def _numerator(count: Count) -> None:
    """As in M1, with k for n − 1."""
    group, (k, K, _, C) = _group(count)
    require_no_integers([*group, 2 * k * K + 1 > 2 * C * K], "a numerator of a group does not fit")


def _denominator(count: Count) -> None:
    group, (k, _, Q, C) = _group(count)
    require_no_integers([*group, k * Q + 1 > C * Q], "a denominator of a group does not fit")


def _per_head() -> tuple[list[z3.BoolRef], tuple[Any, Any, Any]]:
    """β/H = d·(P + p + log + 1) + P + log, with what is known of the letters."""
    P, p, log, d, a = z3.Reals("P p log d a")
    ranges = [p >= 1, d >= 1, P >= 0, a >= 0, a * p >= P, log >= 0, log <= p]
    return ranges, (d * (P + p + log + 1) + P + log, d * p, a)


def _at_most(count: Count) -> None:
    ranges, (per_head, product_, a) = _per_head()
    require_no_numbers([*ranges, per_head > (a + count.more) * 2 * product_], "β is more than the constant times 2Hdp")


def _at_least(count: Count) -> None:
    ranges, (per_head, product_, _) = _per_head()
    require_no_numbers([*ranges, per_head < count.least * product_], "β is less than the constant times Hdp")


def _calculator(count: Count) -> None:
    for score_bits, bits, heads, dim in product((0, 1, 12), (1, 5, 12), (1, 3), (1, 4)):
        message: Any = Message(heads, dim, bits, score_bits)
        factor = -(-score_bits // bits)
        for length in range(bits + 1):
            low, high = count.least * message.product, (factor + count.more) * 2 * message.product
            require(low <= message.beta(length) <= high, f"{message}: β is {message.beta(length)}")


STATEMENT = Statement(
    id="M1.group",
    title="one sum for any number of senders; β and H·d·p",
    latex=r"\bigl|\sum_{j\in G}\Pi_{j,i}\bigr|=\beta\cdot{\rm tokens}(i)\ \text{bits},\quad "
    r"Hdp\le\beta\le(a+2)\,2Hdp\ \text{if}\ P\le ap,\ \lceil\log_2n\rceil\le p",
    english="Player i hears one sum of β bits per token, however many senders there are; β is H·d·p up to a constant.",
    subject=Count(),
    check=Steps(
        "every group; P ≤ a·p, ⌈log2 n⌉ ≤ p",
        (
            Step("a numerator of a group fits", _numerator),
            Step("a denominator of a group fits", _denominator),
            Step("β ≤ (a+2)·2Hdp", _at_most),
            Step("β ≥ Hdp", _at_least),
            Step("the calculator's β for P, p ≤ 12", _calculator),
        ),
        {
            "how many values the sums of a group have": "Sums over k ≤ n − 1 tokens are among 2k·2^{P+p} + 1 and "
            "k·2^P + 1 numbers, as in M1.",
            "one sum per token": "The receiver hears one sum for each of its tokens(i) tokens, however many senders "
            "there are.",
            "heads divide out": "β, Hdp and 2Hdp all have the factor H, so one head is enough.",
        },
    ),
    twins={
        "as many tokens as there are": Count(most=0),
        "the constant a + 1": Count(more=1),
        "at least 2Hdp": Count(least=2),
    },
    rests_on=("M1",),
    hypotheses=(
        Hypothesis("the group has at most n − 1 tokens", lambda held: held[1] <= held[0] - 1, outside=(4, 4, 1)),
        Hypothesis("⌈log2 n⌉ ≤ p", lambda held: (held[0] - 1).bit_length() <= held[2], outside=(40, 3, 2)),
    ),
    witness=(40, 3, 8),
)
"""The witness: n, k, p."""
