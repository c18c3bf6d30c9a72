from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from two_sum_cases import SIZES, TINY, oracle_outputs, quick, small_sizes

from separation.files import InputError
from separation.tasks.two_sum import (
    TwoSumInstance,
    TwoSumSizes,
    balanced_sample,
    balanced_samples,
    enumerate_inputs,
    enumerate_tokens,
    sample,
    samples,
)

Many = Callable[[TwoSumSizes, int, int], Iterator[TwoSumInstance]]


def last_output(instance: TwoSumInstance) -> int:
    return oracle_outputs(instance.x, instance.sizes.modulus)[-1]


def is_uniform(seen: Counter[TwoSumInstance], inputs: list[TwoSumInstance]) -> bool:
    """χ² within 5 deviations of its mean, over these inputs alone."""
    expected = sum(seen[instance] for instance in inputs) / len(inputs)
    degrees = len(inputs) - 1
    chi_square = sum((seen[instance] - expected) ** 2 / expected for instance in inputs)
    return chi_square < degrees + 5 * (2 * degrees) ** 0.5


@pytest.mark.parametrize(("one", "many"), [(sample, samples), (balanced_sample, balanced_samples)])
@quick
@given(sizes=small_sizes, seed=st.integers(0, 2**64))
def test_a_seed_fixes_the_sample(one: Any, many: Many, sizes: TwoSumSizes, seed: int) -> None:
    assert one(sizes, seed) == one(sizes, seed)
    assert list(many(sizes, seed, 3)) == list(many(sizes, seed, 5))[:3]
    assert next(many(sizes, seed, 1)) == one(sizes, seed)


@pytest.mark.parametrize("one", [sample, balanced_sample])
def test_seeds_differ(one: Any) -> None:
    assert len({one(TwoSumSizes(9, 101), seed) for seed in range(20)}) == 20


@pytest.mark.parametrize("sizes", [TwoSumSizes(3, 5), TwoSumSizes(6, 3), TwoSumSizes(2, 9)])
def test_samples_are_uniform(sizes: TwoSumSizes) -> None:
    inputs = list(enumerate_inputs(sizes))
    assert is_uniform(Counter(samples(sizes, 7, 50 * len(inputs))), inputs)


@pytest.mark.parametrize("sizes", [TwoSumSizes(4, 5), TwoSumSizes(6, 3), TwoSumSizes(3, 7), TwoSumSizes(2, 9)])
def test_balanced_samples_are_uniform_given_the_last_output(sizes: TwoSumSizes) -> None:
    inputs = list(enumerate_inputs(sizes))
    seen = Counter(balanced_samples(sizes, 7, 50 * len(inputs)))
    for output in (0, 1):
        assert is_uniform(seen, [instance for instance in inputs if last_output(instance) == output])
    # The broken twin: over all inputs together they are not uniform, and the test sees it.
    assert not is_uniform(seen, inputs)


@pytest.mark.parametrize("sizes", [sizes for sizes in SIZES if sizes.length > 1])
def test_half_of_the_last_outputs_are_one(sizes: TwoSumSizes) -> None:
    """1000 fair coins: 5 deviations are 79."""
    assert 421 <= sum(map(last_output, balanced_samples(sizes, 3, 1000))) <= 579


def test_plain_samples_are_not_balanced() -> None:
    assert sum(map(last_output, samples(TwoSumSizes(40, 1001), 3, 1000))) < 100


def test_one_value_cannot_be_balanced() -> None:
    assert {last_output(instance) for instance in balanced_samples(TwoSumSizes(1, 5), 0, 50)} == {0}


@pytest.mark.parametrize("many", [samples, balanced_samples])
@pytest.mark.parametrize(
    ("seed", "count", "text"),
    [
        (-1, 1, "seed is -1; allowed are 0 and above"),
        (None, 1, "seed is None; an integer is needed"),
        (0, -1, "count is -1; allowed are 0 and above"),
    ],
)
def test_samples_refuse(many: Any, seed: Any, count: Any, text: str) -> None:
    with pytest.raises(InputError) as caught:
        list(many(TwoSumSizes(2, 3), seed, count))
    assert str(caught.value) == text


