"""A construction: exact weights for a task at given sizes, with the invariants that prove them; and its file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from separation.arithmetic import ExactMatrix
from separation.escaping import terminal
from separation.files import InputError, json_text, write_whole
from separation.models import (
    MODEL_KEYS,
    MODEL_SCHEMA,
    Model,
    change_basis,
    fields,
    model_from_document,
    model_to_document,
    read_model_file,
    to_safetensors,
)
from separation.proving.invariants import Stage, change_invariant_basis, stages_from_document, stages_to_document
from separation.proving.search import seen_variables
from separation.tasks import AnyTask, TaskSizes, task_from_document, task_of
from separation.tasks.shape import Shape


@dataclass(frozen=True)
class Construction:
    """``stages[k]`` holds after layer k; ``stages[0]`` of the embedding; without stages they are inferred.

    >>> from separation import Sizes, build, prove
    >>> from dataclasses import replace
    >>> own = replace(build("C1", Sizes(3, (2,))), name="mine", stages=())
    >>> own.model.word, prove(own).verdict
    ('FFF', 'proved')
    """

    name: str
    sizes: TaskSizes
    model: Model
    stages: Sequence[Stage] = ()

    @cached_property
    def task(self) -> AnyTask:
        return task_of(self.sizes)

    @property
    def shape(self) -> Shape:
        return self.task.shape(self.model.causal)

    def in_basis(self, basis: ExactMatrix) -> Construction:
        """The same construction in the coordinates y = T x, T exact and invertible."""
        stages = change_invariant_basis(self.stages, basis)
        return replace(self, model=change_basis(self.model, basis), stages=stages)


def construction_to_document(construction: Construction) -> dict[str, Any]:
    """The model file of a construction, as docs/proving.md lays it down."""
    document = {
        "schema": MODEL_SCHEMA,
        "task": construction.task.document(),
        **model_to_document(construction.model),
    }
    return document | ({"invariants": stages_to_document(construction.stages)} if construction.stages else {})


def construction_from_document(document: dict[str, Any], name: str) -> Construction:
    """The inverse of `construction_to_document`; errors name the field. Invariants may be left out."""
    stated = ("invariants",) if "invariants" in document else ()
    document = fields(document, "model", ("schema", "task", *MODEL_KEYS, *stated))
    if document["schema"] != MODEL_SCHEMA:
        raise InputError(f"model.schema must be {MODEL_SCHEMA!r}, got {str(document['schema'])[:40]!r}")
    sizes = task_from_document(document["task"])
    model = model_from_document(document)
    shape = task_of(sizes).shape(model.causal)
    flags = seen_variables(model, shape)
    stages = stages_from_document(document["invariants"], shape, model.width, flags) if stated else ()
    return Construction(name, sizes, model, stages)


def load_construction(path: str | Path) -> Construction:
    """The construction in a model file, JSON or safetensors."""
    document = read_model_file(path)
    try:
        return construction_from_document(document, terminal(Path(path).name))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def save_construction(path: str | Path, construction: Construction) -> None:
    """Write a model file: safetensors if its name ends so, else JSON."""
    write_whole(path, model_file_content(path, construction))


def model_file_content(path: str | Path, construction: Construction) -> bytes | str:
    """What `save_construction` writes."""
    document = construction_to_document(construction)
    return to_safetensors(document) if str(path).endswith(".safetensors") else json_text(document) + "\n"
