"""The tasks: their sizes as JSON, as model files and certificates have them, and their instances in files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from separation.arithmetic.numbers import integer_from_json, number_to_json
from separation.files import InputError
from separation.tasks import funccomp, two_sum
from separation.tasks.checks import shown
from separation.tasks.documents import load_document
from separation.tasks.funccomp import Instance as FuncCompInstance
from separation.tasks.funccomp import Sizes, Thoughts, sizes_from_document, sizes_to_document
from separation.tasks.shape import Shape
from separation.tasks.two_sum import TwoSumInstance, TwoSumSizes

Task = Sizes | Thoughts | TwoSumSizes
"""A task at given sizes: FuncComp, FuncComp with a chain of thought, 2-Sum."""


def task_to_document(task: Task) -> dict[str, Any]:
    """{"task": "funccomp", "m", "n"} (and "thoughts"), or {"task": "two_sum", "length", "modulus"}."""
    if isinstance(task, TwoSumSizes):
        sizes = {"length": number_to_json(task.length), "modulus": number_to_json(task.modulus)}
        return {"task": "two_sum", **sizes}
    if isinstance(task, Thoughts):
        return {**sizes_to_document(task.sizes), "thoughts": task.style}
    return sizes_to_document(task)


def task_from_document(document: object) -> Task:
    """The inverse of `task_to_document`; errors name the field."""
    if isinstance(document, dict) and document.get("task") == "two_sum":
        if set(document) != {"task", "length", "modulus"}:
            raise InputError(f"task is {shown(document)}; an object with the keys task, length, modulus is needed")
        return TwoSumSizes(*(integer_from_json(document[key], f"task.{key}") for key in ("length", "modulus")))
    if isinstance(document, dict) and "thoughts" in document:
        rest = {key: value for key, value in document.items() if key != "thoughts"}
        return Thoughts(sizes_from_document(rest), document["thoughts"])
    return sizes_from_document(document)


def shape_of(task: Task, causal: bool) -> Shape:
    """The shape that a proof may know; attention both ways is for FuncComp without a chain of thought."""
    if causal:
        return task.shape()
    if not isinstance(task, Sizes):
        raise InputError("attention both ways is proved for the task funccomp without thoughts only")
    return task.shape(causal=False)


def prompt_tokens(task: Task) -> int:
    """The tokens of the prompt, without generated ones."""
    return task.sizes.length if isinstance(task, Thoughts) else task.length


Instance = FuncCompInstance | TwoSumInstance


def instance_to_document(instance: Instance) -> dict[str, Any]:
    """The instance as JSON, in the form of its task."""
    return two_sum.to_document(instance) if isinstance(instance, TwoSumInstance) else funccomp.to_document(instance)


def load_any_instance(path: str | Path) -> Instance:
    """The instance in a file, of whichever task it names."""

    def parse(document: object) -> Instance:
        is_search = isinstance(document, dict) and document.get("task") == "two_sum"
        return two_sum.from_document(document) if is_search else funccomp.from_document(document)

    return load_document(path, parse)
