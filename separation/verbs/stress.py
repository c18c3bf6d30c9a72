"""`stress`: what people have, a function, a torch module, a Hugging Face folder or a server, put to the test."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separation.bounds.word import Word
from separation.files import InputError, read_json, require_writable, write_whole
from separation.progress import Progress
from separation.tasks import TaskSizes, instance_to_document, require_integer
from separation.tasks.checks import shown
from separation.testing.adapters.choosing import Adapted, Asked, adapted
from separation.testing.calling import INSTANCES, TEXT, caller_of
from separation.testing.check import SolverReport, examined
from separation.testing.dataset import COUNT, Dataset, sizes_asked, write_dataset
from separation.testing.examining import Examiner, Failed
from separation.testing.page import Model, html_page
from separation.testing.plan import Plan
from separation.testing.replies import NO_CONNECTION, UNPARSED
from separation.testing.results import Results
from separation.testing.subjects import plain_task, small_sizes, stressed_tasks, task_name

HOPS, LENGTHS = (1, 2, 3, 4), (16, 64)
SECONDS = 60.0
FEW_SHRINKING_CALLS, MANY_SHRINKING_CALLS = 48, 1 << 14
"""Prompts that may be spent on making failures smaller: of text, each of which may cost something, few."""


@dataclass(frozen=True)
class StressReport:
    """What was asked and answered, and of what: ``depth`` where a config tells the model's layers."""

    model: Model
    solver: SolverReport
    reads: str
    resumed: int
    results: Path | None
    page: Path | None

    @property
    def ok(self) -> bool:
        return self.solver.ok

    def document(self) -> dict[str, Any]:
        return {
            **self.solver.document(),
            "model": self.model.name,
            "kind": self.model.kind,
            "reads": self.reads,
            "word": self.model.word,
            "depth": self.model.depth,
            "unparsed": self.count(UNPARSED),
            "no_connection": self.count(NO_CONNECTION),
            "failures": [_failure(failed) for failed in self.solver.failures],
            "resumed": self.resumed,
            "results": None if self.results is None else str(self.results),
            "report": None if self.page is None else str(self.page),
        }

    def count(self, status: str) -> int:
        return sum(row.statuses[status] for row in self.solver.rows)


def stress(
    model: str | Callable[..., Any],
    *,
    task: str = "funccomp",
    L: Sequence[int] | None = None,
    lengths: Sequence[int] | None = None,
    seconds: float = SECONDS,
    count: int | None = None,
    seed: int = 0,
    shots: int = 0,
    reads: str | None = None,
    weights: str | Path | None = None,
    torch: bool = False,
    url: str | None = None,
    api: str = "chat",
    limit: float | None = None,
    retries: int = 3,
    workers: int = 4,
    pause: float = 0.5,
    config: str | Path | None = None,
    results: str | Path | None = None,
    resume: bool = False,
    report: str | Path | None = None,
    progress: Progress | None = None,
) -> StressReport:
    """Puts a model to the test: accuracy by family, hop and length, and its smallest failures.

    where ``model`` is `module:function`, a folder, the name of a model at ``url``, C1 to C7, or a callable; ``reads``:
    instances, tokens or text. ``count``: random prompts at each of the sizes. ``results``: a file of JSON Lines, one a
    prompt, that a later run goes on from with ``resume``. ``report``: a page of HTML.
    """
    _require_task(task)
    if not seconds > 0:
        raise InputError(f"--seconds is {seconds}; a number above 0 is needed")
    for name, value in (("seed", seed), ("shots", shots), ("retries", retries)):
        require_integer(name, value, 0)
    require_integer("workers", workers, 1, 64)
    for path in (results, report):
        if path is not None:
            require_writable(path)
    if resume and results is None:
        raise InputError("--resume goes on from the file of --results: give one")
    asked = Asked(reads, None if weights is None else Path(weights), torch, url, api, limit, retries, workers, pause)
    subject = adapted(model, asked, task)
    wanted = tuple(lengths or LENGTHS)
    plan = _plan(subject, task, L, lengths, count, seed)
    settings = _settings(subject, task, plan, shots)
    with ExitStack() as stack:
        file = None if results is None else stack.enter_context(Results(results, settings, resume))
        caller = caller_of(subject.make, subject.reads, shots, subject.limit)
        stack.callback(caller.close)
        together = workers if subject.limit is None else 1
        examiner = Examiner(caller, seed, file.known if file else None, file.note if file else None, together)
        calls = FEW_SHRINKING_CALLS if subject.reads == TEXT else MANY_SHRINKING_CALLS
        found = examined(examiner, plan, task, seconds, shrink_calls=calls, each_hop=True, progress=progress)
    if subject.sizes is not None:
        wanted = (plain_task(subject.sizes).prompt_length,)
    described = _described(subject, config)
    if report is not None:
        write_whole(report, html_page(described, found, wanted))
    kept = None if results is None else Path(results)
    return StressReport(
        described, found, subject.reads, examiner.resumed, kept, None if report is None else Path(report)
    )


