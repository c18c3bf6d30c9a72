"""The lemmas of the theory: their helpers by counting, and twins that are false, not merely out of a check's reach."""

from __future__ import annotations

from itertools import product

import pytest

from proofs_checks.statements.t_sizes import Claim, Schedule, certificate
from proofs_checks.statements.t_unordered import Machine, look_up_weights
from separation.bounds import Message, Rule, ceil_log2, least_golden
from separation.proving.kernel import check_certificate
from separation.tasks.funccomp import Instance, Sizes


@pytest.mark.parametrize(("rule", "L", "beta"), [(Rule.A, 2, 8), (Rule.A, 3, 8), (Rule.B, 2, 5), (Rule.B, 3, 40)])
def test_the_proved_constant_is_no_smaller_than_the_least_one(rule: Rule, L: int, beta: int) -> None:
    least = least_golden(rule, L, beta, (0, *(1,) * (L - 1 + rule.more_layers)))
    assert least.constant <= Schedule().constant(L)


@pytest.mark.parametrize("tokens", [4, 8, 37, 50_146])
def test_a_look_up_without_score_bits_weighs_the_match_alone(tokens: int) -> None:
    table = tokens - 2
    for address in {0, 1, table // 2, table - 1}:
        weights = look_up_weights(address, table, tokens)
        assert weights[address] == 1
        assert weights.sum() == 1


def test_the_state_of_the_small_machine_is_the_table_then_its_entry() -> None:
    machine = Machine()
    for table in product(range(3), repeat=3):
        for start in range(3):
            instance = Instance(Sizes(3, (1,)), start, [list(table), [0, 1, 2]], (0,))
            assert machine.state_at_query(instance) == table[start]
    assert machine.state_bits(Sizes(3, (1,))) == 6


def test_at_forty_tokens_the_arithmetic_model_has_longer_messages_than_eight_bits() -> None:
    """The docs say so: the certificate is about messages of 8 bits, whatever sends them."""
    assert Message(heads=1, dim=1, bits=1, score_bits=0).beta(ceil_log2(40)) == 14
    assert check_certificate(certificate(Claim())).ok
    refused = check_certificate(certificate(Claim(beta=9)))
    assert "(F)" in refused.message
