"""A construction as a solver: its exact run, in batches."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from separation.proving import Construction
from separation.proving.answering import final_answers
from separation.tasks.task import Array


def construction_solver(construction: Construction) -> Callable[[list[list[int]]], Array]:
    """Lists of token ids to answers, by the exact run; of a chain of thought the final answer. −1: none is given."""

    def solver(prompts: list[list[int]]) -> Array:
        return final_answers(construction, np.array(prompts, dtype=np.int64))

    return solver
