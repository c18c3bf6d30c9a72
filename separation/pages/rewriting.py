"""All parts of all pages written again: what changed was stale."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separation.files import InputError, read_bytes, write_whole
from separation.pages.catalogue import PARTS
from separation.pages.parts import Part

Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class PagesReport:
    """``stale``: for each page the names of the parts that said something else; with ``check`` they still do."""

    stale: dict[str, tuple[str, ...]]
    parts: int
    check: bool
    seconds: float

    @property
    def ok(self) -> bool:
        return not (self.check and self.stale)

    def document(self) -> dict[str, Any]:
        pages = [{"page": page, "stale": list(names)} for page, names in self.stale.items()]
        return {"ok": self.ok, "pages": pages, "parts": self.parts, "written": not self.check, "seconds": self.seconds}

    def lines(self) -> list[str]:
        """For people: a line for each stale part, then the verdict."""
        found = [f"{page}: {name}" for page, names in self.stale.items() for name in names]
        if not found:
            return [f"all {self.parts} computed parts say what they said"]
        did = "are stale" if self.check else "were stale and are written again"
        return [*found, f"{len(found)} of {self.parts} computed parts {did}"]


def rewrite_pages(
    folder: str | Path, check: bool = False, progress: Progress | None = None, parts: Sequence[Part] = PARTS
) -> PagesReport:
    """Compute every part of README.md and docs/*.md in ``folder``; write the pages that changed, unless ``check``."""
    start, folder = time.perf_counter(), Path(folder)
    missing = sorted({part.page for part in parts if not (folder / part.page).is_file()})
    if missing:
        raise InputError(f"{folder} has no {', '.join(missing)}: the folder of README.md and docs/ is needed")
    before = {page: _text(folder / page) for page in dict.fromkeys(part.page for part in parts)}
    after, stale = dict(before), dict[str, tuple[str, ...]]()
    for part in parts:  # Before minutes of work are spent: is every part there?
        part.spans(before[part.page])
    for place, part in enumerate(parts):
        if progress is not None:
            progress(place / len(parts), f"{part.page}: {part.name[:40]}")
        text = part.rewritten(after[part.page])
        if text != after[part.page]:
            stale[part.page] = (*stale.get(part.page, ()), part.name)
            after[part.page] = text
    if not check:
        for page in stale:
            write_whole(folder / page, after[page])
    return PagesReport(stale, len(parts), check, time.perf_counter() - start)


def _text(path: Path) -> str:
    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text") from None
