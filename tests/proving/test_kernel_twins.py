"""Broken twins: of a construction by hand (where no name is given) and of the project's. The kernel names the place."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

from kernel_cases import Document, at, bits_of, change, construction, head, matrix, put, real, said
from plain_evaluator import holds

from separation.proving.kernel import check_certificate


def entry(value: Document, row: int, column: int) -> list[Any]:
    """The entry of a matrix at a place."""
    return next(item for item in value["entries"] if item[:2] == [row, column])


def drop_key_bit(document: Document) -> None:
    keys = head(document, 3)["W_K"]
    keys["entries"].remove(entry(keys, keys["shape"][0] - 1, at(document, "index")))


def wrong_position_code(document: Document) -> None:
    segment = document["model"]["positions"]["declared"][1]  # table 1
    entry(segment["matrix"], at(document, "index"), 1)[2] = -1


def swap_answer_bits(document: Document) -> None:
    first, second = document["model"]["unembedding"]["declared"][0]["matrix"]["entries"]
    first[1], second[1] = second[1], first[1]


def third(document: Document) -> None:
    """An exact number with no p-bit notation, where it does no harm to the answer."""
    document["model"]["layers"][2]["mlps"][0]["W_1"]["entries"][-1][2] = "-1/3"
    document["model"]["layers"][2]["mlps"][0]["W_2"]["entries"][-1][2] = 3


def see_the_future(document: Document) -> None:
    invariant = document["model"]["invariants"][1]["table 1"]
    invariant["noise"].pop(0)
    invariant["forms"].append([at(document, "pointer"), "i0.0", 1])


def dependent_noise(document: Document) -> None:
    noise = document["model"]["invariants"][3]["z0"]["noise"]
    noise.append({"radius": 5, "column": [*noise[0]["column"], *noise[1]["column"]]})


def feature_everywhere(document: Document) -> None:
    head(document, 1)["W_K"]["entries"] = []
    change(head(document, 1)["b_K"], 0, 0, 1)


def forget(document: Document) -> None:
    document["claim"]["integral"] = False
    change(head(document, 1)["b_A"], 0, 0, "1/2")


def moving_key(document: Document) -> None:
    change(head(document, 1)["W_K"], 0, at(document, "value"), 1)


def whose_hop(document: Document) -> None:
    """A table's own later hop is claimed to be the global one."""
    for item in document["model"]["invariants"][-1]["table 1"]["forms"]:
        item[1] = item[1].replace("h2", "i2")


def no_mirror(document: Document) -> None:
    segment = document["model"]["tokens"]["declared"][0]
    del segment["mirror"]
    segment["matrix"]["shape"][1] = 1 + (segment["matrix"]["shape"][1] - 1) // 2
    segment["matrix"]["entries"] = [e for e in segment["matrix"]["entries"] if e[1] < segment["matrix"]["shape"][1]]


def weak_search(document: Document) -> None:
    for item in head(document, 1)["W_Q"]["entries"]:
        item[2] = 1
    head(document, 1)["shift"] = len(head(document, 1)["W_Q"]["entries"])


def other_offset(document: Document) -> None:
    """Both heads summarise the first token of a block; the second is then seen by none."""
    for key in ("C_K", "C_V"):
        head(document, 1, 1)[key] = json.loads(json.dumps(head(document, 1, 0)[key]))


def mean_summary(document: Document) -> None:
    """The mean of the two tokens in place of one of them."""
    rows = head(document, 1)["C_K"]["shape"][0]
    halves = {(r, o * rows + r): "1/2" for r in range(rows) for o in range(2)}
    for key in ("C_K", "C_V"):
        head(document, 1)[key] = matrix(rows, 2 * rows, halves)


def sum_summary(document: Document) -> None:
    """The sum of the two tokens in place of one of them."""
    mean_summary(document)
    for key in ("C_K", "C_V"):
        for item in head(document, 1)[key]["entries"]:
            item[2] = 1


def seen_too_early(document: Document) -> None:
    document["model"]["invariants"][0]["x"]["forms"].append([at(document, "fired"), "seen 1/0.0", 2])


def flipped_emission(document: Document) -> None:
    for item in document["model"]["unembedding"]["declared"][-1]["matrix"]["entries"]:
        item[2] = -item[2]


