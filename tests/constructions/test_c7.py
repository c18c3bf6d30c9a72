"""C7: what summaries and heads are; how many blocks may be opened."""

from __future__ import annotations

from dataclasses import replace

from construction_changes import (
    count_wrong,
    proof_of,
    with_every_head,
    with_layer,
)
from test_c_twins import both_heads_of_one_offset, compressor_that_takes_the_mean

from constructions.c7 import build, most_keys, opened_by_head
from proofs_checks.kit.measurements import summary_bits
from separation.arithmetic import ExactMatrix
from separation.tasks.shape import bit_count
from separation.tasks.two_sum import TwoSumSizes

Case = tuple[int, int, int, int]
"""n, M, B, k."""

TINY: list[Case] = [(1, 3, 1, 0), (7, 3, 3, 5), (2, 5, 4, 1), (3, 9, 8, 2)]
SMALL = TwoSumSizes(5, 5)
"""Every one of its 1,024 inputs is run, in blocks of 2 of which none is opened."""


def test_a_block_is_summarised_in_its_own_bits() -> None:
    for length, modulus, block, opened in TINY:
        model = build(TwoSumSizes(length, modulus), block, opened).model
        assert summary_bits(model) == block * bit_count(modulus)


def test_blocks_are_opened_by_the_first_heads_first_and_keys_are_counted() -> None:
    assert opened_by_head(4, 0) == [0, 0, 0, 0]
    assert opened_by_head(4, 1) == [1, 0, 0, 0]
    assert opened_by_head(4, 10) == [3, 3, 2, 2]
    assert opened_by_head(1, 3) == [3]
    assert most_keys(8, 4, 1) == 1 + 4 + 4
    assert most_keys(9, 4, 0) == 2 + 4
    assert most_keys(3, 4, 0) == 4
    assert most_keys(7, 1, 0) == 7


def test_few_score_bits_are_enough() -> None:
    assert proof_of(build(SMALL, 2, 1, score_bits=0)).ok
    assert count_wrong(build(SMALL, 2, 1, score_bits=0)) == 0
    assert not proof_of(build(SMALL, 2, 1, bits=7)).ok


def test_another_order_of_the_heads_is_as_good() -> None:
    """Which head has which offset does not matter, as long as all offsets occur."""
    whole = build(SMALL, 2, 0)
    first, second = whole.model.layers[0].heads
    swapped = with_layer(
        whole,
        0,
        heads=(
            replace(first, c_k=second.c_k, c_v=second.c_v),  # type: ignore[union-attr]
            replace(second, c_k=first.c_k, c_v=first.c_v),  # type: ignore[union-attr]
        ),
    )
    assert proof_of(swapped).ok
    assert count_wrong(swapped) == 0


def test_heads_that_open_more_blocks_than_the_leak_allows_are_rejected() -> None:
    sizes = TwoSumSizes(2000, 65537)
    assert proof_of(build(sizes, 2, 0)).ok
    assert not proof_of(with_every_head(build(sizes, 2, 0), opened=2**20)).ok


def test_summary_bits_count_what_is_read_and_count_it_once() -> None:
    whole = build(SMALL, 2, 0)
    assert summary_bits(compressor_that_takes_the_mean(whole).model) == SMALL.code_bits
    assert summary_bits(both_heads_of_one_offset(whole).model) == SMALL.code_bits
    nothing = ExactMatrix.zeros(*whole.model.layers[0].heads[0].c_k.shape)  # type: ignore[union-attr]
    assert summary_bits(with_every_head(whole, c_k=nothing, c_v=nothing).model) == 0
    mirror = whole.model.layers[0].heads[0].w_q
    assert summary_bits(with_every_head(whole, w_v=mirror).model) == 2 * 2 * SMALL.code_bits
