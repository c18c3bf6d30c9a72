"""`separation recurrences`: its options, and three tables: states and checks, measured differences, formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from separation.cli.finish import finish
from separation.cli.options import Json
from separation.cli.progress import progress_bar
from separation.cli.style import MARKS, escape, facts_table, table_of

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from separation.recurrences import Outcome
    from separation.verbs.recurrences import RecurrenceRow, RecurrencesReport


def recurrences(
    third_parties: Annotated[
        bool, typer.Option(help="Compare with other people's implementations where they are installed.")
    ] = True,
    as_json: Json = False,
) -> None:
    """List the recurrent families with their states in bits; check that each equals its parallel form.

    Example: separation recurrences --no-third-parties
    """
    from separation.verbs.recurrences import recurrences_table as verb

    with progress_bar() as progress:
        report = verb(progress=progress, third_parties=third_parties)
    finish(report, as_json, show_recurrences)


def show_recurrences(report: RecurrencesReport, console: Console) -> None:
    """States and checks, how far floating point was off, the formulas with the functions of others, and one line."""
    console.print(_check_table(report))
    console.print()
    console.print(_legend())
    console.print()
    console.print(_difference_table(report))
    console.print()
    console.print(_formula_table(report))
    console.print("Γ_tj = α_{j+1}⋯α_t; A(X, Z)_tj = x_tᵀ Diag(α_{j+1}⊙…⊙α_t) z_j, Z = K if not named")
    console.print("RWKV-7: w instead of α, b = a⊙κ; A⁻ has the product up to t−1, and j < t\n")
    for row in report.rows:
        for line in _complaints(row):
            console.print(f"{MARKS[False]} {escape(row.family.name)}: {escape(line)}")
    verdict = "nothing that was checked fails" if report.ok else "something that was checked fails"
    console.print(f"{MARKS[report.ok]} {verdict} ({report.seconds:.1f} s)")


def _check_table(report: RecurrencesReport) -> Table:
    table = _family_table("", "family", "state", "bits", "a", "b", "c", "d", "against")
    for row in report.rows:
        marks = (MARKS[holds] for holds in row.marks)
        bits = row.bits_text.replace("*", "·")
        state = row.state_shape.replace(", ", "\n")
        table.add_row(MARKS[row.ok], row.family.name, state, escape(bits), *marks, escape(_short(row.against)))
    return table


def _legend() -> Table:
    table = facts_table()
    table.add_row("a", "recurrence = parallel form, symbolically, for all inputs at small sizes")
    table.add_row("b", "recurrence = parallel form, exactly, on random fractions")
    table.add_row("c", "recurrence = parallel form in float64, within the bound of the rounding errors")
    table.add_row("", "a to c: as a whole, and in chunks that pass on the state")
    table.add_row("d", "recurrence = somebody else's implementation, within the bound")
    table.add_row(
        "state",
        "of one head; bits: of H heads with p bits per number, keys of d_k, values of d_v, a window of w",
    )
    return table


def _difference_table(report: RecurrencesReport) -> Table:
    table = _family_table("family", "c: off, bound", "c in chunks", "d: off, bound")
    for row in report.rows:
        numbers = (_numbers(row.floating), _numbers(row.chunked), _numbers(row.third_party))
        table.add_row(row.family.name, *numbers)
    return table


def _formula_table(report: RecurrencesReport) -> Table:
    from separation.recurrences import REFERENCES

    table = _family_table("family", "step and read-out; parallel form; function that d compares with")
    for row in report.rows:
        table.add_row(row.family.name, escape(row.family.formula))
        table.add_row("", escape(row.family.parallel_formula))
        table.add_row("", f"[dim]{escape(REFERENCES[row.family.id].function)}[/dim]")
    return table


def _numbers(outcome: Outcome) -> str:
    """The largest difference and the largest bound; each entry has a bound of its own."""
    if outcome.error is None or outcome.bound is None:
        return "–"
    return f"{outcome.error:.0e}, {outcome.bound:.0e}" if outcome.holds else f"[red]{outcome.error:.0e}[/red]"


def _complaints(row: RecurrenceRow) -> list[str]:
    lines = [f"{name} fails ({outcome.scope})" for name, outcome in row.checks.items() if outcome.holds is False]
    if not row.twin_rejected:
        lines.append(f"a broken twin was not rejected ({row.twin})")
    if not row.state_matches:
        lines.append("the state that the code keeps is not the one that the formula counts")
    return lines


def _short(text: str) -> str:
    return text.replace("flash-linear-attention", "fla")


def _family_table(*columns: str) -> Table:
    table = table_of(*columns)
    table.columns[columns.index("family")].min_width = len("sliding-window")  # the longest word of a name
    return table
