"""What statements of sizes, papers and the theory lean on: helpers by counting, and the calculator beside them."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_checks.kit.formulas import half_ln
from proofs_checks.statements import p as papers
from proofs_checks.statements.t_sizes import Claim, Schedule, certificate
from separation.bounds import Message, Rule, ceil_log2, least_golden, theorem_d
from separation.proving.kernel import check_certificate


@given(size=st.integers(1, 2**70))
def test_half_a_logarithm_is_exact(size: int) -> None:
    half = half_ln(size)
    assert sp.exp(2 * half) >= size
    assert half == 0 or sp.exp(2 * (half - 1)) < size


@given(product_=st.integers(1, 50), tokens=st.integers(1, 10**9), roots=st.integers(0, 6))
def test_a_regime_is_a_power_of_integers(product_: int, tokens: int, roots: int) -> None:
    assert papers.inside(product_, tokens, roots) == (product_ ** (1 << roots) <= tokens)


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


@pytest.mark.parametrize(("rule", "L", "beta"), [(Rule.A, 2, 8), (Rule.A, 3, 8), (Rule.B, 2, 5), (Rule.B, 3, 40)])
def test_the_proved_constant_is_no_smaller_than_the_least_one(rule: Rule, L: int, beta: int) -> None:
    least = least_golden(rule, L, beta, (0, *(1,) * (L - 1 + rule.more_layers)))
    assert least.constant <= Schedule().constant(L)


def test_at_forty_tokens_the_arithmetic_model_has_longer_messages_than_eight_bits() -> None:
    """The docs say so: the certificate is about messages of 8 bits, whatever sends them."""
    assert Message(heads=1, dim=1, bits=1, score_bits=0).beta(ceil_log2(40)) == 14
    assert check_certificate(certificate(Claim())).ok
    refused = check_certificate(certificate(Claim(beta=9)))
    assert "(F)" in refused.message
