"""Edges of the kernel's rules and readings, one by one: what is just accepted and what is just refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from certificate_cases import certificate
from kernel_cases import construction, real

from separation.proving import kernel

ONE = kernel.ONE
Document = dict[str, Any]


def said(document: Document) -> str:
    """The kernel's text, whatever the verdict."""
    try:
        return kernel.check_certificate(document).message
    except kernel.Declined as error:
        return str(error)
    except kernel.Malformed as error:
        return f"malformed: {error}"


STATE_BITS = ["C2 RF linear", "C2 RFF delta", "C3", "C3 of two tables", "C5 RF linear", "C5 FR delta"]


@pytest.mark.parametrize("name", STATE_BITS)
def test_state_bits(name: str) -> None:
    document = real(name)
    bits = document["claim"]["state_bits"]
    assert kernel.check_certificate(document).ok
    document["claim"]["state_bits"] = bits - 1
    assert said(document) == f"claim, state_bits: {bits - 1} claimed, {bits} proved"


# --- P10, on a table of two entries, z0 and w ---


def delta(kinds: dict[str, dict[str, Any]], asked: int = 2) -> tuple[kernel.Proof, list[kernel.Forms]]:
    """What the kinds table 1, z0, w read; a kind is silent unless told: q, k of two coordinates, v, alpha, beta."""
    proof = kernel.Proof(kernel.Model(construction(2, [])["model"]), False)
    proof.model.bound, proof.layer = 100, 1
    x: list[kernel.Forms] = []
    for kind in proof.kinds:
        given = {"q": (0, 0), "k": (0, 0), "v": {}, "alpha": 1, "beta": 0} | kinds.get(kind.name, {})
        pairs = [c if isinstance(c, dict) else {ONE: c} if c else {} for c in (*given["q"], *given["k"])]
        gates = [{ONE: given[key]} if given[key] else {} for key in ("alpha", "beta")]
        x.append([*pairs, given["v"], *gates])
    places = {"Q": range(2), "K": range(2, 4), "V": range(4, 5), "A": range(5, 6), "B": range(6, 7)}
    weights = {
        f"W_{letter}": kernel.Matrix(len(columns), [(r, c, 1) for r, c in enumerate(columns)])
        for letter, columns in places.items()
    }
    describe = proof.delta(1, kernel.Head("delta", weights, 0, False, 1, 0), x)
    return proof, describe(asked)


WRITE = {"k": (1, 0), "v": {"i0.0": 1}, "beta": 1}


def test_a_delta_rule_hands_on_what_one_token_wrote() -> None:
    proof, options = delta({"z0": WRITE, "w": {"q": (1, 0)}})
    assert options[0] == [{"i0.0": 1}]
    assert proof.state_bits == 2
    _, options = delta({"z0": WRITE, "w": {"q": (3, 0)}})
    assert options[0] == [{"i0.0": 3}]
    _, options = delta({"z0": WRITE, "w": {"q": (0, 1)}})
    assert options == [[{}]]
    _, options = delta({"z0": {**WRITE, "k": (Fraction(3, 5), Fraction(4, 5))}, "w": {"q": (1, 2)}})
    assert options[0] == [{"i0.0": Fraction(11, 5)}]
    two = {"z0": WRITE, "w": {"k": (0, 1), "v": {ONE: 5}, "beta": 2, "q": (0, 1)}}
    assert delta(two)[1][0] == [{ONE: 5}]
    ((form,),) = delta({"z0": WRITE, "w": {"q": (-1, 0)}})[1]
    assert [s.radius for s in form if isinstance(s, kernel.Noise)] == [1]  # no reading: within ± 1
    ((form,),) = delta({"z0": WRITE, "w": {"q": (1, 0)}}, asked=1)[1][-1:]
    assert form == {}


@pytest.mark.parametrize(
    "kinds",
    [
        {"z0": {**WRITE, "k": (2, 0)}},  # not of norm 1
        {"z0": {**WRITE, "k": (-1, 0)}},
        {"z0": {**WRITE, "k": (0, 0)}},
        {"z0": {**WRITE, "beta": Fraction(1, 2)}},
        {"z0": {**WRITE, "alpha": Fraction(1, 2)}},
        {"w": {"alpha": 0}},
        {"table 1": {**WRITE, "v": {"value.0": 1}}},  # two tokens write
        {"z0": {**WRITE, "k": ({"i0.0": 1}, 0)}},  # a key that is not constant
        {"z0": WRITE, "w": {"k": (1, 0), "beta": 1}},  # not orthogonal
        {"z0": WRITE, "w": {"k": (Fraction(3, 5), Fraction(4, 5)), "beta": 1}},
    ],
)
def test_other_delta_rules_are_refused(kinds: dict[str, dict[str, Any]]) -> None:
    with pytest.raises(kernel.Rejected, match=r"slot head 1 state: P10: not a sum over single tokens$"):
        delta(kinds)


