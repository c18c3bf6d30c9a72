"""Prints how many instances a second check_solver puts to C1's exact run, and how long prompts take to make.

The baselines: the exact run of the same prompts without the kit, and token ids without text. Seconds of one processor.
"""

from __future__ import annotations

import resource
import sys
import time
from functools import partial

import numpy as np

from constructions.c1 import build
from separation.bench.measuring import Report, Row, best_seconds, print_rows, rows_in_one_thread
from separation.models import run as run_exactly
from separation.tasks import task_of
from separation.tasks.funccomp import Sizes
from separation.tasks.task import Array
from separation.testing.check import SolverReport, check_solver
from separation.testing.dataset import row_of
from separation.testing.subjects import sizes_of_length
from separation.testing.text import write_prompts

TINY = Sizes(2, (2,))
TOKENS = 4096
LEVELS = 3
INSTANCES, QUICK_INSTANCES = 1 << 15, 1 << 11
PROMPTS, QUICK_PROMPTS = 1000, 50


def run(quick: bool) -> Report:
    rows = rows_in_one_thread(__name__, int(quick))
    return Report("stress_kit", "time a prompt / time a prompt of the quicker way above it", tuple(rows))


def compared(quick: int) -> list[Row]:
    """Both groups, the baseline of each first."""
    return [
        *bare_and_checked(QUICK_INSTANCES if quick else INSTANCES),
        *ids_and_texts(QUICK_PROMPTS if quick else PROMPTS),
    ]


def bare_and_checked(instances: int) -> list[Row]:
    """C1 at 8 tokens: its run of random prompts, and check_solver with all of its stages."""
    model = build(TINY).model

    def solver(prompts: list[list[int]]) -> Array:
        return run_exactly(model, np.array(prompts)).answers

    prompts = task_of(TINY).random_prompts(np.random.default_rng(0), instances)
    reports: list[SolverReport] = []

    def checked(limit: float | None) -> None:
        options = {"sizes": TINY, "tokens": True, "seconds": 600.0, "limit": limit, "instances": instances}
        reports.append(check_solver(solver, **options))  # type: ignore[arg-type]

    bare, here, child = best_seconds(
        partial(run_exactly, model, prompts), partial(checked, None), partial(checked, 60.0), clock=_with_children
    )
    if not all(report.ok for report in reports):
        raise RuntimeError("C1 was found to be wrong")
    baseline = bare / instances
    return [
        _row("C1's exact run", TINY.length, instances, bare, baseline),
        _row("check_solver of it", TINY.length, reports[0].asked, here, baseline),
        _row("with a limit for each call", TINY.length, reports[1].asked, child, baseline),
    ]


def _with_children() -> float:
    """Seconds of processors, of this process and of its children that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def ids_and_texts(count: int) -> list[Row]:
    """Random prompts as token ids, the same with their texts, and whole rows of a dataset."""
    task = task_of(sizes_of_length("funccomp", TOKENS, LEVELS))

    def ids() -> Array:
        return task.random_prompts(np.random.default_rng(0), count)

    plain, texts, rows = best_seconds(
        ids,
        lambda: write_prompts(task, ids()),
        lambda: [row_of(case, "random", number, 0) for number, case in enumerate(task.samples(0, count))],
        clock=time.process_time,
    )
    baseline = plain / count
    return [
        _row("token ids of prompts", task.prompt_length, count, plain, baseline),
        _row("their texts as well", task.prompt_length, count, texts, baseline),
        _row("rows of a dataset", task.prompt_length, count, rows, baseline),
    ]


def _row(what: str, tokens: int, prompts: int, seconds: float, baseline: float) -> Row:
    return {
        "what": what,
        "tokens": tokens,
        "prompts": prompts,
        "seconds": seconds,
        "prompts_per_second": prompts / seconds,
        "times_baseline": seconds / prompts / baseline,
    }


if __name__ == "__main__":
    print_rows(compared(int(sys.argv[1])))
