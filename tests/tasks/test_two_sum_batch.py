from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from two_sum_cases import SIZES, TINY, instances, oracle_outputs, quick, strictly_earlier_oracle

from separation.files import InputError
from separation.tasks.two_sum import (
    TwoSumInstance,
    TwoSumSizes,
    balanced_samples,
    batch_outputs,
    enumerate_inputs,
    outputs,
    samples,
)


@pytest.mark.parametrize("sizes", SIZES)
def test_equal_to_the_oracle(sizes: TwoSumSizes) -> None:
    given_ones = [*samples(sizes, 1, 50), *balanced_samples(sizes, 1, 50)]
    xs = np.array([instance.x for instance in given_ones])
    results = batch_outputs(sizes, xs)
    assert results.dtype == np.int64
    assert results.tolist() == [oracle_outputs(instance.x, sizes.modulus) for instance in given_ones]


@pytest.mark.parametrize("sizes", TINY)
def test_equal_to_the_oracle_on_all_inputs(sizes: TwoSumSizes) -> None:
    xs = [instance.x for instance in enumerate_inputs(sizes)]
    assert batch_outputs(sizes, np.array(xs)).tolist() == [strictly_earlier_oracle(x, sizes.modulus) for x in xs]


@quick
@given(instances(), st.randoms(use_true_random=False))
def test_rows_do_not_disturb_each_other(instance: TwoSumInstance, random: Any) -> None:
    sizes = instance.sizes
    rows = [random.sample(instance.x, sizes.length) for _ in range(5)]
    each = [list(outputs(TwoSumInstance(sizes, row))) for row in rows]
    assert batch_outputs(sizes, np.array(rows)).tolist() == each


def test_what_is_given_is_left_alone() -> None:
    xs = np.array([[3, 1, 4, 4, 6, 3]])
    batch_outputs(TwoSumSizes(6, 7), xs)
    assert xs.tolist() == [[3, 1, 4, 4, 6, 3]]


def test_no_inputs() -> None:
    assert batch_outputs(TwoSumSizes(4, 5), np.empty((0, 4), dtype=np.int64)).shape == (0, 4)


@pytest.mark.parametrize(
    ("xs", "text"),
    [
        (np.ones(4, dtype=np.int64), "xs has shape (4,); (inputs, 4) is needed"),
        (np.ones((3, 5), dtype=np.int64), "xs has shape (3, 5); (inputs, 4) is needed"),
        (np.ones((3, 4)), "xs has the type float64; int64 is needed"),
        (np.array([[1, 1, 1, 1], [1, 2, 0, 5]]), "xs[1, 2] is 0; allowed are 1..4"),
        (np.array([[1, 1, 1, 1], [1, 2, 3, 5]]), "xs[1, 3] is 5; allowed are 1..4"),
    ],
)
def test_refusals(xs: Any, text: str) -> None:
    with pytest.raises(InputError) as caught:
        batch_outputs(TwoSumSizes(4, 5), xs)
    assert str(caught.value) == text


def test_moduli_beyond_arrays_are_refused() -> None:
    with pytest.raises(InputError, match=r"modulus is 9223372036854775809; allowed are 3\.\."):
        batch_outputs(TwoSumSizes(1, 2**63 + 1), np.ones((1, 1), dtype=np.int64))


def test_a_million_values_are_quick() -> None:
    sizes = TwoSumSizes(1000, 1001)
    xs = np.random.default_rng(0).integers(1, 1001, size=(1000, 1000))
    start = time.perf_counter()
    batch_outputs(sizes, xs)
    assert time.perf_counter() - start < 3
