"""P11: what a searching head hands on, against brute force; false neighbours must fail."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from constructions import build
from separation.models import Declared
from separation.proving import Construction, bit, prove
from separation.proving.forms import Group
from separation.proving.relu import _largest_sum
from separation.tasks.two_sum import TwoSumSizes

SIZES = TwoSumSizes(6, 11)


def proof_failure(subject: Construction) -> str:
    proof = prove(subject.model, subject.stages, subject.shape)
    assert not proof.ok
    return str(proof.failures[0])


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


def test_answers_that_depend_on_more_than_the_search_are_rejected() -> None:
    subject = build("C6", SIZES)
    unembedding = subject.model.unembedding
    assert isinstance(unembedding, Declared)
    (segment,) = unembedding.segments
    code = subject.model.stream["code"][0]
    for weight, margin in ((1, 2), (2, 0)):  # what else the logits depend on is taken off the margin
        touched = replace(segment, matrix=segment.matrix.with_entry(code, 1, weight))
        changed = replace(subject, model=replace(subject.model, unembedding=Declared((touched,))))
        if margin:
            assert prove(changed.model, changed.stages, changed.shape).margin == margin
        else:
            assert "the logits depend on x.0" in proof_failure(changed)
