"""Certificates for the tests of the kernel: weights and invariants of the project's constructions, at tiny sizes.

The claim is written here.
"""

from __future__ import annotations

import copy
import itertools
import json
from fractions import Fraction
from functools import lru_cache
from typing import Any

from broken_models import cold
from construction_changes import with_stored_tables
from plain_evaluator import word
from plain_tables import Document

from constructions import bracket, c1, c2, c3, c4, c5, c6, c7
from separation.proving import Construction, construction_to_document
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes

SIZES: list[tuple[int, list[int]]] = [
    *((m, []) for m in (2, 3, 4, 5)),
    *((3, [1]), (2, [2]), (3, [5]), (1, [2])),
    *((2, [1, 1]), (3, [2, 4])),
]


def construction(m: int, n: list[int], *, tau: Fraction | None = None, stored: bool = False) -> Document:
    """The certificate of C1, also at m = 1, which the project has no task for; `tau` in place of its temperature."""
    sizes = object.__new__(Sizes)  # without the check of m
    vars(sizes).update(m=m, n=tuple(n))
    one = c1.build(sizes) if tau is None else cold(c1.build(sizes, temperature=1), tau)
    return certificate(with_stored_tables(one) if stored else one)


def claimed(model: Document, **claim: Any) -> Document:
    """The certificate of a model with invariants; what is not claimed of it here is read off. Nobody asks whether it
    holds."""
    task = model["task"]
    if task["task"] == "two_sum":
        tokens = task["length"]
    else:
        tokens = sum(itertools.accumulate([task["m"], *task["n"]], lambda a, b: a * b)) + 2
    read = {
        "construction": "",
        "task": copy.deepcopy(task),
        "tokens": tokens,
        "word": word(model),
        "width": sum(slot["width"] for slot in model["slots"]),
        "heads": max((len(layer["heads"]) for layer in model["layers"]), default=0),
        "layers": len(model["layers"]),
        "precision_bits": {key: model["precision"][key] for key in ("P", "p")},
        "integral": False,
        "state_bits": None,
        "inputs_covered_log2": 0,
        "margin": 1,
    }
    schema = {"schema": "separation.certificate/1", "kind": "construction", "tool": "0"}
    return {**schema, "claim": read | claim, "model": model}


REAL = {
    "C2 RF linear": lambda: c2.build(Sizes(2, ()), word="RF", family="linear"),
    "C2 FR linear": lambda: c2.build(Sizes(2, ()), word="FR", family="linear"),
    "C2 RFF delta": lambda: c2.build(Sizes(2, (1,)), word="RFF", family="delta"),
    "C2 FRF delta": lambda: c2.build(Sizes(2, (1,)), word="FRF", family="delta"),
    "C3": lambda: c3.build(Sizes(3, ())),
    "C3 of two tables": lambda: c3.build(Sizes(2, (1,))),
    "C4": lambda: c4.build(Sizes(2, (1,))),
    "C5 RF linear": lambda: c5.build(Sizes(2, (1,)), word="RF", family="linear"),
    "C5 RF delta": lambda: c5.build(Sizes(2, (1,)), word="RF", family="delta"),
    "C5 FR linear": lambda: c5.build(Sizes(2, (1,)), word="FR", family="linear"),
    "C5 FR delta": lambda: c5.build(Sizes(2, (1,)), word="FR", family="delta"),
    "C5 F": lambda: c5.build(Sizes(2, (1,)), word="F"),
    "C6": lambda: c6.build(TwoSumSizes(3, 5)),
    "C7": lambda: c7.build(TwoSumSizes(5, 3), block=2, opened=1),
    "C7 block 1": lambda: c7.build(TwoSumSizes(3, 5), block=1, opened=0),
    "C7 one block": lambda: c7.build(TwoSumSizes(2, 3), block=3, opened=7),
    "bracket FR": lambda: bracket.build(Sizes(2, (1,)), "FR"),
    "bracket RF": lambda: bracket.build(Sizes(2, (1,)), "RF"),
}
STATE_BITS = {  # counted by hand: entries of −1, 0 and 1 have two bits, entries of 0 and 1 have one
    "C2 RF linear": 2 + 1,
    "C2 FR linear": 2 + 1,
    "bracket FR": 2 + 1,
    "bracket RF": 2 + 1,
    "C2 RFF delta": 2,
    "C2 FRF delta": 2,
    "C3": 2 + 3 * 2,
    "C3 of two tables": 1 + 2 + 2,
    "C5 RF linear": 1,
    "C5 RF delta": 1,
    "C5 FR linear": 1,
    "C5 FR delta": 1,
}


def certificate(one: Construction, name: str = "", state_bits: int = 0) -> Document:
    """The certificate of one of the project's constructions; the claim is written here."""
    model: Document = json.loads(json.dumps(construction_to_document(one)))
    margin, inputs = 4 if model["task"]["task"] == "two_sum" else 2, one.sizes.inputs_log2_floor()
    made = {"construction": name or one.name, "integral": True, "inputs_covered_log2": inputs, "margin": margin}
    return claimed(model, state_bits=state_bits, **made)


@lru_cache
def built(name: str) -> Document:
    return certificate(REAL[name](), name, STATE_BITS.get(name, 0))


def real(name: str) -> Document:
    """A certificate of `REAL`; a copy, to be changed at will."""
    return copy.deepcopy(built(name))


def put(document: Any, path: tuple[Any, ...], value: Any) -> None:
    """Another value at a place of a document."""
    for key in path[:-1]:
        document = document[key]
    document[path[-1]] = value
