"""From a plan to outcomes: each run trained (or read, if it was finished earlier), tested, and held to its theorem."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separation.bounds import Word
from separation.bounds.ceilings import ceiling
from separation.experiments.runs import Outcome, Plan, Run, checkpoint_path, layers_of, read_outcome, write_outcome
from separation.experiments.sparse_lines import sparse_ceiling
from separation.pieces import results_as_finished
from separation.progress import Progress, silent

STANDS_FOR_R = str.maketrans("WM", "RR")
"""A window and a summary are states that are carried from token to token: letters of their own, but R to a theorem."""


@dataclass(frozen=True)
class Job:
    """One run with all that a process needs to do it."""

    run: Run
    folder: Path
    device: str = "cpu"


def outcomes(
    plan: Plan,
    folder: Path,
    *,
    device: str = "cpu",
    workers: int | None = None,
    dask: str | None = None,
    executor: Executor | None = None,
    progress: Progress = silent,
) -> list[Outcome]:
    """The outcomes of all runs, in the order of the plan, whoever does them."""
    jobs = [Job(run, folder.resolve(), device) for run in plan.runs]
    found: dict[int, Outcome] = {}
    work = [_work(run) for run in plan.runs]
    earlier = [index for index, run in enumerate(plan.runs) if read_outcome(folder, run) is not None]
    progress(sum(work[index] for index in earlier) / sum(work), f"{plan.name}: {len(earlier)} of {len(jobs)} runs done")
    for index, outcome in results_as_finished(finished_run, jobs, workers=workers, dask=dask, executor=executor):
        found[index] = outcome
        run = jobs[index].run
        if read_outcome(folder, run) is None:  # whoever did it has a folder of its own
            write_outcome(folder, run, outcome)
        done = sum(work[index] for index in {*found, *earlier}) / sum(work)
        progress(done, f"{run.label or run.word}, seed {run.seed}: {outcome.accuracy:.3f}")
    return [found[index] for index in range(len(jobs))]


def _work(run: Run) -> int:
    """Steps × layers × tokens: what a run takes next to the others of its plan."""
    tokens = run.m * sum(itertools.accumulate(run.n, operator.mul, initial=1)) + 2
    return max(1, run.steps) * len(layers_of(run.word)) * tokens


def finished_run(job: Job) -> Outcome:
    """The outcome of one run; finished ones are read, interrupted ones go on from their checkpoint."""
    job.folder.mkdir(parents=True, exist_ok=True)  # on another machine it may not be there
    earlier = read_outcome(job.folder, job.run)
    if earlier is not None:
        return earlier
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # runs are shared out over processes; the same sums in the same order everywhere
    try:
        outcome = _trained(job)
    finally:
        torch.set_num_threads(threads)
    write_outcome(job.folder, job.run, outcome)
    checkpoint_path(job.folder, job.run).unlink(missing_ok=True)
    return outcome


def _trained(job: Job) -> Outcome:
    """Trained, tested on uniform inputs, held to its theorem; and attacked, if nothing was wrong or it is asked for."""
    from separation.experiments.training import Recipe, parameters_of, train

    run = job.run
    problem = _problem(run)
    seconds = train(problem, run, Recipe(**dict(run.recipe)), job.folder, job.device)
    correct, tested, shares = problem.tested("uniform", job.device)
    beta, states = problem.bits
    bound, theorem = _ceiling(run, problem)
    told_apart: dict[str, Any] = {}
    if run.experiment == "shift" or (correct == tested and run.task != "two_sum"):
        told_apart["shifted"] = problem.shifted(job.device)
        if run.task != "two_sum":
            told_apart["pairs"] = _attacked(job, problem)
    parameters, linear = parameters_of(problem.network), None if states is None else sum(states)
    return Outcome(correct, tested, shares, seconds, parameters, beta, linear, bound, theorem, **told_apart)


def _problem(run: Run) -> Any:
    """2-Sum, FuncComp, or FuncComp put to the layers of a stock model."""
    if run.task == "two_sum":
        from separation.experiments.searching import Searching

        return Searching(run)
    if run.setting("model", ""):
        from separation.experiments.stock import StockComposition

        return StockComposition(run)
    from separation.experiments.composition import Composition

    return Composition(run)


def _attacked(job: Job, problem: Any) -> int:
    from separation.experiments.fooled import attack, write_attack

    found = attack(problem, job.run.seed, job.device)
    write_attack(job.folder, job.run, found)
    return found.found


def _ceiling(run: Run, problem: Any) -> tuple[float | None, str]:
    """The accuracy that no model with these bits exceeds, and the theorem; nothing where none is below 1."""
    if run.task == "two_sum":
        shape = problem.shape
        bound = sparse_ceiling(problem.summary_bits, problem.modulus, shape.block, shape.opened, shape.blocks)
        return (None, "") if bound >= 1 else (float(bound), "D'")
    beta, states = problem.bits
    if states is None or run.setting("model", ""):  # stock layers run in float32, nothing is rounded
        return None, ""
    return composition_ceiling(run, beta, states)


def composition_ceiling(run: Run, beta: int, states: Sequence[int]) -> tuple[float | None, str]:
    """The accuracy that no model of this word, with this β and these state bits of its layers, exceeds; None if 1."""
    letters = layers_of(run.word).translate(STANDS_FOR_R)
    word = Word.parse(letters)
    linear, total = [], 0
    for letter, bits in zip(letters, states, strict=True):
        if letter == "F":
            linear.append(total)
        total += bits
    found = ceiling(word, run.m, run.n, beta, [*linear, total])
    return (None, "") if found.value >= 1 else (float(found.value), found.theorem)
