"""Constructions in files: a model, its task and its invariants in one document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from separation.files import InputError, write_whole
from separation.models import model_from_document, model_to_document
from separation.models.document import MODEL_KEYS, SCHEMA, fields
from separation.models.model_file import read_model_file, to_safetensors
from separation.proving.construction import Construction
from separation.proving.invariants import stages_from_document, stages_to_document
from separation.proving.search import seen_variables
from separation.tasks.catalogue import shape_of, task_from_document, task_to_document


def construction_to_document(construction: Construction) -> dict[str, Any]:
    """The model file of a construction, as docs/proving.md lays it down."""
    return {
        "schema": SCHEMA,
        "task": task_to_document(construction.sizes),
        **model_to_document(construction.model),
        "invariants": stages_to_document(construction.stages),
    }


def construction_from_document(document: dict[str, Any], name: str) -> Construction:
    """The inverse of `construction_to_document`; errors name the field."""
    document = fields(document, "model", ("schema", "task", *MODEL_KEYS, "invariants"))
    if document["schema"] != SCHEMA:
        raise InputError(f"model.schema must be {SCHEMA!r}, got {str(document['schema'])[:40]!r}")
    task = task_from_document(document["task"])
    model = model_from_document(document)
    shape = shape_of(task, model.causal)
    stages = stages_from_document(document["invariants"], shape, model.width, seen_variables(model, shape))
    return Construction(name, task, model, stages)


def load_construction(path: str | Path) -> Construction:
    """The construction in a model file, JSON or safetensors."""
    document = read_model_file(path)
    try:
        return construction_from_document(document, Path(path).name)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def save_construction(path: str | Path, construction: Construction) -> None:
    """Write a model file: safetensors if its name ends so, else JSON."""
    document = construction_to_document(construction)
    if str(path).endswith(".safetensors"):
        write_whole(path, to_safetensors(document))
    else:
        write_whole(path, json.dumps(document, separators=(",", ":")) + "\n")
