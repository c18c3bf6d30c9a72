"""Constructions for a task that its document defines: MQAR with keys that are content, right and wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

from constructions import mqar
from separation.proving import certified_proof, construction_certificate
from separation.tasks.mqar import MQARSizes
from tools.corpus.entries import TOOL, Document, Entry, edited

SIZES = {"mqar-f": ("F", 2), "mqar-r": ("R", 2), "mqar-f-k3": ("F", 3)}
WHY = {
    "mqar-f": "look-ups: MQAR, two pairs told apart by their keys, one full layer",
    "mqar-r": "look-ups: MQAR, a feature for each key in a recurrent state",
    "mqar-f-k3": "look-ups: MQAR with a key that no pair has",
}
Edit = Callable[[Document], Any]


@cache
def _text(name: str) -> str:
    word, keys = SIZES[name]
    found = certified_proof(mqar.build(MQARSizes(2, keys, 2, 4 - keys), word))
    return json.dumps(construction_certificate(found.construction, found.proof, TOOL))


def base(name: str) -> Document:
    """The certificate of a construction; a fresh copy."""
    document: Document = json.loads(_text(name))
    return document


def _task(edit: Edit) -> Edit:
    """The same edit of the task of the claim and of the model."""
    return lambda document: [edit(part["task"]) for part in (document["claim"], document["model"])]


def _flat(document: Document) -> None:
    document["model"]["layers"][0]["heads"][0]["W_Q"]["entries"] = []


CHANGED: list[tuple[str, str, str, Edit, str]] = [
    ("mqar-label", "mqar-f", "accept", _task(lambda t: t.update(name="recall")), "look-ups: the name is a label"),
    (
        "mqar-claim-of-less",
        "mqar-f",
        "reject",
        lambda d: d["claim"]["task"]["kinds"][0].update(count=1),
        "false: the task of the claim has one pair, that of the model two",
    ),
    (
        "mqar-inputs-over",
        "mqar-f-k3",
        "reject",
        lambda d: d["claim"].update(inputs_covered_log2=d["claim"]["inputs_covered_log2"] + 1),
        "false: keys are different, so there are fewer inputs",
    ),
    (
        "mqar-key-as-answer",
        "mqar-f",
        "reject",
        _task(lambda t: t["finds"][0].update({"as": [["key", "answer"]]})),
        "false: the task asks for the key, and the model answers with the value",
    ),
    (
        "mqar-state-bits-under",
        "mqar-r",
        "reject",
        lambda d: d["claim"].update(state_bits=d["claim"]["state_bits"] - 1),
        "false: a state of one bit less",
    ),
    (
        "mqar-position-asked",
        "mqar-f",
        "reject",
        _task(lambda t: t["kinds"][0].update(named_by=["position"])),
        "false: the pair at a position is asked for, and the model looks at keys",
    ),
    ("mqar-flat", "mqar-f", "reject", _flat, "false: the query is 0, so all pairs weigh the same"),
    (
        "malformed-keys-alike",
        "mqar-f-k3",
        "malformed",
        _task(lambda t: t["kinds"][0].update(named_by=["position"])),
        "pairs told apart by position are asked for by a key",
    ),
    (
        "malformed-any-key",
        "mqar-f",
        "malformed",
        _task(lambda t: t["kinds"][1]["token"][0].__setitem__(2, None)),
        "nothing says that a pair has the key that is asked for",
    ),
    (
        "malformed-find-later",
        "mqar-f",
        "malformed",
        _task(lambda t: t["finds"][0].update(kind="queries")),
        "a token is to be found in a kind that does not stand before the reader",
    ),
    (
        "malformed-find-repeated",
        "mqar-f",
        "malformed",
        _task(lambda t: t["finds"].append(t["finds"][0])),
        "a variable is found that the reader has already",
    ),
    (
        "malformed-names-too-few",
        "mqar-f",
        "malformed",
        _task(lambda t: t["kinds"][0].update(count=3)),
        "three pairs with different keys below 2",
    ),
    (
        "malformed-kind-name",
        "mqar-f",
        "malformed",
        _task(lambda t: t["kinds"][0].update(name="Pairs")),
        "a kind whose name has a capital letter",
    ),
]


def entries() -> Iterator[Entry]:
    for name, why in WHY.items():
        yield Entry(name, "construction", "accept", why, "prove", partial(base, name))
    for name, source, expect, edit, why in CHANGED:
        make = partial(edited, base(source), edit)
        yield Entry(name, "construction", expect, why, f"an edit of {source}", make)
