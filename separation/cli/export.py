"""`separation export`: its options and its table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from separation.cli.finish import finish
from separation.cli.options import Gathered, Json, Seed, gathers
from separation.cli.progress import progress_bar
from separation.cli.style import MARKS, count, escape, facts_table

if TYPE_CHECKING:
    from rich.console import Console

    from separation.verbs.export import ExportReport


@gathers("sizes", "L m n tokens")
def export(
    *,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A construction that the target takes.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder, or that of an earlier export.")],
    to: Annotated[str, typer.Option("--to", help="The stock model: gpt2, llama, olmo_hybrid or qwen3_next.")],
    sizes: Gathered,
    dtype: Annotated[str, typer.Option(help="float32, float64, bfloat16 or float16.")] = "float32",
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Write a checkpoint that a stock class of transformers loads, and test it with that class (needs torch).

    Example: separation export C1 --L 3 --to gpt2 model-folder
    """
    from separation.verbs.export import export as verb

    with progress_bar() as progress:
        report = verb(name, folder, to=to, **sizes, dtype=dtype, seed=seed, progress=progress)
    finish(report, as_json, show_export)


def show_export(report: ExportReport, console: Console) -> None:
    """What was written, what is certified of it, and what the stock class answered."""
    facts = report.document()
    sizes = report.checkpoint.sizes
    table = facts_table()
    table.add_row("model", f"{facts['construction']} as {facts['class']}, {facts['dtype']}")
    table.add_row("task", f"L = {sizes.L}, m = {sizes.m}, n = ({', '.join(map(str, sizes.n))})")
    table.add_row("prompt", f"{sizes.length:,} tokens, vocabulary {sizes.vocabulary:,}")
    table.add_row("sizes", f"{facts['layers']} layers, width {facts['width']}, {count(facts['heads'], 'head')}")
    table.add_row("parameters", f"{facts['parameters']:,}")
    table.add_row("all inputs", _certified(report))
    for check in report.checks:
        lead = "" if check.least_lead is None else f", least lead of a logit {check.least_lead:.4g}"
        lead += "" if check.max_error is None else f", logits off by up to {check.max_error:.2g}"
        right = check.instances - check.mismatches
        every = ", every look-up among them" if report.every_look_up else ""
        answers = f"{right} of {check.instances} inputs right{every}{lead}"
        table.add_row(check.attention, f"{MARKS[check.ok]} {answers}")
        for complaint in check.complaints:
            table.add_row("", f"{MARKS[False]} {escape(complaint)}")
    table.add_row("time", f"{report.seconds:.2f} s")
    console.print(table)
    example = report.example()
    if example is not None:
        console.print(f"a text that its tokenizer reads: {example['text']}", soft_wrap=True, highlight=False)
        console.print(f"its answer: {example['answer']}")
    written = "nothing written" if report.path is None else f"written to {escape(report.path)}"
    console.print(f"{MARKS[report.ok]} {written}", soft_wrap=True)


def _certified(report: ExportReport) -> str:
    found = report.certificate
    if not found.ok:
        return f"{MARKS[False]} not certified in {report.dtype}: {escape(found.reason or 'the bound is too large')}"
    longest = f"; at this L up to {report.certified_tokens:,} tokens" if report.certified_tokens else ""
    bound = f"{found.bound:.2g}{found.up_to}"
    return f"{MARKS[True]} certified: logits off by at most {bound}, margin {found.margin:.4g}{longest}"
