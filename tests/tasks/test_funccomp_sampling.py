from __future__ import annotations

from itertools import islice, pairwise
from typing import Any

import numpy as np
import pytest
from funccomp_cases import SIZES, TINY, oracle_hops, quick, small_sizes
from hypothesis import given
from hypothesis import strategies as st

from separation.files import InputError
from separation.tasks.funccomp import Sizes, enumerate_inputs, enumerate_token_ids, sample, samples, token_ids


@quick
@given(small_sizes, st.integers(0, 2**64))
def test_a_seed_fixes_the_sample(sizes: Sizes, seed: int) -> None:
    assert sample(sizes, seed) == sample(sizes, seed)
    assert list(samples(sizes, seed, 3)) == list(samples(sizes, seed, 5))[:3]
    assert next(samples(sizes, seed, 1)) == sample(sizes, seed)


def test_seeds_differ() -> None:
    assert len({sample(Sizes(8, (8,)), seed) for seed in range(20)}) == 20


def test_samples_are_uniform() -> None:
    """Every one of the 128 inputs turns up about as often as any other: a χ² of 127 degrees, 5 deviations wide."""
    sizes, count = Sizes(2, (1, 1)), 6400
    seen: dict[Any, int] = {}
    for instance in samples(sizes, 7, count):
        seen[instance] = seen.get(instance, 0) + 1
    expected = count / sizes.count_inputs()
    assert len(seen) == sizes.count_inputs() == 128
    assert sum((times - expected) ** 2 / expected for times in seen.values()) < 127 + 5 * (2 * 127) ** 0.5


@pytest.mark.parametrize(
    ("seed", "count", "text"),
    [
        (-1, 1, "seed is -1; allowed are 0 and above"),
        (None, 1, "seed is None; an integer is needed"),
        (0, -1, "count is -1; allowed are 0 and above"),
    ],
)
def test_samples_refuse(seed: Any, count: Any, text: str) -> None:
    with pytest.raises(InputError) as caught:
        list(samples(Sizes(2, ()), seed, count))
    assert str(caught.value) == text


def test_huge_sizes_are_refused_before_anything_is_drawn() -> None:
    with pytest.raises(InputError, match="inputs of at most 16777216 are built"):
        sample(Sizes(2**40, (2**40,)), 0)


@pytest.mark.parametrize("sizes", TINY)
def test_all_inputs_once_in_order(sizes: Sizes) -> None:
    ids = [tuple(token_ids(instance).tolist()) for instance in enumerate_inputs(sizes)]
    assert len(ids) == sizes.count_inputs()
    assert all(before < after for before, after in pairwise(ids))


@pytest.mark.parametrize("block", [1, 7, 10**6])
@pytest.mark.parametrize("sizes", TINY[:4])
def test_blocks_hold_the_same_inputs(sizes: Sizes, block: int) -> None:
    given = list(enumerate_inputs(sizes))
    blocks = list(enumerate_token_ids(sizes, block))
    ids, answers = (np.concatenate(part) for part in zip(*blocks, strict=True))
    assert all(len(rows) == block for rows, _ in blocks[:-1])
    assert ids.tolist() == [token_ids(instance).tolist() for instance in given]
    assert answers.tolist() == [oracle_hops(instance)[-1] for instance in given]


def test_a_million_inputs_in_blocks() -> None:
    sizes = Sizes(2, (3,))
    total = sum(len(ids) for ids, _ in enumerate_token_ids(sizes, 2**16))
    assert total == sizes.count_inputs() == 2 * 3 * 2**2 * 6**6


@pytest.mark.parametrize("sizes", SIZES)
def test_the_beginning_is_lazy(sizes: Sizes) -> None:
    assert len(set(islice(enumerate_inputs(sizes), 8))) == 8


def test_blocks_refuse() -> None:
    with pytest.raises(InputError, match="block is 0; allowed are 1 and above"):
        next(enumerate_token_ids(Sizes(2, ()), 0))
    with pytest.raises(InputError, match="the number of inputs has 69 bits; at most 62 are enumerated in blocks"):
        next(enumerate_token_ids(Sizes(16, ()), 1))
