"""Broken twins: the kernel names the place and the rule. The twins are those of the corpus, but for two."""

from __future__ import annotations

import copy

from corpus_cases import CORPUS
from kernel_cases import Document, at, construction, real, said
from plain_tables import matrix
from run_truth import construction_holds

from separation.proving.kernel import check_certificate, check_text

PLACES = {
    "c1-m4-stored-row-off": "layer 0, kind table 1, slot positions: P1: row 3",
    "c1-m2-n2-radices": "layer 0, kind table 2, slot positions: P1: no segment",
    "c1-m2-positions-swapped": "layer 0, kind table 1, slot index[0]: P7",
    "c1-m2-shift-low": "layer 2, kind table 1, slot head 1: P3: score up to 6, shift 11/2",
    "c1-m2-size-over": "layer 1, kind table 1, slot head 1 q[0]: P8: up to 4001/1000",
    "c1-m2-large-at-end": "layer 2, kind table 1, slot found[0]: P8: up to 5",
    "c1-m2-unseen-token": "layer 1, kind table 1, slot pointer[0]: P7",
    "c1-m2-query-sign": "layer 2, kind w, slot pointer[0]: P7",
    "c1-m2-radius-under": "layer 1, kind z0, slot pointer[0]: P7: up to 1 off the claimed form, allowed 999/1000",
    "c1-m2-noise-dependent": "layer 1, kind z0, slot invariant: P7",
    "c1-m3-two-heads-integral": "layer 1, kind every, slot W_O: integral",
    "c2-rf-linear-feature-everywhere": "layer 1, kind w, slot pointer[0]: P7",
    "c2-rff-delta-forgets": "layer 1, kind table 2, slot head 1 state: P10: not a sum over single",
    "c2-rf-delta-writes-always": "layer 1, kind table 1, slot head 1 state: P10: not a sum over single",
    "c5-hops-next-id": "layer 2, kind hop 1, slot unembedding: answer",
    "c6-n3-m5-cold": "layer 1, kind x, slot fired[0]: P7",
    "c7-same-offset": "layer 1, kind x, slot unembedding: answer: not every token is seen",
    "c7-summary-of-two": "layer 1, kind x, slot head 1: P11: a summary is not one token",
    "mqar-flat": "layer 1, kind queries, slot found[0]: P7",
}


def test_the_place_and_the_rule_are_named() -> None:
    for name, place in PLACES.items():
        verdict = check_text((CORPUS / "construction" / f"{name}.json").read_bytes())
        assert not verdict.ok, name
        assert verdict.message.startswith(place), (name, verdict.message)


def test_a_hop_of_ones_own_is_not_the_global_one() -> None:
    """Attention both ways: a table's own later hop is claimed to be i2."""
    document = real("C4")
    for item in document["model"]["invariants"][-1]["table 1"]["forms"]:
        item[1] = item[1].replace("h2", "i2")
    assert said(document).startswith("layer 3, kind table 1, slot pointer[0]: P7")


def test_bits_of_a_mirror_image_are_no_bits_of_a_variable_of_funccomp() -> None:
    """Though the rows are well defined."""
    mirrored = real("C3")
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
    assert not construction_holds(document)
    assert check_certificate(document).message.startswith("layer 2, kind table 1, slot spare[2]: P7: up to 11/4")
