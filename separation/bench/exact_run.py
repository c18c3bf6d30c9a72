"""Prints the time of an exact run of all rows over that of the last row only, and of single prompts over a batch.

All times are seconds of one processor.
"""

from __future__ import annotations

import sys
import time
from functools import partial

import numpy as np

from constructions.c1 import build
from separation.bench.measuring import Report, Row, best_seconds, print_rows, rows_in_one_thread
from separation.models import run as run_exactly
from separation.tasks.funccomp import Sizes, batch_hops, samples, token_ids

LONG = Sizes(8, (16, 16))
QUICK_LONG = Sizes(4, (8, 8))
TINY = Sizes(2, (2,))
BATCH, QUICK_BATCH = 4096, 256
SINGLE_PROMPTS = 100


def run(quick: bool) -> Report:
    rows = rows_in_one_thread(__name__, int(quick))
    return Report("exact_run", "time a prompt / time a prompt of the quicker way above it", tuple(rows))


def compared(quick: int) -> list[Row]:
    """Both pairs, the baseline of each first."""
    return [
        *last_row_and_all_rows(QUICK_LONG if quick else LONG),
        *batch_and_single_prompts(TINY, QUICK_BATCH if quick else BATCH),
    ]


def last_row_and_all_rows(sizes: Sizes) -> list[Row]:
    """Rows that nothing later reads need not be computed: the answers are the same."""
    model = build(sizes).model
    ids = _prompts(sizes, 1)
    if run_exactly(model, ids).answers != run_exactly(model, ids, all_rows=True).answers:
        raise RuntimeError("the two ways to run disagree")
    last, every = best_seconds(
        partial(run_exactly, model, ids),
        partial(run_exactly, model, ids, all_rows=True),
        clock=time.process_time,
    )
    return [_row("last row only", sizes, 1, last, last), _row("all rows", sizes, 1, every, last)]


def batch_and_single_prompts(sizes: Sizes, batch: int) -> list[Row]:
    """A batch of prompts at once, against some of them one after the other."""
    model = build(sizes).model
    ids = _prompts(sizes, batch)
    if (run_exactly(model, ids).answers != batch_hops(sizes, ids)[:, -1]).any():
        raise RuntimeError("the run is wrong")
    few = ids[:SINGLE_PROMPTS]
    together, apart = best_seconds(
        partial(run_exactly, model, ids),
        lambda: [run_exactly(model, one) for one in few],
        clock=time.process_time,
    )
    baseline = together / batch
    return [
        _row("in a batch", sizes, batch, together, baseline),
        _row("one at a time", sizes, len(few), apart, baseline),
    ]


def _row(what: str, sizes: Sizes, prompts: int, seconds: float, baseline: float) -> Row:
    return {
        "what": what,
        "tokens": sizes.length,
        "prompts": prompts,
        "seconds": seconds,
        "prompts_per_second": prompts / seconds,
        "times_baseline": seconds / prompts / baseline,
    }


def _prompts(sizes: Sizes, count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    return np.stack([token_ids(instance) for instance in samples(sizes, 0, count)])


if __name__ == "__main__":
    print_rows(compared(int(sys.argv[1])))
