"""Block-sparse attention by hand: which blocks are opened, what is read of them, and of the own one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from random_models import batch, fractions_of, naive_logits
from run_cases import SOURCE, with_rows

from separation.arithmetic import ExactMatrix, Precision, PrecisionOverflow
from separation.models import Head, Model, SparseHead, run

Number = Fraction | int
PRECISION = Precision(0, 60, 10)


def sparse(
    keys: list[Number],
    values: list[Number],
    block: int,
    opened: int,
    precision: Precision = PRECISION,
    summary: tuple[Number, Number] = (0, 0),
    shift: Number = 0,
) -> Model:
    """Stream one ⊕ (key, value) ⊕ out; q = 1. A summary's key and value are those of the block's first token, scaled.

    With P = 0 a token weighs 1 if it scores the shift, else 0.
    """
    first = [[summary[0], *[0] * (block - 1)]], [[summary[1], *[0] * (block - 1)]]
    head = SparseHead(
        w_q=ExactMatrix.from_rows([[1, 0, 0, 0]]),
        w_k=ExactMatrix.from_rows([[0, 1, 0, 0]]),
        w_v=ExactMatrix.from_rows([[0, 0, 1, 0]]),
        c_k=ExactMatrix.from_rows(first[0]),
        c_v=ExactMatrix.from_rows(first[1]),
        w_o=ExactMatrix.from_rows([[0], [0], [0], [1]]),
        shift=Fraction(shift),
        block=block,
        opened=opened,
    )
    rows = [[1, key, value, 0] for key, value in zip(keys, values, strict=True)]
    return with_rows(rows, precision, head)


def outs(model: Model) -> list[Fraction]:
    """What the head wrote at every token, by run() and by the naive evaluator alike."""
    tokens = model.positions.height
    ids = np.zeros((1, tokens), dtype=np.int64)
    rows = fractions_of(run(model, ids, every_row=True))
    for count in range(1, tokens + 1):
        (wanted,) = naive_logits(model, [[0] * count])
        assert rows[count - 1] == wanted == fractions_of(run(model, ids[:, :count]))[0]
    return [row[-1] for row in rows]


VALUES: list[Number] = [1, 2, 4, 8, 16, 32, 64]
ZEROS: list[Number] = [0] * 7


def sums(found: list[Fraction], counts: list[int]) -> list[int]:
    """Of distinct powers of two, from their mean over ``counts``: which tokens were read."""
    return [round(mean * count) for mean, count in zip(found, counts, strict=True)]


def test_nothing_opened_leaves_the_own_block_and_the_summaries() -> None:
    # All score 0; a summary has the value 0 and weighs 1.
    found = outs(sparse(ZEROS, VALUES, block=3, opened=0))
    assert sums(found, [1, 2, 3, 2, 3, 4, 3]) == [1, 3, 7, 8, 24, 56, 64]
    # Now a summary has the value of its block's first token.
    closed = outs(sparse(ZEROS, VALUES, block=3, opened=0, summary=(0, 1)))
    assert sums(closed, [1, 2, 3, 2, 3, 4, 3]) == [1, 3, 7, 1 + 8, 1 + 24, 1 + 56, 1 + 8 + 64]


def test_of_equals_the_earlier_block_is_opened() -> None:
    found = outs(sparse(ZEROS, VALUES, block=2, opened=1))
    assert sums(found, [1, 2, 4, 5, 5, 6, 6]) == [1, 3, 3 + 4, 3 + 12, 3 + 16, 3 + 48, 3 + 64]


def test_the_block_whose_summary_scores_highest_is_opened() -> None:
    # Token 2 scores −1 by itself, and the summary of its block, block 1, scores 1: the shift, and more than the others.
    keys: list[Number] = [0, 0, -1, 0, 0, 0, 0]
    model = sparse(keys, VALUES, block=2, opened=1, summary=(-1, 0), shift=1)
    # No token scores the shift; the summary of block 1 does, and its value is 0: the mean is 0.
    assert outs(model) == [0] * 7
    model = sparse(keys, VALUES, block=2, opened=1, summary=(-1, 0), shift=1, precision=Precision(20, 60, 40))
    look = run(model, np.zeros(7, dtype=np.int64)).looks[0]
    outs(model)
    assert look.positions.tolist() == [3], "block 1 was opened; its token 3 and the own token 6 weigh the same"


def test_no_more_blocks_are_opened_than_there_are() -> None:
    everything = outs(sparse(ZEROS, VALUES, block=2, opened=9, summary=(0, 0)))
    assert sums(everything, [1, 2, 4, 5, 7, 8, 10]) == [1, 3, 7, 15, 31, 63, 127]


@pytest.mark.parametrize("block", [7, 8, 100])
def test_a_block_as_long_as_the_prompt_is_full_attention(block: int) -> None:
    keys: list[Number] = [0, -1, Fraction(-1, 2), 0, -2, 0, -1]
    model = sparse(keys, VALUES, block=block, opened=1, precision=Precision(20, 60, 10), summary=(5, 5))
    (layer,) = model.layers
    (head,) = layer.heads
    assert isinstance(head, SparseHead)
    full = Head(head.w_q, head.w_k, head.w_v, head.w_o, head.shift)
    assert outs(model) == outs(replace(model, layers=(replace(layer, heads=(full,)),)))


def test_blocks_of_one_token_read_everything_as_summaries() -> None:
    model = sparse(ZEROS, VALUES, block=1, opened=0, summary=(1, 1))
    assert sums(outs(model), list(range(1, 8))) == [1, 3, 7, 15, 31, 63, 127]


def test_scores_are_compared_exactly() -> None:
    # The summaries of blocks 0 and 1 differ by 2^-70, far below 2^-f and any float64.
    tiny = Fraction(1, 2**70)
    for better, block in ((-tiny, 1), (tiny, 0)):
        keys: list[Number] = [Fraction(-1, 3) + better, 0, Fraction(-1, 3), 0, 0]
        model = sparse(keys, VALUES[:5], block=2, opened=1, summary=(1, 0))
        outs(model)
        (look,) = run(model, np.zeros(5, dtype=np.int64)).looks
        assert look.positions.tolist() == [2 * block + 1]


def test_scores_above_the_shift_count_only_where_they_are_read() -> None:
    # Token 1 scores 5, above the shift: only block 0 knows it, and block 0 stays closed from token 4 on.
    keys: list[Number] = [-1, 5, 0, 0, 0]
    model = sparse(keys, VALUES[:5], block=2, opened=1, summary=(1, 0))
    (found,) = fractions_of(run(model, np.zeros(5, dtype=np.int64)))
    assert found[-1] == Fraction(1024 * (4 + 8 + 16) // 4, 1024)
    for count in (2, 3, 4):
        with pytest.raises(PrecisionOverflow, match=r"^layer 1: a score of 5 is above the head's shift 0$"):
            run(model, np.zeros(count, dtype=np.int64))


@pytest.mark.parametrize("name", ["c_k", "c_v"])
@pytest.mark.parametrize("sign", [1, -1])
def test_summaries_are_checked(name: str, sign: int) -> None:
    limit = 2**6
    precision = Precision(8, 9, 3)
    ones: list[Number] = [1] * 5
    for size, fits in ((limit, True), (limit + Fraction(1, 100), False)):
        model = sparse([-1] * 5, ones, 2, 1, precision, shift=limit)
        (layer,) = model.layers
        head = replace(layer.heads[0], **{name: ExactMatrix.from_rows([[0, sign * size]])})
        changed = replace(model, layers=(replace(layer, heads=(head,)),))
        # A block that nobody has before its own has no summary.
        assert fractions_of(run(changed, np.array([0, 0]))) == naive_logits(changed, [[0, 0]])
        if fits:
            assert fractions_of(run(changed, np.zeros(5, dtype=np.int64))) == naive_logits(changed, [[0] * 5])
            continue
        with pytest.raises(PrecisionOverflow, match=r"^layer 1: an activation \(summary\) needs more than p = 9 bits$"):
            run(changed, np.array([0, 0, 0]))


@pytest.mark.parametrize("entries", [1, 20, 1 << 20])
@pytest.mark.parametrize("seed", range(4))
def test_long_prompts_equal_the_naive_evaluator(seed: int, entries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SOURCE, "BLOCK_ENTRIES", entries)
    rng = np.random.default_rng(seed)
    keys, values = ([Fraction(int(n), 4) for n in rng.integers(-9, 1, 30)] for _ in range(2))
    model = sparse(keys, values, 4, 2, Precision(12, 40, 8), summary=(Fraction(1, 3), Fraction(2, 5)))
    prompt = [[0] * 30]
    for all_rows in (False, True):
        assert fractions_of(run(model, batch(prompt), all_rows=all_rows)) == naive_logits(model, prompt)