@pytest.mark.parametrize("one", [sample, balanced_sample])
def test_huge_sizes_are_refused_before_anything_is_drawn(one: Any) -> None:
    with pytest.raises(InputError, match="inputs of at most 16777216 are built"):
        one(TwoSumSizes(2**40, 3), 0)
    with pytest.raises(InputError, match="modulus is an integer of 301 bits; allowed are 3"):
        one(TwoSumSizes(4, 2**300 + 1), 0)


@pytest.mark.parametrize("sizes", TINY)
def test_all_inputs_once_in_order(sizes: TwoSumSizes) -> None:
    inputs = [instance.x for instance in enumerate_inputs(sizes)]
    assert len(inputs) == sizes.count_inputs()
    assert all(before < after for before, after in pairwise(inputs))


@pytest.mark.parametrize("block", [1, 7, 10**6])
@pytest.mark.parametrize("sizes", TINY)
def test_blocks_hold_the_same_inputs(sizes: TwoSumSizes, block: int) -> None:
    given_ones = [instance.x for instance in enumerate_inputs(sizes)]
    blocks = list(enumerate_tokens(sizes, block))
    xs, results = (np.concatenate(part) for part in zip(*blocks, strict=True))
    assert all(len(rows) == block for rows, _ in blocks[:-1])
    assert xs.tolist() == [list(x) for x in given_ones]
    assert results.tolist() == [oracle_outputs(x, sizes.modulus) for x in given_ones]


def inputs_without_a_match(length: int, pairs: int) -> int:
    """Σ_k (k of the pairs {v, −v}) · 2^k · (ways to use exactly those k), by adding one value after the other."""
    used = {0: 1}
    for _ in range(length):
        after: Counter[int] = Counter()
        for k, ways in used.items():
            after[k] += ways * k  # a side that is there already
            after[k + 1] += ways * 2 * (pairs - k)
        used = dict(after)
    return sum(used.values())


@pytest.mark.parametrize("sizes", TINY)
def test_how_many_inputs_have_no_match(sizes: TwoSumSizes) -> None:
    counted = sum(int((results.sum(axis=1) == 0).sum()) for _, results in enumerate_tokens(sizes, 1000))
    assert counted == inputs_without_a_match(sizes.length, (sizes.modulus - 1) // 2)


@pytest.mark.parametrize("sizes", TINY)
def test_how_many_last_outputs_are_zero(sizes: TwoSumSizes) -> None:
    """(M−1)·(M−2)^{n−1}: any x_n, and every earlier value is not −x_n."""
    counted = sum(int((results[:, -1] == 0).sum()) for _, results in enumerate_tokens(sizes, 1000))
    assert counted == (sizes.modulus - 1) * (sizes.modulus - 2) ** (sizes.length - 1)


def test_a_million_inputs_in_blocks() -> None:
    sizes = TwoSumSizes(10, 5)
    total = sum(len(xs) for xs, _ in enumerate_tokens(sizes, 2**16))
    assert total == sizes.count_inputs() == 4**10


@pytest.mark.parametrize("sizes", SIZES)
def test_the_beginning_is_lazy(sizes: TwoSumSizes) -> None:
    wanted = min(8, sizes.count_inputs())
    assert len(set(islice(enumerate_inputs(sizes), 8))) == wanted


def test_enumerations_refuse() -> None:
    with pytest.raises(InputError, match="block is 0; allowed are 1 and above"):
        next(enumerate_tokens(TwoSumSizes(2, 3), 0))
    with pytest.raises(InputError, match="the number of inputs has 63 bits; at most 62 are enumerated in blocks"):
        next(enumerate_tokens(TwoSumSizes(62, 3), 1))
    assert next(enumerate_tokens(TwoSumSizes(61, 3), 1))[0].tolist() == [[1] * 61]
    with pytest.raises(InputError, match="inputs of at most 16777216 are built"):
        next(enumerate_inputs(TwoSumSizes(2**30, 3)))
