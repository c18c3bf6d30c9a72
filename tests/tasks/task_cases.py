"""What the tests of the tasks share: small sizes, random instances, and oracles that share no code with the tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from separation.files import InputError
from separation.tasks.funccomp import Instance, Sizes
from separation.tasks.two_sum import TwoSumInstance, TwoSumSizes

quick = settings(max_examples=60)
seeds = st.integers(0, 2**64)

small_sizes = st.builds(Sizes, st.integers(2, 6), st.lists(st.integers(1, 4), max_size=3).map(tuple))
small_two_sums = st.builds(TwoSumSizes, st.integers(1, 9), st.integers(1, 20).map(lambda k: 2 * k + 1))

# All inputs of these can be gone through one by one.
TINY = [Sizes(2, ()), Sizes(3, ()), Sizes(2, (1,)), Sizes(3, (1,)), Sizes(2, (2,)), Sizes(2, (1, 1))]
TINY_TWO_SUMS = [TwoSumSizes(n, M) for n, M in ((1, 3), (1, 7), (2, 3), (5, 3), (2, 5), (4, 5), (3, 7), (2, 9))]


@st.composite
def instances(draw: Any) -> Instance:
    sizes = draw(small_sizes)
    # Many entries from one drawn seed and a few drawn ones: quick, and still easy to shrink.
    random = draw(st.randoms(use_true_random=False))
    tables = [[random.randrange(size) for _ in range(size)] for size in sizes.N]
    w = [draw(st.integers(0, size - 1)) for size in sizes.n]
    return Instance(sizes, draw(st.integers(0, sizes.m - 1)), tables, w)


@st.composite
def two_sum_instances(draw: Any) -> TwoSumInstance:
    sizes = draw(small_two_sums)
    # Few different values, so that matches are common.
    values = draw(st.lists(st.integers(1, sizes.modulus - 1), min_size=1, max_size=4))
    values += [sizes.modulus - value for value in values]
    return TwoSumInstance(sizes, [draw(st.sampled_from(values)) for _ in range(sizes.length)])


def refused(make: Any, text: str) -> None:
    """Refused with exactly this line."""
    with pytest.raises(InputError) as caught:
        make()
    assert str(caught.value) == text


def oracle_hops(instance: Instance) -> list[int]:
    """The hops by cutting each table into rows, one for each digit: no address is ever computed."""
    here = instance.z0
    seen = [here]
    width = len(instance.tables[0])
    for digit, table in zip((0, *instance.w), instance.tables, strict=True):
        rows = [table[start : start + width] for start in range(0, len(table), width)]
        here = rows[digit][here]
        seen.append(here)
        width = len(table)
    return seen


def oracle_outputs(x: Sequence[int], modulus: int) -> list[int]:
    """The definition word for word: all pairs j ≤ i, with a sum and a remainder."""
    return [int(any((x[i] + x[j]) % modulus == 0 for j in range(i + 1))) for i in range(len(x))]
