"""A model to fool from a file: weights and task; invariants may be there, and are not looked at."""

from __future__ import annotations

from pathlib import Path

from separation.files import InputError
from separation.models import Model, model_from_document
from separation.models.document import SCHEMA
from separation.models.model_file import read_model_file
from separation.tasks.catalogue import Task, task_from_document


def load_model(path: str | Path) -> tuple[Model, Task]:
    """The model and its task at given sizes, from JSON or safetensors."""
    document = read_model_file(path)
    try:
        if document.get("schema") != SCHEMA:
            raise InputError(f"schema must be {SCHEMA!r}, got {str(document.get('schema'))[:40]!r}")
        return model_from_document(document), task_from_document(document.get("task"))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
