from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from two_sum_cases import (
    TINY,
    instances,
    oracle_outputs,
    oracle_that_looks_ahead,
    oracle_that_skips_the_neighbour,
    oracle_without_remainder,
    quick,
    strictly_earlier_oracle,
)

from separation.files import InputError
from separation.tasks.two_sum import TwoSumInstance, TwoSumSizes, enumerate_inputs, first_match, outputs, sample
from separation.tasks.two_sum.instance import require_buildable

SIZES = TwoSumSizes(6, 7)
X = [3, 1, 4, 4, 6, 3]


def test_by_hand() -> None:
    # 4 = −3 at two places, 6 = −1, and the last 3 finds the first 4.
    instance = TwoSumInstance(SIZES, X)
    assert outputs(instance) == (0, 0, 1, 1, 1, 1)
    assert [first_match(instance, position) for position in range(6)] == [None, None, 0, 0, 1, 2]


def test_one_value_has_no_match() -> None:
    assert [outputs(instance) for instance in enumerate_inputs(TwoSumSizes(1, 9))] == [(0,)] * 8


@quick
@given(instances())
def test_outputs_equal_the_oracle(instance: TwoSumInstance) -> None:
    assert list(outputs(instance)) == oracle_outputs(instance.x, instance.sizes.modulus)


@pytest.mark.parametrize("sizes", TINY)
def test_outputs_equal_the_oracle_on_all_inputs(sizes: TwoSumSizes) -> None:
    assert all(list(outputs(each)) == oracle_outputs(each.x, sizes.modulus) for each in enumerate_inputs(sizes))


@pytest.mark.parametrize("broken", [oracle_without_remainder, oracle_that_skips_the_neighbour, oracle_that_looks_ahead])
def test_broken_oracles_are_caught(broken: Callable[[Sequence[int], int], list[int]]) -> None:
    """The broken twins: each is told apart on the inputs of one tiny size."""
    sizes = TwoSumSizes(2, 3)
    assert any(list(outputs(each)) != broken(each.x, sizes.modulus) for each in enumerate_inputs(sizes))


@pytest.mark.parametrize("sizes", TINY)
def test_nothing_matches_itself(sizes: TwoSumSizes) -> None:
    """j < i and j ≤ i are the same task."""
    assert all(
        list(outputs(each)) == strictly_earlier_oracle(each.x, sizes.modulus) for each in enumerate_inputs(sizes)
    )


@pytest.mark.parametrize("modulus", range(2, 9))
def test_that_is_what_odd_moduli_are_for(modulus: int) -> None:
    """j < i and j ≤ i differ at every even modulus, which the sizes refuse, and at no odd one."""
    inputs = product(range(1, modulus), repeat=2)
    differ = any(oracle_outputs(x, modulus) != strictly_earlier_oracle(x, modulus) for x in inputs)
    assert differ == (modulus % 2 == 0)


@quick
@given(instances())
def test_first_matches(instance: TwoSumInstance) -> None:
    x, modulus = instance.x, instance.sizes.modulus
    for i, output in enumerate(outputs(instance)):
        places = [j for j in range(i + 1) if (x[i] + x[j]) % modulus == 0]
        assert first_match(instance, i) == (min(places) if places else None)
        assert (first_match(instance, i) is not None) == (output == 1)


@pytest.mark.parametrize(
    ("position", "text"),
    [
        (6, "position is 6; allowed are 0..5"),
        (-1, "position is -1; allowed are 0..5"),
        (None, "position is None; an integer is needed"),
    ],
)
def test_first_match_refuses(position: Any, text: str) -> None:
    with pytest.raises(InputError) as caught:
        first_match(TwoSumInstance(SIZES, X), position)
    assert str(caught.value) == text


@quick
@given(instances())
def test_arrays_lists_and_tuples_are_the_same(instance: TwoSumInstance) -> None:
    array = TwoSumInstance(instance.sizes, np.array(instance.x, dtype=np.int32))
    assert array == TwoSumInstance(instance.sizes, list(instance.x)) == instance
    assert hash(array) == hash(instance)
    assert {type(value) for value in array.x} == {int}


def test_kept_apart_from_what_was_given() -> None:
    x = list(X)
    instance = TwoSumInstance(SIZES, x)
    x[0] = 1
    assert instance.x == tuple(X)
    with pytest.raises(dataclasses.FrozenInstanceError):
        instance.x = (1,)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"sizes": (6, 7)}, "sizes is (6, 7); TwoSumSizes are needed"),
        ({"x": X[:5]}, "x has length 5; 6 are needed"),
        ({"x": []}, "x has length 0; 6 are needed"),
        ({"x": [*X[:5], 0]}, "x[5] is 0; allowed are 1..6"),
        ({"x": [3, 7, *X[2:]]}, "x[1] is 7; allowed are 1..6"),
        ({"x": [True, *X[1:]]}, "x[0] is True; an integer is needed"),
        ({"x": [3.0, *X[1:]]}, "x[0] is 3.0; an integer is needed"),
        ({"x": "314463"}, "x is '314463'; a list of integers is needed"),
        ({"x": 5}, "x is 5; a list of integers is needed"),
        ({"x": np.ones(2)}, "x is array([1., 1.]); a list of integers is needed"),
        ({"x": np.array([1, 2, 3, 4, 5, 9])}, "x[5] is 9; allowed are 1..6"),
        ({"x": [[1]] * 6}, "x[0] is [1]; an integer is needed"),
    ],
)
def test_refusals(change: dict[str, Any], text: str) -> None:
    good: dict[str, Any] = {"sizes": SIZES, "x": X}
    with pytest.raises(InputError) as caught:
        TwoSumInstance(**(good | change))
    assert str(caught.value) == text


def test_moduli_of_any_size() -> None:
    modulus = 2**200 + 1
    instance = TwoSumInstance(TwoSumSizes(3, modulus), [5, 6, modulus - 5])
    assert outputs(instance) == (0, 0, 1)
    assert first_match(instance, 2) == 0


def test_sizes_that_cannot_be_built() -> None:
    require_buildable(TwoSumSizes(2**24, 2**63 - 1))
    with pytest.raises(InputError, match="length is 16777217; inputs of at most 16777216 are built"):
        require_buildable(TwoSumSizes(2**24 + 1, 3))
    with pytest.raises(InputError, match=r"modulus is 9223372036854775809; allowed are 3\.\.9223372036854775807"):
        require_buildable(TwoSumSizes(1, 2**63 + 1))


def test_a_hundred_thousand_values_are_quick() -> None:
    instance = sample(TwoSumSizes(10**5, 10**9 + 7), seed=0)
    start = time.perf_counter()
    outputs(instance)
    assert time.perf_counter() - start < 2
