"""The same pieces of work by one worker and by two: how much sooner two are done.

Pieces are proofs of C1 with their certificates, as in `verify`; the workers are processes that are already running, and
what they take to start has a row of its own. Two workers cannot be twice as fast where less than two processors are
free, so the notes say how many there are and how busy they were.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context

from constructions.c1 import build
from separation.bench.measuring import Report, Row
from separation.pieces import finished_pieces
from separation.proving import certified_proof
from separation.tasks.funccomp import Sizes

PIECES, QUICK_PIECES, REPEATS = 12, 4, 2
SIZES, QUICK_SIZES = Sizes(8, (8, 8)), Sizes(4, (4,))


def proved_piece(sizes: Sizes) -> bool:
    return certified_proof(build(sizes)).ok


def run(quick: bool) -> Report:
    items = [QUICK_SIZES] * QUICK_PIECES if quick else [SIZES] * PIECES
    with (
        ProcessPoolExecutor(1, get_context("spawn")) as one,
        ProcessPoolExecutor(2, get_context("spawn")) as two,
    ):
        return compared(items, one, two, 1 if quick else REPEATS)


def compared(items: Sequence[Sizes], one: Executor, two: Executor, repeats: int) -> Report:
    """The best of several turns of each, after a first one in which workers are started."""
    best: dict[str, float] = {}
    first: dict[str, float] = {}
    for _ in range(1 + repeats):
        for name, pool in (("this process", None), ("one worker", one), ("two workers", two)):
            start = time.perf_counter()
            found = dict(finished_pieces(proved_piece, items, workers=1 if pool is None else None, executor=pool))
            seconds = time.perf_counter() - start
            if len(found) < len(items) or not all(found.values()):
                raise RuntimeError(f"{name}: a piece is missing, or not proved")
            if name in first:
                best[name] = min(best.get(name, seconds), seconds)
            first.setdefault(name, seconds)
    baseline = best["one worker"]
    rows: list[Row] = [
        {
            "what": name,
            "seconds": seconds,
            "times_one_worker": seconds / baseline,
            "speed_up": baseline / seconds,
            "first_time_seconds": first[name],
        }
        for name, seconds in best.items()
    ]
    notes = (
        f"{len(items)} pieces; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} when it was measured",
        "first time: with the start of the processes",
    )
    return Report("workers", "time of two workers / time of one", tuple(rows), notes)
