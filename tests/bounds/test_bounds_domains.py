"""Integers too large to write down: balls and integers agree where both work, up to 64 tables."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from bounds_cases import random_question

from separation.bounds import (
    Evaluation,
    Parameters,
    Rule,
    cpw_parameters,
    evaluate,
    theorem_a,
    theorem_b,
)
from separation.bounds import evaluation as evaluation_module
from separation.bounds.powers import PowerProduct, log2_float, precision_for, simplest, size_ball, size_to_json


@pytest.fixture
def in_balls(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Evaluation]:
    """`evaluate`, with no integer short enough to be handled as one."""

    def evaluated(*arguments: Any) -> Evaluation:
        with monkeypatch.context() as patch:
            for module in ("powers", "evaluation"):
                patch.setattr(f"separation.bounds.{module}.EXACT_BITS", -1)
            return evaluate(*arguments)

    return evaluated


@pytest.mark.parametrize("theorem", ["A", "B"])
def test_both_domains_agree(theorem: str, in_balls: Callable[..., Evaluation]) -> None:
    rng = random.Random(f"{theorem} domains")
    decided = 0
    for _ in range(120):
        beta, state_bits, point = random_question(rng, theorem)
        if theorem == "B" and point.L == 1:
            continue
        rule = Rule.B if theorem == "B" else Rule.A_FREE if state_bits[0] == 0 else Rule.A
        exact = evaluate(rule, point, beta, state_bits)
        balls = in_balls(rule, point, beta, state_bits)
        for left, right in zip(exact.inequalities, balls.inequalities, strict=True):
            assert right.holds in (left.holds, None)
            decided += right.holds is not None
            assert right.left.contains(left.left)
        for name in ("N", "theta", "D"):
            pairs = zip(getattr(exact.recursion, name), getattr(balls.recursion, name), strict=True)
            assert all(ball.contains(number) for number, ball in pairs)
    assert decided > 400


def test_a_twin_that_rounds_t_to_the_nearest_is_caught(
    monkeypatch: pytest.MonkeyPatch, in_balls: Callable[..., Evaluation]
) -> None:
    monkeypatch.setattr(evaluation_module, "half_cover_ball", lambda _level, product: (product + 1, (product + 1) / 2))
    point = Parameters(10**6, (10**4, 7), (3, 5, 3))
    exact = evaluate(Rule.A, point, 8, [8, 8, 8])
    balls = in_balls(Rule.A, point, 8, [8, 8, 8])
    assert not balls.recursion.theta[1].contains(exact.recursion.theta[1])


def test_sizes_as_products_of_powers() -> None:
    size = PowerProduct(((6, 1), (10, 5000)))
    assert size.bits_at_most >= (6 * 10**5000).bit_length()
    assert simplest(size) is size
    assert simplest(PowerProduct(((6, 1), (10, 5)))) == 600_000
    assert size_to_json(size) is None
    assert size_to_json(PowerProduct(((2, 60),))) == str(2**60)
    assert log2_float(PowerProduct(((2, 10**40),))) == pytest.approx(1e40)
    assert log2_float(size) == pytest.approx(log2_float(6 * 10**5000))


def test_one_table_with_sizes_as_powers() -> None:
    """β + Λ_1 < m·log2 m where m is too long to be written down."""
    large = PowerProduct(((2, 10**7),))
    for heads, holds in ((PowerProduct(((2, 10**7 + 30),)), False), (PowerProduct(((2, 10**7),)), True)):
        assert theorem_b(Parameters(large, (), ()), 8, [0, heads]).certified is holds


def test_powers_are_enclosed() -> None:
    from flint import ctx

    size = PowerProduct(((3, 4000), (7, 11)))
    with ctx.workprec(precision_for([size])):
        assert size_ball(size).contains(3**4000 * 7**11)
        assert size_ball(size).rel_accuracy_bits() > 200


def test_sixty_four_tables() -> None:
    point = cpw_parameters(64, 1000)
    state_bits = [2 ** (3 * 64 * 64)] * 64
    assert theorem_a(point, 2000, state_bits).certified
    assert theorem_b(point, 2000, [0, 0, *state_bits[1:]]).certified
    assert 1e61 < point.tokens_log2() < 1e63
    assert point.tokens() is None
    document = point.document()
    assert document["m"] is None
    assert document["sizes_log2"]["m"] > 1e60
    # One hundredth of the table sizes is far too little at the last step: x too large for m.
    broken = Parameters(point.x[-1], point.n, point.x)
    assert not theorem_a(broken, 2000, state_bits).certified
