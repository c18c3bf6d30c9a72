"""What the JSON forms of all tasks share: exact keys, files, schemas."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from separation.files import InputError, read_json
from separation.tasks.checks import shown

Instance = TypeVar("Instance")


def require_keys(document: object, task: str, keys: tuple[str, ...]) -> dict[str, Any]:
    """An object with exactly these keys, for this task."""
    if not isinstance(document, dict):
        raise InputError(f"an instance is {shown(document)}; an object with the keys {', '.join(keys)} is needed")
    for key in document:
        if key not in keys:
            raise InputError(f"{shown(key)} is no key of an instance; its keys are {', '.join(keys)}")
    for key in keys:
        if key not in document:
            raise InputError(f"{key} is missing; an instance has the keys {', '.join(keys)}")
    if document["task"] != task:
        raise InputError(f"task is {shown(document['task'])}; {task!r} is needed")
    return document


def load_document(path: str | Path, parse: Callable[[object], Instance]) -> Instance:
    """What ``parse`` makes of the JSON in a file; its errors get the file's name."""
    document = read_json(path)
    try:
        return parse(document)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def packaged_schema(package: str | None) -> dict[str, Any]:
    """The JSON Schema (2020-12) that stands beside a task's code."""
    schema: dict[str, Any] = json.loads(files(str(package)).joinpath("instance.schema.json").read_text("utf-8"))
    return schema
