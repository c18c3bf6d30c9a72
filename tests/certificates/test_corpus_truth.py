"""Whether the claims of the corpus are true, by judges that share no code with the kernel.

Constructions are run on all inputs where these are few; bounds and decisions are evaluated with long integers and
mpmath; pairs are run on both inputs. "false" and "not shown" in the manifest must be what these judges find.
"""

from __future__ import annotations

import json
from math import prod
from typing import Any

import mpmath
import pytest
from claim_truth import is_true
from corpus_cases import MANIFEST, text
from naive_model import Imprecise
from plain_evaluator import LookUps
from run_truth import LONG, construction_holds, prompts

Document = dict[str, Any]
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


@pytest.mark.parametrize("entry", entries("construction", "accept", "reject"))
def test_a_construction_is_what_the_manifest_says(entry: Document) -> None:
    document = json.loads(text(entry))
    task = document["model"]["task"]
    if entry["expect"] == "accept" and not are_few(task) and int(task.get("length", 0)) <= LONG:
        pytest.skip("too many inputs to run them all")
    assert construction_holds(document) == (entry["expect"] == "accept" or entry["why"].startswith("not shown: "))


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
