"""Fuzzing of the command line and of the files that it reads: `python -m tools.fuzz --seconds 60`.

Everything follows from a seed, in one process or, with `--workers` or `--dask`, in pieces by several. Verbs and options
are read off the command line itself, so a new verb is tried without a word here. What must never be: a mistake of the
program (exit 70), an exception, more than one line for bad input, something that is not JSON where JSON was asked for,
control characters on standard error.

What fuzzers share is here: a campaign in pieces, each a command in a process of its own that follows from its number.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any, Unpack

from separation.pieces import Sharing, pieces_in_order

ROOT = Path(__file__).resolve().parents[2]


def add_options(parser: argparse.ArgumentParser) -> None:
    """--workers, --dask and --json, as every fuzzer has them."""
    parser.add_argument("--workers", type=int, help="processes that share the campaign, which is then cut into pieces")
    parser.add_argument("--dask", metavar="ADDRESS", help="instead: a Dask scheduler; its workers run in a checkout")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


@contextlib.contextmanager
def limited(seconds: float, error: type[BaseException], cpu: bool = False) -> Iterator[None]:
    """The error is raised after so many seconds, or seconds of this process's own CPU time."""

    def stop(*_: object) -> None:
        raise error

    number, timer = (signal.SIGVTALRM, signal.ITIMER_VIRTUAL) if cpu else (signal.SIGALRM, signal.ITIMER_REAL)
    before = signal.signal(number, stop)
    signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        signal.setitimer(timer, 0)
        signal.signal(number, before)


def told_by(arguments: Sequence[str]) -> dict[str, Any]:
    """What `python ARGUMENTS --json` prints, run in the checkout in which this file is."""
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    command, environment = [sys.executable, *arguments, "--json"], os.environ | {"PYTHONPATH": paths}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        raise RuntimeError(f"{' '.join(arguments)}: exit {done.returncode}: {done.stderr.strip()[-300:]}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def pieces(
    arguments: Callable[[int], Sequence[str]], seconds: float, most: float = math.inf, **shared: Unpack[Sharing]
) -> Iterator[dict[str, Any]]:
    """What the pieces 0, 1, 2, … tell, in this order; none is begun after so many seconds, and at most ``most`` are."""
    end = time.monotonic() + seconds

    def supply() -> Iterator[Sequence[str]]:
        for number in count():
            if number >= most or time.monotonic() >= end:
                return
            yield arguments(number)

    return pieces_in_order(told_by, supply(), **shared)
