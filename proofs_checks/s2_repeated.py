"""S2.repeated: keys may repeat: each one that does not match weighs at most e^{-2τ} matches."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement, product
from typing import Any

import sympy as sp
import z3

from proofs_checks.integers import require_no_numbers
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require

q = sp.Symbol("q", positive=True)
keys = sp.Symbol("K", integer=True, positive=True)
BITS, MOST_KEYS = 3, 4


def union_bound(number: Any) -> Any:
    """(#keys − 1)·q with q = e^{-2τ}."""
    return (number - 1) * q


def check(leak: Callable[[Any], Any]) -> Checked:
    """Keys at distances h_1, …, h_{K-1} ≥ 1 and one match: Σ q^{h_j} ≤ (K−1)·q for 0 < q ≤ 1.

    Two inductions, each step by z3 over all reals: q^{h+1} = q^h·q ≤ q if q^h ≤ q; one key more adds at most q. By S1
    a key at distance h weighs q^h matches, q = e^{-2τ} ≤ 1 as τ ≥ 0. The bound is met when all distances are 1, so a
    smaller one is false: symbolically in K. Beside: all multisets of up to 4 keys of 3 bits with one match, as
    polynomials in q at q = 1/7.
    """
    power, ratio, total, number, weight = z3.Reals("power ratio total number weight")
    small = [ratio > 0, ratio <= 1]
    require_no_numbers([*small, power <= ratio, power > 0, power * ratio > ratio], "a longer distance weighs more")
    grown = [weight <= ratio, total <= number * ratio, total + weight > (number + 1) * ratio]
    require_no_numbers([*small, *grown], "one key more adds more than q")
    rest = sp.expand(leak(keys) - (keys - 1) * q)
    require(rest == 0, f"with all keys at distance 1 they weigh (K−1)·q; the bound differs by {rest}")
    for count, leaked in _counted():
        said = leak(count).subs(q, sp.Rational(1, 7)) if count > 1 else leak(count)
        require(leaked <= said, f"{count} keys leak {leaked}, the bound says {said}")
    return Checked(
        Status.ALL_SIZES, "induction over distances and keys (z3); multisets of 3-bit keys beside", "every K, b, τ ≥ 0"
    )


def _counted() -> list[tuple[int, Any]]:
    """(#keys, what those that do not match weigh at q = 1/7) of all multisets with the match once."""
    codes = [code for code in product((0, 1), repeat=BITS) if any(code)]
    others = (chosen for size in range(MOST_KEYS) for chosen in combinations_with_replacement(codes, size))
    return [(len(chosen) + 1, sum(sp.Rational(1, 7) ** sum(code) for code in chosen)) for chosen in others]


STATEMENT = Statement(
    id="S2.repeated",
    title="leakage of keys that repeat",
    latex=r"\sum_{j\ne j^*}e^{-2\tau d_H(c_j,c^*)}\le(\#{\rm keys}-1)\,e^{-2\tau}",
    english="Keys beside one match, repeated or not, weigh together at most (#keys − 1)·e^{-2τ} matches.",
    subject=union_bound,
    check=check,
    twins={
        "one key less": lambda number: (number - 2) * q,
        "a distance of 2": lambda number: (number - 1) * q**2,
        "as for distinct keys of 3 bits": lambda number: sp.Min(number - 1, 3) * q,
    },
    rests_on=("S1",),
    hypotheses=(
        Hypothesis("τ ≥ 0, so that q = e^{-2τ} is at most 1", lambda held: held[0] >= 0, outside=(-1, (0, 1, 1))),
        Hypothesis("one key matches", lambda held: held[1].count(0) == 1, outside=(1, (1, 2))),
    ),
    witness=(1, (0, 1, 1, 2)),
)
"""The witness: τ, and the distances of all keys."""
