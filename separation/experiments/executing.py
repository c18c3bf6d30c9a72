"""From a plan to outcomes: each run trained (or read, if it was finished earlier), tested, and held to its theorem."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separation.experiments.proved import proved_ceiling
from separation.experiments.runs import (
    Outcome,
    Plan,
    Run,
    checkpoint_path,
    layers_of,
    read_outcome,
    weights_path,
    write_outcome,
)
from separation.pieces import results_as_finished
from separation.progress import Progress, silent


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
    """Trained, tested on uniform inputs, and asked every input if they are few."""
    from separation.experiments.exact import all_inputs_asked, hard_inputs_asked, write_weights
    from separation.experiments.training import Recipe, parameters_of, train

    run = job.run
    problem = _problem(run)
    steps, seconds = train(problem, run, Recipe(**dict(run.recipe)), job.folder, job.device)
    correct, tested, shares = problem.tested("uniform", job.device)
    beta, states = problem.bits
    more: dict[str, Any] = {}
    exact = all_inputs_asked(problem)
    if exact is not None:
        write_weights(weights_path(job.folder, run), problem.network)
        more = {"inputs": exact.inputs, "wrong": exact.wrong, "mistake": exact.first}
    elif run.experiment == "stock" and correct == tested:
        more = {"mistake": hard_inputs_asked(problem, job.device)}
    if run.experiment in ("shift", "tracking"):
        more["shifted"] = problem.shifted(job.device)
    parameters, states = parameters_of(problem.network), None if states is None else tuple(states)
    return Outcome(correct, tested, shares, steps, seconds, parameters, beta, states, **more)


def _problem(run: Run) -> Any:
    """2-Sum, a program, FuncComp, or FuncComp put to the layers of a stock model."""
    if run.task == "two_sum":
        from separation.experiments.searching import Searching

        return Searching(run)
    if run.task != "funccomp":
        from separation.experiments.tracking import Tracking

        return Tracking(run)
    if run.setting("model", ""):
        from separation.experiments.stock import StockComposition

        return StockComposition(run)
    from separation.experiments.composition import Composition

    return Composition(run)


def rows(runs: Sequence[Run], outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """A row for each run, in the order of the runs."""
    found: list[dict[str, Any]] = []
    for run, outcome in zip(runs, outcomes, strict=True):
        low, high = outcome.interval
        ceiling, theorem = proved_ceiling(run, outcome)
        found.append(
            {
                "experiment": run.experiment,
                "task": run.task,
                "word": run.word,
                "label": run.label or run.word,
                "L": len(run.n) + 1,
                "m": run.m,
                "n": " ".join(map(str, run.n)),
                "seed": run.seed,
                "budget": run.steps,
                "steps": outcome.steps,
                "parameters": outcome.parameters,
                "correct": outcome.correct,
                "tested": outcome.tested,
                "accuracy": round(outcome.accuracy, 6),
                "low": round(low, 6),
                "high": round(high, 6),
                "hops": " ".join(f"{hop:.4f}" for hop in outcome.hops),
                "beta": outcome.beta,
                "lambda": None if outcome.states is None else sum(outcome.states),
                "ceiling": ceiling,
                "theorem": theorem,
                "shifted": " ".join(f"{name}={share:.4f}" for name, share in outcome.shifted.items()),
                "inputs": outcome.inputs,
                "wrong": outcome.wrong,
                "mistake": outcome.mistake,
                "cpu_seconds": round(outcome.cpu_seconds, 2),
                "settings": " ".join(f"{name}={value}" for name, value in run.settings),
            }
        )
    return found
