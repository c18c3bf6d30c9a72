"""Broken twins of the hand-made construction: the kernel refuses each, at the right place."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from kernel_cases import Document, at, bits_of, code, construction, matrix
from plain_evaluator import holds

from separation.proving.kernel import Malformed, check_certificate


def entry(value: Document, row: int, column: int) -> list[Any]:
    """The entry of a matrix at a place."""
    return next(item for item in value["entries"] if item[:2] == [row, column])


def head(document: Document, layer: int) -> Document:
    found: Document = document["model"]["layers"][layer - 1]["heads"][0]
    return found


def drop_key_bit(document: Document) -> None:
    keys = head(document, 3)["W_K"]
    keys["entries"].remove(entry(keys, keys["shape"][0] - 1, at(document, "index")))


def ignore_the_digit(document: Document) -> None:
    queries = head(document, 3)["W_Q"]
    item = entry(queries, document["model"]["slots"][1]["width"], at(document, "query"))
    item[1] = at(document, "one")


def weak_tau(document: Document) -> None:
    document["model"] = construction(2, [2], tau=1)["model"]


def shift_the_clip(document: Document) -> None:
    document["model"]["layers"][1]["mlps"][0]["b_1"]["entries"][0][2] = -1


def narrow_clip(document: Document) -> None:
    document["model"]["layers"][0]["mlps"][0]["W_1"]["entries"][0][2] = 3


def swap_layers(document: Document) -> None:
    layers = document["model"]["layers"]
    layers[1], layers[2] = layers[2], layers[1]


def wrong_position_code(document: Document) -> None:
    segment = document["model"]["positions"]["declared"][1]  # table 1
    entry(segment["matrix"], at(document, "index"), 1)[2] = -1


def wrong_position_code_and_invariant(document: Document) -> None:
    wrong_position_code(document)
    for stage in document["model"]["invariants"]:
        next(item for item in stage["table 1"]["forms"] if item[1] == "index.0")[2] = -1


def same_tag(document: Document) -> None:
    """Table 2 gets the tag of table 1, 1 = (+, −), in place of (−, +)."""
    for j, c in enumerate(code(1, 2)):
        entry(document["model"]["positions"]["declared"][0]["matrix"], at(document, "tag", j), 0)[2] = c
        for stage in document["model"]["invariants"]:
            next(item for item in stage["table 2"]["forms"] if item[0] == at(document, "tag", j))[2] = c


def flip_answer_bit(document: Document) -> None:
    document["model"]["unembedding"]["declared"][0]["matrix"]["entries"][1][2] = -1


def swap_answer_bits(document: Document) -> None:
    first, second = document["model"]["unembedding"]["declared"][0]["matrix"]["entries"]
    first[1], second[1] = second[1], first[1]


def constant_in_answer(document: Document) -> None:
    document["model"]["unembedding"]["declared"][0]["matrix"]["entries"].append([0, 1, 1])


def small_shift(document: Document) -> None:
    head(document, 2)["shift"] = 11


def large_shift(document: Document) -> None:
    head(document, 2)["shift"] = 21


def no_output(document: Document) -> None:
    head(document, 3)["W_O"]["entries"].pop()


def coarse_rounding(document: Document) -> None:
    document["model"]["precision"] |= {"p": 3, "fraction": 1}
    document["claim"]["precision_bits"]["p"] = 3


def few_bits(document: Document) -> None:
    document["model"]["precision"]["p"] = document["claim"]["precision_bits"]["p"] = 7


def third(document: Document) -> None:
    """An exact number with no p-bit notation, where it does no harm to the answer."""
    document["model"]["layers"][2]["mlps"][0]["W_1"]["entries"][-1][2] = "-1/3"
    document["model"]["layers"][2]["mlps"][0]["W_2"]["entries"][-1][2] = 3


def small_radius(document: Document) -> None:
    document["model"]["invariants"][2]["z0"]["noise"][1]["radius"] = "63/64"


def see_the_future(document: Document) -> None:
    invariant = document["model"]["invariants"][1]["table 1"]
    invariant["noise"].pop(0)
    invariant["forms"].append([at(document, "pointer"), "i0.0", 1])


def dependent_noise(document: Document) -> None:
    noise = document["model"]["invariants"][3]["z0"]["noise"]
    noise.append({"radius": 5, "column": [*noise[0]["column"], *noise[1]["column"]]})


def wrong_hop(document: Document) -> None:
    for item in document["model"]["invariants"][3]["w"]["forms"]:
        item[1] = item[1].replace("i2.", "i1.") if item[1] == "i2.0" else item[1]


def missing_noise(document: Document) -> None:
    document["model"]["invariants"][1]["table 2"]["noise"].pop()


TWINS: list[tuple[Callable[[Document], None], str]] = [
    (drop_key_bit, "layer 3, kind w, slot pointer[0]: P7"),
    (ignore_the_digit, "layer 3, kind w, slot pointer[0]: P7"),
    (weak_tau, "layer 1, kind w, slot mlp[0]: P8"),
    (shift_the_clip, "layer 2, kind w, slot pointer[0]: P7"),
    (narrow_clip, "layer 1, kind table 2, slot pointer[0]: P7: up to 2"),
    (swap_layers, "layer 2, kind w, slot pointer[0]: P7"),
    (wrong_position_code, "layer 0, kind table 1, slot index[0]: P7"),
    (wrong_position_code_and_invariant, "layer 2, kind w, slot pointer[0]: P7"),
    (same_tag, "layer 2, kind w, slot mlp[0]: P8"),
    (flip_answer_bit, "layer 3, kind w, slot unembedding: answer: the margin -2"),
    (swap_answer_bits, "layer 3, kind w, slot unembedding: answer: i2.1 of the rows"),
    (constant_in_answer, "layer 3, kind w, slot unembedding: answer: i2.0 of the rows"),
    (small_shift, "layer 2, kind table 1, slot head 1: P3: score up to 12, shift 11"),
    (large_shift, "layer 2, kind w, slot pointer[0]: P7"),
    (no_output, "layer 3, kind w, slot pointer[1]: P7"),
    (coarse_rounding, "layer 1, kind w, slot mlp[0]: P8"),
    (few_bits, "layer 1, kind table 2, slot head 1 q[0]: P8: up to 3"),
    (third, "layer 3, kind every, slot W_1: integral"),
    (small_radius, "layer 2, kind z0, slot pointer[1]: P7: up to 1 off the claimed form, allowed 63/64"),
    (see_the_future, "layer 1, kind table 1, slot pointer[0]: P7"),
    (dependent_noise, "layer 3, kind z0, slot invariant: P7"),
    (wrong_hop, "layer 3, kind w, slot pointer[0]: P7"),
    (missing_noise, "layer 1, kind table 2, slot pointer[1]: P7"),
]


@pytest.mark.parametrize(("breaks", "place"), TWINS, ids=lambda item: getattr(item, "__name__", ""))
def test_refuses(breaks: Callable[[Document], None], place: str) -> None:
    document = construction(2, [2])
    breaks(document)
    verdict = check_certificate(document)
    assert not verdict.ok
    assert verdict.message.startswith(place)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("tokens", 9), ("width", 13), ("heads", 2), ("layers", 2), ("inputs_covered_log2", 13)),
        *(("margin", "201/100"), ("margin", 0), ("margin", -1), ("task", {"task": "funccomp", "m": 2, "n": [3]})),
        *(("precision_bits", {"P": 7, "p": 8}), ("precision_bits", {"P": 8, "p": 9})),
    ],
)
def test_refuses_claims(field: str, value: Any) -> None:
    document = construction(2, [2])
    document["claim"][field] = value
    verdict = check_certificate(document)
    assert not verdict.ok
    assert verdict.message.startswith("claim, ")


def test_a_model_off_the_grid_is_accepted_only_without_the_claim() -> None:
    document = construction(2, [2])
    third(document)
    assert not check_certificate(document).ok
    document["claim"]["integral"] = False
    assert check_certificate(document).ok
    document["claim"]["integral"] = "no"
    with pytest.raises(Malformed):
        check_certificate(document)


def test_noise_lowers_the_margin() -> None:
    document = construction(2, [2])
    columns = [[[at(document, "pointer", j), 1]] for j in range(2)]
    document["model"]["invariants"][-1]["w"]["noise"] = [{"radius": "1/4", "column": column} for column in columns]
    assert check_certificate(document).message == "claim, margin: 2 is claimed, 1 is proved"
    document["claim"]["margin"] = 1
    assert check_certificate(document).ok


def test_refuses_a_stored_table_that_is_not_affine() -> None:
    document = construction(3, [2], stored=True)
    row = 0 + 3 + 2  # table 2, digit 1, index 2
    entry(document["model"]["positions"]["stored"], row, at(document, "index", 1))[2] = "3"
    assert check_certificate(document).message.startswith("layer 0, kind table 2, slot positions: P1: row 5")


def test_refuses_a_declared_table_with_other_digits() -> None:
    document = construction(3, [2])
    document["model"]["positions"]["declared"][0]["radices"] = [3, 2]  # the same rows and bits, in another order
    shape = document["model"]["positions"]["declared"][0]["matrix"]["shape"]
    assert shape[1] == 1 + bits_of(3) + bits_of(2)
    assert check_certificate(document).message.startswith("layer 0, kind table 2, slot positions: P1: no segment")


def test_refuses_moduli_of_moduli_taken_together() -> None:
    """Two MLP blocks make S = N − |N| − 2·||N| − 1/2| of a slot N that is claimed to be within ±1 and is 1/2. Taken one
    by one, with |N| as a symbol of its own beside N, these seem to stay below −1/2; but S = 0, and a third layer, which
    adds to the answer if 2S + 1 > 0, makes it wrong."""
    document = construction(2, [])
    model, d = document["model"], document["claim"]["width"]
    width, n, modulus, s = d + 3, d, d + 1, d + 2
    for segment in (
        segment for table in ("positions", "tokens", "unembedding") for segment in model[table]["declared"]
    ):
        segment["matrix"]["shape"][0] = width
    for layer in model["layers"]:
        (head,), (mlp,) = layer["heads"], layer["mlps"]
        for part, axis in [*((head[key], 1) for key in ("W_Q", "W_K", "W_V")), (head["W_O"], 0), (mlp["W_1"], 1)]:
            part["shape"][axis] = width
        mlp["W_2"]["shape"][0] = mlp["b_2"]["shape"][0] = width
    model["slots"].append({"name": "spare", "width": 3})
    model["layers"][0]["mlps"][0]["b_2"]["entries"].append([n, 0, "1/2"])

    def block(rows: int, w_1: Document, b_1: Document, w_2: Document) -> Document:
        parts = {"W_1": matrix(rows, width, w_1), "b_1": matrix(rows, 1, b_1), "W_2": matrix(width, rows, w_2)}
        return parts | {"b_2": matrix(width, 1, {})}

    measure = {(0, modulus): 1, (1, modulus): -1, (2, modulus): 1, (3, n): 1, (4, n): -1}
    collect = {(s, 0): -2, (s, 1): -2, (s, 2): -1, (modulus, 2): -1, (s, 3): 1, (s, 4): -1}
    model["layers"][1]["mlps"] += [
        block(2, {(0, n): 1, (1, n): -1}, {}, {(modulus, 0): 1, (modulus, 1): 1}),
        block(5, measure, {(0, 0): "-1/2", (1, 0): "1/2"}, collect),
    ]
    last = block(1, {(0, s): 2}, {(0, 0): 1}, {(at(document, "pointer"), 0): 8})
    model["layers"].append({"heads": [], "mlps": [last]})
    model["invariants"].append(copy.deepcopy(model["invariants"][2]))
    for stage in (1, 2, 3):
        for invariant in model["invariants"][stage].values():
            invariant["noise"].append({"radius": 1, "column": [[n, 1]]})
            if stage > 1:
                invariant["forms"].append([s, "1", "-9/4"])
                invariant["noise"].append({"radius": "7/4", "column": [[s, 1]]})
    model["precision"]["p"] = document["claim"]["precision_bits"]["p"] = 10
    document["claim"] |= {"width": width, "layers": 3}
    assert not holds(document)
    assert check_certificate(document).message.startswith("layer 2, kind table 1, slot spare[2]: P7: up to 11/4")
