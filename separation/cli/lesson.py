"""`separation lesson`: where the page goes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from separation.cli.finish import finish
from separation.cli.options import Json
from separation.cli.style import MARKS, escape

if TYPE_CHECKING:
    from rich.console import Console

    from separation.verbs.lesson import LessonReport


def lesson(
    out: Annotated[Path, typer.Option(metavar="FILE", help="The page.")] = Path("lesson.html"),
    show: Annotated[bool, typer.Option("--open", help="Show it in the browser.")] = False,
    as_json: Json = False,
) -> None:
    """Write the teaching page: see the proof run, and break it. One file, no network.

    Example: separation lesson --out lesson.html
    """
    from separation.verbs.lesson import write_lesson

    finish(write_lesson(out, show=show), as_json, show_lesson)


def show_lesson(report: LessonReport, console: Console) -> None:
    """The file, and what to do with it."""
    console.print(f"{MARKS[True]} {escape(str(report.path))}: {report.size:,} bytes, one file", soft_wrap=True)
    if report.opened is None:
        console.print("  open it in a browser; it needs no network")
    elif not report.opened:
        console.print(f"{MARKS[False]} no browser could be started; open the file by hand")
