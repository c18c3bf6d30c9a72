"""What the tests of 2-Sum share: small sizes, random instances, and oracles that share no code with the task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from separation.tasks.two_sum import TwoSumInstance, TwoSumSizes

quick = settings(deadline=None, max_examples=100)

# One of each sort: one value, two values, M = 3, M − 1 a power of two, M + 1 one, M no prime, M far above n.
SIZES = [
    TwoSumSizes(1, 3),
    TwoSumSizes(1, 11),
    TwoSumSizes(2, 3),
    TwoSumSizes(7, 3),
    TwoSumSizes(2, 5),
    TwoSumSizes(3, 5),
    TwoSumSizes(6, 7),
    TwoSumSizes(20, 9),
    TwoSumSizes(12, 15),
    TwoSumSizes(16, 17),
    TwoSumSizes(40, 1001),
    TwoSumSizes(5, 2**63 - 1),
]

# All inputs of these can be gone through one by one.
TINY = [TwoSumSizes(n, M) for n, M in ((1, 3), (1, 7), (2, 3), (5, 3), (2, 5), (4, 5), (3, 7), (2, 9))]

small_sizes = st.builds(TwoSumSizes, st.integers(1, 9), st.integers(1, 20).map(lambda k: 2 * k + 1))


@st.composite
def instances(draw: Any) -> TwoSumInstance:
    sizes = draw(small_sizes)
    # Few different values, so that matches are common.
    values = draw(st.lists(st.integers(1, sizes.modulus - 1), min_size=1, max_size=4))
    values += [sizes.modulus - value for value in values]
    return TwoSumInstance(sizes, [draw(st.sampled_from(values)) for _ in range(sizes.length)])


def oracle_outputs(x: Sequence[int], modulus: int) -> list[int]:
    """The definition word for word: all pairs j ≤ i, with a sum and a remainder."""
    return [int(any((x[i] + x[j]) % modulus == 0 for j in range(i + 1))) for i in range(len(x))]


def strictly_earlier_oracle(x: Sequence[int], modulus: int) -> list[int]:
    """j < i in place of j ≤ i: the same as long as nothing matches itself."""
    return [int(any((x[i] + x[j]) % modulus == 0 for j in range(i))) for i in range(len(x))]


def oracle_without_remainder(x: Sequence[int], modulus: int) -> list[int]:  # noqa: ARG001
    """Wrong on purpose: asks for the sum 0, not 0 (mod M)."""
    return [int(any(x[i] + x[j] == 0 for j in range(i + 1))) for i in range(len(x))]


def oracle_that_skips_the_neighbour(x: Sequence[int], modulus: int) -> list[int]:
    """Wrong on purpose: j < i − 1."""
    return [int(any((x[i] + x[j]) % modulus == 0 for j in range(i - 1))) for i in range(len(x))]


def oracle_that_looks_ahead(x: Sequence[int], modulus: int) -> list[int]:
    """Wrong on purpose: any j, also a later one."""
    return [int(any((a + b) % modulus == 0 for b in x)) for a in x]
