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


def _lines() -> Progress:
    due = time.monotonic() + PATIENCE_SECONDS

    def report(done: float, what: str) -> None:
        nonlocal due
        if time.monotonic() > due:
            print(f"separation: {done:4.0%} {what}", file=sys.stderr)
            due = time.monotonic() + SECONDS_BETWEEN_LINES

    return report


@contextmanager
def _bar() -> Iterator[Progress]:
    start = time.monotonic()
    bar: Any = None
    task: Any = None

    def report(done: float, what: str) -> None:
        nonlocal bar, task
        if bar is None and time.monotonic() - start > PATIENCE_SECONDS:
            from rich.console import Console
            from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as Bar

            columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:3.0f}%"))
            bar = Bar(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True)
            bar.start()
            task = bar.add_task(what, total=1.0)
        if bar is not None:
            bar.update(task, completed=done, description=what)

    try:
        yield report
    finally:
        if bar is not None:
            bar.stop()
