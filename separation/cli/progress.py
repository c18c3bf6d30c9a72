"""Progress on standard error for work that takes longer than two seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from separation.cli.quiet import is_quiet
from separation.progress import Progress, silent

PATIENCE_SECONDS = 2.0
SECONDS_BETWEEN_LINES = 10.0
MOMENT_SECONDS = 1.0


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Yields report(share done, what is being done): a bar on a terminal, else a line now and then."""
    if is_quiet():
        yield silent
    elif sys.stderr.isatty():
        with _bar() as report:
            yield report
    else:
        yield _lines()


class TimeLeft:
    """What is left takes as long as what was done since the start; what was done in the first moment was there before.

    >>> left = TimeLeft(now=0.0)
    >>> left(0.5, now=0.1), left(0.6, now=10.1), left(0.9, now=40.1)
    ('', '0:40 left', '0:10 left')
    """

    def __init__(self, now: float | None = None) -> None:
        self.start = time.monotonic() if now is None else now
        self.before: tuple[float, float] | None = None

    def __call__(self, done: float, now: float | None = None) -> str:
        now = time.monotonic() if now is None else now
        if self.before is None or now - self.start < MOMENT_SECONDS:
            self.before = (now, done)
        since, share = self.before
        if not share < done < 1:
            return ""
        seconds = round((now - since) * (1 - done) / (done - share))
        minutes, hours = seconds // 60, seconds // 3600
        return f"{hours}:{minutes % 60:02}:{seconds % 60:02} left" if hours else f"{minutes}:{seconds % 60:02} left"


def _lines() -> Progress:
    due = time.monotonic() + PATIENCE_SECONDS
    left = TimeLeft()

    def report(done: float, what: str) -> None:
        nonlocal due
        remaining = left(done)
        if time.monotonic() > due:
            print(f"separation: {done:4.0%} {what}{remaining and f', {remaining}'}", file=sys.stderr)
            due = time.monotonic() + SECONDS_BETWEEN_LINES

    return report


@contextmanager
def _bar() -> Iterator[Progress]:
    start = time.monotonic()
    left = TimeLeft()
    bar: Any = None
    task: Any = None

    def report(done: float, what: str) -> None:
        nonlocal bar, task
        remaining = left(done)
        if bar is None and time.monotonic() - start > PATIENCE_SECONDS:
            from rich.console import Console
            from rich.progress import BarColumn, ProgressColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as Bar

            columns: tuple[ProgressColumn, ...] = (
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.percentage:3.0f}%"),
            )
            columns += (TimeElapsedColumn(), TextColumn("{task.fields[left]}"))
            bar = Bar(*columns, console=Console(stderr=True), transient=True)
            bar.start()
            task = bar.add_task(what, total=1.0, left="")
        if bar is not None:
            bar.update(task, completed=done, description=what, left=remaining)

    try:
        yield report
    finally:
        if bar is not None:
            bar.stop()
