"""The proof book for people: a tree of what rests on what."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.tree import Tree

from separation.verbs.proofs import BookRow, ProofsReport

_MARKS = {True: "[green]✓[/green]", False: "[red]✗[/red]"}


def show_proofs(report: ProofsReport, console: Console) -> None:
    """Every statement that nothing rests on, and below it what it rests on; what was shown before is only named."""
    rows = {row.statement.id: row for row in report.rows}
    below = {other for row in report.rows for other in row.statement.rests_on}
    shown: set[str] = set()
    for row in report.rows:
        if row.statement.id not in below:
            tree = Tree(_line(row), guide_style="dim")
            _grow(tree, row, rows, shown)
            console.print(tree)
    failed = [row for row in report.rows if not row.ok]
    for row in failed:
        why = row.checked.message or "claims more than what it rests on"
        console.print(f"{_MARKS[False]} {row.statement.id}: {escape(why)}", soft_wrap=True)
    if report.figure is not None:
        console.print(f"figure written to {escape(str(report.figure))}", soft_wrap=True)
    twins = sum(len(row.statement.twins) for row in report.rows)
    verdict = f"{len(report.rows) - len(failed)} of {len(report.rows)} statements hold, {twins} broken twins rejected"
    console.print(f"{_MARKS[report.ok]} {verdict} ({report.seconds:.1f} s)")


def _grow(tree: Tree, row: BookRow, rows: dict[str, BookRow], shown: set[str]) -> None:
    shown.add(row.statement.id)
    for other in row.statement.rests_on:
        if other in shown:
            tree.add(f"[dim]{escape(other)}, above[/dim]")
        else:
            _grow(tree.add(_line(rows[other])), rows[other], rows, shown)


def _line(row: BookRow) -> str:
    own, found = row.statement, row.checked
    status = found.status if row.ok else f"[red]{escape(found.status)}[/red]"
    return f"{_MARKS[row.ok]} [bold]{escape(own.id)}[/bold] {escape(own.title)}: {status} ({escape(found.scope)})"
