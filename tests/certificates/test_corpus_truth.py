"""Whether the claims of the corpus are true, by judges that share no code with the kernel.

Constructions are run on all inputs where these are few; bounds and decisions are evaluated with long integers and
mpmath; pairs are run on both inputs. "false" and "not shown" in the manifest must be what these judges find.
"""

from __future__ import annotations

import json
from fractions import Fraction
from math import prod
from typing import Any

import mpmath
import pytest
from claim_truth import is_true
from corpus_cases import MANIFEST, text
from long_prompts import long_claim_holds
from naive_model import Imprecise
from plain_evaluator import LookUps, all_runs, plainly, word
from program_truth import is_input, program_runs, prompts

Document = dict[str, Any]
LONG = 1 << 20  # tokens of a prompt of 2-Sum
FEW = 100  # inputs of a right model that is run on all of them; a wrong one is run until it is wrong
FEW_PROMPTS = 500  # the same of a program, promises aside: its prompts are short


def entries(kind: str, *expect: str) -> list[Any]:
    chosen = [entry for entry in MANIFEST if entry["kind"] == kind and entry["expect"] in expect]
    return [pytest.param(entry, id=str(entry["file"])) for entry in chosen]


def inputs(task: Document) -> int:
    """How many inputs a task has; beyond some size only that there are many."""
    if task["task"] == "two_sum":
        return int((task["modulus"] - 1) ** min(int(task["length"]), 30))
    if task["task"] == "look_ups":
        return LookUps(task).inputs
    if task["task"] == "program":
        return prompts(task)
    sizes = [task["m"] * prod(task["n"][:k]) for k in range(len(task["n"]) + 1)]
    return int(sizes[-1] * prod(min(N, 30) ** min(N, 30) for N in sizes))


def are_few(task: Document) -> bool:
    return inputs(task) <= (FEW_PROMPTS if task["task"] == "program" else FEW)


def claim_holds(document: Document) -> bool:
    """What is claimed of a model, on all inputs; its invariants are part of the proof, and no claim. Of
    prompts that are too long to be written down, those that repeat a token."""
    claim, model = document["claim"], document["model"]
    if int(model["task"].get("length", 0)) > LONG:
        return long_claim_holds(document)
    body = {key: plainly(value) for key, value in model.items() if key != "invariants"}
    program = model["task"]["task"] == "program"
    if program and not is_input(claim["task"], document["example"]):
        return False
    try:
        runs = (
            program_runs(body, claim["integral"])
            if program
            else all_runs(json.dumps(body, sort_keys=True), claim["integral"])
        )
    except AssertionError:  # a weight above 2^P, an activation above 2^(p-f), or no multiple of 2^-f
        return False
    if min(runs.margins) <= 0:
        return False
    facts = {"task": model["task"], "word": word(model), "tokens": runs.prompt or None, "layers": len(model["layers"])}
    facts["width"] = sum(slot["width"] for slot in model["slots"])
    facts["heads"] = max((len(layer["heads"]) for layer in model["layers"]), default=0)
    facts |= {"attention": model["attention"]} if "attention" in claim else {}
    facts["precision_bits"] = {key: model["precision"][key] for key in ("P", "p")}
    states = claim["state_bits"] is None or runs.state_bits <= int(claim["state_bits"])
    enough = 2 ** int(claim["inputs_covered_log2"] or 0) <= runs.inputs and Fraction(claim["margin"]) <= min(
        runs.margins
    )
    return enough and states and all(claim[key] == fact for key, fact in facts.items())


@pytest.mark.parametrize("entry", entries("construction", "accept", "reject"))
def test_a_construction_is_what_the_manifest_says(entry: Document) -> None:
    document = json.loads(text(entry))
    task = document["model"]["task"]
    if entry["expect"] == "accept" and not are_few(task) and int(task.get("length", 0)) <= LONG:
        pytest.skip("too many inputs to run them all")
    assert claim_holds(document) == (entry["expect"] == "accept" or entry["why"].startswith("not shown: "))


@pytest.mark.parametrize("kind", ["bound", "decision", "pair", "exhaustive", "wrong"])
def test_the_others_are_accepted_if_and_only_if_they_hold(kind: str) -> None:
    """Of a bound the inequalities; that a bound does not hold is no model that is right, and called "not shown"."""
    mpmath.mp.dps = 60
    for (entry,) in (one.values for one in entries(kind, "accept", "reject")):
        try:
            true = is_true(json.loads(text(entry)))
        except Imprecise:  # more bits than declared, or a score above the shift
            true = False
        assert true == (entry["expect"] == "accept"), entry["file"]


def test_ceilings_are_true_or_false_as_the_manifest_says() -> None:
    """What a theorem shows at the numbers of the choice; a share that is too small is "not shown", true or not."""
    for (entry,) in (one.values for one in entries("ceiling", "accept", "reject")):
        if not entry["why"].startswith("not shown: "):
            assert is_true(json.loads(text(entry))) == (entry["expect"] == "accept"), entry["file"]
