"""The growth of C1's proof: `python -m separation.bench.closed_form_worker REPEATS L TOKENS …`, JSON out.

A process of its own, so that the number of threads can be set; times are in seconds of the processor.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from functools import partial
from math import log2

from constructions.c1 import build
from separation.bench.measuring import best_seconds
from separation.bench.proofs import proved, rows_not_compared
from separation.bench.report import Row
from separation.tasks.funccomp import Sizes


def growth(L: int, targets: Sequence[int], repeats: int) -> list[Row]:
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


def sizes_near(L: int, tokens: int) -> Sizes:
    """m, n_1, … ≥ 2, powers of two as equal as can be, with the length whose ratio to ``tokens`` is nearest to 1."""
    candidates = []
    for exponent in range(L, max(L, tokens.bit_length()) + 1):
        parts = [2 ** (exponent // L + (place < exponent % L)) for place in range(L)]
        candidates.append(Sizes(parts[0], tuple(parts[1:])))
    return min(candidates, key=lambda sizes: abs(log2(sizes.length / tokens)))


if __name__ == "__main__":
    repeats, L, *targets = map(int, sys.argv[1:])
    print(json.dumps(growth(L, targets, repeats)))
