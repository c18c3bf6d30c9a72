"""The lemmas of the theory: their helpers by counting, and twins that are false, not merely out of a check's reach."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import z3

from proofs_checks import CheckFailed, all_statements, statement
from proofs_checks.kit.book import capped, claims_below, dependency_graph
from proofs_checks.kit.solvers import require_implied
from proofs_checks.kit.statement import Status
from proofs_checks.statements.m2 import by_a_fixed_shift, by_the_largest_score
from proofs_checks.statements.t_d_criterion import _partitions
from proofs_checks.statements.t_forty import Claim, certificate
from proofs_checks.statements.t_golden_sizes import Schedule
from proofs_checks.statements.t_small import Machine, look_up_weights
from separation.arithmetic import attention_weights
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


def test_partitions_are_counted_by_bell_numbers() -> None:
    sequences = [(value,) for value in range(1, 6)]
    counts = [len(set(_partitions(sequences[:size]))) for size in range(6)]
    assert counts == [1, 1, 2, 5, 15, 52]


def test_at_forty_tokens_the_arithmetic_model_has_longer_messages_than_eight_bits() -> None:
    """The docs say so: the certificate is about messages of 8 bits, whatever sends them."""
    assert Message(heads=1, dim=1, bits=1, score_bits=0).beta(ceil_log2(40)) == 14
    assert check_certificate(certificate(Claim())).ok
    refused = check_certificate(certificate(Claim(beta=9)))
    assert "(F)" in refused.message


def test_the_solved_prompt_is_longer_than_the_hard_one() -> None:
    pair = statement("t_unordered").subject
    assert pair.hard.tokens() == 50_143
    assert pair.solved.length == 50_146
    assert pair.message.beta(ceil_log2(pair.solved.length)) == pair.beta
    assert np.log2(pair.solved.N[1]) < pair.message.bits


def test_a_query_that_supposes_what_cannot_be_proves_nothing() -> None:
    n = z3.Int("n")
    require_implied([n > 1], n > 0, "positive")
    with pytest.raises(CheckFailed, match="positive: nothing satisfies what is supposed"):
        require_implied([n > 1, n < 1], n > 0, "positive")
    with pytest.raises(CheckFailed, match=r"positive: \[n = 0\]"):
        require_implied([n >= 0, n < 2], n > 0, "positive")


def test_float16_does_what_z3_says_of_it() -> None:
    first, second, weight = np.float16(2048), np.float16(1), np.float16(1)
    assert first + (second + weight) == 2050
    assert (first + second) + weight == 2048


def test_parts_with_their_own_largest_score_do_not_add_up() -> None:
    """Of the scores 0 | 2: with a fixed shift the totals of both parts add up, with the largest of each they do not."""
    parts, whole = ([0], [2]), [0, 2]
    assert sum(sum(by_a_fixed_shift(part)) for part in parts) == sum(by_a_fixed_shift(whole))
    assert sum(sum(by_the_largest_score(part)) for part in parts) == 512
    assert sum(by_the_largest_score(whole)) == 256 + int(attention_weights(np.array([-2]), 1, Fraction(0), 8)[0])


def test_the_theorems_rest_on_the_lemma_and_not_on_its_run() -> None:
    graph = dependency_graph(all_statements())
    for theorem in ("T.A", "T.B", "T.depth"):
        below = claims_below(graph, theorem)
        assert {"M1", "M2"} <= below
        assert "M2.run" not in below
    # If the lemma were only tested, so would be all that is said of models.
    statuses = capped(graph, {node: Status.TESTED if node == "M2" else Status.BY_MACHINE for node in graph})
    assert {node for node, status in statuses.items() if status is Status.TESTED} >= {"M2", "T.A", "T.B", "T.depth"}
