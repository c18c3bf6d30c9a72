"""A program as a checkpoint of a stock class: by which function, with which tokenizer, and asked which questions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from constructions.stock.kit.program_hybrids import hybrid
from constructions.stock.kit.program_models import gpt2, llama
from constructions.stock.kit.target import Layout
from separation.models import Model
from separation.tasks.program import Definitions, answers
from separation.tasks.program.oracle import all_inputs, random_input, raw_inputs

TARGETS: dict[str, Callable[[Definitions, Model, str], Layout]] = {
    "gpt2": gpt2,
    "llama": llama,
    "olmo_hybrid": partial(hybrid, family="olmo_hybrid"),
    "qwen3_next": partial(hybrid, family="qwen3_next"),
}
MOST_TOKENS = 1 << 15
"""Tokens of all prompts of a check."""


def program_questions(program: Definitions, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64], bool]:
    """(prompts, right answers at each token that is asked, are these all inputs?): all of them if they are few."""
    every = raw_inputs(program) * program.length <= MOST_TOKENS
    rng = np.random.default_rng(seed)
    some = max(1, min(64, MOST_TOKENS // program.length))
    inputs = list(all_inputs(program)) if every else [random_input(program, rng) for _ in range(some)]
    return np.array(inputs), np.array([answers(program, ids) for ids in inputs]), every


def words(program: Definitions) -> list[str]:
    """The word of each id: its kind and what it spells, as in `pair:3,1`."""
    found: dict[int, str] = {}
    for kind in program.kinds:
        first = program.first_id(kind.name)
        for number in range(kind.id_count):
            rest, digits = number, list[int]()
            for _, size in reversed(kind.spells):
                rest, digit = divmod(rest, size)
                digits.append(digit)
            spelled = ":" + ",".join(map(str, reversed(digits))) if digits else ""
            found.setdefault(first + number, f"{kind.name}{spelled}")
    return [found[number] for number in range(program.vocabulary)]
