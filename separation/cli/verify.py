"""`separation verify`: its options and its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from separation.cli.finish import finish
from separation.cli.options import Json, Workers
from separation.cli.progress import progress_bar
from separation.cli.style import MARKS, escape, table_of

if TYPE_CHECKING:
    from rich.console import Console

    from separation.numeric import CrossCheck
    from separation.verbs.verify import VerifyReport


def verify(
    full: Annotated[
        bool, typer.Option("--full", help="Larger sizes, and every proof in closed form and by enumeration.")
    ] = False,
    workers: Workers = None,
    as_json: Json = False,
) -> None:
    """Prove all constructions and check all statements (about a minute).

    Example: separation verify
    """
    from separation.verbs.verify import verify as verb

    with progress_bar() as progress:
        report = verb(full=full, workers=workers, progress=progress)
    finish(report, as_json, show_verify)


def show_verify(report: VerifyReport, console: Console) -> None:
    """Statements, then constructions, then one line."""
    from separation.numeric import torch_is_installed

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
    for proof in report.constructions:
        if proof.message:
            name = f"{proof.id} ({proof.word}) at {proof.n:,} tokens"
            console.print(f"{MARKS[False]} {escape(f'{name}: {proof.message}')}", soft_wrap=True)
    if not torch_is_installed():
        console.print(escape("float64 runs left out: torch is not installed (pip install -e '.[torch]')"))
    verdict = "everything holds" if report.ok else "something does not hold"
    console.print(f"{MARKS[report.ok]} {verdict} ({report.seconds:.1f} s)")


def _float_error(numeric: CrossCheck) -> str:
    bound = "no bound" if numeric.bound is None else f"≤ {numeric.bound:.1g}"
    return f"{numeric.max_error:.1g} {bound}" if numeric.ok else f"[red]{numeric.max_error:.1g}, {bound}[/red]"
