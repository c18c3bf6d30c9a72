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
BOUNDS = {
    "A": "a",
    "A chosen": "a-reached",
    "A free": "a-free",
    "A one table": "a-one-table",
    "B": "b",
    "B one table": "b-one-table",
    "C": "c",
    "heads": "a-message",
    "A powers": "a-powers",
    "C powers": "c-powers",
    "D": "d",
    "D, none opened": "d-none-opened",
    "A2": "sharper-a2",
    "A2, identity in front": "sharper-a2-in-front",
    "B2": "sharper-b2",
    "B, identity in front": "sharper-b-in-front",
    "A3": "sharper-a3-small",
    "A3, R between": "sharper-a3",
    "A3.free": "sharper-a3-free",
    "AL": "sharper-al",
    "AL, small": "sharper-al-small",
    "AL, rows": "sharper-al-rows",
    "BL": "sharper-bl",
    "BL, rows": "sharper-bl-rows",
    "B2c": "sharper-b2c",
    "B2c, groups": "sharper-b2c-groups",
    "A3c": "sharper-a3c",
    "A3c, R between": "sharper-a3c-r-between",
}
DECISIONS = {
    "by C1": "c1-fff",
    "by C2": "c2-rff",
    "by C3": "c3",
    "not by A": "not-a",
    "not by B": "not-b",
    "not by C": "not-c",
    "not by A2": "not-a2",
    "not by B2": "not-b2",
    "not with heads": "not-a-heads",
}
CEILINGS = {
    "A2 average": "a2-average",
    "A2 average, no early R": "a2-average-no-early-r",
    "A2 union": "a2-union",
    "A2, tables in front": "a2-in-front-average",
    "A3c": "a3c-frf-half",
    "B2c": "b2c-ffr-half",
    "C' average": "c-average",
    "C' union": "c-union",
    "C' of one full layer": "c-one-full",
    "E": "e-delayed",
    "E, full": "e-full",
    "E, late": "e-late",
    "E, two full layers": "e-quiet",
    "E, idle layers": "e-idle",
    "D'": "d-average",
}
PAIRS = {
    "R": "r",
    "RR, thoughts": "rr-thoughts",
    "R, two tables": "r-two-tables",
    "delta": "delta",
    "F": "f",
    "RF": "rf",
    "[FR]": "beside",
    "S": "s",
    "map": "map-table",
    "linear map": "map-linear",
}
EXHAUSTIVE = {
    "C1": "c1",
    "half of C1": "half-of-c1",
    "both ways": "both-ways",
    "thoughts": "thoughts",
    "2-Sum": "two-sum",
    "blocks": "blocks",
    "a program": "a-program",
    "promises": "promises",
    "look-ups": "look-ups",
}
WRONG = {"C1": "c1", "a program": "a-program", "endless": "endless"}
FILES = {
    "bound": BOUNDS,
    "decision": DECISIONS,
    "ceiling": CEILINGS,
    "pair": PAIRS,
    "exhaustive": EXHAUSTIVE,
    "wrong": WRONG,
}
KINDS = {"construction": CONSTRUCTIONS, **{kind: list(files) for kind, files in FILES.items()}}
ALL = [(kind, name) for kind, names in KINDS.items() for name in names]


@cache
def _text(kind: str, name: str) -> str:
    if kind == "construction":
        return json.dumps(MADE[name]())
    return (CORPUS / kind / f"{FILES[kind][name]}.json").read_text(encoding="utf-8")


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
