"""S2.repeated: keys may repeat: each one that does not match weighs at most e^{-2τ} matches.

With one match, K − 1 other keys weigh together at most (K−1)·𝖾^{-2τ} matches, whether they repeat or not: each differs
in at least one bit. C6 and C7 need this form, since values may repeat there.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement, product
from typing import Any

import sympy as sp
import z3

from proofs_checks.kit.solvers import require_no_numbers, require_zero
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require

q = sp.Symbol("q", positive=True)
keys = sp.Symbol("K", integer=True, positive=True)
BITS, MOST_KEYS = 3, 4
SEVENTH = sp.Rational(1, 7)
Leak = Callable[[Any, Any], Any]
"""(#keys, q) ↦ the bound."""


def union_bound(number: Any, ratio: Any) -> Any:
    """(#keys − 1)·q with q = e^{-2τ}."""
    return (number - 1) * ratio


def _match_alone(leak: Leak) -> None:
    ratio = z3.Real("ratio")
    require_no_numbers([ratio > 0, ratio <= 1, leak(1, ratio) < 0], "a match alone leaks less than nothing")


def _one_key_more(leak: Leak) -> None:
    """It weighs power·q, power = q^{h-1} ≤ 1."""
    ratio, power, total, number = z3.Reals("ratio power total number")
    small = [ratio > 0, ratio <= 1, power > 0, power <= 1, number >= 1]
    grown = [total <= leak(number, ratio), total + power * ratio > leak(number + 1, ratio)]
    require_no_numbers([*small, *grown], "one key more adds more than the bound grows by")


def _met(leak: Leak) -> None:
    """Attained by K − 1 keys at distance 1, so a smaller bound is false."""
    require_zero(leak(keys, q) - (keys - 1) * q, "keys at distance 1 weigh (K−1)·q; the bound differs")


def _counted(leak: Leak) -> None:
    """All multisets of keys of 3 bits with one match, as polynomials in q at q = 1/7."""
    codes = [code for code in product((0, 1), repeat=BITS) if any(code)]
    for size in range(MOST_KEYS):
        said = leak(size + 1, SEVENTH)
        for chosen in combinations_with_replacement(codes, size):
            leaked = sum(SEVENTH ** sum(code) for code in chosen)
            require(leaked <= said, f"{size + 1} keys leak {leaked}, the bound says {said}")


def _at_most_three(number: Any, ratio: Any) -> Any:
    """As for distinct keys of 3 bits: no more than 3 are at distance 1."""
    if isinstance(number, z3.ArithRef):
        return z3.If(number - 1 < 3, number - 1, 3) * ratio
    return sp.Min(number - 1, 3) * ratio


STATEMENT = Statement(
    id="S2.repeated",
    title="leakage of keys that repeat",
    latex=r"\sum_{j\ne j^*}e^{-2\tau d_H(c_j,c^*)}\le(\#{\rm keys}-1)\,e^{-2\tau}",
    english="All keys other than the one match, repeated or not, together weigh at most (#keys − 1)·e^{-2τ} times the "
    "match.",
    subject=union_bound,
    check=Steps(
        "every K, b, τ ≥ 0",
        (
            Step("a match alone", _match_alone),
            Step("one key more", _one_key_more),
            Step("the bound is attained", _met),
            Step("multisets of 3-bit keys", _counted),
        ),
        {
            "what one key weighs": "By S1 a key at distance h ≥ 1 weighs q^h = q^{h-1}·q matches, and q^{h-1} ≤ 1 "
            "because τ ≥ 0.",
            "induction over the keys": "The bound holds for the match alone and for one key more, so for any number.",
        },
    ),
    twins={
        "one key less": lambda number, ratio: (number - 2) * ratio,
        "a distance of 2": lambda number, ratio: (number - 1) * ratio * ratio,
        "as for distinct keys of 3 bits": _at_most_three,
    },
    rests_on=("S1",),
    hypotheses=(
        Hypothesis("τ ≥ 0, so that q = e^{-2τ} is at most 1", lambda held: held[0] >= 0, outside=(-1, (0, 1, 1))),
        Hypothesis("one key matches", lambda held: held[1].count(0) == 1, outside=(1, (1, 2))),
    ),
    witness=(1, (0, 1, 1, 2)),
)
"""The witness: τ, and the distances of all keys."""
