"""An input as JSON: {"task": "funccomp", "m": …, "n": […], "z0": …, "tables": [z_1, …, z_L], "w": […]}."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from separation.arithmetic import integer_from_json, number_to_json
from separation.files import InputError
from separation.tasks.checks import load_document, packaged_schema, require_keys, shown
from separation.tasks.funccomp.instance import Instance
from separation.tasks.funccomp.sizes import Sizes
from separation.tasks.funccomp.thoughts import Thoughts

TASK = "funccomp"
_KEYS = ("task", "m", "n", "z0", "tables", "w")


def sizes_to_document(sizes: Sizes) -> dict[str, Any]:
    """{"task": "funccomp", "m": …, "n": […]}: the task at these sizes, without an input."""
    return {"task": TASK, "m": number_to_json(sizes.m), "n": [number_to_json(size) for size in sizes.n]}


def sizes_from_document(document: object) -> Sizes | Thoughts:
    """The inverse of `sizes_to_document`; with the key "thoughts" those of a chain of thought in this style."""
    if isinstance(document, dict) and "thoughts" in document:
        rest = {key: value for key, value in document.items() if key != "thoughts"}
        return Thoughts(_plain_sizes(rest), document["thoughts"])
    return _plain_sizes(document)


def _plain_sizes(document: object) -> Sizes:
    if not isinstance(document, dict) or set(document) != {"task", "m", "n"}:
        raise InputError(f"task is {shown(document)}; an object with the keys task, m, n is needed")
    if document["task"] != TASK:
        raise InputError(f"task.task is {shown(document['task'])}; {TASK!r} is needed")
    if not isinstance(document["n"], list):
        raise InputError(f"task.n is {shown(document['n'])}; a list is needed")
    m = integer_from_json(document["m"], "task.m")
    return Sizes(m, tuple(integer_from_json(size, f"task.n[{i}]") for i, size in enumerate(document["n"])))


def to_document(instance: Instance) -> dict[str, Any]:
    """The instance as an object that JSON can write."""
    return {
        **sizes_to_document(instance.sizes),
        "z0": instance.z0,
        "tables": [list(table) for table in instance.tables],
        "w": list(instance.w),
    }


def from_document(document: object) -> Instance:
    """The instance of a document; whatever is wrong with it is refused with the name of the field."""
    document = require_keys(document, TASK, _KEYS)
    for key in ("n", "tables", "w"):
        if not isinstance(document[key], list):
            raise InputError(f"{key} is {shown(document[key])}; a list is needed")
    sizes = Sizes(document["m"], tuple(document["n"]))
    return Instance(sizes, document["z0"], document["tables"], document["w"])


def load_instance(path: str | Path) -> Instance:
    """The instance in a file."""
    return load_document(path, from_document)


def instance_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a document: all that can be said without arithmetic."""
    return packaged_schema(__package__)
