"""What the tables of all verbs share: marks, columns, numbers. rich is loaded when something is printed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from separation.escaping import markup

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

MARKS: dict[bool | None, str] = {True: "[green]✓[/green]", False: "[red]✗[/red]", None: "–"}
LONGEST_LIST = 64


def escape(text: object) -> str:
    """Text in which nothing is read as markup, and everything can be seen."""
    return markup(text)


def facts_table() -> Table:
    """name  value, a line each."""
    from rich.table import Table

    table = Table(show_header=False, show_edge=False, pad_edge=False, box=None)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    return table


def table_of(*columns: str, right_from: int | None = None) -> Table:
    """A table with a rule below its header; columns from ``right_from`` on are right-justified."""
    from rich.table import Table

    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    for index, column in enumerate(columns):
        right = right_from is not None and index >= right_from
        table.add_column(column, justify="right" if right else "left", overflow="fold")
    return table


def plain_table(*columns: str) -> Table:
    """A table without rules."""
    from rich.table import Table

    table = Table(pad_edge=False, header_style="dim", box=None, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def number(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


def count(number: int, what: str) -> str:
    """3 layers, 1 head, no hypotheses.

    >>> count(3, "layer"), count(1, "head"), count(0, "hypothesis")
    ('3 layers', '1 head', 'no hypotheses')
    """
    many = {"hypothesis": "hypotheses"}.get(what, f"{what}s")
    return f"{number or 'no'} {what if number == 1 else many}"


def listed(values: Sequence[int]) -> str:
    """The first numbers of a list that may be long."""
    text = " ".join(map(str, values[:LONGEST_LIST]))
    return text if len(values) <= LONGEST_LIST else f"{text} … ({len(values)} in all)"


def say(text: str, console: Console) -> None:
    """Broken between words for a person who reads it; one line for a program."""
    console.print(text, soft_wrap=not console.is_terminal)


def say_written(what: str, path: Path | str | None, console: Console) -> None:
    """Where something was written, if it was."""
    if path is not None:
        console.print(f"{what} written to {escape(path)}", soft_wrap=True)


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
