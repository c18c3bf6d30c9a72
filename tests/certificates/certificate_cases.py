"""Small certificates of every kind, true ones, by name: files of the corpus, and constructions that are made here."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any

import kernel_cases

from separation.proving.kernel import Malformed, check_certificate

Document = dict[str, Any]
CORPUS = Path(__file__).parents[2] / "corpus"
MADE = {
    "by hand": lambda: kernel_cases.construction(2, []),
    "by hand, stored": lambda: kernel_cases.construction(2, [], stored=True),
    "by hand, two tables": lambda: kernel_cases.construction(2, [1]),
    "by hand, m = 1": lambda: kernel_cases.construction(1, [2]),
    **{name: lambda name=name: kernel_cases.real(name) for name in kernel_cases.REAL},
}
CONSTRUCTIONS = list(MADE)
BOUNDS = [
    *("a", "a-reached", "a-free", "a-one-table", "b", "b-one-table", "c", "a-message", "a-powers"),
    *("c-powers", "d", "d-none-opened", "sharper-a2", "sharper-a2-in-front", "sharper-b2"),
    *("sharper-b-in-front", "sharper-a3-small", "sharper-a3", "sharper-a3-free", "sharper-al"),
    *("sharper-al-small", "sharper-al-rows", "sharper-bl", "sharper-bl-rows", "sharper-b2c"),
    *("sharper-b2c-groups", "sharper-a3c", "sharper-a3c-r-between"),
]
DECISIONS = ["c1-fff", "c2-rff", "c3", "not-a", "not-b", "not-c", "not-a2", "not-b2", "not-a-heads"]
CEILINGS = [
    *("a2-average", "a2-average-no-early-r", "a2-union", "a2-in-front-average", "a3c-frf-half"),
    *("b2c-ffr-half", "c-average", "c-union", "c-one-full", "e-delayed", "e-full", "e-late", "e-quiet"),
    *("e-idle", "d-average"),
]
PAIRS = ["r", "rr-thoughts", "r-two-tables", "delta", "f", "rf", "beside", "s", "map-table", "map-linear"]
EXHAUSTIVE = ["c1", "half-of-c1", "both-ways", "thoughts", "two-sum", "blocks", "a-program", "promises", "look-ups"]
WRONG = ["c1", "a-program", "endless"]
KINDS = {
    "construction": CONSTRUCTIONS,
    "bound": BOUNDS,
    "decision": DECISIONS,
    "ceiling": CEILINGS,
    "pair": PAIRS,
    "exhaustive": EXHAUSTIVE,
    "wrong": WRONG,
}
ALL = [(kind, name) for kind, names in KINDS.items() for name in names]


@cache
def _text(kind: str, name: str) -> str:
    if kind == "construction":
        return json.dumps(MADE[name]())
    return (CORPUS / kind / f"{name}.json").read_text(encoding="utf-8")


def certificate(kind: str, name: str) -> Document:
    """A fresh copy, as JSON carries it."""
    document: Document = json.loads(_text(kind, name))
    return copy.deepcopy(document)


def verdict(document: Document) -> str:
    """What the kernel says: malformed, rejected or accepted; any other exception is a defect of the kernel."""
    try:
        return "accepted" if check_certificate(document).ok else "rejected"
    except Malformed:
        return "malformed"