@dataclass(frozen=True)
class DatasetReport:
    """Where the dataset was written, and how many rows."""

    dataset: Dataset
    tasks: tuple[str, ...]
    seconds: float

    @property
    def ok(self) -> bool:
        return self.dataset.rows > 0

    def document(self) -> dict[str, Any]:
        rows = self.dataset.rows
        return {"ok": self.ok, "path": str(self.dataset.path), "rows": rows, "tasks": list(self.tasks)}


def stress_dataset(
    folder: str | Path,
    tasks: Sequence[str] = ("funccomp",),
    *,
    L: Sequence[int] | None = None,
    lengths: Sequence[int] | None = None,
    count: int | None = None,
    seed: int = 0,
    shots: int = 0,
) -> DatasetReport:
    """The prompts as JSON Lines for harnesses of others (`separation.testing.dataset`)."""
    start = time.perf_counter()
    for task in tasks:
        _require_task(task)
    chosen = {
        "hops": tuple(L or HOPS),
        "lengths": tuple(lengths or LENGTHS),
        "count": COUNT if count is None else count,
    }
    dataset = write_dataset(folder, tasks, **chosen, seed=seed, shots=shots)  # type: ignore[arg-type]
    return DatasetReport(dataset, tuple(tasks), time.perf_counter() - start)


def _require_task(task: str) -> None:
    if task not in stressed_tasks():
        raise InputError(f"--task is {shown(task)}; known are {', '.join(stressed_tasks())}")


def _plan(
    subject: Adapted,
    task: str,
    L: Sequence[int] | None,
    lengths: Sequence[int] | None,
    count: int | None,
    seed: int,
) -> Plan:
    """All stages for what is quick to ask; of text, a few prompts of each."""
    if count is not None:
        require_integer("count", count, 1, 1 << 20)
    sizes: tuple[TaskSizes, ...]
    if subject.sizes is not None:
        if L is not None or lengths is not None:
            raise InputError("the folder says which sizes it is for: leave out --L and --lengths")
        if task_name(subject.sizes) != task:
            raise InputError(f"the folder is for the task {task_name(subject.sizes)}, not {task}")
        sizes = (subject.sizes,)
    else:
        if task != "funccomp" and L is not None:
            raise InputError(f"{task} has no hops: leave out --L")
        sizes = sizes_asked(task, tuple(L or HOPS), tuple(lengths or LENGTHS))
    if subject.reads == TEXT:
        random = 16 if count is None else count
        return Plan(sizes, _few_hops(task, L), seed, exhaustive=32, family_seeds=1, aimed=0, pairs=2, random=random)
    small = _few_hops(task, L) if subject.reads == INSTANCES else ()
    return Plan(sizes, small, seed, random=256 if count is None else count)


def _few_hops(task: str, L: Sequence[int] | None) -> tuple[TaskSizes, ...]:
    """Small sizes with a number of hops that is asked about."""
    return tuple(sizes for sizes in small_sizes(task) if L is None or plain_task(sizes).depth in (None, *L))


def _settings(subject: Adapted, task: str, plan: Plan, shots: int) -> dict[str, Any]:
    """What must be the same for a run to be gone on with."""
    numbers = {name: getattr(plan, name) for name in ("seed", "exhaustive", "family_seeds", "aimed", "pairs", "random")}
    sizes = [plain_task(each).document() for each in plan.sizes]
    return {"model": subject.name, "reads": subject.reads, "task": task, "sizes": sizes, "shots": shots, **numbers}


def _described(subject: Adapted, config: str | Path | None) -> Model:
    """The word of its layers and its depth, where a config tells them."""
    path = subject.config if config is None else Path(config)
    if path is None:
        return Model(subject.name, subject.kind)
    try:
        word = _word(read_json(path))
    except InputError:
        if config is not None:
            raise
        return Model(subject.name, subject.kind)
    return Model(subject.name, subject.kind, str(word), word.depth)


def _word(document: Any) -> Word:
    from separation.architectures import read_config

    return read_config(document).word


def _failure(failed: Failed) -> dict[str, Any]:
    expected, answered = failed.expected, failed.reply.answer
    return {
        "instance": instance_to_document(failed.task.instance(failed.prompt)),
        "hops": failed.task.depth,
        "expected": list(expected) if isinstance(expected, tuple) else expected,
        "answered": list(answered) if isinstance(answered, tuple) else answered,
        "status": failed.reply.status,
        "detail": failed.reply.detail,
        "stage": failed.stage,
        "family": failed.family,
    }
