"""Float runs beside exact ones, as a table."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from separation.numeric import DTYPES
from separation.verbs.certified import CertifiedReport, count_text
from separation.verbs.crosscheck import CrossCheckReport

_MARKS = {True: "[green]✓[/green]", False: "[red]✗[/red]"}


def show_crosscheck(report: CrossCheckReport, console: Console) -> None:
    """What ran, the errors with their bounds, and the verdict."""
    result = report.result
    table = Table(show_header=False, show_edge=False, pad_edge=False, box=None)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row("construction", escape(f"{report.construction.name} ({report.construction.model.word})"))
    table.add_row("prompts", f"{result.instances} of {result.tokens:,} tokens, {result.mismatches} wrong answers")
    table.add_row("run", f"{result.dtype} on {result.device}, path {result.path}")
    table.add_row("reference", f"{result.reference}; read-outs of {result.compared} prompts compared")
    table.add_row("error of read-outs", _against(result.max_error, result.bound))
    table.add_row("error of logits", _against(result.logit_error, result.logit_bound))
    if result.ratio is not None:
        table.add_row("bound / error", f"{result.ratio:.1f}")
    table.add_row("time", f"{report.seconds:.2f} s")
    console.print(table)
    if result.bound is None:
        console.print(f"{_MARKS[False]} not certified in {result.dtype}: {escape(result.reason)}", soft_wrap=True)
        found = report.certified_tokens
        longest = "no size was found that is" if found is None else f"certified up to {found:,} tokens"
        console.print(f"  {longest}", soft_wrap=True)
    if result.outside:
        console.print(f"{_MARKS[False]} {result.outside} numbers left their bounds")
    verdict = "answers agree, errors stay within proved bounds" if report.ok else "not certified, or not as certified"
    console.print(f"{_MARKS[report.ok]} {verdict}")


def show_certified(report: CertifiedReport, console: Console) -> None:
    """Every construction at L = 3 on both paths: the longest prompt for each type."""
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    for column in ("construction", "path", *DTYPES):
        table.add_column(column, overflow="fold")
    for row in report.rows:
        cells = [count_text(row.tokens[dtype], row.most) for dtype in DTYPES]
        table.add_row(f"{row.construction} {row.variant}".strip(), row.path, *cells)
    console.print(table)
    console.print(
        f"longest prompts, in tokens, with every answer proved right ({report.seconds:.0f} s); ≥: none longer tried"
    )


def _against(error: float, bound: float | None) -> str:
    return f"{error:.2e}" + (", no bound" if bound is None else f", proved ≤ {bound:.2e}")
