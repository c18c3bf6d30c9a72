"""The kernel accepts a hand-made construction for all sizes.

What it accepts is compared with a plain exact evaluation of the model on all inputs; nothing but the kernel itself is
imported from the project.
"""

from __future__ import annotations

import json
import time

import pytest
from kernel_cases import SIZES, construction, expand
from plain_evaluator import holds

from separation.proving.kernel import check_certificate, check_text


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize(("m", "n"), SIZES)
def test_accepts(m: int, n: list[int], stored: bool) -> None:
    document = construction(m, n, stored=stored)
    verdict = check_text(json.dumps(document))
    assert verdict.ok, verdict.message
    del document["claim"]["construction"]  # a label, of which nothing is claimed
    heads = [head for layer in document["model"]["layers"] for head in layer["heads"]]
    dim = max(head["W_V"]["shape"][0] for head in heads)
    found = {"attention": "causal", "message": {"heads": 1, "dim": dim, **document["claim"]["precision_bits"]}}
    assert (verdict.kind, verdict.claim) == ("construction", document["claim"] | found)
    task = f"L-FuncComp with L = {len(n) + 1}, m = {m}, n = ({', '.join(map(str, n))})"
    shape = f"word F{len(document['model']['layers'])}, causal"
    assert verdict.message == f"These weights answer every input of {task} correctly, by a margin of 2 ({shape})."


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize(("m", "n"), [(2, []), (3, []), (2, [1]), (1, [2])])
def test_accepted_models_answer_all_inputs(m: int, n: list[int], stored: bool) -> None:
    document = construction(m, n, stored=stored)
    assert check_certificate(document).ok
    assert holds(document)


def test_nineteen_million_tokens_in_seconds() -> None:
    document = construction(8, [8] * 7)
    begin = time.perf_counter()
    verdict = check_text(json.dumps(document))
    assert verdict.ok, verdict.message
    assert document["claim"]["tokens"] == 19_173_962
    assert time.perf_counter() - begin < 20


@pytest.mark.parametrize("change", ["P", "shift", "stored mix", "larger radix", "noise in two rows"])
def test_accepts_variants(change: str) -> None:
    document = construction(2, [])
    model = document["model"]
    if change == "P":  # the match has weight 1 and all others 0
        model["precision"]["P"] = document["claim"]["precision_bits"]["P"] = 0
    elif change == "shift":  # weights are no powers of two any more: P4 with w
        model["layers"][1]["heads"][0]["shift"] = "25/2"
    elif change == "stored mix":
        model["tokens"] = {"stored": expand(model["tokens"]["declared"], 3, document["claim"]["width"])}
    elif (
        change == "larger radix"
    ):  # a position segment may not reach into the next kind, but digits of radix 1 are free
        model["positions"]["declared"][1]["radices"] = [1, 1]
    else:  # the same invariant, its noise written in another basis
        table = construction(3, [])
        document.clear()
        document.update(table)
        slots = [slot["width"] for slot in document["model"]["slots"]]
        pointer = sum(slots[:6])
        document["model"]["invariants"][-1]["z0"]["noise"] = [
            {"radius": 1, "column": [[pointer, 1], [pointer + 1, 1]]},
            {"radius": 1, "column": [[pointer, 1], [pointer + 1, -1]]},
        ]
    verdict = check_certificate(document)
    assert verdict.ok, verdict.message
    if change != "noise in two rows":
        assert holds(document)
