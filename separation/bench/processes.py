"""Whole processes: the start of the command over an empty Python, and two workers over one.

`separation --help`, and `separation check` of a small certificate, C1's at L = 3: without compiled files next to the
modules (an installed package has them) the source is compiled every time, and that is what is measured then. Workers
prove pieces, as in `verify`, and are processes that are running already; what they take to start has a column of its
own. Two workers cannot be twice as fast where less than two processors are free: notes say how many and how busy.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from constructions.c1 import build
from separation.bench.measuring import Report, best_process, compared
from separation.pieces import results_as_finished
from separation.proving import certified_proof
from separation.tasks.funccomp import Sizes

COMMAND = "from separation.verbs.command_line import main; main()"
"""What the installed command runs."""
PIECES, QUICK_PIECES, REPEATS = 12, 4, 2
SIZES, QUICK_SIZES = Sizes(8, (8, 8)), Sizes(4, (4,))


def start_up(quick: bool) -> Report:
    from separation.verbs.prove import prove

    with TemporaryDirectory() as folder:
        file = Path(folder) / "c1.json"
        prove("C1", L=3, m=4, n=(4, 4), out=file)
        commands = {
            "python -c pass": ["-c", "pass"],
            "separation --help": ["-m", "separation", "--help"],
            "separation check c1.json": ["-c", COMMAND, "check", str(file)],
        }
        done = {name: best_process(arguments, 2 if quick else 7) for name, arguments in commands.items()}
    rows = compared({name: process.seconds for name, process in done.items()}, "python -c pass", "python")
    for row, process in zip(rows, done.values(), strict=True):
        row |= {"peak_MB": process.megabytes, "MB_times_python": process.megabytes / done["python -c pass"].megabytes}
    return Report("start_up", "time and memory of --help and of check / those of an empty Python", tuple(rows))


def workers(quick: bool) -> Report:
    items = [QUICK_SIZES] * QUICK_PIECES if quick else [SIZES] * PIECES
    with ProcessPoolExecutor(1, get_context("spawn")) as one, ProcessPoolExecutor(2, get_context("spawn")) as two:
        return workers_compared(items, one, two, 1 if quick else REPEATS)


def proved_piece(sizes: Sizes) -> bool:
    return certified_proof(build(sizes)).ok


def workers_compared(items: Sequence[Sizes], one: Executor, two: Executor, repeats: int) -> Report:
    """The best of several turns of each, after a first one in which workers are started."""
    best: dict[str, float] = {}
    first: dict[str, float] = {}
    for _ in range(1 + repeats):
        for name, pool in (("this process", None), ("one worker", one), ("two workers", two)):
            start = time.perf_counter()
            found = dict(results_as_finished(proved_piece, items, workers=1 if pool is None else None, executor=pool))
            seconds = time.perf_counter() - start
            if len(found) < len(items) or not all(found.values()):
                raise RuntimeError(f"{name}: a piece is missing, or not proved")
            if name in first:
                best[name] = min(best.get(name, seconds), seconds)
            first.setdefault(name, seconds)
    rows = compared(best, "one worker", "one_worker")
    for row in rows:
        row |= {"speed_up": best["one worker"] / best[str(row["what"])], "first_time_seconds": first[str(row["what"])]}
    notes = (
        f"{len(items)} pieces; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} when it was measured",
        "first time: with the start of the processes",
    )
    return Report("workers", "time of two workers / time of one", tuple(rows), notes)
