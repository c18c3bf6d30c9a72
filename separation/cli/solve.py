"""`separation solve`: its options, and one run as a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from separation.cli.finish import finish
from separation.cli.options import SIZES, Gathered, InstanceFile, Json, ModelFile, Name, Seed, gathers
from separation.cli.progress import progress_bar
from separation.cli.style import MARKS, escape, listed, say_written, table_of

if TYPE_CHECKING:
    from rich.console import Console

    from separation.verbs.solve import SolveReport

SHOWN_ENTRIES = 8


@gathers("sizes", f"{SIZES} bits score_bits")
def solve(
    *,
    name: Name = None,
    sizes: Gathered,
    model: ModelFile = None,
    instance: InstanceFile = None,
    seed: Seed = 0,
    figure: Annotated[
        Path | None, typer.Option(help="Draw where the last token looks, layer by layer (.png, .svg, .pdf; and .csv).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Run one instance exactly; show the hops and where attention looked.

    Example: separation solve C1 --L 3 --m 4 --n 4,4 --seed 7

    Example: separation solve C1 --L 2 --m 2 --n 2 --figure attention.png
    """
    from separation.verbs.solve import solve as verb

    with progress_bar() as progress:
        report = verb(name, model=model, instance=instance, seed=seed, figure=figure, **sizes, progress=progress)
    finish(report, as_json, show_solve)


def show_solve(report: SolveReport, console: Console) -> None:
    """Whose run it is, then the run."""
    from separation.tasks.catalogue import prompt_tokens

    subject = report.construction
    name = f"{escape(subject.name)} ({escape(subject.model.word)})"
    console.print(f"{name} on a prompt of {prompt_tokens(subject.sizes):,} tokens: {escape(subject.task.title)}")
    show_run(report, console)
    say_written("figure", report.figure, console)
    if report.figure is not None:
        say_written("its numbers", report.figure.with_suffix(".csv"), console)


def show_run(report: SolveReport, console: Console) -> None:
    """Each layer: where the last token looked and what it found; the oracle's hops; then the answer."""
    if report.looks:
        table = table_of("layer", "head", "looked at", "position", "share", "found")
        for look in report.looks:
            where, found = (look.token, str(look.position)), str(look.token_id)
            if not look.share:  # of equal weights the first is the heaviest: of weights 0 it would be a token not read
                where, found = ("nothing", "–"), "–"
            table.add_row(str(look.layer), str(look.head), *where, f"{float(look.share):.4f}", found)
        console.print(table)
    if report.hops:
        console.print("hops of the oracle: " + ", ".join(f"i_{index} = {hop}" for index, hop in enumerate(report.hops)))
    if report.outputs:
        what = "outputs" if report.construction.task.answers_every_token else "generated tokens"
        console.print(f"{what}: {listed(report.outputs)}", soft_wrap=True)
        for token, says in zip(report.outputs, report.spelled, strict=False):
            console.print(f"  {token:4} says {says}")
        if report.outputs != report.expected_outputs:
            console.print(f"expected: {listed(report.expected_outputs)}", soft_wrap=True)
    console.print(f"{MARKS[report.ok]} answer {report.answer}, expected {report.expected}")


def instance_lines(instance: Any) -> list[str]:
    """z_0 and w, then the tables: in full if they are short, else what is not the commonest value."""
    from separation.tasks.funccomp import Instance as FuncCompInstance
    from separation.tasks.two_sum import TwoSumInstance

    if isinstance(instance, TwoSumInstance):
        return [f"x: {_entries(instance.x)}"]
    if not isinstance(instance, FuncCompInstance):
        return [f"{name}: {_entries(value)}" for name, value in vars(instance).items() if name != "sizes"]
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
