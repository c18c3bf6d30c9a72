"""Progress on standard error for work that takes longer than two seconds, with the time that is left."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from typing import Any

from separation.progress import Progress, silent

PATIENCE_SECONDS = 2.0
SECONDS_BETWEEN_LINES = 10.0
SECONDS_BETWEEN_REPORTS = 1.0
BUSY = 1.5
"""Load for each processor from which on others are noticed: one process more than processors is none yet."""
LEAST_SHARE = 0.01
"""Before this share is done nobody can say how long the rest takes."""


@contextmanager
def progress_bar(quiet: bool = False) -> Iterator[Progress]:
    """Yields report(share done, what is being done): a bar on a terminal, else a line now and then."""
    if quiet:
        yield silent
    elif sys.stderr.isatty():
        with _bar() as report, repeated(report) as again:
            yield again
    else:
        with repeated(_lines()) as again:
            yield again


@contextmanager
def repeated(progress: Progress) -> Iterator[Progress]:
    """Every report is repeated each second until the next one: a bar appears even while one long piece is running.

    What is being done is followed by the time that is left, as far as the share that is done can tell. What the first
    report says is done was there before: of work that goes on where it was.
    """
    latest: list[tuple[float, str, float]] = []
    before = 0.0
    finished, one_at_a_time, start = Event(), Lock(), time.monotonic()

    def left(done: float, at: float) -> str:
        """'', or ', 40 s left': what was done by then took so long, and the rest goes on at that pace."""
        if done - before < LEAST_SHARE or done >= 1:
            return ""
        seconds = (at - start) * (1 - done) / (done - before) - (time.monotonic() - at)
        return f", {duration(max(1.0, seconds))} left"

    def tell() -> None:
        with one_at_a_time:
            for done, what, at in latest:
                progress(done, f"{what}{left(done, at)}")

    def repeat() -> None:
        while not finished.wait(SECONDS_BETWEEN_REPORTS):
            tell()

    teller = Thread(target=repeat, daemon=True)

    def report(done: float, what: str) -> None:
        nonlocal before
        first = not latest
        before = done if first else before
        latest[:] = [(done, what, time.monotonic())]
        if first:
            teller.start()
        tell()

    try:
        yield report
    finally:
        finished.set()
        if latest:
            teller.join()


def busy_text() -> str:
    """'', or that others keep the processors busy: whatever is timed takes longer then."""
    try:
        load, processors = os.getloadavg()[0], os.cpu_count() or 1
    except (OSError, AttributeError):
        return ""
    if load < processors * BUSY:
        return ""
    return f"; the machine is busy, load {load:.0f} on {processors} processors: this takes longer"


def duration(seconds: float) -> str:
    """In the unit that is read at once.

    >>> duration(40.2), duration(150), duration(9000)
    ('40 s', '2 min', '2.5 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


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
