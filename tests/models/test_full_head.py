"""Full attention by hand: rounding, empty sums, large weights, values and denominators."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from run_cases import SOURCE, one_head, outputs

from separation.arithmetic import Precision
from separation.models import run


@pytest.mark.parametrize(
    ("values", "fraction", "average"),
    [
        ([1, 2], 0, 1),
        ([-1, -2], 0, -2),
        ([-1, 0, 0], 0, -1),
        ([1, 0, 0], 0, 0),
        ([1, 2], 1, Fraction(3, 2)),
        ([1, 1, 0], 2, Fraction(1, 2)),
        ([-1, -1, 0], 2, Fraction(-3, 4)),
        ([Fraction(-1, 3)], 3, Fraction(-3, 8)),
        ([Fraction(1, 3)], 3, Fraction(1, 4)),
    ],
)
def test_averages_are_rounded_down(values: list[Fraction | int], fraction: int, average: Fraction | int) -> None:
    assert outputs(one_head(values, Precision(8, 30, fraction))) == average


@pytest.mark.parametrize("power", [0, 8, 45])
def test_when_all_weights_are_zero_the_output_is_zero(power: int) -> None:
    # exp(−shift)·2^P < 1: no key has any weight. Values are −5: neither an average nor a floor of it could be 0.
    precision = Precision(power, 30, 2)
    assert outputs(one_head([-5, -5, -5], precision, shift=power + 1)) == 0
    assert outputs(one_head([-5, -5, -5], precision, shift=0)) == -5
    (look,) = run(one_head([-5, -5], precision, shift=power + 1), np.array([0, 0])).looks
    assert (look.positions.tolist(), look.weights.tolist(), look.totals.tolist()) == ([0], [0], [0])


@pytest.mark.parametrize("entries", [1, 1 << 22])
@pytest.mark.parametrize("denominator", [3, 2**43, 2**45, 2**45 + 1, 2**62, 2**63, 2**90])
def test_values_with_large_denominators_at_other_tokens_only(
    denominator: int, entries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The last token's own stream is integral: it says nothing about the denominators of what it reads.
    monkeypatch.setattr(SOURCE, "BLOCK_ENTRIES", entries)
    values: list[Fraction | int] = [Fraction(denominator + 1, denominator), Fraction(-1, denominator), 1]
    tiny = Fraction(1, denominator)
    for power in (0, 20):
        for fraction in (0, 5):
            if denominator > 3:
                assert outputs(one_head([tiny, tiny, 0], Precision(power, 30, fraction))) == 0
                assert outputs(one_head([-tiny, 0, 0], Precision(power, 30, fraction))) == -Fraction(1, 2**fraction)
            assert outputs(one_head(values, Precision(power, 30, fraction))) == Fraction(
                2 * 2**fraction // 3, 2**fraction
            )


@pytest.mark.parametrize("fraction", [61, 62, 63, 64, 70, 200])
def test_more_fraction_bits_than_int64_has(fraction: int) -> None:
    # Zero biases and zero rows must be scaled by 2^f too.
    assert outputs(one_head([1, 0, 0], Precision(8, fraction + 10, fraction))) == Fraction(
        2**fraction // 3, 2**fraction
    )


@pytest.mark.parametrize("power", [30, 60, 61, 62, 63, 64, 100])
@pytest.mark.parametrize("bits", [1, 31, 60, 62, 63, 100])
def test_weights_and_values_at_their_largest(power: int, bits: int) -> None:
    # Each key weighs 2^P and each value is ±2^p: sums go up to 3·2^(P+p).
    assert outputs(one_head([2**bits, 2**bits, 2**bits], Precision(power, bits, 0))) == 2**bits
    assert outputs(one_head([-(2**bits), 2**bits, -(2**bits)], Precision(power, bits, 0))) == -(2**bits) // 3
