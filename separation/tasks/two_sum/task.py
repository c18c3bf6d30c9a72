"""2-Sum as a `separation.tasks.task.Task`: an answer at every token."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from separation.arithmetic import number_to_json
from separation.tasks.shape import Shape
from separation.tasks.task import Array, Task, require_causal
from separation.tasks.two_sum.families import (
    FAMILIES,
    aimed_prompts,
    balanced_sample,
    balanced_samples,
    enumerate_tokens,
    random_prompts,
    samples,
)
from separation.tasks.two_sum.instance import (
    MAX_ARRAY_MODULUS,
    TASK,
    TwoSumInstance,
    TwoSumSizes,
    batch_outputs,
    outputs,
    to_document,
)


@dataclass(frozen=True)
class TwoSum(Task[TwoSumInstance]):
    """At each token: does its number and one at or before it add to 0 (mod M)?

    >>> from separation import TwoSum, TwoSumInstance, TwoSumSizes
    >>> sizes = TwoSumSizes(4, 9)
    >>> TwoSum(sizes).expected(TwoSumInstance(sizes, (2, 3, 7, 6)))
    (0, 0, 1, 1)
    """

    plain_sizes: TwoSumSizes

    @property
    def title(self) -> str:
        return f"2-Sum, n = {self.plain_sizes.length:,}, M = {self.plain_sizes.modulus:,}"

    @property
    def prompt_length(self) -> int:
        return self.plain_sizes.length

    @property
    def answers_every_token(self) -> bool:
        return True

    @property
    def asked_tokens(self) -> int:
        return self.plain_sizes.length

    @property
    def question(self) -> str:
        return (
            "Entries are written position=number. Answer, for each position, 1 if its number and the number at some"
            " position at or before it add up to a multiple of M, and 0 otherwise: as many digits 0 or 1 as there are"
            " positions, in their order, separated by single spaces."
        )

    @property
    def fits_int64(self) -> bool:
        return self.plain_sizes.modulus <= MAX_ARRAY_MODULUS

    def shape(self, causal: bool = True) -> Shape:
        require_causal(causal)
        return self.plain_sizes.shape()

    def document(self) -> dict[str, Any]:
        sizes = {"length": number_to_json(self.plain_sizes.length), "modulus": number_to_json(self.plain_sizes.modulus)}
        return {"task": TASK, **sizes}

    def describe(self, position: int) -> str:
        return f"x_{position + 1}"

    def players(self) -> tuple[tuple[str, int], ...]:
        """Two, with half of the tokens each; a single token has one player."""
        half = self.plain_sizes.length // 2
        return (("first half", half), ("second half", self.plain_sizes.length - half)) if half else (("player 1", 1),)

    def sample(self, seed: int) -> TwoSumInstance:
        """Balanced: the last answer is a fair coin."""
        return balanced_sample(self.plain_sizes, seed)

    def samples(self, seed: int, count: int) -> Iterator[TwoSumInstance]:
        """Uniform ones, then balanced ones."""
        return chain(samples(self.plain_sizes, seed, count), balanced_samples(self.plain_sizes, seed, count))

    def families(self) -> Mapping[str, Callable[[int], Iterator[TwoSumInstance]]]:
        return {name: partial(family, self.plain_sizes) for name, family in FAMILIES.items()}

    def instance(self, prompt: Array) -> TwoSumInstance:
        return TwoSumInstance(self.plain_sizes, prompt)

    def prompt(self, instance: TwoSumInstance) -> Array:
        return np.array(instance.x)

    def instance_document(self, instance: TwoSumInstance) -> dict[str, Any]:
        return to_document(instance)

    def expected(self, instance: TwoSumInstance) -> int | tuple[int, ...]:
        return outputs(instance)

    def right_answers(self, prompts: Array) -> Array:
        return batch_outputs(self.plain_sizes, prompts)

    def all_prompts(self, block: int) -> Iterator[Array]:
        return (values for values, _ in enumerate_tokens(self.plain_sizes, block))

    def random_prompts(self, random: np.random.Generator, count: int) -> Array:
        return random_prompts(self.plain_sizes, random, count)

    def aimed_prompts(self, random: np.random.Generator, kinds: Collection[str], count: int) -> Iterator[Array]:  # noqa: ARG002
        """Matches and near misses; there is one kind of token."""
        return aimed_prompts(self.plain_sizes, random, count)

    def plainest_prompt(self) -> Array:
        """All ones."""
        return np.ones(self.plain_sizes.length, dtype=np.int64)


TASKS: dict[type, Callable[[Any], TwoSum]] = {TwoSumSizes: TwoSum}
"""The task that belongs to each type of sizes."""
