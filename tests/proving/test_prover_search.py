"""P11: what a searching head hands on, against brute force; false neighbours must fail."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from separation.proving import bit
from separation.proving.forms import Group
from separation.proving.relu import _largest_sum


@settings(max_examples=60)
@given(st.lists(st.integers(-3, 3), min_size=3, max_size=3), st.integers(-2, 2))
def test_the_largest_sum_under_the_constraint(numbers: list[int], most: int) -> None:
    """Corner points of −1 ≤ p ≤ 1, Σ p ≤ most on a fine grid never exceed the bound; for equal c > 0 it is reached."""
    group = Group(bit("seen", 0), 3, Fraction(1), Fraction(most))
    bound = _largest_sum([Fraction(number) for number in numbers], group)
    grid = [Fraction(step, 2) for step in range(-2, 3)]
    reached = [
        sum(c * p for c, p in zip(numbers, point, strict=True))
        for point in product(grid, repeat=3)
        if sum(point) <= most
    ]
    assert max(reached) <= bound
    if min(numbers) == max(numbers) > 0:
        assert max(reached) == bound
