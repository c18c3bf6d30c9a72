"""`solve`: one instance through the exact run, with the hops and where attention looked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Unpack

import numpy as np

from separation.files import InputError
from separation.models import Looks, decode, run
from separation.progress import Progress, silent
from separation.proving import EVERY_ROW, Construction
from separation.tasks import Instance, TaskSizes, instance_to_document, load_any_instance, prompt_tokens, task_of
from separation.tasks.funccomp import Instance as FuncCompInstance
from separation.tasks.funccomp import Thoughts, hops, thought_ids, token_ids
from separation.tasks.two_sum import TwoSumInstance
from separation.testing.text import write_block
from separation.verbs.options import File, ModelFile, Name, Option, Options, Seed
from separation.verbs.report import MARKS, Parts, Report, escape, listed, named, table_of, written
from separation.verbs.solve_figure import require_picture, write_picture
from separation.verbs.subjects import construction_for

HELP = """
Example: separation solve C1 --L 3 --m 4 --n 4,4 --seed 7

Example: separation solve C1 --L 2 --m 2 --n 2 --figure attention.png
"""
MAX_TOKENS = 1 << 22
MAX_LOGITS = 1 << 24
SHOWN_TOKENS = 1 << 12
SHOWN_ENTRIES = 8

InstanceFile = Annotated[str | Path | Instance | None, Option(help="An instance as JSON.")]


def solve(
    construction: Name = None,
    *,
    model: ModelFile = None,
    instance: InstanceFile = None,
    seed: Seed = 0,
    figure: Annotated[
        File, Option(help="Draw where the last token looks, layer by layer (.png, .svg, .pdf; and .csv).")
    ] = None,
    progress: Progress = silent,
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


@dataclass(frozen=True)
class HeadLooked:
    """Where one head of the last token looked: a position, the token there, its id, and its share of the weights."""

    layer: int
    head: int
    position: int
    token: str
    value: int
    share: Fraction

    def document(self) -> dict[str, Any]:
        return {**vars(self), "share": float(self.share)}


@dataclass(frozen=True)
class SolveReport(Report):
    """The model's answer and the oracle's.

    ``outputs`` and ``expected_outputs``: the answers at every token (2-Sum), or the generated tokens (a chain of
    thought); empty for one answer at the end.
    """

    construction: Construction
    instance: Instance
    answer: int | None
    expected: int
    hops: tuple[int, ...] = ()
    looks: tuple[HeadLooked, ...] = ()
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

    def facts(self) -> dict[str, Any]:
        tokens = prompt_tokens(self.construction.sizes)
        return {
            **named(self, "answer", "expected", "hops", "outputs", "expected_outputs", "spelled"),
            "construction": self.construction.name,
            "word": self.construction.model.word,
            "tokens": tokens,
            "looks": self.looks,
            "instance": instance_to_document(self.instance) if tokens <= SHOWN_TOKENS else None,
            "figure": self.figure,
        }

    def parts(self) -> Parts:
        """Whose run it is, then the run."""
        subject = self.construction
        name = f"{escape(subject.name)} ({escape(subject.model.word)})"
        yield f"{name} on a prompt of {prompt_tokens(subject.sizes):,} tokens: {escape(subject.task.title)}"
        yield from self.run_parts()
        yield written("figure", self.figure)
        if self.figure is not None:
            yield written("its numbers", self.figure.with_suffix(".csv"))

    def run_parts(self) -> Parts:
        """Each layer: where the last token looked and what it found; the oracle's hops; then the answer."""
        if self.looks:
            table = table_of("layer", "head", "looked at", "position", "share", "found")
            for look in self.looks:
                where, found = (look.token, str(look.position)), str(look.value)
                if (
                    not look.share
                ):  # of equal weights the first is the heaviest: of weights 0 it would be a token not read
                    where, found = ("nothing", "–"), "–"
                table.add_row(str(look.layer), str(look.head), *where, f"{float(look.share):.4f}", found)
            yield table
        if self.hops:
            yield "hops of the oracle: " + ", ".join(f"i_{index} = {hop}" for index, hop in enumerate(self.hops))
        if self.outputs:
            what = "generated tokens" if self.construction.task.generated_tokens else "outputs"
            yield f"{what}: {listed(self.outputs)}"
            for token, says in zip(self.outputs, self.spelled, strict=False):
                yield f"  {token:4} says {says}"
            if self.outputs != self.expected_outputs:
                yield f"expected: {listed(self.expected_outputs)}"
        wrong = sum(a != b for a, b in zip(self.outputs, self.expected_outputs, strict=False))
        others = f"; {wrong} of {len(self.outputs)} outputs are wrong" if wrong else ""
        yield f"{MARKS[self.ok]} answer {self.answer}, expected {self.expected}{others}"


def solved(subject: Construction, instance: Instance, progress: Progress = silent) -> SolveReport:
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


def _compose(subject: Construction, instance: FuncCompInstance, progress: Progress) -> SolveReport:
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


def _search(subject: Construction, instance: Instance, progress: Progress) -> SolveReport:
    ids, expected = subject.task.prompt(instance), subject.task.expected(instance)
    everywhere = subject.task.answers_every_token and len(ids) <= EVERY_ROW
    expected = (expected,) if isinstance(expected, int) else expected
    result = run(subject.model, ids, every_row=everywhere, progress=progress)
    answers = tuple(int(answer) for answer in result.answers.reshape(-1)[-subject.task.asked_tokens :])
    looks = tuple(_look(look, ids, subject.sizes) for look in result.looks)
    shown = (answers, expected) if everywhere else ((), ())
    return SolveReport(subject, instance, answers[-1], expected[-1], (), looks, *shown)


def _look(look: Looks, ids: np.ndarray[Any, Any], task: TaskSizes) -> HeadLooked:
    position, total = int(look.positions[0]), int(look.totals[0])
    share = Fraction(int(look.weights[0]), total) if total else Fraction(0)
    token = task_of(task).describe(position)
    return HeadLooked(look.layer, look.head, position, token, int(ids[position]), share)


def instance_lines(instance: Any) -> list[str]:
    """z_0 and w, then the tables: in full if they are short, else what is not the commonest value."""
    if isinstance(instance, TwoSumInstance):
        return [f"x: {_entries(instance.x)}"]
    if not isinstance(instance, FuncCompInstance):
        return write_block(instance).split("\n")[1:]
    digits = ", ".join(map(str, instance.w))
    tables = [f"table {level}: {_entries(table)}" for level, table in enumerate(instance.tables, start=1)]
    return [f"z_0 = {instance.z0}" + (f", w = ({digits})" if digits else ""), *tables]


def _entries(table: Sequence[int]) -> str:
    if len(table) <= 2 * SHOWN_ENTRIES:
        return " ".join(map(str, table))
    common = max(set(table), key=table.count)
    others = [f"[{index}] = {value}" for index, value in enumerate(table) if value != common]
    if len(others) > SHOWN_ENTRIES:
        others = [*others[:SHOWN_ENTRIES], f"… ({len(others)} in all; --json has the instance)"]
    return f"{common} everywhere" + (f" but {', '.join(others)}" if others else "")
