"""From a plan to rows: each run trained (or read, if it was finished earlier), tested, and held to its theorem."""

from __future__ import annotations

import itertools
import operator
from concurrent.futures import Executor
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from separation.experiments.proved import proved_ceiling
from separation.experiments.runs import Plan, Row, Run, kept_at, layers_of, read_row, wilson, write_row
from separation.files import json_text, write_whole
from separation.pieces import results_as_finished
from separation.progress import Progress, silent


def rows(
    plan: Plan,
    folder: Path,
    *,
    device: str = "cpu",
    workers: int | None = None,
    dask: str | None = None,
    executor: Executor | None = None,
    progress: Progress = silent,
) -> list[Row]:
    """A row for each run, in the order of the plan, the same for any number of workers."""
    asked = partial(finished_run, folder=folder.resolve(), device=device)
    found: dict[int, Row] = {}
    work = [_work(run) for run in plan.runs]
    earlier = [index for index, run in enumerate(plan.runs) if read_row(folder, run) is not None]
    progress(sum(work[index] for index in earlier) / sum(work), f"{plan.name}: {len(earlier)} of {len(work)} runs done")
    for index, row in results_as_finished(asked, plan.runs, workers=workers, dask=dask, executor=executor):
        found[index], run = row, plan.runs[index]
        if read_row(folder, run) is None:  # another machine has a folder of its own
            write_row(folder, run, row)
        done = sum(work[index] for index in {*found, *earlier}) / sum(work)
        progress(done, f"{run.label or run.word}, seed {run.seed}: {row['accuracy']:.3f}")
    return [found[index] for index in range(len(work))]


def _work(run: Run) -> int:
    """Steps × layers × tokens: what a run takes next to the others of its plan."""
    tokens = run.m * sum(itertools.accumulate(run.n, operator.mul, initial=1)) + 2
    return max(1, run.steps) * len(layers_of(run.word)) * tokens


def finished_run(run: Run, folder: Path, device: str = "cpu") -> Row:
    """The row of one run; finished ones are read, interrupted ones go on from their checkpoint."""
    folder.mkdir(parents=True, exist_ok=True)  # on another machine it may not be there
    if (earlier := read_row(folder, run)) is not None:
        return earlier
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # runs are shared out over processes; the same sums in the same order everywhere
    try:
        row = _trained(run, folder, device)
    finally:
        torch.set_num_threads(threads)
    write_row(folder, run, row)
    kept_at(folder, run, "safetensors").unlink(missing_ok=True)
    return row


def _trained(run: Run, folder: Path, device: str) -> Row:
    """Trained, tested on uniform inputs, and asked every input if they are few."""
    from separation.experiments.distributions import asked_elsewhere
    from separation.experiments.exact import all_inputs_asked, hard_inputs_asked, write_weights
    from separation.experiments.training import Recipe, train

    problem = _problem(run)
    steps, seconds = train(problem, run, Recipe(**dict(run.recipe)), folder, device)
    beta, states = problem.bits
    more: Row = {}
    if run.setting("model", "") == "bare":
        certificate = problem.certificate()  # what follows is about its weights, which are rounded
        write_whole(kept_at(folder, run, "certificate.json"), json_text(certificate))
        more["certified"] = int(certificate["claim"]["right"])
    correct, tested, shares = problem.tested("uniform", device)
    exact = all_inputs_asked(problem)
    if exact is not None:
        write_weights(kept_at(folder, run, "weights.safetensors"), problem.network)
        more |= {"inputs": exact.inputs, "wrong": exact.wrong, "mistake": exact.first}
    elif run.experiment == "stock" and correct == tested:
        more |= {"mistake": hard_inputs_asked(problem, device)}
    if run.experiment in ("shift", "tracking"):
        shifted = problem.shifted(device) if run.experiment == "tracking" else asked_elsewhere(problem, device)
        more["shifted"] = " ".join(f"{name}={share:.4f}" for name, share in shifted.items())
    low, high = wilson(correct, tested)
    ceiling, theorem = proved_ceiling(run, beta, states)
    return {
        **{name: getattr(run, name) for name in ("experiment", "task", "word")},
        "label": run.label or run.word,
        "L": len(run.n) + 1,
        "m": run.m,
        "n": " ".join(map(str, run.n)),
        "seed": run.seed,
        "budget": run.steps,
        "steps": steps,
        "parameters": sum(each.numel() for each in problem.network.parameters()),
        "correct": correct,
        "tested": tested,
        "accuracy": round(correct / tested, 6),
        "low": round(low, 6),
        "high": round(high, 6),
        "hops": " ".join(f"{hop:.4f}" for hop in shares),
        "beta": beta,
        "lambda": None if states is None else sum(states),
        "ceiling": ceiling,
        "theorem": theorem,
        **{"shifted": "", "inputs": None, "wrong": None, "mistake": "", "certified": None} | more,
        "cpu_seconds": round(seconds, 2),
        "settings": " ".join(f"{name}={value}" for name, value in run.settings),
        "key": run.key,
    }


def _problem(run: Run) -> Any:
    """2-Sum, a program, FuncComp, or FuncComp put to a bare transformer or to the layers of a stock model."""
    own = {"": "composition.Composition", "bare": "bare.BareComposition"}
    composition = own.get(run.setting("model", ""), "stock.StockComposition")
    known = {"funccomp": composition, "two_sum": "searching.Searching"}
    module, name = known.get(run.task, "tracking.Tracking").split(".")
    return getattr(import_module(f"separation.experiments.{module}"), name)(run)
