"""The tasks: one for each folder of this package, found by their sizes or by the name in a document."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

import numpy as np

from separation.files import InputError
from separation.tasks.checks import load_document
from separation.tasks.task import AnyTask, Array, Instance, TaskSizes

SAMPLES = 4

_FOLDERS = tuple(module.name for module in iter_modules([str(Path(__file__).parent)]) if module.ispkg)


def task_names() -> tuple[str, ...]:
    """The tasks that there are, as their documents name them."""
    return _FOLDERS


def task_folder(name: str) -> ModuleType:
    """The package of a task: its ``TASKS``, its ``FAMILIES``, its readers of documents."""
    if name not in _FOLDERS:
        raise InputError(f"unknown task {name[:20]!r}; known are {', '.join(_FOLDERS)}")
    return _folder(name)


def task_of(sizes: TaskSizes) -> AnyTask:
    """The task at these sizes."""
    for name in _FOLDERS:
        task = _folder(name).TASKS.get(type(sizes))
        if task is not None:
            return task(sizes)  # type: ignore[no-any-return]
    raise TypeError(f"{type(sizes).__name__} are the sizes of no task")


def task_to_document(sizes: TaskSizes) -> dict[str, Any]:
    """{"task": "funccomp", "m", "n"} (and "thoughts"), or {"task": "two_sum", "length", "modulus"}."""
    return task_of(sizes).document()


def task_from_document(document: object) -> TaskSizes:
    """The inverse of `task_to_document`; errors name the field."""
    return _named(document).sizes_from_document(document)  # type: ignore[no-any-return]


def prompt_tokens(sizes: TaskSizes) -> int:
    """The tokens of the prompt, without generated ones."""
    return task_of(sizes).prompt_length


def instance_to_document(instance: Instance) -> dict[str, Any]:
    """The instance as JSON, in the form of its task."""
    return task_of(instance.sizes).instance_document(instance)


def load_any_instance(path: str | Path) -> Instance:
    """The instance in a file, of whichever task it names."""
    return load_document(path, lambda document: _named(document).from_document(document))  # type: ignore[no-any-return]


def hard_inputs(sizes: TaskSizes, seed: int = 0, count: int = SAMPLES, families: bool = True) -> tuple[Array, Array]:
    """(prompts, what the oracle says): one answer a prompt, or one for each token, or the tokens to be generated.

    ``count`` samples (of 2-Sum as many balanced ones too), then the adversarial families if they are wanted.
    """
    task = task_of(sizes)
    cases = list(task.samples(seed, count))
    if families:
        cases += task.family_instances(seed)
    return np.stack([task.prompt(case) for case in cases]), np.array([task.expected(case) for case in cases])


@cache
def _folder(name: str) -> ModuleType:
    return import_module(f"separation.tasks.{name}")


def _named(document: object) -> ModuleType:
    """The task that a document names; one without a name that is known is refused as FuncComp."""
    name = document.get("task") if isinstance(document, dict) else None
    return _folder(name if name in _FOLDERS else "funccomp")
