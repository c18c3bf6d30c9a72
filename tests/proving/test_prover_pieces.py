"""The pieces of the proof one by one, where a proof of a whole construction would not notice a change."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from construction_changes import with_head
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_cases import construction, put

from constructions import c2, c6
from separation.arithmetic import ExactMatrix
from separation.files import InputError
from separation.models import DeltaHead
from separation.proving import (
    ONE,
    Forms,
    Match,
    Proof,
    ProofFailed,
    accepted,
    bit,
    construction_certificate,
    construction_from_document,
    gate,
    noise_rows,
    prove,
)
from separation.proving.embedding import embedding_forms
from separation.proving.forms import Group
from separation.proving.heads import agreed
from separation.proving.prover import _enumerated_margin
from separation.proving.relu import _largest_sum
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import Fact, Kind, Variable
from separation.tasks.two_sum import TwoSumSizes

HALF = Fraction(1, 2)


def test_both_paths_must_agree() -> None:
    fact, other = Fact("cells", ("q",)), Fact("cells", ("r",))
    closed, general = Match(fact, HALF, Fraction(2), "closed"), Match(fact, Fraction(1, 3), Fraction(2), "general")
    assert agreed({"closed": closed}, 9) is closed
    assert agreed({"closed": closed, "general": general}, 9) is closed
    assert agreed({"closed": None, "general": general}, 9) is general
    assert agreed({"closed": replace(closed, leak=Fraction(1)), "general": general}, 9) is general
    for wrong in (replace(general, fact=other), replace(general, leak=Fraction(2, 3))):
        with pytest.raises(AssertionError, match=r"disagree: a bug, please report$"):
            agreed({"closed": closed, "general": wrong}, 9)


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
    proof = prove(one.model, one.stages, one.shape)
    certificate = construction_certificate(one, proof, "t")
    assert certificate["claim"]["integral"] is True
    assert accepted(certificate) is certificate
    wrong = json.loads(json.dumps(certificate))
    wrong["claim"]["margin"] = 1000
    with pytest.raises(InputError, match=r"^no certificate: the kernel says: claim, margin"):
        accepted(wrong)
    with pytest.raises(InputError, match=r"^only a proof that holds has a certificate$"):
        construction_certificate(one, Proof("closed"), "t")


def test_a_claim_about_more_than_a_token_is_refused() -> None:
    one = c6.build(TwoSumSizes(3, 5))
    (kind,) = one.shape.kinds
    claimed = one.stages[0][kind.name].forms
    odd = claimed.plus(Forms([ONE, bit("odd", 0)], ExactMatrix.from_entries((claimed.height, 2), [(0, 1, 1)])))
    stored = replace(one.model, tokens=one.model.tokens.stored())
    with pytest.raises(ProofFailed, match="mentions more than x and M − x"):
        embedding_forms(stored, kind, odd)


def test_an_answer_with_noise_is_not_enumerated() -> None:
    key = Forms([ONE, bit("a", 0), bit("a", 1)], ExactMatrix.from_rows([[0, 1, 0], [0, 0, 1]]))
    rows, half = [(key, Kind("cells", 0, (Variable("a", 3),), (), 0))], Fraction(1, 2)
    noisy = Forms([ONE, bit("q", 0)], ExactMatrix.from_rows([[0, 1], [0, 0]])).plus(noise_rows([half, half]))
    with pytest.raises(ProofFailed, match="the general path needs an answer without noise"):
        _enumerated_margin(noisy, rows, Fact("cells", ("q",)), [Variable("q", 3)])


def test_a_gate_that_depends_on_the_input_or_forgets_is_rejected() -> None:
    subject = c2.build(Sizes(3, ()), word="RF", family="delta")
    head, value = subject.model.layers[0].heads[0], subject.model.stream["value"][0]
    assert isinstance(head, DeltaHead)
    for changes, text in (
        ({"w_b": head.w_b.with_entry(0, value, 1)}, "state"),
        ({"b_a": ExactMatrix.from_rows([[0]])}, "not all leave the state alone"),
    ):
        broken = with_head(subject, 0, **changes)
        proof = prove(broken.model, broken.stages, broken.shape)
        assert text in str(proof.failures[0])


def test_gates_are_clipped_and_one_that_is_not_known_is_refused() -> None:
    for one, x, clipped in ((2, 0, 1), (HALF, 0, HALF), (0, 0, 0), (-3, 0, 0), (3, 2, 1), (-3, 2, 0), (HALF, 1, None)):
        forms = Forms([ONE, bit("a", 0)], ExactMatrix.from_rows([[one, x]]))
        if clipped is not None:
            assert gate(forms, "a gate") == clipped
    with pytest.raises(ProofFailed, match="ranges over"):
        gate(forms, "a gate")


@settings(max_examples=60)
@given(st.lists(st.integers(-3, 3), min_size=3, max_size=3), st.integers(-2, 2))
def test_the_largest_sum_under_the_constraint(numbers: list[int], most: int) -> None:
    """P11: corner points of −1 ≤ p ≤ 1, Σ p ≤ most on a grid never exceed it; for equal c > 0 it is reached."""
    bound = _largest_sum(list(map(Fraction, numbers)), Group(bit("seen", 0), 3, Fraction(1), Fraction(most)))
    points = [p for p in product([step * HALF for step in range(-2, 3)], repeat=3) if sum(p) <= most]
    reached = max(sum(c * x for c, x in zip(numbers, point, strict=True)) for point in points)
    assert reached <= bound
    if min(numbers) == max(numbers) > 0:
        assert reached == bound
