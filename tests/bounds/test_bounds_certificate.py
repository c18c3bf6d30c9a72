"""Certificates of bounds: intervals of the kernel contain the numbers, and only what is certified is written."""

from __future__ import annotations

import random

import pytest

from separation.bounds import (
    Budget,
    Parameters,
    Word,
    bound_certificate,
    decide,
    decision_certificate,
    sparse_certificate,
    theorem_a,
    theorem_d,
)
from separation.bounds.powers import PowerProduct, exact_json
from separation.files import InputError
from separation.proving import kernel, kernel_bounds
from separation.tasks.funccomp import Sizes


def test_intervals_contain_the_numbers() -> None:
    rng = random.Random(9)
    for _ in range(300):
        a, b = (rng.getrandbits(rng.choice([5, 300, 3000, 9000])) + 1 for _ in range(2))
        first, second = kernel_bounds.Interval(a), kernel_bounds.Interval(b)
        for value, found in ((a * b, first * second), (a + b, first + second), (a - b, first - second)):
            assert found.low << found.shift <= value <= found.high << found.shift
            assert found.low == found.high or max(a, b, value).bit_length() > kernel.BITS
        assert (first - second).low <= 0 or a > b
        assert a - b <= a >> 1000 or (first - second).low > 0


def test_numbers_of_certificates() -> None:
    assert exact_json(7) == 7
    assert exact_json(2**60) == str(2**60)
    assert exact_json(PowerProduct(((3, 10**6), (2, 5)))) == {"powers": [[3, 10**6], [2, 5]]}
    assert exact_json(5 << 20_000) == {"powers": [[5, 1], [2, 20_000]]}
    with pytest.raises(InputError, match="one of its numbers has more than 4,000 digits"):
        exact_json(3**20_000)


def test_only_what_is_certified_has_a_certificate() -> None:
    with pytest.raises(InputError, match="only what is certified has a certificate"):
        bound_certificate(theorem_a(Parameters(2, (17,), (1, 2)), 8, [0, 0]))
    with pytest.raises(InputError, match="7 summary bits are not too few; 7 are needed"):
        sparse_certificate(theorem_d(11, 3, 1, 4), 7)
    undecided = decide(Word.parse("F"), 2, Budget(beta=8, total=0), Sizes(2, (2,)))
    with pytest.raises(InputError, match="what is not decided has nothing to certify"):
        decision_certificate(undecided)
