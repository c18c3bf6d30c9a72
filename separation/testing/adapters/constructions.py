"""A construction as a solver: its exact run, in batches."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from constructions import build
from separation.proving import Construction
from separation.proving.answering import final_answers
from separation.tasks import task_of
from separation.tasks.task import Array


def construction_solver(construction: Construction) -> Callable[[list[list[int]]], Array]:
    """Lists of token ids to answers, by the exact run; of a chain of thought the final answer. −1: none is given."""

    def solver(prompts: list[list[int]]) -> Array:
        return final_answers(construction, np.array(prompts, dtype=np.int64))

    return solver


def built_solver(name: str) -> Callable[[list[Any]], Array]:
    """Instances to answers, by the construction of that name at their sizes."""

    @lru_cache(maxsize=8)
    def solver_at(sizes: Any) -> Callable[[list[list[int]]], Array]:
        return construction_solver(build(name, sizes))

    def solver(cases: list[Any]) -> Array:
        sizes = cases[0].sizes
        return solver_at(sizes)([task_of(sizes).prompt(case).tolist() for case in cases])

    return solver
