"""How the time of a proof grows with the prompt."""

from __future__ import annotations

import time
from functools import partial
from math import log2

from constructions.c1 import build
from separation.bench.measuring import Report, Row, best_seconds, proved, rows_in_one_thread, rows_not_compared
from separation.tasks.funccomp import Sizes

LEVELS = (3, 8)
TARGETS = tuple(2**exponent for exponent in range(10, 26, 2))


def closed_form(quick: bool) -> Report:
    """C1's proof in closed form over that at the shortest prompt, and over L·log2² n."""
    levels, targets, repeats = ((3,), TARGETS[:2], 1) if quick else (LEVELS, TARGETS, 3)
    rows = [row for L in levels for row in rows_in_one_thread(growth, repeats, L, *targets)]
    notes = (
        "times L log2^2 n: time / (L·log2² n), 1 at the first row of each L; at most 1 means growth of at most that",
        "prove: seconds of one processor; rows of declared codes are not compared with their tables one by one",
    )
    return Report("closed_form", "time of the proof / time at the shortest prompt", tuple(rows), notes)


def growth(repeats: int, L: int, *targets: int) -> list[Row]:
    """One row for each length; the first is the baseline, and is timed again beside each of the others."""
    rows: list[Row] = []
    shortest = build(sizes_near(L, targets[0]))
    for target in targets:
        construction = build(sizes_near(L, target))
        tokens = construction.sizes.length
        with rows_not_compared():
            subjects = [shortest, construction] if rows else [shortest]
            proofs = [partial(proved, subject) for subject in subjects]
            times = best_seconds(*proofs, repeats=repeats, clock=time.process_time)
        ratio = times[-1] / times[0]
        logarithms = (log2(shortest.sizes.length) / log2(tokens)) ** 2
        sizes: Row = {"what": "prove", "L": L, "tokens": tokens, "width": construction.model.width}
        rows.append(sizes | {"seconds": times[-1], "times_shortest": ratio, "times_L_log2^2_n": ratio * logarithms})
    return rows


def sizes_near(L: int, tokens: int) -> Sizes:
    """m, n_1, … ≥ 2, powers of two as equal as can be, with the length whose ratio to ``tokens`` is nearest to 1."""
    candidates = []
    for exponent in range(L, max(L, tokens.bit_length()) + 1):
        parts = [2 ** (exponent // L + (place < exponent % L)) for place in range(L)]
        candidates.append(Sizes(parts[0], tuple(parts[1:])))
    return min(candidates, key=lambda sizes: abs(log2(sizes.length / tokens)))
