"""Every type of head with numbers by hand: rounding, empty sums, writing and forgetting, blocks, large numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hand_heads import Number, Step, delta, linear, outs, sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from random_models import fractions_of
from run_cases import SOURCE, one_head, outputs

from separation.arithmetic import Precision, PrecisionOverflow
from separation.models import run

F = Fraction

# Full attention


@settings(max_examples=60)
@given(
    st.sampled_from([3, 2**43, 2**45 + 1, 2**62, 2**63, 2**90]),
    st.sampled_from([0, 20, 30, 60, 62, 63, 64, 100]),
    st.sampled_from([0, 5, 61, 62, 63, 64, 200]),
    st.sampled_from([1, 31, 60, 62, 63, 100]),
    st.sampled_from([1, 1 << 22]),
)
def test_no_denominator_weight_value_or_grid_wraps(
    denominator: int, power: int, fraction: int, bits: int, entries: int
) -> None:
    """Sums go up to 3·2^(P+p), 2^f and denominators past int64; the last token's own stream is integral."""
    fine = Precision(power, fraction + 30, fraction)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SOURCE, "BLOCK_ENTRIES", entries)
        values: list[Number] = [F(denominator + 1, denominator), F(-1, denominator), 1]
        assert outputs(one_head(values, fine)) == F(2 * 2**fraction // 3, 2**fraction)
        tiny = F(1, denominator << fraction)
        assert outputs(one_head([tiny, tiny, 0], fine)) == 0
        assert outputs(one_head([-tiny, 0, 0], fine)) == -F(1, 2**fraction)
        largest = 2**bits
        assert outputs(one_head([largest] * 3, Precision(power, bits, 0))) == largest
        assert outputs(one_head([-largest, largest, -largest], Precision(power, bits, 0))) == -largest // 3


# Linear attention


large = st.fractions(-3, 3, max_denominator=4).flatmap(
    lambda x: st.sampled_from([x, x * 2**61, x / 2**80, x * F(2**70, 3)])
)


@settings(max_examples=40)
@given(st.lists(st.tuples(large, large), min_size=1, max_size=6), st.booleans(), st.sampled_from([1, 16, 1 << 20]))
def test_linear_attention_with_numbers_of_any_size(pairs: list[Any], normalised: bool, entries: int) -> None:
    keys, values = ([pair[place] for pair in pairs] for place in (0, 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SOURCE, "BLOCK_ENTRIES", entries)
        outs(linear(keys, values, Precision(8, 4000, 3), normalised, query=F(2, 3)))


# The gated delta rule


@settings(max_examples=30)
@given(st.lists(st.tuples(*[large] * 5), min_size=1, max_size=5), st.sampled_from([0, 5, 70]))
def test_the_delta_rule_with_numbers_of_any_size(steps: list[Step], fraction: int) -> None:
    outs(delta(steps, Precision(8, 9000, fraction)))


# Block-sparse attention

VALUES: list[Number] = [1, 2, 4, 8, 16, 32, 64]


def test_scores_of_summaries_are_compared_exactly() -> None:
    # The summaries of blocks 0 and 1 differ by 2^-70, far below 2^-f and any float64.
    for better, block in ((-F(1, 2**70), 1), (F(1, 2**70), 0)):
        model = sparse([F(-1, 3) + better, 0, F(-1, 3), 0, 0], VALUES[:5], 2, 1, summary=(1, 0))
        outs(model)
        (look,) = run(model, np.zeros(5, dtype=np.int64)).looks
        assert look.positions.tolist() == [2 * block + 1]


def test_scores_above_the_shift_count_only_where_they_are_read() -> None:
    # Token 1 scores 5, above the shift: only block 0 knows it, and block 0 stays closed from token 4 on.
    model = sparse([-1, 5, 0, 0, 0], VALUES[:5], 2, 1, summary=(1, 0))
    (found,) = fractions_of(run(model, np.zeros(5, dtype=np.int64)))
    assert found[-1] == F(1024 * (4 + 8 + 16) // 4, 1024)
    for count in (2, 3, 4):
        with pytest.raises(PrecisionOverflow, match=r"^layer 1: a score of 5 is above the head's shift 0$"):
            run(model, np.zeros(count, dtype=np.int64))


@settings(max_examples=6)
@given(st.lists(st.tuples(st.integers(-9, 0), st.integers(-9, 0)), min_size=20, max_size=30), st.sampled_from([1, 20]))
def test_long_prompts_in_small_blocks(pairs: list[tuple[int, int]], entries: int) -> None:
    keys, values = ([F(pair[place], 4) for pair in pairs] for place in (0, 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SOURCE, "BLOCK_ENTRIES", entries)
        outputs(sparse(keys, values, 4, 2, Precision(12, 40, 8), summary=(F(1, 3), F(2, 5))))


# Recurrences
