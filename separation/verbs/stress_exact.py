"""`stress --all-inputs`: a model on every input of a small size, so an exact number."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from constructions import FOR_TWO_SUM, NAMES, build
from constructions.programs import is_program
from separation.escaping import quoted
from separation.files import InputError, require_writable
from separation.programs import CompiledProgram
from separation.progress import Progress, silent
from separation.proving import Construction, exhaustive_certificate, write_certificate
from separation.tasks import TaskSizes
from separation.testing.adapters.choosing import Asked
from separation.testing.adapters.torch_modules import folder_sizes, is_folder, is_spelled, torch_solver
from separation.testing.exact import ExactAccuracy, exact_accuracy
from separation.testing.subjects import Subject
from separation.testing.text import write_block
from separation.verbs.report import MARKS, Parts, Report, escape, written


def on_all_inputs(
    model: Any, asked: Asked, tested: Subject, out: str | Path | None = None, progress: Progress = silent
) -> ExactReport:
    """A torch module, a folder, C1 to C7 or a program's own weights, at the largest of the small sizes.

    ``out``: of exact weights, the certificate of the same count, which the kernel has made by its own run.
    """
    require_writable(*([] if out is None else [out]))
    if not tested.small:
        raise InputError(f"{tested.name} has too many inputs at these sizes: give smaller --sizes")
    sizes = tested.small[-1]
    own = folder_sizes(model) if isinstance(model, str) and is_folder(model) else None
    sizes = sizes if own is None else own
    name = model if isinstance(model, str) else type(model).__name__
    own_model = _model(model, asked, tested, sizes)
    found = exact_accuracy(own_model, sizes, progress=progress)
    if out is not None:
        subject = getattr(own_model, "as_written", own_model)
        if not isinstance(subject, Construction):
            raise InputError("--out: only of exact weights is there a certificate; this model was run in floats")
        write_certificate(out, exhaustive_certificate(subject, progress=progress))
    return ExactReport(name, found, None if out is None else Path(out))


def _model(model: Any, asked: Asked, tested: Subject, sizes: TaskSizes) -> Any:
    if not isinstance(model, str) or is_folder(model):
        return model
    if asked.torch or asked.weights is not None:
        if not is_spelled(model):
            raise InputError(f"a torch module is made by module:factory, not {quoted(model)}")
        return torch_solver(model, asked.weights).module
    if model.upper() in NAMES:
        needed = "two_sum" if model.upper() in FOR_TWO_SUM else "funccomp"
        if tested.folder != needed:
            raise InputError(f"{model.upper()} is for the task {needed}, not {tested.name}")
        return build(model.upper(), sizes)
    if is_program(model) and tested.folder == "program":
        return CompiledProgram.of(sizes)  # type: ignore[arg-type]
    raise InputError("--all-inputs takes a torch module (--torch), a folder, C1 to C7, or a program's own weights")


@dataclass(frozen=True)
class ExactReport(Report):
    """How many of all inputs are answered rightly, in which arithmetic, and the first that is not."""

    model: str
    found: ExactAccuracy
    out: Path | None = None

    @property
    def ok(self) -> bool:
        return self.found.ok

    def facts(self) -> dict[str, Any]:
        return {"model": self.model, **self.found.document(), "sentence": self.found.sentence, "certificate": self.out}

    def parts(self) -> Parts:
        found = self.found
        yield f"{MARKS[self.ok]} {escape(quoted(self.model))}, {escape(found.task.title)}: {found.sentence}"
        if found.wrong is not None:
            for line in write_block(found.wrong).split("\n")[1:]:
                yield f"  {escape(line)}"
            answered = " ".join(map(str, found.answered)) or "nothing: the exact run refuses it"
            yield f"  expected {' '.join(map(str, found.expected))}, answered {answered}"
        yield written("certificate", self.out)
