"""Every type of head with numbers by hand: rounding, empty sums, writing and forgetting, blocks, large numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hand_heads import Number, Step, delta, linear, outs, recurrent, sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_recurrences import CONSTANTS, INPUTS, size_of
from random_models import fractions_of
from run_cases import SOURCE, one_head, outputs

from separation.arithmetic import Precision, PrecisionOverflow
from separation.models import INTERVALS, DeltaAttention, blank_recurrent_head, run
from separation.recurrences import FAMILIES

F = Fraction
PRECISION = Precision(8, 9, 3)

# Full attention


def test_averages_are_rounded_down_and_nothing_is_0() -> None:
    """By hand; other numbers are compared with the naive evaluator in test_run.py."""
    assert outputs(one_head([-1, -1, 0], Precision(8, 30, 2))) == F(-3, 4)
    assert outputs(one_head([-5, -5], Precision(8, 30, 2), shift=9)) == 0  # exp(−9)·2^8 < 1: no key has any weight
    assert outputs(linear([F(1, 3), F(2, 3)], [0, 1], Precision(8, 30, 3), normalised=True)) == F(5, 8)
    assert outputs(linear([-1, 0, -5], [7, 7, 7], Precision(8, 30, 3), normalised=True)) == 0


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


def test_a_key_is_written_read_and_overwritten() -> None:
    write: list[Step] = [(1, 1, 1, 0, 5), (1, 1, 0, 1, 7), (1, 0, 1, 0, 9), (1, 1, 1, 0, -2)]
    assert outs(delta(write, PRECISION)) == [5, 5, 5, -2]
    assert outs(delta(write, PRECISION, query=(0, 1))) == [0, 7, 7, 7]
    assert outs(delta(write, PRECISION, query=(1, F(1, 2)))) == [5, F(17, 2), F(17, 2), F(3, 2)]
    half: Step = (1, F(1, 2), 1, 0, 8)
    assert outs(delta([half, half], PRECISION)) == [4, 6]


@settings(max_examples=30)
@given(st.lists(st.tuples(*[large] * 5), min_size=1, max_size=5), st.sampled_from([0, 5, 70]))
def test_the_delta_rule_with_numbers_of_any_size(steps: list[Step], fraction: int) -> None:
    outs(delta(steps, Precision(8, 9000, fraction)))


def test_idle_tokens_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """β = 0 and α = 1 in every prompt of the batch: the state is not touched."""
    touched: list[int] = []
    step = DeltaAttention._step

    def counted(self: DeltaAttention, *arguments: object) -> None:
        touched.append(1)
        step(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(DeltaAttention, "_step", counted)
    steps: list[Step] = [(1, 0, 3, 3, 3)] * 50
    for place in (7, 31):
        steps[place] = (1, 1, 1, 0, place)
    (found,) = fractions_of(run(delta(steps, PRECISION), np.zeros(50, dtype=np.int64)))
    assert (found[-1], len(touched)) == (31, 2)


# Block-sparse attention

VALUES: list[Number] = [1, 2, 4, 8, 16, 32, 64]
ZEROS: list[Number] = [0] * 7


@pytest.mark.parametrize(
    ("block", "opened", "summary", "counts", "sums"),
    [
        # All score 0; a summary has the value 0 and weighs 1.
        (3, 0, (0, 0), [1, 2, 3, 2, 3, 4, 3], [1, 3, 7, 8, 24, 56, 64]),
        # A summary has the value of its block's first token.
        (3, 0, (0, 1), [1, 2, 3, 2, 3, 4, 3], [1, 3, 7, 1 + 8, 1 + 24, 1 + 56, 1 + 8 + 64]),
        # Of equals the earlier block is opened.
        (2, 1, (0, 0), [1, 2, 4, 5, 5, 6, 6], [1, 3, 3 + 4, 3 + 12, 3 + 16, 3 + 48, 3 + 64]),
        # No more blocks are opened than there are.
        (2, 9, (0, 0), [1, 2, 4, 5, 7, 8, 10], [1, 3, 7, 15, 31, 63, 127]),
        # Blocks of one token: everything is read as a summary.
        (1, 0, (1, 1), [1, 2, 3, 4, 5, 6, 7], [1, 3, 7, 15, 31, 63, 127]),
    ],
)
def test_which_tokens_are_read(block: int, opened: int, summary: Any, counts: list[int], sums: list[int]) -> None:
    """Of distinct powers of two, from their mean over ``counts``."""
    found = outs(sparse(ZEROS, VALUES, block, opened, summary=summary))
    assert [round(mean * count) for mean, count in zip(found, counts, strict=True)] == sums


def test_the_block_whose_summary_scores_highest_is_opened() -> None:
    # Token 2 scores −1 by itself, and the summary of its block, block 1, scores 1: the shift, and more than the others.
    keys = [0, 0, -1, 0, 0, 0, 0]
    # No token scores the shift; the summary of block 1 does, and its value is 0: the mean is 0.
    assert outs(sparse(keys, VALUES, 2, 1, summary=(-1, 0), shift=1)) == [0] * 7
    model = sparse(keys, VALUES, 2, 1, summary=(-1, 0), shift=1, precision=Precision(20, 60, 40))
    outs(model)
    look = run(model, np.zeros(7, dtype=np.int64)).looks[0]
    assert look.positions.tolist() == [3], "block 1 was opened; its token 3 and the own token 6 weigh the same"


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


def test_states_are_rounded_down_after_every_token() -> None:
    """RetNet with γ = 1/2 and f = 1: 3/2 → 3/4 ↓ 1/2 → 1/4 ↓ 0; −3/2 → −3/4 ↓ −1 → −1/2."""
    fading = [[1, 1, F(3, 2)], [1, 0, 0], [1, 0, 0], [1, 1, F(-3, 2)], [1, 0, 0], [1, 0, 0]]
    found = outs(recurrent("retnet", fading, Precision(8, 9, 1), (F(1, 2),)))
    assert found == [F(3, 2), F(1, 2), 0, F(-3, 2), -1, F(-1, 2)]


def test_a_quotient_by_0_is_0() -> None:
    assert outs(recurrent("linear-normalised", [[1, 0, 5], [1, 1, 5], [0, 1, 5]], Precision(8, 9, 1))) == [0, 5, 0]
    # n is rounded down to 0 and S is not: the numerator alone is left.
    assert outs(recurrent("linear-normalised", [[1, F(1, 8), 40]], Precision(8, 9, 1))) == [0]
    # All weights of the window are below 1: P = 0 and scores below the shift d_k = 1.
    assert outs(recurrent("sliding-window", [[1, 1, 5], [1, 0, 5]], Precision(0, 9, 1))) == [5, 0]


@pytest.mark.parametrize("family", FAMILIES)
def test_shapes_and_state_entries(family: str) -> None:
    count = 3 if family in ("sliding-window", "delta-product") else 1
    head, sizes = blank_recurrent_head(family, 2, 5, count), {"k": 2, "v": 5, "n": count}
    rows = sum(size_of([sizes[d] for d in shape]) for _, shape, _ in INPUTS[family])
    fixed = sum(size_of([sizes[d] for d in shape]) for _, shape in CONSTANTS.get(family, []))
    assert head.shapes(7) == {"w_x": (rows, 7), "b_x": (rows, 1), "b_c": (fixed, 1), "w_o": (7, 5)}
    entries = {"linear-normalised": 12, "mlstm": 12, "sliding-window": 21, "rnn": 5}.get(family, 10)
    assert head.state_entries == entries
    assert [part.name for part in head.inputs] == [name for name, _, _ in INPUTS[family]]


def test_every_domain_has_an_interval() -> None:
    used = {kind.domain for family in FAMILIES.values() for kind in family.inputs.values()}
    assert used == {*INTERVALS, "window"}
