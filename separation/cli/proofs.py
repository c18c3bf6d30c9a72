"""`separation proofs`: its options; the proof book as a tree of what rests on what, and one statement in full."""

from __future__ import annotations

from collections import Counter
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from separation.cli.finish import finish, print_text
from separation.cli.options import Dask, Json, Workers, refuse
from separation.cli.progress import progress_bar
from separation.cli.style import MARKS, count, escape, facts_table, plain_table, say_written, shortened
from separation.files import InputError

if TYPE_CHECKING:
    from rich.console import Console, Group
    from rich.table import Table
    from rich.tree import Tree

    from proofs_checks.kit.rows import StatementRow
    from separation.verbs.proofs import BookRow, CoqReport, ProofsReport

OPEN = "[yellow]?[/yellow]"
LONGEST_REASON = 160


def proofs(
    id: Annotated[str | None, typer.Argument(metavar="ID", help="One statement in full, e.g. C1 or T.depth.")] = None,
    graph: Annotated[
        Path | None, typer.Option(help="Draw what rests on what: a .svg, .png, .pdf or .dot file.")
    ] = None,
    chapter: Annotated[
        str | None,
        typer.Option(help="Only one chapter, by the letters of its ids: D, S, R, C, M, L, T, P or CPW."),
    ] = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the table of statements in Markdown, and nothing else.")
    ] = False,
    coq: Annotated[
        bool, typer.Option("--coq", help="Instead: compile the proofs in Coq, and show what each theorem assumes.")
    ] = False,
    record: Annotated[
        Path | None,
        typer.Option(help="With --coq: record what Coq said in this checkout; statuses are read from there."),
    ] = None,
    workers: Workers = None,
    dask: Dask = None,
    as_json: Json = False,
) -> None:
    """Check the proof book: every statement, its broken twins, what it supposes, and what rests on what.

    Example: separation proofs T.depth

    Example: separation proofs --chapter T --graph theorems.svg

    Example: separation proofs --coq
    """
    from separation.verbs.proofs import proofs as verb
    from separation.verbs.proofs import proofs_coq

    if coq:
        refuse("--coq", {"graph": graph, "chapter": chapter, "markdown": markdown, "dask": dask})
        if id is not None:
            raise InputError(f"--coq compiles all theorems, not {id} alone")
        with progress_bar() as progress:
            compiled = proofs_coq(workers, progress, record)
        finish(compiled, as_json, show_proofs_coq)
    if record is not None:
        raise InputError("--record goes with --coq")
    if id is not None:
        refuse("a statement's ID", {"graph": graph, "chapter": chapter, "markdown": markdown})
    with progress_bar() as progress:
        report = verb(id, graph=graph, chapter=chapter, workers=workers, dask=dask, progress=progress)
    if markdown and not as_json:
        print_text(report.markdown(), report.ok)
    finish(report, as_json, show_proofs if id is None else show_statement)


def show_proofs(report: ProofsReport, console: Console) -> None:
    """Every statement that nothing rests on, and below it what it rests on; what was shown before is only named."""
    from proofs_checks import Status

    rows = {row.statement.id: row for row in report.rows}
    shown: set[str] = set()
    for row in report.rows:
        if not rows.keys() & {*row.rested_on_by}:
            console.print(_tree(row, rows, shown))
    failed = [row for row in report.rows if not row.ok]
    for row in failed:
        console.print(f"{MARKS[False]} {row.statement.id}: {escape(row.checked.message)}", soft_wrap=True)
    say_written("figure", report.figure, console)
    counts = Counter(row.checked.status for row in report.rows)
    known = [f"{counts[status.value]} {status.value}" for status in Status if status.value in counts]
    twins = sum(len(row.checked.rejections) for row in report.rows)
    supposed = sum(len(row.statement.hypotheses) for row in report.rows if row.ok)
    console.print(escape(", ".join(known)), highlight=False)
    console.print(
        f"{twins} broken twins rejected; {supposed} hypotheses, each met by a witness and excluding something"
    )
    hold = f"{len(report.rows) - len(failed)} of {len(report.rows)} statements hold"
    console.print(f"{MARKS[report.ok]} {hold} ({report.seconds:.1f} s)")


