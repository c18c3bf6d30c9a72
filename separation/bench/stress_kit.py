"""How long check_solver takes to put prompts to C1's exact run, over that run alone, in seconds of one processor."""

from __future__ import annotations

import resource
import time
from functools import partial

import numpy as np

from constructions.c1 import build
from separation.bench.measuring import Actions, Report, Row, ratio_rows, rows_in_one_thread
from separation.models import run as run_exactly
from separation.tasks import task_of
from separation.tasks.funccomp import Sizes
from separation.tasks.task import Array
from separation.testing.check import check_solver

TINY = Sizes(2, (2,))
INSTANCES, QUICK_INSTANCES = 1 << 15, 1 << 11


def run(quick: bool) -> Report:
    rows = rows_in_one_thread(compared, QUICK_INSTANCES if quick else INSTANCES)
    return Report("stress_kit", "time a prompt / time a prompt of the quicker way above it", tuple(rows))


def compared(instances: int) -> list[Row]:
    """C1 at 8 tokens: its run of random prompts, and check_solver with all of its stages."""
    model = build(TINY).model

    def solver(prompts: list[list[int]]) -> Array:
        return run_exactly(model, np.array(prompts)).answers

    prompts = task_of(TINY).random_prompts(np.random.default_rng(0), instances)

    def checked(limit: float | None) -> int:
        report = check_solver(solver, sizes=TINY, tokens=True, seconds=600.0, limit=limit, instances=instances)
        if not report.ok:
            raise RuntimeError("C1 was found to be wrong")
        return report.asked

    asked = checked(None)
    actions: Actions = {
        "C1's exact run": (partial(run_exactly, model, prompts), instances),
        "check_solver of it": (partial(checked, None), asked),
        "with a limit for each call": (partial(checked, 60.0), asked),
    }
    return ratio_rows(TINY.length, actions, clock=_with_children)


def _with_children() -> float:
    """Seconds of processors, of this process and of its children that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime
