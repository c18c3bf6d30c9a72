"""D3.odd: modulo an odd M no token completes itself.

M is odd: 2x ≡ 0 (mod M) has no solution with 0 < x < M, so an answer 1 is always about another token.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3

from proofs_checks.kit.solvers import require_no_numbers
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from separation.tasks.two_sum import TwoSumSizes

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


STATEMENT = Statement(
    id="D3.odd",
    title="modulo an odd M no token completes itself",
    latex=r"M\ \text{odd},\ 0<x<M\ \Rightarrow\ x+x\not\equiv0\ ({\rm mod}\ M)",
    english="M is odd so that a token never matches itself: an answer 1 is always about another token.",
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
