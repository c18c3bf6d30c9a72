"""The papers' statements: their regimes, what of them follows from ours, and twins that the calculator refutes too."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_checks.statements import p_cited
from separation.bounds import (
    theorem_d,
)


@given(product_=st.integers(1, 50), tokens=st.integers(1, 10**9), roots=st.integers(0, 6))
def test_a_regime_is_a_power_of_integers(product_: int, tokens: int, roots: int) -> None:
    assert p_cited.inside(product_, tokens, roots) == (product_ ** (1 << roots) <= tokens)


@given(
    n=st.integers(2, 200),
    c=st.sampled_from([Fraction(1, 3), Fraction(1), Fraction(5, 2)]),
    share=st.integers(1, 100),
    opened=st.integers(0, 20),
    more=st.integers(0, 20),
)
@settings(max_examples=80)
def test_theorem_d_in_round_numbers(n: int, c: Fraction, share: int, opened: int, more: int) -> None:
    block = max(1, n // 2 * share // 100)
    u = 2
    while u**c.denominator < n ** int((1 + c) * c.denominator):
        u *= 2
    values = theorem_d(u + 1, block, opened, max(1, 2 * opened + more)).values
    assert values**c.denominator >= n ** (c.numerator * block)
