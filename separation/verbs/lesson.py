"""`lesson`: the teaching page, one self-contained HTML file in which the proof itself runs."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separation.files import require_writable, write_whole
from separation.lesson import lesson_page


@dataclass(frozen=True)
class LessonReport:
    """Where the page was written, how large it is, and whether a browser was asked to show it."""

    path: Path
    size: int
    opened: bool | None

    @property
    def ok(self) -> bool:
        return self.opened is not False

    def document(self) -> dict[str, Any]:
        return {"ok": self.ok, "path": str(self.path), "bytes": self.size, "opened": self.opened}


def write_lesson(
    out: str | Path = "lesson.html", *, show: bool = False, browser: Callable[[str], bool] = webbrowser.open
) -> LessonReport:
    """Write the page; ``show`` it in the ``browser``, which says whether it could."""
    require_writable(out)
    text = lesson_page()
    write_whole(out, text)
    path = Path(out)
    opened = browser(path.resolve().as_uri()) if show else None
    return LessonReport(path, len(text.encode()), opened)
