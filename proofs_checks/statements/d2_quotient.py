"""D2.quotient: sums may be split between players; only the quotient is rounded, down, and 0/0 = 0.

Numerators and denominators are sums of whole numbers, so it does not matter between which players they are split; the
signed quotient is rounded down, once. If no token has weight the numerator is 0 as well, and 0/0 = 0.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import floor

import numpy as np

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.models import Sums

Tokens = list[tuple[int, int]]
"""(weight, value) of each token."""
Quotient = Callable[[Tokens, Tokens], int]
"""Of two groups of tokens."""
WEIGHTS, VALUES, MOST = (0, 1, 2), (-3, 0, 2), 3


def of_sums(first: Tokens, second: Tokens) -> int:
    """⌊(Σ e·v) / (Σ e)⌋, each group summed by itself, as the project's layers do."""
    return int(_summed(first).plus(_summed(second)).quotient().values[0, 0, 0])


def _summed(tokens: Tokens) -> Sums:
    numerator, total = sum(weight * value for weight, value in tokens), sum(weight for weight, _ in tokens)
    return Sums(np.array([[[numerator]]]), np.array([[total]]))


def check(quotient: Quotient) -> Checked:
    """All prompts of up to 3 tokens with weights 0..2 and three values, cut everywhere: always the same quotient.

    It is the floor of the true quotient of all tokens, and 0 if no token has weight; then the numerator is 0 too.
    """
    count = 0
    for length in range(1, MOST + 1):
        for tokens in product(product(WEIGHTS, VALUES), repeat=length):
            total = sum(weight for weight, _ in tokens)
            above = sum(weight * value for weight, value in tokens)
            require(total > 0 or above == 0, "a numerator without weight is not 0")
            expected = floor(Fraction(above, total)) if total else 0
            for cut in range(length + 1):
                found = quotient(list(tokens[:cut]), list(tokens[cut:]))
                require(found == expected, f"{tokens} cut at {cut}: {found}, expected {expected}")
                count += 1
    return Checked(Status.EXHAUSTIVE, "every cut of every prompt", f"{count} cuts, up to {MOST} tokens")


def _rounded_apart(first: Tokens, second: Tokens) -> int:
    parts = [_summed(part) for part in (first, second)]
    weights = [int(part.totals[0, 0]) for part in parts]
    shares = [int(part.quotient().values[0, 0, 0]) * weight for part, weight in zip(parts, weights, strict=True)]
    return sum(shares) // sum(weights) if sum(weights) else 0


def _towards_zero(first: Tokens, second: Tokens) -> int:
    both = _summed(first).plus(_summed(second))
    total = int(both.totals[0, 0])
    return int(Fraction(int(both.numerators[0, 0, 0]), total)) if total else 0


STATEMENT = Statement(
    id="D2.quotient",
    title="sums are split, quotients rounded down, for up to 3 tokens",
    latex=r"\Bigl\lfloor\frac{\sum_{g}\sum_{j\in g}e_jv_j}{\sum_g\sum_{j\in g}e_j}\Bigr\rfloor,\qquad\tfrac00=0",
    english="Numerators and denominators are sums of integers, so cutting the tokens into groups changes nothing; "
    "the quotient is rounded down once; 0/0 is 0.",
    subject=of_sums,
    check=check,
    twins={
        "rounded for each group": _rounded_apart,
        "towards zero": _towards_zero,
        "0/0 = 1": lambda first, second: of_sums(first, second) + (not any(w for w, _ in first + second)),
    },
    speaks_of=("D2",),
    hypotheses=(Hypothesis("weights are integers ≥ 0", lambda held: all(w >= 0 for w, _ in held), outside=[(-1, 1)]),),
    witness=[(0, 2), (0, -3)],
)
"""The witness: tokens of weight 0, where 0/0 = 0 is needed."""
