"""`lesson`: the teaching page, one self-contained HTML file in which the proof itself runs."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from separation.files import require_writable, write_whole
from separation.lesson import lesson_page
from separation.verbs.options import Option
from separation.verbs.report import MARKS, Parts, Report

EXAMPLES = ("lesson --out lesson.html",)


def write_lesson(
    out: Annotated[str | Path, Option("The page.", ("--out",), metavar="FILE")] = "lesson.html",
    *,
    show: Annotated[bool, Option("Show it in the browser.", ("--open",))] = False,
    browser: Callable[[str], bool] = webbrowser.open,
) -> LessonReport:
    """Write the page; ``show`` it in the ``browser``, which says whether it could."""
    require_writable(out)
    text = lesson_page()
    write_whole(out, text)
    path = Path(out)
    opened = browser(path.resolve().as_uri()) if show else None
    return LessonReport(path, len(text.encode()), opened)


command = write_lesson


class LessonReport(Report):
    """Where the page was written, how large it is, and whether a browser was asked to show it."""

    path: Path
    bytes: int
    opened: bool | None

    @property
    def ok(self) -> bool:
        return self.opened is not False

    def parts(self) -> Parts:
        """The file, and what to do with it."""
        yield f"{MARKS[True]} {self.path}: {self.bytes:,} bytes, one file"
        if self.opened is None:
            yield "  open it in a browser; it needs no network"
        elif not self.opened:
            yield f"{MARKS[False]} no browser could be started; open the file by hand"
