"""An export as a table that a person can read."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from separation.verbs.export import ExportReport

_MARKS = {True: "[green]✓[/green]", False: "[red]✗[/red]"}


def show_export(report: ExportReport, console: Console) -> None:
    """What was written, what is certified of it, and what the stock class answered."""
    facts = report.document()
    sizes = report.checkpoint.sizes
    table = Table(show_header=False, show_edge=False, pad_edge=False, box=None)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row("model", f"{facts['construction']} as {facts['class']}, {facts['dtype']}")
    table.add_row("task", f"L = {sizes.L}, m = {sizes.m}, n = ({', '.join(map(str, sizes.n))})")
    table.add_row("prompt", f"{sizes.length:,} tokens, vocabulary {sizes.vocabulary:,}")
    table.add_row("sizes", f"{facts['layers']} layers, width {facts['width']}, {facts['heads']} head(s)")
    table.add_row("parameters", f"{facts['parameters']:,}")
    table.add_row("all inputs", _certified(report))
    for check in report.checks:
        lead = "" if check.least_lead is None else f", least lead of a logit {check.least_lead:.4g}"
        lead += "" if check.max_error is None else f", logits off by up to {check.max_error:.2g}"
        right = check.instances - check.mismatches
        every = ", every look-up among them" if report.every_look_up else ""
        answers = f"{right} of {check.instances} inputs right{every}{lead}"
        table.add_row(check.attention, f"{_MARKS[check.ok]} {answers}")
        for complaint in check.complaints:
            table.add_row("", f"{_MARKS[False]} {escape(complaint)}")
    table.add_row("time", f"{report.seconds:.2f} s")
    console.print(table)
    example = report.example()
    if example is not None:
        console.print(f"a text that its tokenizer reads: {example['text']}", soft_wrap=True, highlight=False)
        console.print(f"its answer: {example['answer']}")
    written = "nothing written" if report.path is None else f"written to {escape(str(report.path))}"
    console.print(f"{_MARKS[report.ok]} {written}", soft_wrap=True)


def _certified(report: ExportReport) -> str:
    found = report.certificate
    if found is None:
        return "no computed bound for this target: only the inputs below are known"
    if not found.ok:
        return f"{_MARKS[False]} not certified in {report.dtype}: {escape(found.reason or 'the bound is too large')}"
    longest = f"; at this L up to {report.certified_tokens:,} tokens" if report.certified_tokens else ""
    bound = f"{found.bound:.2g}{getattr(found, 'up_to', '')}"
    return f"{_MARKS[True]} certified: logits off by at most {bound}, margin {found.margin:.4g}{longest}"
