"""The proof book for people: a tree of what rests on what, and one statement in full."""

from __future__ import annotations

from collections import Counter
from operator import add

from rich.console import Console, Group
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from proofs_checks import Status
from proofs_checks.in_words import difference, in_words
from separation.verbs.proofs import BookRow, ProofsReport

_MARKS = {True: "[green]✓[/green]", False: "[red]✗[/red]"}
_OPEN = "[yellow]?[/yellow]"
LONGEST_REASON = 160


def show_proofs(report: ProofsReport, console: Console) -> None:
    """Every statement that nothing rests on, and below it what it rests on; what was shown before is only named."""
    rows = {row.statement.id: row for row in report.rows}
    shown: set[str] = set()
    for row in report.rows:
        if not row.rested_on_by:
            console.print(_tree(row, rows, shown))
    failed = [row for row in report.rows if not row.ok]
    for row in failed:
        console.print(f"{_MARKS[False]} {row.statement.id}: {escape(row.checked.message)}", soft_wrap=True)
    if report.figure is not None:
        console.print(f"figure written to {escape(str(report.figure))}", soft_wrap=True)
    counts = Counter(row.checked.status for row in report.rows)
    known = [f"{counts[status.value]} {status.value}" for status in Status if status.value in counts]
    twins = sum(len(row.checked.rejections) for row in report.rows)
    supposed = sum(len(row.statement.hypotheses) for row in report.rows if row.ok)
    console.print(Text(", ".join(known)))
    console.print(
        f"{twins} broken twins rejected; {supposed} hypotheses, each met by a witness and excluding something"
    )
    hold = f"{len(report.rows) - len(failed)} of {len(report.rows)} statements hold"
    console.print(f"{_MARKS[report.ok]} {hold} ({report.seconds:.1f} s)")


def show_statement(report: ProofsReport, console: Console) -> None:
    """One statement: what it says, how it is known, what it supposes, and which false neighbours were refused."""
    for row in report.rows:
        own, found = row.statement, row.checked
        console.print(f"{_mark(row)} [bold]{escape(own.id)}[/bold]  {escape(own.title)}")
        facts = _grid()
        facts.add_row("in LaTeX", escape(own.latex))
        facts.add_row("in English", escape(own.english))
        facts.add_row("status", escape(found.status))
        if found.established != found.status:
            facts.add_row("", f"its own check: {escape(found.established)}; what it rests on is weaker")
        facts.add_row("method", escape(found.method))
        facts.add_row("scope", escape(found.scope))
        for name, ids in (("rests on", own.rests_on), ("rested on by", row.rested_on_by), ("speaks of", own.speaks_of)):
            facts.add_row(name, escape(_titles(ids, report)))
        console.print(facts)
        if own.hypotheses:
            console.print("\nIt supposes, and all of it is true of this witness:")
            console.print(Padding(Text(in_words(own.witness), style="green"), (0, 0, 1, 2), expand=False))
            excluded = {each.text: difference(own.witness, each.outside) for each in own.hypotheses}
            console.print(_pairs("hypothesis", "excludes the witness with", excluded))
        if found.rejections:
            console.print("\nFalse neighbours, each refused by the same check:\n")
            reasons = {name: _short(reason) for name, reason in found.rejections.items()}
            console.print(_pairs("broken twin", "refused, because", reasons))
        if found.message:
            console.print(f"{_MARKS[False]} {escape(found.message)}", soft_wrap=True)
        console.print(f"{_MARKS[row.ok]} {'it holds' if row.ok else 'it does not hold'} ({found.seconds:.1f} s)")


def _tree(row: BookRow, rows: dict[str, BookRow], shown: set[str]) -> Tree:
    """A statement, below it those that it rests on and that were not shown yet."""
    shown.add(row.statement.id)
    tree = Tree(_label(row), guide_style="dim")
    for other in row.statement.rests_on:
        if other not in shown:
            tree.add(_tree(rows[other], rows, shown))
    return tree


def _label(row: BookRow) -> Group:
    """The title; how it is known; how it was tried, and what it leans on."""
    own, found = row.statement, row.checked
    title = Text.from_markup(f"{_mark(row)} [bold]{escape(own.id)}[/bold]  {escape(own.title)}")
    status = f"[red]{escape(found.status)}[/red]" if not row.ok else escape(found.status)
    capped = f" (by its own check {escape(found.established)})" if row.ok and found.established != found.status else ""
    known = f"{status}{capped}: [dim]{escape(found.scope)}[/dim]" if found.scope else status
    parts = [_count(len(found.rejections), "twin") + " rejected", _count(len(own.hypotheses), "hypothesis")]
    parts += [f"rests on {', '.join(own.rests_on)}"] if own.rests_on else []
    parts += [f"speaks of {', '.join(own.speaks_of)}"] if own.speaks_of else []
    beside = Text("; ".join(parts), style="dim italic")
    return Group(title, *(Padding(line, (0, 0, 0, 4), expand=False) for line in (Text.from_markup(known), beside)))


def _mark(row: BookRow) -> str:
    return _OPEN if row.status is Status.OPEN else _MARKS[row.ok]


def _count(number: int, what: str) -> str:
    many = {"hypothesis": "hypotheses"}.get(what, f"{what}s")
    return f"{number or 'no'} {what if number == 1 else many}"


def _titles(ids: tuple[str, ...], report: ProofsReport) -> str:
    lines = [f"{id}  {report.graph.nodes[id]['title']}" for id in ids]
    known = [f" ({report.statuses[id]})" if id in report.statuses else "" for id in ids]
    return "\n".join(map(add, lines, known)) or "–"


def _short(reason: str) -> str:
    """What a layer holds in place of what it should can be long; --json has all of it."""
    return reason if len(reason) <= LONGEST_REASON else f"{reason[: LONGEST_REASON - 1]}…"


def _grid() -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    return table


def _pairs(first: str, second: str, pairs: dict[str, str]) -> Table:
    table = Table(first, second, box=None, pad_edge=False, padding=(0, 2, 0, 2), header_style="dim")
    for left, right in pairs.items():
        table.add_row(escape(left), escape(right))
    return table
