"""Prints the time of C1's proof in closed form over that at the shortest prompt, and over L·log2² n.

The shortest prompt is timed again beside each of the others, in seconds of the processor: the prover uses one core.

The last two rows are whole processes, `separation prove C1 --L 8 --tokens …`: the same ratio for time and memory.
"""

from __future__ import annotations

import time
from functools import partial
from math import log2

from constructions.c1 import build
from separation.bench.measuring import best_process, best_seconds
from separation.bench.proofs import proved, rows_not_compared
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
        "rows of declared codes are not compared one by one in these times, but are in the processes'",
    )
    return Report("closed_form", "time of the proof / time at the shortest prompt", tuple(rows), notes)


def growth(L: int, targets: tuple[int, ...], repeats: int) -> list[Row]:
    """One row for each length; the first is the baseline."""
    rows: list[Row] = []
    shortest = build(sizes_near(L, targets[0]))
    for target in targets:
        construction = build(sizes_near(L, target))
        tokens = construction.sizes.length
        with rows_not_compared():
            subjects = [partial(proved, shortest), partial(proved, construction)][target == targets[0] :]
            times = best_seconds(*subjects, repeats=repeats, clock=time.process_time)
        ratio = times[-1] / times[0]
        rows.append(
            {
                "what": "prove",
                "L": L,
                "tokens": tokens,
                "width": construction.model.width,
                "seconds": times[-1],
                "times_shortest": ratio,
                "times_L_log2^2_n": ratio * (log2(shortest.sizes.length) / log2(tokens)) ** 2,
            }
        )
    return rows


def processes(L: int, tokens: int) -> list[Row]:
    """The command line at the smallest sizes, and at this many tokens or more."""
    rows: list[Row] = []
    first = None
    for least in (1, tokens):
        done = best_process(["-m", "separation", "prove", "C1", "--L", str(L), "--tokens", str(least), "--json"])
        first = first or done
        rows.append(
            {
                "what": f"process --tokens {least}",
                "L": L,
                "tokens": Sizes.for_tokens(L, least).length,
                "seconds": done.seconds,
                "times_shortest": done.seconds / first.seconds,
                "peak_MB": done.megabytes,
                "MB_times_shortest": done.megabytes / first.megabytes,
            }
        )
    return rows


def sizes_near(L: int, tokens: int) -> Sizes:
    """m, n_1, … ≥ 2, powers of two as equal as can be, with the length whose ratio to ``tokens`` is nearest to 1."""
    candidates = []
    for exponent in range(L, max(L, tokens.bit_length()) + 1):
        parts = [2 ** (exponent // L + (place < exponent % L)) for place in range(L)]
        candidates.append(Sizes(parts[0], tuple(parts[1:])))
    return min(candidates, key=lambda sizes: abs(log2(sizes.length / tokens)))
