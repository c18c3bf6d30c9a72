"""An input as JSON: {"task": "two_sum", "modulus": …, "x": […]}."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from separation.arithmetic import integer_from_json
from separation.files import InputError
from separation.tasks.checks import load_document, packaged_schema, require_keys, shown
from separation.tasks.two_sum.instance import TwoSumInstance
from separation.tasks.two_sum.sizes import TwoSumSizes

TASK = "two_sum"
_KEYS = ("task", "modulus", "x")


def sizes_from_document(document: object) -> TwoSumSizes:
    """The sizes in {"task": "two_sum", "length": …, "modulus": …}."""
    if not isinstance(document, dict) or set(document) != {"task", "length", "modulus"}:
        raise InputError(f"task is {shown(document)}; an object with the keys task, length, modulus is needed")
    return TwoSumSizes(*(integer_from_json(document[key], f"task.{key}") for key in ("length", "modulus")))


def to_document(instance: TwoSumInstance) -> dict[str, Any]:
    """The instance as an object that JSON can write."""
    return {"task": TASK, "modulus": instance.sizes.modulus, "x": list(instance.x)}


def from_document(document: object) -> TwoSumInstance:
    """The instance of a document; whatever is wrong with it is refused with the name of the field."""
    document = require_keys(document, TASK, _KEYS)
    x = document["x"]
    if not isinstance(x, list):
        raise InputError(f"x is {shown(x)}; a list is needed")
    if not x:
        raise InputError("x has length 0; allowed are 1 and above")
    return TwoSumInstance(TwoSumSizes(len(x), document["modulus"]), x)


def load_instance(path: str | Path) -> TwoSumInstance:
    """The instance in a file."""
    return load_document(path, from_document)


def instance_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a document: all but that every value is below the modulus."""
    return packaged_schema(__package__)
