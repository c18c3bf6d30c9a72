"""`separation stress`: its options and its table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from separation.cli.finish import finish
from separation.cli.options import Json, Seed, numbers
from separation.cli.progress import progress_bar
from separation.cli.style import MARKS, escape, facts_table, say, say_written, shortened, table_of
from separation.files import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from separation.verbs.stress import DatasetReport, StressReport

MOST_LEVELS = 64
LONGEST_INSTANCE = 400


def stress(
    *,
    model: Annotated[
        str | None,
        typer.Argument(
            metavar="MODEL",
            help="module:function; a Hugging Face folder; C1 to C7; module:factory with --weights or --torch;"
            " with --url the model's name there.",
        ),
    ] = None,
    task: Annotated[str, typer.Option(help="funccomp, two_sum, or another task of separation/tasks.")] = "funccomp",
    levels: Annotated[str | None, typer.Option("--L", help="Numbers of hops: 1..4 (default), 2, or 1,3.")] = None,
    lengths: Annotated[str | None, typer.Option(help="Tokens of a prompt, at most: 16,64 (default).")] = None,
    seconds: Annotated[float, typer.Option(help="Stop asking after about that long.")] = 60.0,
    count: Annotated[
        int | None, typer.Option(help="Random prompts at each of the sizes (default 256; of text 16).")
    ] = None,
    shots: Annotated[int, typer.Option(help="Text: worked examples in front of the question.")] = 0,
    reads: Annotated[str | None, typer.Option(help="What the model is given: instances, tokens or text.")] = None,
    weights: Annotated[Path | None, typer.Option(help="A .safetensors file for the module that MODEL makes.")] = None,
    torch: Annotated[bool, typer.Option("--torch", help="MODEL makes a torch module that has its weights.")] = False,
    url: Annotated[str | None, typer.Option(help="An OpenAI-compatible server, e.g. http://localhost:8000/v1.")] = None,
    api: Annotated[str, typer.Option(help="With --url: chat or completions.")] = "chat",
    limit: Annotated[float | None, typer.Option(help="Seconds of one call (default 30; of one request 60).")] = None,
    retries: Annotated[int, typer.Option(help="With --url: how often a broken request is repeated.", min=0)] = 3,
    workers: Annotated[int, typer.Option(help="With --url: requests at a time.", min=1)] = 4,
    config: Annotated[Path | None, typer.Option(help="A config.json that tells the model's layers.")] = None,
    results: Annotated[Path | None, typer.Option(help="Write results here as JSON Lines, one a prompt.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the file of --results.")] = False,
    report: Annotated[Path | None, typer.Option(help="Write a page of HTML here.")] = None,
    write_dataset: Annotated[
        Path | None, typer.Option(help="Instead: write the prompts as a dataset into this folder.")
    ] = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Put a model of your own to the test: accuracy by family, hop and length, and the smallest failure.

    Example: separation stress mymodel:solve --L 1..3 --seconds 10

    Example: separation stress llama --url http://localhost:8000/v1 --report page.html --results run.jsonl
    """
    from separation.verbs.stress import stress as verb
    from separation.verbs.stress import stress_dataset

    chosen: dict[str, Any] = {"L": _levels(levels), "lengths": _lengths(lengths), "count": count, "seed": seed}
    if write_dataset is not None:
        if model is not None:
            raise InputError("--write-dataset asks no model: leave out MODEL")
        finish(stress_dataset(write_dataset, (task,), **chosen, shots=shots), as_json, show_dataset)
    if model is None:
        raise InputError("MODEL is missing: module:function, a Hugging Face folder, or a name with --url")
    how = {"reads": reads, "weights": weights, "torch": torch, "url": url, "api": api, "limit": limit}
    files = {"config": config, "results": results, "resume": resume, "report": report}
    with progress_bar() as progress:
        found = verb(
            model,
            task=task,
            **chosen,
            seconds=seconds,
            shots=shots,
            **how,  # type: ignore[arg-type]
            retries=retries,
            workers=workers,
            **files,  # type: ignore[arg-type]
            progress=progress,
        )
    finish(found, as_json, show_stress)


