"""The lemmas of the theory: their helpers by counting, and twins that are false, not merely out of a check's reach."""

from __future__ import annotations

import pytest

from proofs_checks.statements.t_sizes import Claim, Schedule, certificate
from separation.bounds import Message, Rule, ceil_log2, least_golden
from separation.proving.kernel import check_certificate


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
