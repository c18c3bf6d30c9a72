"""T.fixed: β contains log2 n, and still every shape of heads has an impossible prompt of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.t_golden_sizes import Schedule
from separation.bounds import Message, Rule, evaluate
from separation.bounds.message import ceil_log2

Growth = Callable[[Message, Any], Any]
"""(message, k = ⌈log2 n⌉) ↦ β."""
MESSAGES = (Message(1, 1, 1, 0), Message(2, 16, 8, 8), Message(64, 128, 16, 16))
LARGEST = 1 << 12


def of_the_layer(message: Message, k: Any) -> Any:
    """H·(d·(P + p + k + 1) + P + k)."""
    H, d, P, p = message.heads, message.dim, message.score_bits, message.bits
    return H * (d * (P + p + k + 1) + P + k)


def check(growth: Growth) -> Checked:
    """Some k has a golden prompt for β(k) with at most 2^k tokens: then β(k) is enough for the prompt's own length.

    By T.golden.sizes such a prompt has n ≤ 12·x_0·(c·β(k))^e tokens, and log2 of that over k tends to 0 as β(k) = a +
    b·k (sympy, for all letters): from some k on it is below k. Found here, for three messages, theorems A and B and L
    = 2, 3, the least k of the golden schedule; the calculator certifies it, β is compared with that of the prompt's
    length.
    """
    a, b, c, x, e, k = sp.symbols("a b c x e k", positive=True)
    for message in MESSAGES:
        line = sp.expand(growth(message, k))
        require(line.is_polynomial(k) and sp.degree(line, k) <= 1, f"β grows faster than log2 n: {line}")
    rate = sp.limit((sp.log(12 * x) + e * sp.log(c * (a + b * k))) / (k * sp.log(2)), k, sp.oo)
    require(rate == 0, f"log2 of the prompt grows like {rate}·k")
    count = 0
    for message in MESSAGES:
        for rule in (Rule.A, Rule.B):
            for L in (2, 3):
                _require_consistent(growth, message, rule, L)
                count += 1
    return Checked(
        Status.ALL_SIZES, f"a limit (sympy); {count} consistent prompts certified", "every H, d, P, p, L ≥ 2, Λ_0"
    )


def _require_consistent(growth: Growth, message: Message, rule: Rule, L: int) -> None:
    where = f"{message}, {rule.value}, L = {L}"
    for k in range(2, LARGEST):
        beta = int(growth(message, k))
        point = Schedule().point(rule, L, beta, 0)
        tokens = point.tokens()
        if tokens is not None and tokens <= 1 << k:
            require(evaluate(rule, point, beta, (0,) * rule.linear_count(L)).certified, f"{where}: not certified")
            needed = message.beta(ceil_log2(tokens))
            require(needed <= beta, f"{where}: {tokens} tokens have β = {needed}, not {beta}")
            return
    require(False, f"{where}: no prompt is as long as its own β asks for")


STATEMENT = Statement(
    id="T.fixed",
    title="a prompt consistent with its own β",
    latex=r"\exists k:\quad 12\,x_0\,(c\,\beta(k))^{e}\le2^k,\quad\beta(k)=H(d(P+p+k+1)+P+k)",
    english="β grows with log2 n only, so for every H, d, P, p and L some certified prompt is consistent with its β.",
    subject=of_the_layer,
    check=check,
    twins={
        "β grows like n": lambda message, k: message.heads * 2**k,
        "no room for the length": lambda message, k: of_the_layer(message, 1) + 0 * k,
        "half of the logarithm": lambda message, k: of_the_layer(message, 0) + message.heads * k / 2,
    },
    rests_on=("M1", "T.golden.sizes"),
    hypotheses=(Hypothesis("H, d and p are at least 1", lambda held: min(held) >= 1, outside=(0, 1, 1)),),
    witness=(1, 1, 1),
)
"""The witness: H, d, p."""
