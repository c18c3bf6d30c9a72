"""A progress bar on standard error that appears after two seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE_SECONDS = 2.0


@contextmanager
def progress_bar() -> Iterator[Callable[[float, str], None]]:
    """Yields report(share done, what is being done); the bar is drawn only if the work is not over soon."""
    start = time.monotonic()
    bar: Any = None
    task: Any = None

    def report(done: float, what: str) -> None:
        nonlocal bar, task
        if bar is None and time.monotonic() - start > PATIENCE_SECONDS:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

            columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:3.0f}%"))
            console = Console(stderr=True)
            bar = Progress(*columns, TimeElapsedColumn(), console=console, transient=True)
            bar.start()
            task = bar.add_task(what, total=1.0)
            if not console.is_terminal:
                print(f"separation: working ({what}) …", file=sys.stderr)
        if bar is not None:
            bar.update(task, completed=done, description=what)

    try:
        yield report
    finally:
        if bar is not None:
            bar.stop()
