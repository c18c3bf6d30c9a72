"""T.fixed: β contains log2 n, and every shape of heads still has an impossible prompt.

β contains ⌈log2 n⌉, so a search for n solves a fixed point: some k such that the prompt certified at β(k) has at most
2^k tokens. One always exists: the golden prompt has at most 12·x_0·(c·β(k))^e tokens, β(k) is linear in k, and log2 of
a power of a linear function grows more slowly than k.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import sympy as sp

from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from proofs_checks.kit.verdict import SYMPY
from proofs_checks.statements.t_golden_sizes import Schedule
from separation.bounds import Message, Rule, ceil_log2, evaluate

Growth = Callable[[Any, Any], Any]
"""(message, k = ⌈log2 n⌉) ↦ β."""
MESSAGES = (Message(1, 1, 1, 0), Message(2, 16, 8, 8), Message(64, 128, 16, 16))
LARGEST = 1 << 12
LETTERS = SimpleNamespace(
    **dict(zip(("heads", "dim", "score_bits", "bits"), sp.symbols("H d P p", positive=True), strict=True))
)
"""A message of every shape at once."""


def of_the_layer(message: Any, k: Any) -> Any:
    """H·(d·(P + p + k + 1) + P + k)."""
    H, d, P, p = message.heads, message.dim, message.score_bits, message.bits
    return H * (d * (P + p + k + 1) + P + k)


def _linear(growth: Growth) -> None:
    """β is a + b·k, in letters for H, d, P and p."""
    k = sp.Symbol("k", positive=True)
    line = sp.expand(growth(LETTERS, k))
    linear = line.is_polynomial(k) and sp.degree(line, k) <= 1
    require(bool(linear), f"β grows faster than log2 n: {line}", by=SYMPY)


def _limit(growth: Growth) -> None:
    """log2 of 12·x_0·(c·β(k))^e, over k."""
    c, x, e, k = sp.symbols("c x e k", positive=True)
    rate = sp.limit((sp.log(12 * x) + e * sp.log(c * growth(LETTERS, k))) / (k * sp.log(2)), k, sp.oo)
    require(rate == 0, f"log2 of the prompt grows like {rate}·k", by=SYMPY)


def _prompts(growth: Growth) -> None:
    """The least k of the golden schedule is certified; its β is compared with that of the prompt's length."""
    for message in MESSAGES:
        for rule in (Rule.A, Rule.B):
            for L in (2, 3):
                _require_consistent(growth, message, rule, L)


def _require_consistent(growth: Growth, message: Message, rule: Rule, L: int) -> None:
    where = f"{message}, {rule.value}, L = {L}"
    for k in range(2, LARGEST):
        beta = int(growth(message, k))
        point = Schedule().point(rule, L, beta, 0)
        tokens = point.tokens()
        if tokens is not None and tokens <= 1 << k:
            require(evaluate(rule, point, beta, (0,) * rule.state_count(L)).certified, f"{where}: not certified")
            needed = message.beta(ceil_log2(tokens))
            require(needed <= beta, f"{where}: {tokens} tokens have β = {needed}, not {beta}")
            return
    require(False, f"{where}: no prompt is consistent with its own β")


STATEMENT = Statement(
    id="T.fixed",
    title="for every shape of heads a certified prompt consistent with its own β",
    latex=r"\exists k:\quad 12\,x_0\,(c\,\beta(k))^{e}\le2^k,\quad\beta(k)=H(d(P+p+k+1)+P+k)",
    english="β grows only with log2 n, so for every H, d, P, p and L some certified prompt is consistent with its own "
    "β.",
    subject=of_the_layer,
    check=Steps(
        "every H, d, P, p, L ≥ 2, Λ_0",
        (
            Step("β is linear in log2 n", _linear),
            Step("the rate of the prompt's length", _limit),
            Step(f"{4 * len(MESSAGES)} consistent prompts", _prompts),
        ),
        {
            "a limit of 0": "If the quotient by k tends to 0, the logarithm is below k for large k, so some k has "
            "12·x_0·(c·β(k))^e ≤ 2^k.",
            "the prompt of that k": "By T.golden.sizes there is a certified prompt for β(k) of at most that many "
            "tokens, and the β of its own length is at most β(k), which grows with k.",
        },
    ),
    twins={
        "β grows like n": lambda message, k: message.heads * 2**k,
        "no bits for the length": lambda message, k: of_the_layer(message, 1) + 0 * k,
        "half of the logarithm": lambda message, k: of_the_layer(message, 0) + message.heads * k / 2,
    },
    rests_on=("M1", "T.golden.sizes"),
    hypotheses=(Hypothesis("H, d and p are at least 1", lambda held: min(held) >= 1, outside=(0, 1, 1)),),
    witness=(1, 1, 1),
)
"""The witness: H, d, p."""