Change = Callable[[Document], None]
TWINS: list[tuple[str, Change | tuple[tuple[Any, ...], Any], str]] = [
    ("", drop_key_bit, "layer 3, kind w, slot pointer[0]: P7"),
    ("", wrong_position_code, "layer 0, kind table 1, slot index[0]: P7"),
    ("", swap_answer_bits, "layer 3, kind w, slot unembedding: answer: i2.1 of the rows"),
    ("", (("layers", 1, "heads", 0, "shift"), 11), "layer 2, kind table 1, slot head 1: P3: score up to 12, shift 11"),
    ("", (("precision", "p"), 7), "layer 1, kind table 2, slot head 1 q[0]: P8: up to 3"),
    ("", third, "layer 3, kind every, slot W_1: integral"),
    (
        "",
        (("invariants", 2, "z0", "noise", 1, "radius"), "63/64"),
        "layer 2, kind z0, slot pointer[1]: P7: up to 1 off",
    ),
    ("", see_the_future, "layer 1, kind table 1, slot pointer[0]: P7"),
    ("", dependent_noise, "layer 3, kind z0, slot invariant: P7"),
    ("C2 RF linear", feature_everywhere, "layer 1, kind w, slot pointer[0]: P7"),
    ("C2 RFF delta", forget, "layer 1, kind table 2, slot head 1 state: P10: not a sum over single"),
    ("C2 RFF delta", moving_key, "layer 1, kind z0, slot head 1 state: P10: not a sum over single"),
    ("C4", whose_hop, "layer 3, kind table 1, slot pointer[0]: P7"),
    ("C6", no_mirror, "layer 0, kind x, slot mirror[0]: P7"),
    ("C6", weak_search, "layer 1, kind x, slot "),
    ("C6", (("layers", 0, "heads", 0, "shift"), 10), "layer 1, kind x, slot "),
    ("C6", seen_too_early, "layer 0, kind x, slot fired[0]: P7"),
    ("C7", other_offset, "layer 1, kind x, slot unembedding: answer: not every token is seen"),
    ("C7", sum_summary, "layer 1, kind x, slot head 1: P11: a summary is not one token"),
    ("C5 RF linear", flipped_emission, "layer 2, kind w, slot unembedding: answer"),
]
"""One for each rule and each kind of place; corpus/ has the others, and tests/certificates holds the kernel to it."""


def test_refuses_every_twin() -> None:
    for name, breaks, place in TWINS:
        document = real(name) if name else construction(2, [2])
        if isinstance(breaks, tuple):
            put(document["model"], *breaks)
        else:
            breaks(document)
        document["claim"]["precision_bits"] = {key: document["model"]["precision"][key] for key in ("P", "p")}
        verdict = check_certificate(document)
        assert not verdict.ok, breaks
        assert verdict.message.startswith(place), (breaks, verdict.message)


def test_a_model_off_the_grid_is_accepted_only_without_the_claim() -> None:
    document = construction(2, [2])
    third(document)
    assert not check_certificate(document).ok
    document["claim"]["integral"] = False
    assert check_certificate(document).ok
    document["claim"]["integral"] = "no"
    assert said(document).startswith("malformed")


def test_noise_lowers_the_margin() -> None:
    document = construction(2, [2])
    columns = [[[at(document, "pointer", j), 1]] for j in range(2)]
    document["model"]["invariants"][-1]["w"]["noise"] = [{"radius": "1/4", "column": column} for column in columns]
    assert check_certificate(document).message == "claim, margin: 2 is claimed, 3/2 is proved"  # one bit is enough
    document["claim"]["margin"] = "3/2"
    assert check_certificate(document).ok


def test_refuses_rows_that_are_not_the_code_of_their_number() -> None:
    stored = construction(3, [2], stored=True)
    row = 0 + 3 + 2  # table 2, digit 1, index 2
    entry(stored["model"]["positions"]["stored"], row, at(stored, "index", 1))[2] = "3"
    assert said(stored).startswith("layer 0, kind table 2, slot positions: P1: row 5")
    declared = construction(3, [2])
    segment = declared["model"]["positions"]["declared"][0]
    segment["radices"] = [3, 2]  # the same rows and bits, in another order
    assert segment["matrix"]["shape"][1] == 1 + bits_of(3) + bits_of(2)
    assert said(declared).startswith("layer 0, kind table 2, slot positions: P1: no segment")
    mirrored = real("C3")  # bits of 3 − value are no bits of a variable of FuncComp, though the rows are well defined
    segment = mirrored["model"]["tokens"]["declared"][0]
    segment["mirror"] = segment["radices"][0]
    segment["matrix"]["shape"][1] += 2
    assert said(mirrored).startswith("layer 0, kind table 1, slot tokens: P1")


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
