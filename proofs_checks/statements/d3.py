"""D3: 2-Sum by definition, against the oracle used everywhere else.

2-Sum(n, M) with M odd: the input is x_1, …, x_n ∈ {1, …, M−1}, one token each; the output at i is 1 if some j ≤ i has
x_i + x_j ≡ 0 (mod M), and 0 otherwise. M is odd, so nothing matches itself. Outputs are asked at every token.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.tasks.two_sum import TwoSumSizes, enumerate_tokens

SIZES = (TwoSumSizes(1, 3), TwoSumSizes(7, 3), TwoSumSizes(5, 5), TwoSumSizes(4, 7), TwoSumSizes(3, 15))

Definition = Callable[[Sequence[int], int, int], bool]


def by_definition(x: Sequence[int], i: int, modulus: int) -> bool:
    """Some j ≤ i has x_i + x_j ≡ 0 (mod M)."""
    return any((x[i] + x[j]) % modulus == 0 for j in range(i + 1))


class Numbers(NamedTuple):
    """x_1, …, x_n and M."""

    x: tuple[int, ...]
    modulus: int


def check(definition: Definition) -> Checked:
    count = 0
    for sizes in SIZES:
        for inputs, outputs in enumerate_tokens(sizes, 4096):
            for x, found in zip(inputs.tolist(), outputs.tolist(), strict=True):
                expected = [int(definition(x, i, sizes.modulus)) for i in range(sizes.length)]
                require(
                    found == expected, f"modulus {sizes.modulus}, input {x}: the oracle says {found}, not {expected}"
                )
            count += len(inputs)
    return Checked(Status.EXHAUSTIVE, "the oracle against the definition", f"all {count} inputs of {len(SIZES)} sizes")


STATEMENT = Statement(
    id="D3",
    title="2-Sum",
    latex=r"y_i=[\exists j\le i:\ x_i+x_j\equiv 0\ ({\rm mod}\ M)],\quad x_i\in\{1,\dots,M-1\},\ M\ \text{odd}",
    english="At each token: does some token at or before it complete it to 0 modulo the odd number M?",
    subject=by_definition,
    check=check,
    twins={
        "later tokens count too": lambda x, i, modulus: any((x[i] + other) % modulus == 0 for other in x),
        "the sum is M - 1": lambda x, i, modulus: any((x[i] + x[j] + 1) % modulus == 0 for j in range(i + 1)),
        "the last token before it only": lambda x, i, modulus: i > 0 and (x[i] + x[i - 1]) % modulus == 0,
    },
    hypotheses=(
        # With M = 4 the number 2 would match itself.
        Hypothesis("M is odd", lambda numbers: numbers.modulus % 2 == 1, Numbers((1, 2), 4)),
        Hypothesis(
            "every x_i is in {1, …, M−1}",
            lambda numbers: set(numbers.x) <= set(range(1, numbers.modulus)),
            Numbers((1, 3), 3),
        ),
        Hypothesis("there is a token", lambda numbers: len(numbers.x) >= 1, Numbers((), 3)),
    ),
    witness=Numbers((1, 2), 3),
)
