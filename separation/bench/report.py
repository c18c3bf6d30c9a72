"""What a benchmark hands back, as JSON and as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from rich.console import Console, JustifyMethod
from rich.markup import escape
from rich.table import Table

Cell: TypeAlias = str | int | float | bool | None
Row: TypeAlias = dict[str, Cell]


@dataclass(frozen=True)
class Report:
    """``ratio`` says what is divided by what; a row maps the name of a column to its value."""

    name: str
    ratio: str
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()

    def document(self) -> dict[str, Any]:
        return {"name": self.name, "ratio": self.ratio, "rows": list(self.rows), "notes": list(self.notes)}


def show(report: Report, console: Console) -> None:
    """One table, its columns in the order in which rows first name them, and the notes below."""
    columns = list(dict.fromkeys(column for row in report.rows for column in row))
    table = Table(title=f"{report.name}: {report.ratio}", title_justify="left", show_edge=False, pad_edge=False)
    for column in columns:
        is_number = any(isinstance(row.get(column), int | float) for row in report.rows)
        justify: JustifyMethod = "right" if is_number else "left"
        table.add_column(column.replace("_", " "), justify=justify, overflow="fold", no_wrap=column == columns[0])
    for row in report.rows:
        table.add_row(*(escape(written(row.get(column))) for column in columns))
    if report.rows:
        console.print(table)
    else:
        console.print(f"{report.name}: {report.ratio}", markup=False)
    for note in report.notes:
        console.print(f"  {note}", markup=False)
    console.print()


def written(cell: Cell) -> str:
    """Three digits of a float, all of an integer unless it is long."""
    if cell is None:
        return "–"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        is_power = cell > 0 and cell & (cell - 1) == 0
        return f"{cell:,}" if abs(cell) < 10**9 else f"2^{cell.bit_length() - 1}" if is_power else f"{cell:.3g}"
    if isinstance(cell, float):
        return f"{cell:,.0f}" if abs(cell) >= 100 else f"{cell:.3g}"
    return cell
