"""`solve`: one instance through the exact run, with the hops and where attention looked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from separation.arithmetic import number_to_json
from separation.files import InputError
from separation.models import Looks, decode, run
from separation.progress import Progress
from separation.proving import EVERY_ROW, Construction
from separation.tasks import Instance, TaskSizes, instance_to_document, load_any_instance, prompt_tokens, task_of
from separation.tasks.funccomp import Instance as FuncCompInstance
from separation.tasks.funccomp import Thoughts, hops, thought_ids, token_ids
from separation.verbs.options import Options, construction_for
from separation.verbs.solve_figure import require_picture, write_picture

MAX_TOKENS = 1 << 22
MAX_LOGITS = 1 << 24
SHOWN_TOKENS = 1 << 12


@dataclass(frozen=True)
class Look:
    """Where one head of the last token looked: a position, the token there, its id, and its share of the weights."""

    layer: int
    head: int
    position: int
    token: str
    token_id: int
    share: Fraction


@dataclass(frozen=True)
class SolveReport:
    """The model's answer and the oracle's.

    ``outputs`` and ``expected_outputs``: the answers at every token (2-Sum), or the generated tokens (a chain of
    thought); empty for one answer at the end.
    """

    construction: Construction
    instance: Instance
    answer: int | None
    expected: int
    hops: tuple[int, ...] = ()
    looks: tuple[Look, ...] = ()
    outputs: tuple[int, ...] = ()
    expected_outputs: tuple[int, ...] = ()
    figure: Path | None = None

    @property
    def spelled(self) -> tuple[str, ...]:
        """What the generated tokens say; empty for other tasks."""
        sizes = self.construction.sizes
        return tuple(map(sizes.spelled, self.outputs)) if isinstance(sizes, Thoughts) else ()

    @property
    def ok(self) -> bool:
        return self.answer == self.expected and self.outputs == self.expected_outputs

    def document(self) -> dict[str, Any]:
        tokens = prompt_tokens(self.construction.sizes)
        return {
            "ok": self.ok,
            "answer": self.answer,
            "expected": self.expected,
            "hops": list(self.hops),
            "outputs": [number_to_json(output) for output in self.outputs],
            "expected_outputs": [number_to_json(output) for output in self.expected_outputs],
            "spelled": list(self.spelled),
            "construction": self.construction.name,
            "word": self.construction.model.word,
            "tokens": tokens,
            "looks": [
                {
                    "layer": look.layer,
                    "head": look.head,
                    "position": look.position,
                    "token": look.token,
                    "value": look.token_id,
                    "share": float(look.share),
                }
                for look in self.looks
            ],
            "instance": instance_to_document(self.instance) if tokens <= SHOWN_TOKENS else None,
            "figure": None if self.figure is None else str(self.figure),
        }


def solve(
    construction: str | Construction | None = None,
    *,
    model: str | Path | None = None,
    instance: str | Path | Instance | None = None,
    seed: int = 0,
    figure: str | Path | None = None,
    progress: Progress | None = None,
    **options: Unpack[Options],
) -> SolveReport:
    """Run one instance (a file, a value, or a seeded sample) through a construction or a model file.

    ``figure`` is a file for a picture of where the last token looks in each layer; its numbers are in a .csv beside it.
    """
    if isinstance(instance, (str, Path)):
        instance = load_any_instance(instance)
    subject, _ = construction_for(construction, model, instance, options)
    _require_runnable(subject)
    path = None if figure is None else require_picture(figure, subject)
    report = solved(subject, subject.task.sample(seed) if instance is None else instance, progress)
    if path is None:
        return report
    write_picture(path, subject, report.instance, report.outputs, report.answer)
    return replace(report, figure=path)


def solved(subject: Construction, instance: Instance, progress: Progress | None = None) -> SolveReport:
    """What a construction makes of an instance of its own sizes, with the hops and where attention looked."""
    if not isinstance(instance, FuncCompInstance):
        return _search(subject, instance, progress)
    if isinstance(subject.sizes, Thoughts):
        return _think(subject, subject.sizes, instance)
    return _compose(subject, instance, progress)


def _require_runnable(subject: Construction) -> None:
    if prompt_tokens(subject.sizes) > MAX_TOKENS:
        raise InputError(f"{prompt_tokens(subject.sizes)} tokens; the exact run takes at most {MAX_TOKENS}")
    if subject.model.unembedding.height > MAX_LOGITS:
        raise InputError(f"{subject.model.unembedding.height} answers; the exact run compares at most {MAX_LOGITS}")


def _compose(subject: Construction, instance: FuncCompInstance, progress: Progress | None) -> SolveReport:
    ids = np.asarray(token_ids(instance))
    result = run(subject.model, ids, progress=progress)
    looks = tuple(_look(look, ids, subject.sizes) for look in result.looks)
    found = hops(instance)
    return SolveReport(subject, instance, int(result.answers[0]), found[-1], found, looks)


def _think(subject: Construction, thoughts: Thoughts, instance: FuncCompInstance) -> SolveReport:
    generated = tuple(int(token) for token in decode(subject.model, np.asarray(token_ids(instance)), thoughts.steps))
    found = hops(instance)
    expected = tuple(thought_ids(thoughts, instance.w, found))
    answer = thoughts.answer_of(generated[-1])
    return SolveReport(subject, instance, answer, found[-1], found, (), generated, expected)


def _search(subject: Construction, instance: Instance, progress: Progress | None) -> SolveReport:
    ids, expected = subject.task.prompt(instance), subject.task.expected(instance)
    everywhere = subject.task.answers_every_token and len(ids) <= EVERY_ROW
    expected = (expected,) if isinstance(expected, int) else expected
    result = run(subject.model, ids, every_row=everywhere, progress=progress)
    answers = tuple(int(answer) for answer in result.answers.reshape(-1))
    looks = tuple(_look(look, ids, subject.sizes) for look in result.looks)
    shown = (answers, expected) if everywhere else ((), ())
    return SolveReport(subject, instance, answers[-1], expected[-1], (), looks, *shown)


def _look(look: Looks, ids: np.ndarray[Any, Any], task: TaskSizes) -> Look:
    position, total = int(look.positions[0]), int(look.totals[0])
    share = Fraction(int(look.weights[0]), total) if total else Fraction(0)
    token = task_of(task).describe(position)
    return Look(look.layer, look.head, position, token, int(ids[position]), share)
