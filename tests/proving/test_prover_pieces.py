"""The pieces of the proof one by one, where a proof of a whole construction would not notice a change."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from kernel_cases import construction, put

from constructions import c1, c2, c6
from separation.arithmetic import ExactMatrix
from separation.files import InputError
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
    prove,
)
from separation.proving.attention import HeadForms
from separation.proving.closed_form import floor_correction
from separation.proving.delta import Entry, State, either_of, state_of, sum_of
from separation.proving.embedding import embedding_forms
from separation.proving.forms import Group, fresh_noise, fresh_output
from separation.proving.heads import agreed
from separation.proving.relu import _signs_by_guard
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import Fact
from separation.tasks.two_sum import TwoSumSizes

HALF = Fraction(1, 2)


def test_states() -> None:
    entries = [(Entry(Fraction(-7), Fraction(1), Fraction(2)), 3), (Entry(Fraction(0), Fraction(5), Fraction(5)), 1)]
    assert state_of(2, 1, entries, None) == State(2, 1, 4, Fraction(7), 3 * 3 + 1)
    unknown = [(Entry(Fraction(0), Fraction(1), None), 1)]
    assert state_of(1, 0, unknown, None).bits is None
    assert state_of(1, 0, unknown, HALF).bits == 2
    parts = [Entry(Fraction(-1), Fraction(2), None), Entry(Fraction(0), Fraction(1), Fraction(1))]
    assert sum_of(parts) == Entry(Fraction(-1), Fraction(3), None)
    assert sum_of(parts[1:] * 2) == Entry(Fraction(0), Fraction(2), Fraction(1))
    assert either_of(parts) == Entry(Fraction(-1), Fraction(2), None)
    proof = Proof("closed", states=[State(1, 0, 1, Fraction(1), 3), State(1, 1, 1, Fraction(1), None)])
    assert proof.state_bits is None
    assert Proof("closed", states=proof.states[:1]).state_bits == 3


def test_units_that_a_guard_decides() -> None:
    """2 numbers, each at least 1/2 if the guard is on, together at most 0 if not: their sum tells."""
    guard = bit("g", 0)
    outputs = [fresh_output(bit("x", place), Group(guard, 2, HALF, Fraction(0))) for place in range(2)]
    products = [output.times[1] for output in outputs if output.times is not None]
    one_group = [replace(p, group=products[0].group) for p in products]
    expected = {0: [True, False], -1: [True, False], Fraction(-3, 2): [None, False], -3: [False, False]}
    for constant, signs in expected.items():
        hidden = Forms([ONE, *one_group], ExactMatrix.from_rows([[constant, 1, 1]]))
        assert _signs_by_guard(hidden, 0) == (guard, signs)
    assert _signs_by_guard(Forms([ONE, fresh_noise(HALF)], ExactMatrix.from_rows([[0, 1]])), 0) == (None, [])


def test_what_a_floored_weight_costs() -> None:
    one = c1.build(Sizes(2, ()))
    streams = {kind.name: one.stages[0][kind.name].as_forms() for kind in one.shape.kinds}
    forms = HeadForms.of(one.model.layers[0].heads[0], streams)
    precision = replace(one.model.precision, score_bits=4)
    shift = forms.head.shift
    assert floor_correction(forms, shift, precision) == 1
    assert floor_correction(forms, shift - 1, precision) == 1 + Fraction(1, 5)  # ⌊16/e⌋ = 5
    assert floor_correction(forms, shift - 3, precision) is None


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
