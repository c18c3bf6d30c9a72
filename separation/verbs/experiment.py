"""`experiment`: trains small models, keeps every run, and draws what came out next to what is proved."""

from __future__ import annotations

import time
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separation.architectures.building import libraries
from separation.experiments import load_plan, outcomes, read_csv, rows, write_csv
from separation.experiments.figures import draw
from separation.experiments.fooled import attacks
from separation.figures import figure_bytes
from separation.files import InputError, json_text, write_whole
from separation.progress import Progress, silent


@dataclass(frozen=True)
class ExperimentReport:
    """Every run of an experiment, and where its table and its figure are."""

    name: str
    title: str
    rows: list[dict[str, Any]]
    csv: Path
    figure: Path
    seconds: float
    fooled: Path | None = None

    @property
    def above(self) -> list[dict[str, Any]]:
        """Runs whose whole interval lies above their proved ceiling: there is none, or something is wrong."""
        return [row for row in self.rows if row["ceiling"] is not None and row["low"] > row["ceiling"]]

    @property
    def ok(self) -> bool:
        return not self.above

    def document(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "experiment": self.name,
            "title": self.title,
            "rows": self.rows,
            "above_ceiling": len(self.above),
            "csv": str(self.csv),
            "figure": str(self.figure),
            "fooled": None if self.fooled is None else str(self.fooled),
            "seconds": self.seconds,
        }


def experiment(
    name: str,
    *,
    quick: bool = False,
    out: str | Path = "experiments",
    plan: str | Path | None = None,
    device: str = "auto",
    workers: int | None = None,
    dask: str | None = None,
    executor: Executor | None = None,
    progress: Progress = silent,
) -> ExperimentReport:
    """Train what the plan says, going on where an earlier call was stopped, and write NAME.csv, NAME.png and NAME.svg.

    What was found against the models that were right on every random input is in NAME.fooled.json, if there was one.

    Results are the same for any number of workers. ``plan``: a TOML file in the form of the shipped ones.
    """
    start = time.perf_counter()
    chosen = load_plan(name, quick, plan)
    folder = Path(out)
    runs = folder / "runs"
    try:
        runs.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {runs}: {error.strerror or error}") from None
    from separation.numeric.devices import chosen_device

    if any(run.setting("model", "") for run in chosen.runs):
        libraries()  # transformers, or one line that it is missing
    found = outcomes(
        chosen, runs, device=chosen_device(device), workers=workers, dask=dask, executor=executor, progress=progress
    )
    table = rows(chosen.runs, found)
    csv = folder / f"{name}.csv"
    write_csv(csv, table)
    picture = draw(name, chosen.title, read_csv(csv))
    for kind in ("svg", "png"):
        write_whole(folder / f"{name}.{kind}", figure_bytes(picture, kind))
    fooled = None
    if handed_over := attacks(runs, chosen.runs):
        fooled = folder / f"{name}.fooled.json"
        write_whole(fooled, json_text(handed_over) + "\n")
    figure = folder / f"{name}.png"
    return ExperimentReport(name, chosen.title, table, csv, figure, time.perf_counter() - start, fooled)
