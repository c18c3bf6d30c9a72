"""Progress on standard error for work that takes longer than two seconds, with the time that is left."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from threading import Event, Thread

from separation.progress import Progress, silent

PATIENCE_SECONDS = 2.0
SECONDS_BETWEEN_LINES = 10.0
SECONDS_BETWEEN_BARS = 0.5
BUSY = 1.5
"""Load for each processor from which on others are noticed: one process more than processors is none yet."""
LEAST_SHARE = 0.01
"""Before this share is done nobody can say how long the rest takes."""


@contextmanager
def progress_bar(quiet: bool = False) -> Iterator[Progress]:
    """Yields report(share done, what is being done): a bar on a terminal, else a line now and then.

    A thread shows what was reported last, so there is a bar even while one long piece is running.
    """
    if quiet:
        yield silent
        return
    on_terminal, finished = sys.stderr.isatty(), Event()
    seen: list[tuple[float, float, str]] = []  # when, how much, what: the first report and the last

    def tell() -> None:
        if finished.wait(PATIENCE_SECONDS):
            return
        with suppress(OSError, ValueError), _bar() if on_terminal else nullcontext(_line) as show:
            while True:
                at, done, what = seen[-1]
                show(done, what + time_left(at - seen[0][0], done - seen[0][1], 1 - done, time.monotonic() - at))
                if finished.wait(SECONDS_BETWEEN_BARS if on_terminal else SECONDS_BETWEEN_LINES):
                    return

    teller = Thread(target=tell, daemon=True)

    def report(done: float, what: str) -> None:
        seen[1:] = [(time.monotonic(), done, what)]
        if len(seen) == 1:
            teller.start()

    try:
        yield report
    finally:
        finished.set()
        if seen:
            teller.join()


def time_left(took: float, share: float, rest: float, since: float) -> str:
    """'', or ', 40 s left': a ``share`` took so long, and the ``rest``, begun so long ago, goes on at that pace.

    What the first report says is done was there before, of work that goes on where it was: it is no part of the share.

    >>> time_left(10, 0.25, 0.75, 0), time_left(30, 0.5, 0.5, 20), time_left(0, 0, 1, 5), time_left(40, 1, 0, 0)
    (', 30 s left', ', 10 s left', '', '')
    """
    if share < LEAST_SHARE or rest <= 0:
        return ""
    return f", {duration(max(1.0, took * rest / share - since))} left"


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


def _line(done: float, what: str) -> None:
    print(f"separation: {done:4.0%} {what}", file=sys.stderr)


@contextmanager
def _bar() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:3.0f}%"))
    with Bar(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=1.0)
        yield lambda done, what: bar.update(task, completed=done, description=what)