def test_features_that_are_no_integers_are_not_integral() -> None:
    document = real("C2 RF linear")
    head = document["model"]["layers"][0]["heads"][0]
    for item in head["b_K"]["entries"]:
        item[2] = str(Fraction(item[2]) + Fraction(1, 2))
    assert said(document) == "layer 1, kind every, slot head 1: integral: not known to be a multiple of 2^-f"


# --- pairs ---


def test_pairs_with_the_same_right_answer() -> None:
    document = certificate("pair", "R")
    document["claim"] |= {"b": document["claim"]["a"], "expected_b": document["claim"]["expected_a"]}
    assert said(document) == "both inputs have the same right answer"


def test_a_model_that_can_say_what_it_cannot_read() -> None:
    document = certificate("pair", "RR, thoughts")
    table = document["model"]["unembedding"]["stored"]
    rows, known = table["shape"][0], document["model"]["tokens"]["stored"]["shape"][0]
    table["shape"][0] = known
    assert "cannot read" not in said(document)
    table["shape"][0] = known + 1
    assert said(document) == "malformed: the model can say what it cannot read"
    assert rows <= known
    once = certificate("pair", "R")
    once["model"]["unembedding"]["stored"]["shape"][0] = once["model"]["tokens"]["stored"]["shape"][0] + 1
    assert "cannot read" not in said(once)


def test_an_output_that_is_no_answer() -> None:
    document = certificate("pair", "R")
    rows = document["model"]["unembedding"]["stored"]["shape"][0]
    document["claim"] |= {"output_a": [rows], "output_b": [rows]}
    assert said(document) == "the outputs differ, or are no answers"
    document["claim"] |= {"output_a": [rows - 1], "output_b": [rows - 1]}
    assert said(document) != "the outputs differ, or are no answers"


MAP_CHANGES: list[tuple[tuple[Any, ...], Any, str]] = [
    (("swaps", 0, "with", 0), 5, "malformed: an integer out of range"),  # M itself
    (("swaps", 0, "with", 0), 0, "malformed: an integer out of range"),
    (("swaps", 0, "block"), 3, "malformed: an integer out of range"),  # g blocks, from 0 on
    (("opened", 0), 3, "malformed: an integer out of range"),
    (("a", 0), 5, "malformed: an integer out of range"),
    (("x",), 0, "malformed: an integer out of range"),
    (("block",), 0, "malformed: an integer out of range"),
    (("blocks",), 0, "malformed: an integer out of range"),
    (("open",), -1, "malformed: an integer out of range"),
    (("modulus",), 1, "malformed: an integer out of range"),
    (("modulus",), 4, "malformed: the modulus is even"),
    (("blocks",), 1 << 30, "declined: too many tokens"),
]


@pytest.mark.parametrize(("path", "value", "text"), MAP_CHANGES)
def test_numbers_of_a_map_pair(path: tuple[Any, ...], value: Any, text: str) -> None:
    document = certificate("pair", "map")
    place: Any = document["claim"]
    for key in path[:-1]:
        place = place[key]
    assert place[path[-1]] != value
    place[path[-1]] = value
    assert said(document) == text


def test_a_swap_of_another_length() -> None:
    document = certificate("pair", "map")
    document["claim"]["swaps"][0]["with"].append(1)
    assert said(document) == "malformed: not a list of the right length"


def test_x_is_no_multiple_of_the_modulus() -> None:
    document = certificate("pair", "map")
    document["claim"]["x"] = 5
    assert said(document) == "input a: its last token is not −x, or x is in it"


# --- words, heads and choices of a construction ---


@pytest.mark.parametrize(("length", "short"), [(201, True), (2000, True), (2001, False)])
def test_words_may_be_long(length: int, short: bool) -> None:
    document = real("C3")
    document["claim"]["word"] = "R" * length
    assert said(document) == ("claim, word: that of the model is RR" if short else "malformed: not a short string")


def test_a_model_without_layers() -> None:
    """It has no head, and answers nothing."""
    document = construction(2, [])
    document["model"] |= {"layers": [], "invariants": document["model"]["invariants"][:1]}
    document["claim"] |= {"layers": 0, "heads": 0, "word": ""}
    assert said(document).startswith("layer 0, kind w, slot unembedding: answer")
    document["claim"]["heads"] = 1
    assert said(document) == "claim, heads: the model has 0"


def test_no_segment_and_none_of_the_right_size() -> None:
    document = construction(3, [])
    segment = document["model"]["positions"]["declared"][0]
    assert segment["radices"] == [3]
    segment["radices"] = [1, 3]  # a digit of radix 1 is nothing
    assert kernel.check_certificate(document).ok
    tokens = construction(3, [])
    tokens["model"]["tokens"]["declared"][0]["start"] = 1
    assert said(tokens) == "malformed: the segments of a row table overlap or leave gaps"
