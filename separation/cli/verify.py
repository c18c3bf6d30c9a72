"""`separation verify`: its options; ten lines, or every row in two tables."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from separation.cli.finish import finish
from separation.cli.options import Dask, Json, Workers
from separation.cli.progress import progress_bar
from separation.cli.style import MARKS, count, escape, facts_table, table_of

if TYPE_CHECKING:
    from rich.console import Console

    from separation.numeric import CrossCheck
    from separation.verbs.verify import VerifyReport

SLOWEST = 2


def verify(
    table: Annotated[bool, typer.Option("--table", help="Print every statement and every construction.")] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Larger sizes too, every proof by both paths (several minutes); all rows.")
    ] = False,
    workers: Workers = None,
    dask: Dask = None,
    as_json: Json = False,
) -> None:
    """Prove all constructions and check all statements (about a minute on two free processors).

    Example: separation verify

    Example: separation verify --table

    Example: separation verify --full --dask tcp://127.0.0.1:8786
    """
    from separation.verbs.verify import verify as verb

    with progress_bar() as progress:
        report = verb(full=full, workers=workers, dask=dask, progress=progress)
    finish(report, as_json, show_rows if table or full else show_verify)


def show_verify(report: VerifyReport, console: Console) -> None:
    """How many statements are known in which way, what was proved and run, what took longest; what failed; one line."""
    from proofs_checks import Status

    counts = Counter(row.status for row in report.statements if row.ok)
    facts = facts_table()
    facts.columns[1].no_wrap = True
    known = [(status.value, counts[status.value]) for status in Status if counts[status.value]]
    for place, (status, number) in enumerate(known):
        facts.add_row("" if place else "statements", f"{number:3} {escape(status)}")
    proved = [row for row in report.constructions if row.proved]
    if report.constructions:
        longest = max((row.n for row in proved), default=0)
        sizes = f"{len(proved):3} of {len(report.constructions)} proved for all inputs"
        facts.add_row("constructions", f"{sizes}, up to {longest:,} tokens")
    runs, wrong = (sum(getattr(row, name) for row in report.constructions) for name in ("runs", "mismatches"))
    facts.add_row("exact runs", f"{runs - wrong:3} of {runs} right{_floats(report)}")
    console.print(facts)
    for row in report.statements:
        if not row.ok:
            console.print(f"{MARKS[False]} {escape(f'{row.id}, {row.title}: {row.message}')}")
    _show_failed(report, console)
    took = [(row.seconds, row.id) for row in report.statements]
    took += [(row.seconds, row.id if row.L is None else f"{row.id} (L = {row.L})") for row in report.constructions]
    slowest = ", ".join(f"{name} {seconds:.0f} s" for seconds, name in sorted(took, reverse=True)[:SLOWEST])
    console.print(_verdict(report, f"{report.seconds:.0f} s; the slowest: {escape(slowest)}"))


def show_rows(report: VerifyReport, console: Console) -> None:
    """Statements, then constructions, then one line."""
    table = table_of("", "id", "statement", "status", "scope", "s")
    for row in report.statements:
        text = row.status if row.ok else f"[red]{escape(row.message)}[/red]"
        table.add_row(MARKS[row.ok], row.id, escape(row.title), text, row.scope, f"{row.seconds:.1f}")
    console.print(table)
    proofs = table_of("", "id", "word", "L", "tokens", "proved", "margin", "exact runs", "float64 error", "s")
    for proof in report.constructions:
        proofs.add_row(
            MARKS[proof.ok],
            escape(proof.id) if proof.id != proof.word else "–",
            escape(proof.word),
            "–" if proof.L is None else str(proof.L),
            f"{proof.n:,}",
            MARKS[proof.proved],
            "–" if proof.margin is None else str(proof.margin),
            f"{proof.runs - proof.mismatches}/{proof.runs}" if proof.runs else "–",
            "–" if proof.numeric is None else _float_error(proof.numeric),
            f"{proof.seconds:.1f}",
        )
    console.print(proofs)
    _show_failed(report, console)
    console.print(_verdict(report, f"{report.seconds:.1f} s{_floats(report)}"))


def _show_failed(report: VerifyReport, console: Console) -> None:
    for proof in report.constructions:
        if not proof.ok:
            name = f"{proof.id} ({proof.word}) at {proof.n:,} tokens"
            why = proof.message or f"{count(proof.mismatches, 'wrong answer')}, or floats outside their bound"
            console.print(f"{MARKS[False]} {escape(f'{name}: {why}')}", soft_wrap=True)


def _floats(report: VerifyReport) -> str:
    """At how many sizes float64 was compared with the exact run; or how to install what does that."""
    from separation.numeric import torch_is_installed

    if not torch_is_installed():
        return escape("; float64 left out (pip install -e '.[torch]')")
    compared = [row.numeric for row in report.constructions if row.numeric is not None]
    within = sum(numeric.ok for numeric in compared)
    return f"; float64 within its bound at {within} of {len(compared)} sizes" if compared else ""


def _verdict(report: VerifyReport, more: str) -> str:
    return f"{MARKS[report.ok]} {'everything holds' if report.ok else 'something does not hold'} ({more})"


def _float_error(numeric: CrossCheck) -> str:
    bound = "no bound" if numeric.bound is None else f"≤ {numeric.bound:.1g}"
    return f"{numeric.max_error:.1g} {bound}" if numeric.ok else f"[red]{numeric.max_error:.1g}, {bound}[/red]"
