"""Samples and adversarial families of a task, run exactly through a construction and compared with the oracle."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from separation.models import run
from separation.models.decode import decode
from separation.proving import Construction
from separation.tasks import funccomp, two_sum
from separation.tasks.catalogue import Task
from separation.tasks.funccomp import Thoughts, hops, thought_ids, token_ids
from separation.tasks.two_sum import TwoSumSizes

SAMPLES = 4

Array = NDArray[np.int64]


def hard_inputs(task: Task, seed: int = 0, count: int = SAMPLES, families: bool = True) -> tuple[Array, Array]:
    """(prompts, what the oracle says): one answer a prompt, or one for each token, or the tokens to be generated.

    ``count`` samples (of 2-Sum as many balanced ones too), and without ``families`` nothing else.
    """
    if isinstance(task, TwoSumSizes):
        cases = list(two_sum.samples(task, seed, count)) + list(two_sum.balanced_samples(task, seed, count))
        cases += [case for family in two_sum.FAMILIES.values() for case in family(task, seed) if families]
        return np.array([case.x for case in cases]), np.array([two_sum.outputs(case) for case in cases])
    sizes = task.sizes if isinstance(task, Thoughts) else task
    inputs = list(funccomp.samples(sizes, seed, count))
    inputs += [case for family in funccomp.FAMILIES.values() for case in family(sizes, seed) if families]
    prompts = np.stack([token_ids(case) for case in inputs])
    if isinstance(task, Thoughts):
        return prompts, np.array([thought_ids(task, case.w, hops(case)) for case in inputs])
    return prompts, np.array([funccomp.answer(case) for case in inputs])


def wrong_inputs(subject: Construction, prompts: Array, expected: Array) -> Array:
    """For each prompt: is anything that the model answers not what the oracle says?"""
    if isinstance(subject.sizes, Thoughts):
        found = decode(subject.model, prompts, subject.sizes.steps)
    else:
        found = run(subject.model, prompts, every_row=isinstance(subject.sizes, TwoSumSizes)).answers
    differs: Array = (found != expected).reshape(len(prompts), -1).any(axis=1)
    return differs
