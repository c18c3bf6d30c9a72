"""From a plan to outcomes: each run trained (or read, if it was finished earlier), tested, and held to its theorem."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from separation.bounds import Word
from separation.bounds.search.ceilings import ceiling
from separation.bounds.theorems.theorem_d_average import accidental_matches, most_hits
from separation.experiments.plan import Plan, layers_of
from separation.experiments.runs import Outcome, Run, checkpoint_path, read_outcome, wilson, write_outcome
from separation.files import json_text, write_whole
from separation.pieces import finished_pieces
from separation.progress import Progress, silent

STANDS_FOR_R = str.maketrans("WM", "RR")
"""A window and a summary are states that are carried from token to token: letters of their own, but R to a theorem."""


@dataclass(frozen=True)
class Job:
    """One run with all that a process needs to do it."""

    run: Run
    recipe: tuple[tuple[str, Any], ...]
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
    jobs = [Job(run, tuple(sorted(plan.recipe.items())), folder.resolve(), device) for run in plan.runs]
    found: dict[int, Outcome] = {}
    progress(0.0, f"{plan.name}: {len(jobs)} runs")
    for index, outcome in finished_pieces(finished_run, jobs, workers=workers, dask=dask, executor=executor):
        found[index] = outcome
        run = jobs[index].run
        if read_outcome(folder, run) is None:  # whoever did it has a folder of its own
            write_outcome(folder, run, outcome)
        progress(len(found) / len(jobs), f"{run.label or run.word}, seed {run.seed}: {outcome.accuracy:.3f}")
    return [found[index] for index in range(len(jobs))]


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
        outcome = _searched(job) if job.run.task == "two_sum" else _composed(job)
    finally:
        torch.set_num_threads(threads)
    write_outcome(job.folder, job.run, outcome)
    checkpoint_path(job.folder, job.run).unlink(missing_ok=True)
    return outcome


def _composed(job: Job) -> Outcome:
    from separation.experiments.composition import Composition, document_of, parameters_of
    from separation.experiments.training import Recipe, train

    run = job.run
    problem = Composition(run)
    seconds = train(problem, run, Recipe(**dict(job.recipe)), job.folder, job.device)
    correct, tested, hops = problem.tested("uniform", job.device)
    beta, states = problem.bits
    bound, theorem = None, ""
    if beta is not None and states is not None:
        bound, theorem = composition_ceiling(run, beta, states)
    told_apart: dict[str, Any] = {}
    if correct == tested or run.experiment == "shift":
        pairs = problem.confused_pairs(job.device)
        told_apart = {"shifted": problem.shifted(job.device), "pairs": len(pairs)}
        if pairs:
            write_whole(job.folder / f"{run.key}.pairs.json", json_text(document_of(pairs)))
    return Outcome(
        correct,
        tested,
        hops,
        seconds,
        parameters_of(problem.network),
        beta,
        None if states is None else sum(states),
        bound,
        theorem,
        **told_apart,
    )


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


def _searched(job: Job) -> Outcome:
    from separation.experiments.composition import parameters_of
    from separation.experiments.searching import Searching
    from separation.experiments.training import Recipe, train

    run = job.run
    problem = Searching(run)
    seconds = train(problem, run, Recipe(**dict(job.recipe)), job.folder, job.device)
    correct, tested, shares = problem.tested(job.device)
    shape = problem.shape
    alarms = Fraction(wilson(round((1 - shares[1]) * (tested // 2)), tested // 2)[1]).limit_denominator(10**6)
    alarms = min(Fraction(1), alarms + accidental_matches(shape.block, shape.blocks, problem.modulus - 1))
    hits = most_hits(shape.summary_bits, shape.block, shape.opened, shape.blocks, alarms)
    bound = None if hits >= 1 else float((hits + 1) / 2)
    return Outcome(
        correct,
        tested,
        shares,
        seconds,
        parameters_of(problem.network),
        linear=shape.summary_bits,
        ceiling=bound,
        theorem="" if bound is None else "D'",
    )
