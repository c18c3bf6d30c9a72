"""A construction: exact weights for a task at given sizes, with the invariants that prove them; and its file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import ExactMatrix, PrecisionOverflow
from separation.escaping import terminal
from separation.files import InputError, json_text, write_whole
from separation.models import (
    MODEL_KEYS,
    MODEL_SCHEMA,
    Model,
    change_basis,
    decode,
    fields,
    layers_others_need,
    model_from_document,
    model_to_document,
    read_model_file,
    run,
    to_safetensors,
)
from separation.proving import kernel
from separation.proving.invariants import Stage, seen_variables, stages_from_document, stages_to_document
from separation.tasks import AnyTask, TaskSizes, task_from_document, task_of
from separation.tasks.shape import Shape
from separation.tasks.task import Array


@dataclass(frozen=True, repr=False)
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

    def __repr__(self) -> str:
        return f"<{self.name}: {self.model.summary}>"

    @cached_property
    def task(self) -> AnyTask:
        return task_of(self.sizes)

    @property
    def shape(self) -> Shape:
        return self.task.shape(self.model.causal)

    def in_basis(self, basis: ExactMatrix) -> Construction:
        """The same construction in the coordinates y = T x, T exact and invertible."""
        stages = tuple({kind: held.in_basis(basis) for kind, held in stage.items()} for stage in self.stages)
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
    found = Construction(name, sizes, model)
    if not stated:
        return found
    kernel.Work.start()
    try:
        task = kernel.task_of(document["task"], not model.causal)
    except kernel.Malformed as error:
        raise InputError(f"invariants are not for this task: {error}") from None
    flags = seen_variables(model, found.shape)
    return replace(found, stages=stages_from_document(document["invariants"], task, model.width, flags))


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


EVERY_ROW = 1 << 11
"""Up to this length a task that asks at every token is answered there; beyond, at the last one only."""
ONE_PROMPT = 1 << 23
"""About this many scores are a second's work; what one prompt needs beyond that is not run."""
LAST_ROW = 1 << 5
"""What the other steps of a run cost for each token, in scores, when the last token alone is answered."""


def outputs(subject: Construction, prompts: Array, every_token: bool) -> Array:
    """What the model puts out: its answers at the last token or at ``every_token``, or the tokens that it generates."""
    task = subject.task
    if task.generated_tokens:
        return decode(subject.model, prompts, task.generated_tokens)
    found = run(subject.model, prompts, every_row=every_token).answers
    return found[:, -task.asked_tokens :] if every_token else found


def wrong_inputs(subject: Construction, prompts: Array, expected: Array) -> Array:
    """For each prompt: is anything that the model answers, or generates, not what the oracle says?"""
    found = outputs(subject, prompts, subject.task.answers_every_token)
    differs: Array = (found != expected).reshape(len(prompts), -1).any(axis=1)
    return differs


@dataclass(frozen=True)
class Answers:
    """Which of some prompts are answered wrongly, and which the exact run refuses, with what it says then."""

    wrong: NDArray[np.bool_]
    refused: NDArray[np.bool_]
    message: str = ""


def final_answers(subject: Construction, prompts: Array) -> Array:
    """What counts as the answer: the last token's; of 2-Sum every token's; of a chain of thought the last one's.

    A generated token that cannot stand last is −1; those before the last are not compared.
    """
    task, everywhere = subject.task, _answers_compared(subject) > 1
    found = task.answers_in(outputs(subject, prompts, everywhere))
    return found[:, None] if task.answers_every_token and not everywhere else found


def right_answers(subject: Construction, prompts: Array) -> Array:
    """What the oracle says, in the form of `final_answers`."""
    task, answers = subject.task, subject.task.right_answers(prompts)
    return answers[:, -_answers_compared(subject) :] if task.answers_every_token else answers


def _answers_compared(subject: Construction) -> int:
    """How many answers a prompt has that are compared: all that are asked, or the last one's."""
    task = subject.task
    return task.asked_tokens if task.prompt_length <= EVERY_ROW else 1


def compare(subject: Construction, prompts: Array) -> Answers:
    """Run all prompts; if the run refuses a batch, halve it until those that it refuses stand alone.

    An activation beyond p bits, or a score above the shift, is no answer: the exact model is not defined there. Such a
    prompt is refused, and not wrong.
    """
    try:
        found, right = final_answers(subject, prompts), right_answers(subject, prompts)
    except PrecisionOverflow as error:
        if len(prompts) == 1:
            return Answers(np.zeros(1, dtype=bool), np.ones(1, dtype=bool), str(error))
        half = len(prompts) // 2
        parts = [compare(subject, prompts[:half]), compare(subject, prompts[half:])]
        wrong, refused = (np.concatenate([getattr(part, name) for part in parts]) for name in ("wrong", "refused"))
        return Answers(wrong, refused, next((part.message for part in parts if part.message), ""))
    differs: NDArray[np.bool_] = (found != right).reshape(len(prompts), -1).any(axis=1)
    return Answers(differs, np.zeros(len(prompts), dtype=bool))


def can_be_run(subject: Construction) -> bool:
    """Is one prompt at most about a second's work?"""
    task, answers = subject.task, _answers_compared(subject)
    if not task.fits_int64:
        return False
    every_row = answers > 1 or any(layers_others_need(subject.model))
    scores = task.prompt_length * (task.prompt_length if every_row else LAST_ROW)
    return max(scores, answers * subject.model.unembedding.height) <= ONE_PROMPT
