"""`infer`: the strongest invariants that the rules give to weights, layer by layer, in words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from separation.files import InputError
from separation.models import Model
from separation.progress import Progress, silent
from separation.proving import Construction, Proof, infer_stages
from separation.proving.certificates import derived_by_kernel
from separation.proving.derived import Derived
from separation.tasks import AnyTask, TaskSizes
from separation.verbs.options import ModelFile, Name, Options
from separation.verbs.report import MARKS, Parts, Report, styled, timed
from separation.verbs.show import stage_table
from separation.verbs.subjects import about, chosen_construction
from separation.weights import stage_lines
from separation.weights.invariant_lines import grouped

EXAMPLES = ("infer --model model.json",)
OWN = "own model"
"""What a model without a name is called."""


def command(
    name: Name = None, *, model: ModelFile = None, progress: Progress = silent, **options: Unpack[Options]
) -> InferReport:
    return infer(chosen_construction(name, model, options), progress=progress)


@timed
def infer(
    model: Model | Construction | str | Path,
    task: AnyTask | TaskSizes | None = None,
    *,
    path: str = "closed",
    progress: Progress = silent,
    **options: Unpack[Options],
) -> InferReport:
    """What the rules say of weights that nobody explained, from the embedding to the last layer.

    where ``model`` are weights for a ``task`` (or its sizes), a construction (its name or itself, whose own invariants
    are not looked at), or a model file.

    >>> from separation import Sizes, build, infer
    >>> found = infer(build("C1", Sizes(2, ())).model, Sizes(2, ()))
    >>> found.ok, found.answers
    (True, True)
    >>> found.stages[2]["w"][-2:]
    ['pointer = code(i1)', 'found = 0']
    """
    if isinstance(model, Model):
        if task is None:
            raise InputError("weights alone say nothing: give the task, or its sizes, too")
        sizes: TaskSizes = getattr(task, "sizes", task)  # type: ignore[arg-type]
        subject = Construction(OWN, sizes, model)
    elif task is not None:
        raise InputError("a construction and a model file bring their own task")
    else:
        file = model if isinstance(model, Path) or (isinstance(model, str) and Path(model).suffix) else None
        subject = chosen_construction(None if file is not None else model, file, options)
    if not subject.task.states_invariants:
        derived, proof = derived_by_kernel(subject)
        return InferReport(subject, proof, derived)
    stages, proof = infer_stages(subject, path, progress)
    return InferReport(replace(subject, stages=stages), proof)


class InferReport(Report):
    """The construction with what was inferred (of a program: ``derived`` by the kernel), and whether it answers.

    ``ok``: there is an invariant after every layer. Whether the answer follows is another question: ``answers``.
    """

    construction: Construction
    proof: Proof
    derived: Derived | None = None

    @property
    def ok(self) -> bool:
        return len(self.stages) == len(self.construction.model.layers) + 1

    @property
    def answers(self) -> bool:
        """Does the right answer follow from these invariants? Only `prove` asks the kernel, too."""
        return self.proof.ok

    @property
    def stages(self) -> list[dict[str, list[str]]]:
        """Kind → what its tokens hold, slot by slot, of the embedding and after each layer."""
        if self.derived is not None:
            return self.derived.stages
        model, shape = self.construction.model, self.construction.shape
        return [stage_lines(stage, model.stream, shape) for stage in self.construction.stages]

    @property
    def sentence(self) -> str:
        if self.answers:
            return f"the right answer follows, by a margin of {self.proof.margin}"
        return f"the right answer does not follow: {self.proof.failures[0]}" if self.proof.failures else "no answer"

    def facts(self) -> dict[str, Any]:
        return {
            "answers": self.answers,
            **about(self.construction),
            "heads": [] if self.derived is None else self.derived.heads,
            "stages": [{"layer": number, "holds": stage} for number, stage in enumerate(self.stages)],
            "margin": self.proof.margin,
            "failures": self.proof.causes(self.construction.shape),
        }

    def parts(self) -> Parts:
        """A table for the embedding and one for what each layer changes; then whether the answer follows."""
        yield styled("bold", self.construction.name) + f", {self.construction.task.title}"
        earlier: dict[str, list[str]] = {}
        for number, stage in enumerate(self.stages):
            title = "Embedding" if number == 0 else f"After layer {number}, where it differs"
            yield "\n" + styled("bold", title)
            yield stage_table(grouped(stage, earlier or None))
            earlier = stage
        if self.derived is not None and self.derived.heads:
            yield "\n" + styled("bold", "Heads")
            yield from self.derived.heads
        yield f"\n{MARKS[self.answers]} {self.sentence}"
