"""The pieces of the proof one by one, where a proof of a whole construction would not notice a change."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from construction_changes import proof_of, with_head
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_cases import construction, put

from constructions import c2, c6
from separation.arithmetic import ExactMatrix
from separation.files import InputError
from separation.models import DeltaHead
from separation.proving import (
    Proof,
    accepted,
    bit,
    construction_from_document,
)
from separation.proving.certificates import certified
from separation.proving.general import agreed, enumerated
from separation.proving.kernel import Noise, Search
from separation.proving.kernel_tasks import Kind
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import Variable
from separation.tasks.two_sum import TwoSumSizes

HALF = Fraction(1, 2)


def test_both_paths_must_agree() -> None:
    assert agreed(HALF, Fraction(1, 3), 9) == HALF
    assert agreed(None, Fraction(1, 3), 9) == agreed(Fraction(1), Fraction(1, 3), 9) == Fraction(1, 3)
    with pytest.raises(AssertionError, match=r"disagree: a bug, please report$"):
        agreed(HALF, Fraction(2, 3), 9)


def test_invariants_that_are_not_read() -> None:
    changes: list[tuple[tuple[Any, ...], Any, str]] = [
        (("forms", 0, 0), 999, "invariants[0].w.forms[0] row"),
        (("forms", 1), None, "repeats symbol"),
        (("forms", 0), [0, "1"], "invariants[0].w.forms[0] must be [row, symbol, number]"),
        (("noise",), [{"radius": 1, "column": [[999, 1]]}], ".column row"),
        (("noise",), [{"radius": 1, "column": [[1]]}], ".column must hold [row, number] pairs"),
        (("noise",), [{"radius": -1, "column": []}], ".radius must not be negative"),
    ]
    for path, value, text in changes:
        document = construction(2, [])["model"]
        claimed = document["invariants"][0]["w"]
        put(claimed, path, claimed["forms"][0] if value is None else value)
        with pytest.raises(InputError) as refused:
            construction_from_document(document, "x")
        assert text in str(refused.value)
    with pytest.raises(InputError, match=r"^invariants "):
        construction_from_document(construction(2, [])["model"] | {"invariants": 1}, "x")


def test_certificates_are_checked_before_they_are_given() -> None:
    one = c2.build(Sizes(2, ()), word="RF", family="linear")
    proof = proof_of(one)
    certificate = certified(one, proof).certificate
    assert certificate is not None
    assert certificate["claim"]["integral"] is True
    assert accepted(certificate) is certificate
    wrong = json.loads(json.dumps(certificate))
    wrong["claim"]["margin"] = 1000
    with pytest.raises(InputError, match=r"^no certificate: the kernel says: claim, margin"):
        accepted(wrong)
    assert certified(one, Proof("closed")).certificate is None


def test_a_claim_about_more_than_a_token_is_refused() -> None:
    one = c6.build(TwoSumSizes(3, 5))
    (kind,) = one.shape.kinds
    claimed = one.stages[0][kind.name]
    odd = replace(claimed, forms=[{**claimed.forms[0], bit("seen 1/0", 0): 1}, *claimed.forms[1:]])
    stages = [{kind.name: odd}, *one.stages[1:]]
    stored = replace(one, model=replace(one.model, tokens=one.model.tokens.stored()), stages=stages)
    assert "mentions more than x and M − x" in str(proof_of(stored).failures[0])


def test_scores_with_noise_or_of_other_tokens_are_not_enumerated() -> None:
    kind, known = Kind("cells", 0, 0, [("a", 3)], []), [Variable("q", 3)]
    fact = {bit("a", place): bit("q", place) for place in range(2)}
    table: dict[Any, dict[Any, Any]] = {bit("a", place): {bit("q", place): 1} for place in range(2)}
    found = enumerated([table], [kind], 0, fact, known)
    assert found is not None
    assert (found.least_score, found.gap) == (2, 2)
    assert enumerated([{**table, "1": {Noise(HALF): 1}}], [kind], 0, fact, known) is None
    assert enumerated([{**table, bit("value", 0): {"1": 1}}], [kind], 0, fact, known) is None
    assert enumerated([table], [kind], 0, {s: bit("r", 0) for s in fact}, known) is None


def test_a_gate_that_depends_on_the_input_or_forgets_is_rejected() -> None:
    subject = c2.build(Sizes(3, ()), word="RF", family="delta")
    head, value = subject.model.layers[0].heads[0], subject.model.stream["value"][0]
    assert isinstance(head, DeltaHead)
    for changes, text in (
        ({"w_b": head.w_b.with_entry(0, value, 1)}, "state"),
        ({"b_a": ExactMatrix.from_rows([[0]])}, "not all leave the state alone"),
    ):
        assert text in str(proof_of(with_head(subject, 0, **changes)).failures[0])


@settings(max_examples=60)
@given(st.lists(st.integers(-3, 3), min_size=3, max_size=3), st.integers(-2, 2))
def test_the_largest_sum_under_the_constraint(numbers: list[int], most: int) -> None:
    """P11: corner points of −1 ≤ p ≤ 1, Σ p ≤ most on a grid never exceed it; for equal c > 0 it is reached."""
    sums = Search("seen 1/0.0", 1, most, [Noise(1) for _ in numbers])
    bound = sums.span({p: c for p, c in zip(sums.products, numbers, strict=True) if c}, seen=False)[1]
    points = [p for p in product([step * HALF for step in range(-2, 3)], repeat=3) if sum(p) <= most]
    reached = max(sum(c * x for c, x in zip(numbers, point, strict=True)) for point in points)
    assert reached <= bound
    if min(numbers) == max(numbers) > 0:
        assert reached == bound
