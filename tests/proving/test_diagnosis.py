"""Every named breakage of C1 is told by its own clause, with the bit, the slot, the leak or the row that is to blame.

Those that other constructions have stand beside their twins, in tests/constructions.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import broken_models as broken
import pytest
from construction_changes import Change, first_cause, matrix_at, with_head, with_matrix, with_whole_bits

from constructions import build
from separation.proving import prove
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes

OF_C1: dict[str, tuple[Change, int, str, str, str, dict[str, Any]]] = {
    # name: the change, layer, slot, rule, clause, and what details must say
    "flipped query sign": (broken.flipped_query_sign, 3, "pointer[0]", "P4", "wrong sign", {"reads": "table 2"}),
    "blind to the pointer": (broken.blind_to_the_pointer, 3, "pointer[0]", "P4", "missing bit", {"at": ["w1", "i1"]}),
    "low temperature": (broken.cold, 1, "pointer[0]", "P4", "leak", {"reads": "z0"}),
    "swapped query bits": (broken.swapped_query_bits, 3, "pointer[0]", "P4", "wrong bit", {"reads": "table 2"}),
    "keys that know values": (broken.keys_that_know_values, 3, "pointer[0]", "P4", "key beyond its address", {}),
    "shift far above": (broken.shift_far_above_the_match, 3, "pointer[0]", "P4", "weight floors to 0", {"score": "27"}),
    "crossed values": (broken.crossed_values, 3, "pointer[0]", "P7", "value", {"holds": "i2.1", "claimed": "i2.0"}),
    "clip that does not snap": (broken.clip_that_does_not_snap, 3, "pointer[0]", "P6", "clip", {"allowed": 0.0}),
}


def test_a_breakage_of_c1_is_named() -> None:
    causes = {}
    for name, (change, layer, slot, rule, clause, details) in OF_C1.items():
        found = causes[name] = first_cause(change(broken.whole()))
        assert (found.layer, found.kind, found.slot, found.rule, found.clause) == (layer, "w", slot, rule, clause), name
        assert found.details.items() >= details.items()
        assert str(found).endswith(f"({rule})")
    (problem,) = causes["flipped query sign"].details["problems"]
    bits = {"query_bit": "i1.1", "query_slots": ["pointer[1]"], "key_bit": "index.1", "key_slots": ["index[1]"]}
    assert problem == {"clause": "wrong sign", "coefficient": "-3", **bits}
    ignored = causes["blind to the pointer"].details["problems"]
    assert [(p["query_bit"], p["query_slots"], p["absent"]) for p in ignored] == [
        ("i1.0", ["pointer[0]"], "query"),
        ("i1.1", ["pointer[1]"], "query"),
    ]
    swapped = causes["swapped query bits"].details["problems"]
    met = {(p["query_bit"], p["key_bit"]) for p in swapped if p["clause"] == "wrong bit"}
    assert met == {("i1.1", "index.0"), ("i1.0", "index.1")}


def test_the_leak_that_is_allowed_is_where_the_proof_turns() -> None:
    """Two temperatures beside each other, one proved and one not: the allowed leak lies between their leaks."""
    whole = broken.whole(Sizes(16, ()))
    leaks: dict[bool, list[float]] = {True: [], False: []}
    allowed = set()
    for step in range(11, 15):
        subject = broken.cold(whole, Fraction(step, 18))
        proof = prove(subject)
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


def test_a_search_at_too_low_a_temperature_says_which_leak_is_allowed() -> None:
    found = first_cause(build("C6", TwoSumSizes(500, 1001), temperature=1))
    assert (found.rule, found.clause) == ("P11", "leak")
    # (#keys − 1)·e^{-2τ}, and at most about 1/(4b) is borne: b = 10 bits.
    assert found.details["leak"] == pytest.approx(499 * 2.718281828459045**-2)
    assert 0 < found.details["allowed_leak"] < found.details["leak"]


def test_the_first_cause_comes_first_and_the_answering_token_before_others() -> None:
    subject = broken.cold(broken.whole(Sizes(8, ())), Fraction(1, 4))
    proof = prove(subject)
    causes = proof.causes(subject.shape)
    assert len(causes) == len(proof.failures) > 1
    assert [failure.layer for failure in causes] == sorted(failure.layer for failure in causes)
    assert causes[0].kind == "w"


def test_numbers_that_no_float_can_say_do_not_stop_it() -> None:
    """Weights of 400 digits: the failure is told all the same."""
    subject = with_whole_bits(broken.whole(Sizes(2, ())), 2000)
    path = (1, "heads", 0, "w_q")
    matrix = matrix_at(subject, path).scaled(10**400)
    huge = with_head(with_matrix(subject, path, matrix), 1, shift=Fraction(10**405))
    found = first_cause(huge)
    assert (found.layer, found.kind) == (2, "w")


def test_rounding_so_coarse_that_no_leak_is_borne_is_named() -> None:
    """f = 1: what is read is a multiple of 1/2, and the MLP snaps what is off by less than that."""
    whole = build("C1", Sizes(2, (2,)))
    coarse = replace(whole.model.precision, fraction_bits=1)
    found = first_cause(replace(whole, model=replace(whole.model, precision=coarse)))
    assert (found.clause, found.details["allowed_leak"], found.details["step"]) == ("leak", 0, "1/2")
    assert "none is allowed, as what is read is rounded to multiples of 1/2 already" in found.message
