"""2-Sum by definition (D3), and that modulo an odd number no token completes itself (D3.odd)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import z3

from proofs_checks.kit.solvers import require_no_numbers
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, Step, Steps, require
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


TWO_SUM = Statement(
    id="D3",
    title="2-Sum",
    latex=r"y_i=[\exists j\le i:\ x_i+x_j\equiv 0\ ({\rm mod}\ M)],\quad x_i\in\{1,\dots,M-1\},\ M\ \text{odd}",
    english="At each token: does some token at or before it complete it to 0 modulo the odd number M?",
    explanation="""
2-Sum(n, M) with M odd: the input is x_1, …, x_n ∈ {1, …, M−1}, one token each; the output at i is 1 if some j ≤ i has
x_i + x_j ≡ 0 (mod M), and 0 otherwise. M is odd, so nothing matches itself. Outputs are asked at every token.
""",
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

LARGEST = 99
Modulus = Callable[[Any], Any]
"""h ↦ M."""


def odd(half: Any) -> Any:
    """M = 2h + 1."""
    return 2 * half + 1


def _no_solution(modulus: Modulus) -> None:
    """2x = k·M with 0 < x < M: k would be 1, and M even."""
    x, half, k = z3.Ints("x h k")
    M = modulus(half)
    require_no_numbers([half >= 1, x >= 1, x < M, 2 * x == k * M, z3.Or(k <= 1, k >= 2)], "x + x is a multiple of M")


def _small_moduli(modulus: Modulus) -> None:
    """Every odd M up to LARGEST, and that the task accepts it."""
    for number in range(1, LARGEST // 2 + 1):
        size = modulus(number)
        require(all(2 * value % size for value in range(1, size)), f"M = {size}: some x completes itself")
        require(TwoSumSizes(2, size).modulus == size, f"the task does not take M = {size}")


ODD = Statement(
    id="D3.odd",
    title="modulo an odd M no token completes itself",
    latex=r"M\ \text{odd},\ 0<x<M\ \Rightarrow\ x+x\not\equiv0\ ({\rm mod}\ M)",
    english="M is odd so that a token never matches itself: an answer 1 is always about another token.",
    explanation="""
M is odd: 2x ≡ 0 (mod M) has no solution with 0 < x < M, so an answer 1 is always about another token.
""",
    subject=odd,
    check=Steps(
        "every odd M",
        (Step("2x = k·M has no solution", _no_solution), Step(f"every M up to {LARGEST}", _small_moduli)),
    ),
    twins={"even moduli": lambda half: 2 * half + 2, "any modulus": lambda half: half + 2},
    applies_to=("D3",),
    hypotheses=(
        Hypothesis("M is odd", lambda held: held[0] % 2 == 1, outside=(6, 3)),
        Hypothesis("0 < x < M", lambda held: 0 < held[1] < held[0], outside=(5, 0)),
    ),
    witness=(5, 2),
)
"""The witness: M and x."""

STATEMENTS = (TWO_SUM, ODD)
