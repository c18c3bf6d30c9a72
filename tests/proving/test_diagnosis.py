"""Every named breakage is told by its own clause, with the bit, the slot, the leak or the row that is to blame."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import broken_models as broken
import construction_changes
import pytest
import test_c2 as c2
import test_c3 as c3
import test_c4 as c4
import test_c5 as c5
import test_c6 as c6
import test_c7 as c7

from constructions import build
from separation.proving import Construction, Failure, prove
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes


@cache
def cause_in_c1(name: str) -> Failure:
    """Of the breakage of that name; the search for the allowed leak takes its time."""
    return first_cause(OF_C1[name][0](broken.whole()))


def first_cause(subject: Construction) -> Failure:
    proof = prove(subject.model, subject.stages, subject.shape)
    assert not proof.ok
    json.dumps([failure.document() for failure in proof.failures])
    return proof.causes(subject.shape)[0]


Change = Callable[[Construction], Construction]
OF_C1: dict[str, tuple[Change, int, str, str, str, dict[str, Any]]] = {
    # name: the change, layer, slot, rule, clause, and what details must say
    "flipped query sign": (broken.flipped_query_sign, 3, "pointer[0]", "P4", "wrong sign", {"reads": "table 2"}),
    "blind to the pointer": (broken.blind_to_the_pointer, 3, "pointer[0]", "P4", "missing bit", {"at": ["w1", "i1"]}),
    "low temperature": (broken.cold, 1, "pointer[0]", "P4", "leak", {"reads": "z0"}),
    "swapped query bits": (broken.swapped_query_bits, 3, "pointer[0]", "P4", "wrong bit", {"reads": "table 2"}),
    "keys that know values": (broken.keys_that_know_values, 3, "pointer[0]", "P4", "key beyond its address", {}),
    "shift far above": (broken.shift_far_above_the_match, 3, "pointer[0]", "P4", "weight floors to 0", {"score": "27"}),
    "shift below": (broken.shift_below_the_match, 3, "score", "P3", "score above the shift", {"shift": 26.0}),
    "dropped value": (broken.dropped_value, 3, "pointer[0]", "P7", "value", {"holds": "0", "not_handed_on": "i2.0"}),
    "crossed values": (broken.crossed_values, 3, "pointer[0]", "P7", "value", {"holds": "i2.1", "claimed": "i2.0"}),
    "clip that does not snap": (broken.clip_that_does_not_snap, 3, "pointer[0]", "P6", "clip", {"allowed": 0.0}),
    "flipped logits": (broken.logits_with_a_flipped_bit, 5, "answer", "answer", "wrong sign", {"answer": ["i3"]}),
}


@pytest.mark.parametrize("name", OF_C1)
def test_a_breakage_of_c1_is_named(name: str) -> None:
    _, layer, slot, rule, clause, details = OF_C1[name]
    found = cause_in_c1(name)
    assert (found.layer, found.kind, found.slot, found.rule, found.clause) == (layer, "w", slot, rule, clause), found
    assert found.details.items() >= details.items()
    assert str(found).endswith(f"({rule})")


def test_a_wrong_sign_is_told_with_its_bits_slots_and_coefficient() -> None:
    (problem,) = cause_in_c1("flipped query sign").details["problems"]
    assert problem == {
        "clause": "wrong sign",
        "query_bit": "i1.1",
        "query_slots": ["pointer[1]"],
        "key_bit": "index.1",
        "key_slots": ["index[1]"],
        "coefficient": "-3",
    }


def test_bits_that_the_query_ignores_are_told_one_by_one() -> None:
    problems = cause_in_c1("blind to the pointer").details["problems"]
    assert [(p["query_bit"], p["query_slots"], p["absent"]) for p in problems] == [
        ("i1.0", ["pointer[0]"], "query"),
        ("i1.1", ["pointer[1]"], "query"),
    ]


def test_swapped_bits_are_told_with_the_bit_that_they_meet() -> None:
    problems = cause_in_c1("swapped query bits").details["problems"]
    met = {(p["query_bit"], p["key_bit"]) for p in problems if p["clause"] == "wrong bit"}
    assert met == {("i1.1", "index.0"), ("i1.0", "index.1")}


def test_the_leak_that_is_allowed_is_where_the_proof_turns() -> None:
    """Two temperatures beside each other, one proved and one not: the allowed leak lies between their leaks."""
    whole = broken.whole(Sizes(64, ()))
    leaks: dict[bool, list[float]] = {True: [], False: []}
    allowed = set()
    for step in range(9, 19):
        subject = broken.cold(whole, Fraction(step, 18))
        proof = prove(subject.model, subject.stages, subject.shape)
        second = [look for look in proof.look_ups if (look.layer, look.kind) == (2, "w")]
        failed = [failure for failure in proof.failures if (failure.layer, failure.kind) == (2, "w")]
        if failed:
            (failure,) = failed
            assert failure.clause == "leak"
            assert failure.details["leak"] > failure.details["allowed_leak"]
            leaks[False].append(failure.details["leak"])
            allowed.add(round(failure.details["allowed_leak"], 6))
        else:
            leaks[True].append(float(second[0].match.leak))
    (turn,) = allowed
    assert leaks[True]
    assert max(leaks[True]) <= turn < min(leaks[False])


def test_a_tag_that_is_asked_wrongly_is_named_by_its_slot() -> None:
    found = first_cause(broken.flipped_tag(broken.whole()))
    assert found.clause in ("leak", "weight floors to 0")
    assert found.details["apart"][0]["slots"] == ["tag[0]"]


def test_the_three_of_one_kind_of_line_are_three_clauses() -> None:
    names = ("flipped query sign", "blind to the pointer", "low temperature")
    assert len({cause_in_c1(name).clause for name in names}) == 3


OF_C2: dict[str, dict[str, tuple[str, str, str]]] = {
    # name: family: rule, clause, and words that must be there
    "dropped value": {"linear": ("P7", "value", "no head hands on"), "delta": ("P7", "value", "no head hands on")},
    "flipped tag bit": {"linear": ("P9", "no feature", "no key of z0"), "delta": ("P10", "state", "table 1")},
    "everything is kept": {"linear": ("P9", "other keys", "table 2"), "delta": ("P10", "state", "table 2")},
    "nothing is kept": {"linear": ("P9", "no feature", "no key of z0"), "delta": ("P7", "value", "written by nobody")},
    "forgetful": {"delta": ("P10", "state", "leave the state alone")},
    "blind query": {"linear": ("P9", "no feature", "of the query"), "delta": ("P7", "value", "query of head 0 is 0")},
    "flipped key bit": {"linear": ("P4", "wrong sign", "index.1")},
    "off-by-one position table": {"linear": ("P1", "embedding", "position row")},
}


@pytest.mark.parametrize(("name", "family"), [(name, family) for name, some in OF_C2.items() for family in some])
def test_a_breakage_of_c2_is_named(name: str, family: str) -> None:
    rule, clause, words = OF_C2[name][family]
    for word in c2.TWINS[name][1]:
        found = first_cause(c2.TWINS[name][0](broken.roomy(c2.build(c2.SIZES, word, family), 4)))
        assert (found.rule, found.clause) == (rule, clause), found
        assert words in found.message


OF_C3 = {
    "one address without a feature": ("P9", "missing address"),
    "peaks two bits wide": ("P9", "other keys"),
    "peaks below zero": ("P9", "no feature"),
    "query peaks two bits wide": ("P9", "not a peak"),
    "features off by one": ("P9", "wrong sign"),
    "dropped value bit": ("P7", "value"),
    "pointer kept": ("P7", "value"),
    "logits with a flipped constant": ("answer", "constant"),
}


@pytest.mark.parametrize("name", OF_C3)
def test_a_breakage_of_c3_is_named(name: str) -> None:
    found = first_cause(c3.TWINS[name](broken.roomy(c3.build(c3.SIZES, bits=16), 4)))
    assert (found.rule, found.clause) == OF_C3[name], found


OF_C4 = {
    "dropped value column": ("P7", "value", {"not_handed_on": "i1.0"}),
    "dropped key bit": ("P4", "missing bit", {"reads": "table 1"}),
    "flipped key bit": ("P4", "wrong sign", {"reads": "table 1"}),
    "flipped tag bit": ("P4", "weight floors to 0", {"finds": {"reads": "z0", "at": []}}),
    "no digits of w": ("P7", "value", {"not_handed_on": "w1.0"}),
    "w waits too": ("P7", "value", {"holds": "1"}),
    "ignored gate": ("P7", "value", {"holds": "i0.0", "claimed": "value.0"}),
    "old pointer kept": ("P7", "value", {"claimed": "i1.0"}),
    "flipped unembedding": ("P1", "embedding", {"table": "unembedding"}),
}


@pytest.mark.parametrize("name", OF_C4)
def test_a_breakage_of_c4_is_named(name: str) -> None:
    rule, clause, details = OF_C4[name]
    found = first_cause(c4.TWINS[name][0](broken.roomy(c4.build(c4.SIZES))))
    assert (found.rule, found.clause) == (rule, clause), found
    assert found.details.items() >= details.items()


OF_C5: list[tuple[Change, str, str, str, str]] = [
    (c5.dropped_digit_of_the_query, "RF", "linear", "P4", "missing bit"),
    (c5.flipped_key_bit, "F", "linear", "P4", "leak"),
    (c5.dropped_value_column, "FR", "linear", "P7", "value"),
    (c5.state_written_by_w_alone, "RF", "linear", "P9", "no feature"),
    (c5.digit_not_stored, "FR", "delta", "P7", "value"),
    (c5.gate_that_forgets, "RF", "delta", "P10", "state"),
    (c5.flipped_unembedding, "RF", "linear", "P1", "embedding"),
]


@pytest.mark.parametrize(("change", "word", "family", "rule", "clause"), OF_C5)
def test_a_breakage_of_c5_is_named(change: Change, word: str, family: str, rule: str, clause: str) -> None:
    found = first_cause(change(broken.roomy(c5.build(c5.SIZES, word, family))))
    assert (found.rule, found.clause) == (rule, clause), found


OF_C6 = {
    "dropped key bit": ("P11", "missing bit"),
    "flipped key bit": ("P11", "wrong sign"),
    "dropped value column": ("P11", "value"),
    "query for x itself": ("P11", "wrong bit"),
    "shift too low": ("P3", "score above the shift"),
    "shift so high that all weights vanish": ("P11", "match below the shift"),
    "threshold one higher": ("P7", "value"),
    "flipped unembedding": ("answer", "wrong sign"),
    "unembedding offset doubled": ("answer", "margin"),
}
OF_C7 = {
    "flipped key bit": ("P11", "wrong sign"),
    "both heads of one offset": ("answer", "unseen tokens"),
    "keys and values of different offsets": ("P11", "summary"),
    "compressor that takes the mean": ("P11", "summary"),
    "one head fewer": ("P7", "value"),
    "all heads instead of one": ("answer", "margin"),
}


@pytest.mark.parametrize("name", OF_C6)
def test_a_breakage_of_c6_is_named(name: str) -> None:
    found = first_cause(c6.TWINS[name](construction_changes.with_whole_bits(c6.build(c6.SMALL), 2)))
    assert (found.rule, found.clause) == OF_C6[name], found


@pytest.mark.parametrize("name", OF_C7)
def test_a_breakage_of_c7_is_named(name: str) -> None:
    found = first_cause(c7.TWINS[name](construction_changes.with_whole_bits(c7.build(c7.SMALL, 2, 0), 2)))
    assert (found.rule, found.clause) == OF_C7[name], found


def test_a_search_at_too_low_a_temperature_says_which_leak_is_allowed() -> None:
    found = first_cause(build("C6", TwoSumSizes(500, 1001), temperature=1))
    assert (found.rule, found.clause) == ("P11", "leak")
    # (#keys − 1)·e^{-2τ}, and at most about 1/(4b) is borne: b = 10 bits.
    assert found.details["leak"] == pytest.approx(499 * 2.718281828459045**-2)
    assert 0 < found.details["allowed_leak"] < found.details["leak"]


def test_what_is_too_large_says_how_large_and_how_large_it_may_be() -> None:
    found = first_cause(build("C1", Sizes(3, (2,)), bits=1, score_bits=8))
    assert found.clause == "too large"
    assert found.details["reach"] > found.details["limit"]


def test_the_first_cause_comes_first_and_the_answering_token_before_others() -> None:
    subject = broken.cold(broken.whole(Sizes(8, ())), Fraction(1, 4))
    proof = prove(subject.model, subject.stages, subject.shape)
    causes = proof.causes(subject.shape)
    assert len(causes) == len(proof.failures) > 1
    assert [failure.layer for failure in causes] == sorted(failure.layer for failure in causes)
    assert causes[0].kind == "w"


def test_numbers_that_no_float_can_say_do_not_stop_it() -> None:
    """Weights of 400 digits: the failure is told all the same."""
    subject = broken.roomy(broken.whole(Sizes(2, ())), 2000)
    path = (1, 0, "w_q")
    matrix = broken.matrix_at(subject.model, path).scaled(10**400)
    huge = broken.with_shift(broken.with_matrix(subject, path, matrix), 1, Fraction(10**405))
    found = first_cause(huge)
    assert (found.layer, found.kind) == (2, "w")


def test_rounding_so_coarse_that_no_leak_is_borne_is_named() -> None:
    """f = 1: what is read is a multiple of 1/2, and the MLP snaps what is off by less than that."""
    whole = build("C1", Sizes(2, (2,)))
    coarse = replace(whole.model.precision, fraction_bits=1)
    found = first_cause(replace(whole, model=replace(whole.model, precision=coarse)))
    assert (found.clause, found.details["allowed_leak"], found.details["step"]) == ("leak", 0, "1/2")
    assert "none is allowed, as what is read is rounded to multiples of 1/2 already" in found.message


def test_a_failure_says_where_in_words() -> None:
    """The embedding and the answer are no layers."""
    places = {0: "embedding, kind w, slot index", 2: "layer 2, kind w, slot index"}
    for layer, place in places.items():
        assert str(Failure(layer, "w", "index", "P7", "holds 0")) == f"{place}: holds 0 (P7)"
    assert str(Failure(5, "w", "answer", "answer", "no margin")) == "answer, kind w: no margin (answer)"