def show_statement(report: ProofsReport, console: Console) -> None:
    """One statement: what it says, how it is known, what it supposes, and which false neighbours were refused."""
    from rich.padding import Padding
    from rich.text import Text

    from proofs_checks.kit.descriptions import describe, describe_difference

    for row in report.rows:
        own, found = row.statement, row.checked
        console.print(f"{_mark(row)} [bold]{escape(own.id)}[/bold]  {escape(own.title)}")
        facts = facts_table()
        facts.add_row("in LaTeX", escape(own.latex))
        facts.add_row("in English", escape(own.english))
        facts.add_row("status", escape(found.status))
        if found.in_coq:
            facts.add_row("in Coq", escape(", ".join(found.in_coq)))
            facts.add_row("", f"its own check: {escape(found.established)}")
        elif found.established != found.status:
            facts.add_row("", f"its own check: {escape(found.established)}; what it rests on is weaker")
        if row.by_hand_below:
            facts.add_row("", f"steps by hand below it: {', '.join(map(escape, row.by_hand_below))}")
        if not found.steps:
            facts.add_row("method", escape(found.method))
        facts.add_row("scope", escape(found.scope))
        for name, ids in (("rests on", own.rests_on), ("rested on by", row.rested_on_by), ("speaks of", own.speaks_of)):
            facts.add_row(name, escape(_titles(ids, report)))
        console.print(facts)
        if found.steps:
            console.print("\nWho did which step:\n")
            done = {step.name: f"by {step.worker}" for step in found.steps}
            console.print(
                _pairs("step", "done", done | {step.name: f"by hand: {step.sentence}" for step in found.by_hand})
            )
        if own.hypotheses:
            console.print("\nWhat it supposes, all of which holds for this witness:")
            console.print(Padding(Text(describe(own.witness), style="green"), (0, 0, 1, 2), expand=False))
            excluded = {each.text: describe_difference(own.witness, each.outside) for each in own.hypotheses}
            console.print(_pairs("hypothesis", "excludes the witness with", excluded))
        if found.rejections:
            console.print("\nFalse neighbours, each rejected by the same check:\n")
            reasons = {name: _refusal(found, name) for name in found.rejections}
            console.print(_pairs("broken twin", "rejected by, because", reasons))
        if found.message:
            console.print(f"{MARKS[False]} {escape(found.message)}", soft_wrap=True)
        spent = f"{found.seconds:.1f} s; {report.seconds:.1f} s with all that it rests on"
        console.print(f"{MARKS[row.ok]} {'it holds' if row.ok else 'it does not hold'} ({spent})")


def _tree(row: BookRow, rows: dict[str, BookRow], shown: set[str]) -> Tree:
    """A statement, below it those that it rests on and that were not shown yet."""
    from rich.tree import Tree

    shown.add(row.statement.id)
    tree = Tree(_label(row), guide_style="dim")
    for other in row.statement.rests_on:
        if other in rows and other not in shown:
            tree.add(_tree(rows[other], rows, shown))
    return tree


def _label(row: BookRow) -> Group:
    """The title; how it is known; how it was tried, and what it leans on."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    own, found = row.statement, row.checked
    title = Text.from_markup(f"{_mark(row)} [bold]{escape(own.id)}[/bold]  {escape(own.title)}")
    status = f"[red]{escape(found.status)}[/red]" if not row.ok else escape(found.status)
    capped = f" (by its own check {escape(found.established)})" if row.ok and found.established != found.status else ""
    known = f"{status}{capped}: [dim]{escape(found.scope)}[/dim]" if found.scope else status
    parts = [count(len(found.rejections), "twin") + " rejected", count(len(own.hypotheses), "hypothesis")]
    parts += [count(len(found.by_hand), "step") + " by hand"] if found.by_hand else []
    parts += [f"rests on {', '.join(own.rests_on)}"] if own.rests_on else []
    parts += [f"speaks of {', '.join(own.speaks_of)}"] if own.speaks_of else []
    more = Text("; ".join(parts), style="dim italic")
    return Group(title, *(Padding(line, (0, 0, 0, 4), expand=False) for line in (Text.from_markup(known), more)))


def _mark(row: BookRow) -> str:
    from proofs_checks import Status

    return OPEN if row.status is Status.OPEN else MARKS[row.ok]


def _titles(ids: tuple[str, ...], report: ProofsReport) -> str:
    lines = [f"{id}  {report.graph.nodes[id]['title']}" for id in ids]
    known = [f" ({report.statuses[id]})" if id in report.statuses else "" for id in ids]
    return "\n".join(map(add, lines, known)) or "–"


def _refusal(found: StatementRow, twin: str) -> str:
    """The step that refused it first, why, and the steps that were tried on it too and refuse it alone."""
    first, *more = found.refused_by.get(twin, ("",))
    also = f"; also by: {', '.join(more)}" if more else ""
    return (f"{first}: " if first else "") + shortened(found.rejections[twin], LONGEST_REASON) + also


def _pairs(first: str, second: str, pairs: dict[str, str]) -> Table:
    table = plain_table(first, second)
    for left, right in pairs.items():
        table.add_row(escape(left), escape(right))
    return table


def show_proofs_coq(report: CoqReport, console: Console) -> None:
    """One line for each final theorem: its statements in the book, its file, what it assumes."""
    from proofs_checks.kit.coq.statements import statements_of

    table = plain_table("", "theorem", "statements", "file", "assumptions", "s")
    for row in report.rows:
        ids = ", ".join(statements_of(row.theorem.name)) or "–"
        seconds = "–" if row.seconds is None else f"{row.seconds:.1f}"
        table.add_row(MARKS[row.ok], row.theorem.name, ids, row.theorem.file, escape(row.said), seconds)
    console.print(table)
    for problem in report.problems:
        console.print(f"{MARKS[False]} {escape(problem)}", soft_wrap=True)
    closed = sum(row.ok for row in report.rows)
    text = f"{closed} of {len(report.rows)} theorems closed under the global context"
    console.print(f"{MARKS[report.ok]} {text}")
    console.print(f"Coq {report.version}, {len(report.files)} files, {report.lines} lines ({report.seconds:.1f} s)")
