"""Prompts as a dataset: JSON Lines, one object a prompt, for third-party harnesses.

| key | what it holds |
|---|---|
| `id` | names the row: task, sizes, family, number, seed |
| `task` | funccomp, two_sum, … |
| `text` | the prompt as text, with the canary (`separation.testing.text`) |
| `ids` | the prompt as token ids |
| `answer` | a number, or a list of numbers |
| `target` | the answer as a right reply writes it: `3`, `0 0 1` |
| `hops` | L, null for a task without hops |
| `length` | tokens of the prompt |
| `family` | `random`, or the adversarial family |
| `seed` | what it was drawn with |
| `sizes` | the task and its sizes |
| `instance` | the whole input |
| `canary` | the canary string |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, Unpack

from separation.files import InputError, json_text, require_writable, write_whole
from separation.tasks import Instance, TaskSizes, require_integer
from separation.testing.subjects import Named, families_of, plain_task, sizes_of_length, subject_of, task_name
from separation.testing.text import CANARY, write_answer, write_prompt
from separation.version import VERSION

HOPS = (1, 2, 3, 4)
LENGTHS = (16, 64, 256)
COUNT = 16
MOST_COUNT = 1 << 16
SCHEMA = "separation-dataset-1"
MANIFEST = "dataset.json"
RANDOM = "random"


def sizes_asked(
    task: Named = "funccomp", hops: Sequence[int] = HOPS, lengths: Sequence[int] = LENGTHS
) -> tuple[TaskSizes, ...]:
    """The sizes for each number of hops and each length, without those for which no prompt is short enough."""
    subject = subject_of(task)
    if subject.of_length is None:
        return subject.small
    levels: list[int | None] = list(hops) if subject.has_hops else [None]
    found: dict[TaskSizes, None] = {}
    refused: InputError | None = None
    for level in levels:
        for length in lengths:
            try:
                found[sizes_of_length(subject, length, level)] = None
            except InputError as error:
                refused = error
    if not found:
        raise refused or InputError("no length is given")
    return tuple(found)


class Drawn(TypedDict, total=False):
    """``count`` random inputs, drawn with ``seed``, at the sizes for each of the ``hops`` and ``lengths``; then the
    adversarial ``families``. As text, each has so many worked examples before it (``shots``)."""

    hops: Sequence[int]
    lengths: Sequence[int]
    count: int
    seed: int
    shots: int
    families: bool


USUAL: Drawn = {"hops": HOPS, "lengths": LENGTHS, "count": COUNT, "seed": 0, "shots": 0, "families": True}


def dataset_rows(
    task: Named = "funccomp", *, sizes: Mapping[str, int] | str = "", **drawn: Unpack[Drawn]
) -> Iterator[dict[str, Any]]:
    """The rows, as in `Drawn`, or else as in `USUAL`.

    ``sizes`` are those of a program, "n=8,V=4"; otherwise it is grown to each of the lengths, where that can be done.
    """
    chosen: Drawn = {**USUAL, **drawn}
    count, seed = require_integer("count", chosen["count"], 0, MOST_COUNT), require_integer("seed", chosen["seed"], 0)
    subject = subject_of(task, sizes)
    for each in sizes_asked(subject, chosen["hops"], chosen["lengths"]):
        for family, number, instance in named_instances(each, count, seed, chosen["families"]):
            yield row_of(instance, family, number, seed, chosen["shots"])


def named_instances(
    sizes: TaskSizes, count: int, seed: int, families: bool = True
) -> Iterator[tuple[str, int, Instance]]:
    """(family, number within it, instance)."""
    for number, instance in enumerate(plain_task(sizes).samples(seed, count)):
        yield RANDOM, number, instance
    for name, family in families_of(sizes).items() if families else ():
        for number, instance in enumerate(family(seed)):
            yield name, number, instance


def row_of(instance: Instance, family: str, number: int, seed: int, shots: int = 0) -> dict[str, Any]:
    """One row."""
    task = plain_task(instance.sizes)
    expected = task.expected(instance)
    return {
        "id": f"{task.label}-{family}-{number}-s{seed}",
        "task": task_name(instance.sizes),
        "text": write_prompt(instance, shots=shots, seed=seed),
        "ids": task.prompt(instance).tolist(),
        "answer": list(expected) if isinstance(expected, tuple) else expected,
        "target": write_answer(expected),
        "hops": task.depth,
        "length": task.prompt_length,
        "family": family,
        "seed": seed,
        "sizes": task.document(),
        "instance": task.instance_document(instance),
        "canary": CANARY,
    }


@dataclass(frozen=True)
class Dataset:
    """Where it was written, and how many rows."""

    path: Path
    rows: int


def write_dataset(
    folder: str | Path,
    tasks: Sequence[Named] = ("funccomp",),
    *,
    sizes: Mapping[str, int] | str = "",
    **drawn: Unpack[Drawn],
) -> Dataset:
    """TASK.jsonl for each task, and dataset.json, which says how they were made; the folder is made if need be."""
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise InputError(f"cannot write {folder}: it is not a folder")
    made: dict[str, list[str]] = {}
    for task in tasks:
        subject = subject_of(task, sizes)
        made[subject.file_name] = [json_text(row, readable=True) for row in dataset_rows(subject, **drawn)]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {folder}: {error.strerror or error}") from None
    files = {f"{task}.jsonl": len(lines) for task, lines in made.items()}
    named = {"schema": SCHEMA, "version": VERSION, "canary": CANARY}
    manifest = {**named, **USUAL, **drawn, "files": files}
    for name in (*files, MANIFEST):
        require_writable(folder / name)
    for task, lines in made.items():
        write_whole(folder / f"{task}.jsonl", "".join(f"{line}\n" for line in lines))
    write_whole(folder / MANIFEST, json_text(manifest, readable=True, indent=2) + "\n")
    return Dataset(folder, sum(map(len, made.values())))
