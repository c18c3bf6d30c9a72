"""JSON Schemas (2020-12) of certificates, model files and instances, each as one document that stands alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from separation.files import InputError
from separation.tasks.checks import packaged_schema

KINDS = ("construction", "bound", "decision", "ceiling", "pair", "exhaustive", "wrong")
INSTANCES = ("funccomp", "two_sum")
NAMES = (*KINDS, "model", *INSTANCES)
_PARTS = ("numbers", "model", "bound", "decision")  # what other schemas refer to


def schema(name: str) -> dict[str, Any]:
    """The schema of one kind of file; what it refers to stands in its ``$defs``, under its own ``$id``."""
    if name not in NAMES:
        raise InputError(f"there is no schema {name[:40]!r}; there are {', '.join(NAMES)}")
    if name in INSTANCES:
        return packaged_schema(name)
    whole = _packaged(name)
    parts = {part["$id"]: part for part in map(_packaged, _PARTS)}
    waiting, needed = [whole], dict[str, Any]()
    while waiting:
        for identity in _references(waiting.pop()):
            if identity != whole["$id"] and identity not in needed:
                needed[identity] = parts[identity]
                waiting.append(parts[identity])
    return {**whole, "$defs": {**whole.get("$defs", {}), **needed}}


def _packaged(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(files(__name__).joinpath(f"{name}.schema.json").read_text("utf-8"))
    return document


def _references(value: Any) -> Iterator[str]:
    """The ``$id`` of every other schema that is referred to."""
    if isinstance(value, dict):
        target = value.get("$ref", "#")
        yield from [] if target.startswith("#") else [target.partition("#")[0]]
    for child in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _references(child)
