"""The random covering: its errors and bits against Theorem D', and what it may look at."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from separation.bounds.theorems.theorem_d import covering_bits, least_summary_bits
from separation.files import InputError
from separation.fooling.sparse.covering import Covering, excess_entropy, measure


def test_measured_errors_against_the_bound() -> None:
    """B = 2, g = 32, k = 4: 10 bits are about B·log2(2g/k) + 2; few matches are missed, half of the bits are needed."""
    found = measure(Covering(10, 2, 32, 4, 1024), trials=300, seed=1)
    assert found.missed < Fraction(15, 100)
    assert found.false_alarms < Fraction(8, 100)
    assert covering_bits(2, 4, 32) == 8
    assert 4 <= found.least_bits <= 10
    assert least_summary_bits(2, 4, 32, found.missed, found.false_alarms) == math.ceil(found.least_bits)


def test_fewer_bits_miss_more() -> None:
    shares = [measure(Covering(bits, 2, 32, 4, 1024), trials=200, seed=2).missed for bits in (4, 7, 10)]
    assert shares[0] > shares[1] > shares[2]
    assert shares[0] > Fraction(7, 10)


def test_answers_use_summaries_and_opened_blocks_alone() -> None:
    """Another block with the same summary that is not opened changes nothing."""
    covering = Covering(6, 2, 8, 1, 64)
    rng = np.random.default_rng(3)
    sets = covering.sets(rng)
    prompt = rng.integers(64, size=(8, 2))
    summaries = covering.summaries(sets, prompt)
    value = 5
    named = np.flatnonzero(sets[summaries, value])
    closed = [block for block in range(8) if block not in named[:1]]
    swapped = prompt.copy()
    swapped[closed[0]] = swapped[closed[0]][::-1]
    assert (covering.summaries(sets, swapped) == summaries).all()
    assert covering.answers(sets, swapped, value) == covering.answers(sets, prompt, value)


def test_relative_entropy_and_bad_sizes() -> None:
    assert excess_entropy(0.5, 0.5) == 0
    assert excess_entropy(1.0, 0.25) == 2
    assert excess_entropy(0.5, 0.0) == math.inf
    with pytest.raises(InputError, match="open"):
        Covering(4, 2, 8, 9, 64)
