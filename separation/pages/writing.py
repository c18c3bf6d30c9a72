"""How numbers and tables are written on a page."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

from separation.pages.parts import PageError

WIDTH = 100


def table(head: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown."""
    names = [str(name) for name in head]
    lines = [f"| {' | '.join(names)} |", "|" + "---|" * len(names)]
    return "\n".join([*lines, *(f"| {' | '.join(map(str, row))} |" for row in rows)])


def power_of_two(number: int) -> str:
    """1024 → 2^10; a number that is no power of two is refused."""
    if number < 1 or number & (number - 1):
        raise PageError(f"{number} is no power of two")
    return f"2^{number.bit_length() - 1}"


def tokens(count: int | None) -> str:
    """1,398,102, or none."""
    return "none" if count is None else f"{count:,}"


def printed(show: Callable[[Any, Console], None], report: Any) -> str:
    """What a verb prints for people, as text."""
    from rich.console import Console

    stream = io.StringIO()
    show(report, Console(file=stream, width=WIDTH))
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def fenced(text: str) -> str:
    return f"```\n{text.strip(chr(10))}\n```"
