"""Prints the time of C1's proof in closed form over that at the shortest prompt, and over L·log2² n.

The last rows are whole processes, `separation prove C1 --L 8 --tokens …`: the same ratio for time and memory.
"""

from __future__ import annotations

import json

from separation.bench.measuring import ONE_THREAD, best_process
from separation.bench.report import Report, Row
from separation.tasks.funccomp import Sizes

LEVELS = (3, 8)
TARGETS = tuple(2**exponent for exponent in range(10, 26, 2))
PROCESS_TOKENS = 2**20


def run(quick: bool) -> Report:
    levels, targets = ((3,), TARGETS[:2]) if quick else (LEVELS, TARGETS)
    rows = [row for L in levels for row in growth(L, targets, repeats=1 if quick else 3)]
    rows += processes(L=3 if quick else 8, tokens=2**10 if quick else PROCESS_TOKENS)
    notes = (
        "times L log2^2 n: time / (L·log2² n), 1 at the first row of each L; at most 1 means growth of at most that",
        "prove: seconds of one processor; rows of declared codes are not compared with their tables one by one",
        "process: start to end, rows compared; products in as many threads as the library likes, or in one",
    )
    return Report("closed_form", "time of the proof / time at the shortest prompt", tuple(rows), notes)


def growth(L: int, targets: tuple[int, ...], repeats: int) -> list[Row]:
    """One row for each length, from a process with one thread: in two, small products mostly wait for each other."""
    worker = ["-m", "separation.bench.closed_form_worker", str(repeats), str(L), *map(str, targets)]
    rows: list[Row] = json.loads(best_process(worker, settings=ONE_THREAD).output)
    return rows


def processes(L: int, tokens: int) -> list[Row]:
    """The command line at the smallest sizes, and at this many tokens or more."""
    runs = {
        "process, shortest": (1, {}),
        "process": (tokens, {}),
        "process, one thread": (tokens, ONE_THREAD),
    }
    command = ["-m", "separation", "prove", "C1", "--L", str(L), "--json", "--tokens"]
    done = {what: best_process([*command, str(least)], settings=settings) for what, (least, settings) in runs.items()}
    shortest = done["process, shortest"]
    return [
        {
            "what": what,
            "L": L,
            "tokens": Sizes.for_tokens(L, runs[what][0]).length,
            "seconds": process.seconds,
            "times_shortest": process.seconds / shortest.seconds,
            "peak_MB": process.megabytes,
            "MB_times_shortest": process.megabytes / shortest.megabytes,
        }
        for what, process in done.items()
    ]
