"""`experiment`: trains small models, keeps every run, and draws what came out next to what is proved."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from separation.architectures.building import libraries
from separation.experiments import NAMES, load_plan, read_csv, rows, write_csv
from separation.experiments.figures import draw
from separation.experiments.runs import read_row, rows_by_key
from separation.figures import figure_bytes
from separation.files import InputError, write_whole
from separation.progress import Progress, silent
from separation.verbs.options import Argument, Dask, File, Workers
from separation.verbs.report import MARKS, Parts, Report, count, table_of, timed, written

EXAMPLES = ("experiment depth --quick", "experiment capacity --out results --workers 2")


@timed
def experiment(
    name: Annotated[str, Argument(metavar="NAME", help=f"{', '.join(NAMES[:-1])} or {NAMES[-1]}.")],
    *,
    quick: Annotated[bool, "A few runs, in minutes, instead of all."] = False,
    out: Annotated[str | Path, "Folder for the table, the figure and every run."] = "experiments",
    finished: Annotated[bool, "Train nothing: the table and the figure of what is done."] = False,
    plan: Annotated[File, "A TOML file of your own, in the form of the shipped ones."] = None,
    device: Annotated[str, "auto, cpu, cuda or mps."] = "auto",
    workers: Workers = None,
    dask: Dask = None,
    executor: Executor | None = None,
    progress: Progress = silent,
) -> ExperimentReport:
    """Train what the plan says, going on where an earlier call was stopped, and write NAME.csv, NAME.png and NAME.svg.

    A run whose row is in NAME.csv, by its key, is not trained again. Results are the same for any number of workers.
    """
    chosen = load_plan(name, quick, plan)
    folder = Path(out)
    runs, csv = folder / "runs", folder / f"{name}.csv"
    done = rows_by_key(csv)
    if finished:
        known = tuple(run for run in chosen.runs if run.key in done or read_row(runs, run) is not None)
        if not known:
            raise InputError(f"no run of {name} is finished in {folder}")
        chosen = replace(chosen, runs=known)
    left = replace(chosen, runs=tuple(run for run in chosen.runs if run.key not in done))
    if not finished and any(run.setting("model", "bare") != "bare" for run in left.runs):
        libraries()  # transformers, or one line that it is missing
    if left.runs:
        from separation.numeric.devices import chosen_device

        chosen_for = chosen_device(device)  # what is refused leaves no folder behind
        make_folder(runs)
        found = rows(left, runs, device=chosen_for, workers=workers, dask=dask, executor=executor, progress=progress)
        done |= {row["key"]: row for row in found}
    table = [done[run.key] for run in chosen.runs]
    write_csv(csv, table)
    picture = draw(name, chosen.title, read_csv(csv))
    for kind in ("svg", "png"):
        write_whole(folder / f"{name}.{kind}", figure_bytes(picture, kind))
    figure = folder / f"{name}.png"
    return ExperimentReport(name, chosen.title, table, csv, figure)


def make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {folder}: {error.strerror or error}") from None


class ExperimentReport(Report):
    """Every run of an experiment, and where its table and its figure are."""

    experiment: str
    title: str
    rows: list[dict[str, Any]]
    csv: Path
    figure: Path

    @property
    def above(self) -> list[dict[str, Any]]:
        """Runs whose whole interval lies above their proved ceiling: there is none, or something is wrong."""
        return [row for row in self.rows if row["ceiling"] is not None and row["low"] > row["ceiling"]]

    @property
    def ok(self) -> bool:
        return not self.above

    def facts(self) -> dict[str, Any]:
        return {**vars(self), "above_ceiling": len(self.above)}

    def parts(self) -> Parts:
        """A row for each run, then the files."""
        yield self.title
        table = []
        for row in self.rows:
            model = row["word"] if row["label"] == row["word"] else f"{row['word']}, {row['label']}"
            ceiling = None if row["ceiling"] is None else f"{row['ceiling']:.3f}"
            found = (f"{row['accuracy']:.3f}", f"{row['low']:.3f} to {row['high']:.3f}", ceiling, row["theorem"])
            table.append((model, row["L"], str(row["seed"]), *found))
        columns = ("model", "L", "seed", "accuracy", "95 % interval", "ceiling", "by")
        yield table_of(*columns, right_from=3, rows=table)
        if self.above:
            yield f"{MARKS[False]} {count(len(self.above), 'run')} above the proved ceiling: something is wrong"
        yield written("table", self.csv)
        yield written("figure", self.figure)
