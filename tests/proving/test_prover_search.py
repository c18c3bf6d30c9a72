"""P11: what a searching head hands on, against brute force; false neighbours must fail."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from constructions import build
from separation.models import Declared, Head
from separation.proving import Construction, bit, prove
from separation.proving.forms import Group
from separation.proving.relu import _largest_sum
from separation.tasks.two_sum import TwoSumSizes

SIZES = TwoSumSizes(6, 11)


def proof_failure(subject: Construction) -> str:
    proof = prove(subject.model, subject.stages, subject.shape)
    assert not proof.ok
    return str(proof.failures[0])


def with_heads(subject: Construction, **changes: object) -> Construction:
    """The same changes in every head."""
    (layer,) = subject.model.layers
    heads = tuple(replace(head, **changes) for head in layer.heads)  # type: ignore[arg-type]
    return replace(subject, model=replace(subject.model, layers=(replace(layer, heads=heads),)))


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


def test_a_shift_above_the_match_score_is_rejected() -> None:
    """A match that does not weigh 2^P exactly could be floored to 0 beside nothing."""
    subject = build("C6", SIZES)
    head = subject.model.layers[0].heads[0]
    assert isinstance(head, Head)
    assert not prove_ok(with_heads(subject, shift=head.shift + 1))
    assert "P3" in proof_failure(with_heads(subject, shift=head.shift - 1))


def prove_ok(subject: Construction) -> bool:
    return prove(subject.model, subject.stages, subject.shape).ok


def test_more_opened_blocks_need_a_higher_temperature_at_some_point() -> None:
    """The leak counts every key: so many opened blocks that the bound breaks are refused."""
    subject = build("C7", TwoSumSizes(16, 65), block=4)
    assert prove_ok(with_heads(subject, opened=2))
    assert not prove_ok(with_heads(subject, opened=10**9))


@pytest.mark.parametrize("name", ["C6", "C7"])
def test_stored_token_rows_are_compared_one_by_one(name: str) -> None:
    subject = build(name, SIZES)
    tokens = subject.model.tokens
    assert isinstance(tokens, Declared)
    stored = replace(subject, model=replace(subject.model, tokens=tokens.stored()))
    assert prove_ok(stored)
    row = subject.model.stream["mirror"][1]
    broken = tokens.stored().matrix.with_entry(3, row, 5)
    assert "token row 3" in proof_failure(
        replace(subject, model=replace(stored.model, tokens=type(tokens.stored())(broken)))
    )


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
