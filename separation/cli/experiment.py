"""`separation experiment`: its options and its table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from separation.cli.finish import finish
from separation.cli.options import Dask, Json, Workers
from separation.cli.progress import progress_bar
from separation.cli.style import escape, say, say_written, table_of

if TYPE_CHECKING:
    from rich.console import Console

    from separation.verbs.experiment import ExperimentReport


def experiment(
    *,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="depth, capacity, sparse, recurrence, shift, stock or fool.")
    ],
    quick: Annotated[bool, typer.Option("--quick", help="A few runs, in minutes, instead of all.")] = False,
    out: Annotated[Path, typer.Option(help="Folder for the table, the figure and every run.")] = Path("experiments"),
    plan: Annotated[Path | None, typer.Option(help="A TOML file of your own, in the form of the shipped ones.")] = None,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda or mps.")] = "auto",
    workers: Workers = None,
    dask: Dask = None,
    as_json: Json = False,
) -> None:
    """Train small models and draw their accuracy next to what is proved (needs torch); a stopped one goes on.

    Example: separation experiment depth --quick

    Example: separation experiment capacity --out results --workers 2
    """
    from separation.verbs.experiment import experiment as verb

    with progress_bar() as progress:
        report = verb(
            name, quick=quick, out=out, plan=plan, device=device, workers=workers, dask=dask, progress=progress
        )
    finish(report, as_json, show_experiment)


def show_experiment(report: ExperimentReport, console: Console) -> None:
    """A row for each run, then the files."""
    say(report.title, console)
    table = table_of("model", "L", "seed", "accuracy", "95 % interval", "ceiling", "by", right_from=3)
    for row in report.rows:
        model = row["word"] if row["label"] == row["word"] else f"{row['word']}, {row['label']}"
        ceiling = "–" if row["ceiling"] is None else f"{row['ceiling']:.3f}"
        table.add_row(
            escape(model),
            str(row["L"]),
            str(row["seed"]),
            f"{row['accuracy']:.3f}",
            f"{row['low']:.3f} to {row['high']:.3f}",
            ceiling,
            row["theorem"] or "–",
        )
    console.print(table)
    if report.above:
        say(f"[red]✗[/red] {len(report.above)} runs lie above their proved ceiling: something is wrong", console)
    say_written("table", report.csv, console)
    say_written("figure", report.figure, console)
    if report.fooled is not None:
        say_written("models handed to fool", report.fooled, console)