def show_stress(report: StressReport, console: Console) -> None:
    """The verdict in a sentence, accuracy by hop and length, the worst families, the smallest failure."""
    solver = report.solver
    verdict = "answered every prompt rightly" if report.ok else "failed"
    say(
        f"{MARKS[report.ok]} {escape(report.model.name)} {verdict}: {escape(str(solver.right))} of {solver.asked}",
        console,
    )
    if solver.rows:
        _show_lengths(report, console)
        _show_families(report, console)
    facts = facts_table()
    for name, status in (("not parsed", "unparsed"), ("no connection", "no connection")):
        if report.count(status):
            facts.add_row(name, f"{report.count(status):,} prompts")
    if report.resumed:
        facts.add_row("from an earlier run", f"{report.resumed:,} prompts")
    if report.model.depth is not None:
        facts.add_row("depth", f"{report.model.depth}, of the word {escape(shortened(str(report.model.word), 60))}")
    if solver.unfinished:
        facts.add_row("time was over in", ", ".join(solver.unfinished))
    if solver.stopped is not None:
        facts.add_row("stopped", escape(solver.stopped))
    if solver.failed is not None:
        document = report.document()
        facts.add_row("caught by", escape(f"{solver.stage}, {solver.family}"))
        facts.add_row("smallest failure", escape(shortened(str(document["failure"]), LONGEST_INSTANCE)))
        facts.add_row("expected", escape(shortened(str(solver.expected), LONGEST_INSTANCE)))
        said = solver.reason if solver.answered is None else solver.answered
        facts.add_row("answered", escape(shortened(str(said), LONGEST_INSTANCE)))
    facts.add_row("time", f"{solver.seconds:.1f} s")
    console.print(facts)
    say_written("Results", report.results, console)
    say_written("Report", report.page, console)


def _show_lengths(report: StressReport, console: Console) -> None:
    cells: dict[tuple[int | None, int], list[int]] = {}
    for row in report.solver.rows:
        own = cells.setdefault((row.hops, row.length), [0, 0])
        own[0] += row.right
        own[1] += row.asked
    table = table_of("L", "tokens", "asked", "right", "accuracy", right_from=1)
    for (hops, length), (right, asked) in sorted(cells.items(), key=lambda item: (item[0][0] or 0, item[0][1])):
        share = f"{100 * right / asked:.1f} %" if asked else "–"
        table.add_row("–" if hops is None else str(hops), f"{length:,}", f"{asked:,}", f"{right:,}", share)
    console.print(table)


def _show_families(report: StressReport, console: Console) -> None:
    worst = sorted((row for row in report.solver.rows if row.asked > row.right), key=lambda row: row.accuracy)[:5]
    if worst:
        table = table_of("worst families", "L", "tokens", "right", right_from=1)
        for row in worst:
            hops = "–" if row.hops is None else str(row.hops)
            table.add_row(row.family.replace("_", " "), hops, f"{row.length:,}", f"{row.right:,} of {row.asked:,}")
        console.print(table)


def show_dataset(report: DatasetReport, console: Console) -> None:
    """Where it is, and how large."""
    console.print(f"{report.dataset.rows:,} prompts of {', '.join(report.tasks)}", soft_wrap=True)
    say_written("Dataset", report.dataset.path, console)


def _levels(text: str | None) -> tuple[int, ...] | None:
    """'1..4' → (1, 2, 3, 4); '1,3' → (1, 3)."""
    if text is None:
        return None
    first, dots, last = text.partition("..")
    found = numbers(text, "--L") if not dots else [*(numbers(first, "--L") or []), *(numbers(last, "--L") or [])]
    if not found or (dots and (len(found) != 2 or found[0] > found[1])):
        raise InputError(f"--L is {text[:40]!r}; numbers of hops like 1..4, 2 or 1,3 are needed")
    if min(found) < 1 or max(found) > MOST_LEVELS:
        raise InputError(f"--L is {text[:40]!r}; allowed are 1..{MOST_LEVELS}")
    return tuple(range(found[0], found[1] + 1)) if dots else tuple(found)


def _lengths(text: str | None) -> tuple[int, ...] | None:
    found = numbers(text, "--lengths")
    if found is not None and (not found or min(found) < 1):
        raise InputError(f"--lengths is {str(text)[:40]!r}; numbers of tokens like 16,64 are needed")
    return None if found is None else tuple(found)
