"""The same pieces of work by one worker and by two: how much sooner two are done.

Pieces are proofs of C1 with their certificates, as in `verify`; the workers are processes that are already running, and
what they take to start has a row of its own. Two workers cannot be twice as fast where less than two processors are
free, so the notes say how many there are and how busy they were.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import ProcessPoolExecutor
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
    best: dict[str, float] = {}
    begun = {}
    with (
        ProcessPoolExecutor(1, get_context("spawn")) as one,
        ProcessPoolExecutor(2, get_context("spawn")) as two,
    ):
        pools = {"this process": None, "one worker": one, "two workers": two}
        for _ in range(1 + (1 if quick else REPEATS)):  # they take turns, and the first turn starts them
            for name, pool in pools.items():
                start = time.perf_counter()
                found = dict(finished_pieces(proved_piece, items, workers=1 if pool is None else None, executor=pool))
                seconds = time.perf_counter() - start
                if len(found) < len(items) or not all(found.values()):
                    raise RuntimeError(f"{name}: a piece is missing, or not proved")
                if name not in begun:
                    begun[name] = seconds
                else:
                    best[name] = min(best.get(name, seconds), seconds)
    baseline = best["one worker"]
    rows: list[Row] = [
        {
            "what": name,
            "seconds": seconds,
            "times_one_worker": seconds / baseline,
            "speed_up": baseline / seconds,
            "first_time_seconds": begun[name],
        }
        for name, seconds in best.items()
    ]
    notes = (
        f"{len(items)} pieces; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} when it was measured",
        "first time: with the start of the processes",
    )
    return Report("workers", "time of two workers / time of one", tuple(rows), notes)
