"""`export --benchmark DIR`: networks with attention, right and broken, with questions whose answers are known."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from constructions.stock.kit.benchmark_networks import families
from constructions.stock.kit.benchmark_questions import FamilyAnswers, answers, write_answers
from separation.files import InputError
from separation.numeric.stock_folder import publish, require_replaceable, staged
from separation.packages import require_packages
from separation.progress import Progress, silent
from separation.verbs.options import Seed
from separation.verbs.report import MARKS, Parts, Report, table_of, timed


@timed
def export_benchmark(
    benchmark: Annotated[
        str | Path, "Instead: a new folder of right and broken networks with questions for verifiers (VNN-COMP)."
    ],
    *,
    seed: Seed = 0,
    progress: Progress = silent,
) -> BenchmarkReport:
    """Ask every question of every network, and write what was answered to a new folder."""
    path = Path(benchmark).absolute()
    require_packages("ONNX needs", "onnx", "onnx", "onnxruntime")
    if path.is_dir() and any(path.iterdir()):
        raise InputError(f"cannot write {path}: the folder is not empty")
    require_replaceable(path)
    asked = families()
    found = []
    for number, family in enumerate(asked):
        progress(number / len(asked), family.name)
        found.append(answers(family, seed))
    with staged(path) as folder:
        write_answers(folder, found)
        publish(folder, path)
    return BenchmarkReport(path, tuple(found))


class BenchmarkReport(Report):
    """A written folder; ok if every family is."""

    path: Path
    families: tuple[FamilyAnswers, ...]

    def parts(self) -> Parts:
        """A row for each family of networks: how many questions have which answer."""
        names = ("family", "tokens", "networks", "wrong_networks", "unsat", "sat", "undecided", "ok")
        rows = [[each.document()[name] for name in names] for each in self.families]
        columns = ("family", "tokens", "networks", "wrong ones", "unsat", "sat", "left out", "")
        yield table_of(*columns, right_from=1, rows=rows)
        yield "unsat: proved for every real input of the box; sat: shown at a prompt; left out: not settled"
        yield f"{MARKS[self.ok]} written to {self.path} in {self.seconds:.1f} s"
