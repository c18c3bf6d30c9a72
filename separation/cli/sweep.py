"""`separation sweep`: its options and its table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from separation.cli.decide import VERDICTS, log2_text, long_number
from separation.cli.finish import finish
from separation.cli.options import Dask, Effort, Json, Workers, ranges
from separation.cli.progress import progress_bar
from separation.cli.style import count, escape, say, say_written, shortened, table_of
from separation.verbs.options import flags

if TYPE_CHECKING:
    from rich.console import Console

    from separation.verbs.sweep import SweepReport

LONGEST_WORD, SHOWN_ROWS = 24, 100
Numbers = Annotated[str | None, typer.Option(help="Numbers like 8,64 or 2..4.")]


def sweep(
    *,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="bound or decide.")],
    word: Annotated[str | None, typer.Option(help="Words like RF,FR,F3.")] = None,
    levels: Annotated[str | None, typer.Option("--L", help="Numbers of tables, like 2..4.")] = None,
    beta: Numbers = None,
    linear: Annotated[str | None, typer.Option("--lambda", help="Bits of all recurrent states, like 0,8.")] = None,
    heads: Numbers = None,
    dim: Numbers = None,
    bits: Numbers = None,
    linear_layers: Numbers = None,
    state_bits: Numbers = None,
    full_layers: Numbers = None,
    theorem: Annotated[str | None, typer.Option(help="Ask one theorem alone, e.g. A.")] = None,
    effort: Effort = "quick",
    out: Annotated[Path | None, typer.Option(help="Write the rows here, as CSV.")] = None,
    workers: Workers = None,
    dask: Dask = None,
    as_json: Json = False,
) -> None:
    """Ask bound or decide at every combination of values, shared out over processes or over a cluster.

    Example: separation sweep bound --L 2..3 --beta 8,64 --lambda 0,8 --workers 2

    Example: separation sweep decide --word RF,FR,FF --L 1..3 --out words.csv
    """
    from separation.verbs.sweep import sweep as verb

    given = {"L": levels, "beta": beta, "linear": linear, "heads": heads, "dim": dim, "bits": bits}
    given |= {"linear_layers": linear_layers, "state_bits": state_bits, "full_layers": full_layers}
    values: dict[str, Any] = {name: ranges(text, flags([name])) for name, text in given.items()}
    words = None if word is None else [part.strip() for part in word.split(",")]
    with progress_bar() as progress:
        report = verb(
            question,
            word=words,
            **values,
            theorem=theorem,
            effort=effort,
            out=out,
            workers=workers,
            dask=dask,
            progress=progress,
        )
    finish(report, as_json, show_sweep)


def show_sweep(report: SweepReport, console: Console) -> None:
    """What varies, then the answer; the first rows if there are many."""
    names = {"linear": "Λ", "beta": "β", "word": "word", "L": "L"}
    columns = [names.get(name, name.replace("_", " ")) for name in report.varied]
    table = table_of(*columns, "answer", "by", "prompt", "log2 n", right_from=len(columns) + 2)
    for row in report.rows[:SHOWN_ROWS]:
        asked = [escape(shortened(str(row[name]), LONGEST_WORD)) for name in report.varied]
        if row["error"]:
            table.add_row(*asked, f"[red]{escape(row['error'])}[/red]", "", "", "")
            continue
        by = row["construction"] or row["theorem"] or "–"
        table.add_row(*asked, VERDICTS[row["solvable"]], by, long_number(row["tokens"]), log2_text(row["tokens_log2"]))
    console.print(table)
    if len(report.rows) > SHOWN_ROWS:
        say(f"{count(len(report.rows) - SHOWN_ROWS, 'row')} more: --json and --out have all", console)
    if any(row["assumed"] for row in report.rows):
        say("Prompts are those of an example, β = Λ = 8, where no β was given.", console)
    failed = sum(not row["ok"] for row in report.rows)
    if failed:
        say(f"{count(failed, 'combination')} without an answer", console)
    say_written("table", report.out, console)
