"""An input as JSON: {"task": "two_sum", "modulus": …, "x": […]}."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

from separation.files import InputError, read_json
from separation.tasks.checks import shown
from separation.tasks.two_sum.instance import TwoSumInstance
from separation.tasks.two_sum.sizes import TwoSumSizes

TASK = "two_sum"
_KEYS = ("task", "modulus", "x")


def to_document(instance: TwoSumInstance) -> dict[str, Any]:
    """The instance as an object that JSON can write."""
    return {"task": TASK, "modulus": instance.sizes.modulus, "x": list(instance.x)}


def from_document(document: object) -> TwoSumInstance:
    """The instance of a document; whatever is wrong with it is refused with the name of the field."""
    if not isinstance(document, dict):
        raise InputError(f"an instance is {shown(document)}; an object with the keys {', '.join(_KEYS)} is needed")
    for key in document:
        if key not in _KEYS:
            raise InputError(f"{shown(key)} is no key of an instance; its keys are {', '.join(_KEYS)}")
    for key in _KEYS:
        if key not in document:
            raise InputError(f"{key} is missing; an instance has the keys {', '.join(_KEYS)}")
    if document["task"] != TASK:
        raise InputError(f"task is {shown(document['task'])}; {TASK!r} is needed")
    x = document["x"]
    if not isinstance(x, list):
        raise InputError(f"x is {shown(x)}; a list is needed")
    if not x:
        raise InputError("x has length 0; allowed are 1 and above")
    return TwoSumInstance(TwoSumSizes(len(x), document["modulus"]), x)


def load_instance(path: str | Path) -> TwoSumInstance:
    """The instance in a file."""
    document = read_json(path)
    try:
        return from_document(document)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def instance_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a document: all but that every value is below the modulus."""
    schema: dict[str, Any] = json.loads(files(__package__).joinpath("instance.schema.json").read_text("utf-8"))
    return schema
