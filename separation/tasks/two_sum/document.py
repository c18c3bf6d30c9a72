"""An input as JSON: {"task": "two_sum", "modulus": …, "x": […]}."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from separation.files import InputError
from separation.tasks.checks import shown
from separation.tasks.documents import load_document, packaged_schema, require_keys
from separation.tasks.two_sum.instance import TwoSumInstance
from separation.tasks.two_sum.sizes import TwoSumSizes

TASK = "two_sum"
_KEYS = ("task", "modulus", "x")


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
