"""FuncComp as a `separation.tasks.task.Task`: answered at once, or after a chain of thought."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from separation.tasks.funccomp.families import (
    FAMILIES,
    aimed_prompts,
    enumerate_token_ids,
    random_prompts,
    sample,
    samples,
)
from separation.tasks.funccomp.instance import Instance, answer, batch_hops, hops, to_document
from separation.tasks.funccomp.layout import describe, from_token_ids, token_ids
from separation.tasks.funccomp.sizes import Sizes, sizes_to_document
from separation.tasks.funccomp.thoughts import Thoughts, thought_ids
from separation.tasks.shape import Shape
from separation.tasks.task import Array, Task, require_causal


@dataclass(frozen=True)
class FuncComp(Task[Instance]):
    """i_L at the last token.

    >>> from separation import FuncComp, Sizes
    >>> task = FuncComp(Sizes(3, (2,)))
    >>> instance = task.sample(seed=0)
    >>> task.expected(instance) == task.right_answers(task.prompt(instance)[None])[0]
    np.True_
    """

    plain_sizes: Sizes

    @property
    def title(self) -> str:
        sizes = self.plain_sizes
        return f"FuncComp, L = {sizes.L}, m = {sizes.m}, n = ({', '.join(map(str, sizes.n))})"

    @property
    def prompt_length(self) -> int:
        return self.plain_sizes.length

    @property
    def depth(self) -> int:
        return self.plain_sizes.L

    @property
    def question(self) -> str:
        return (
            "Entries of tables are written address=value. Start with i = z0. Look up the address i in table 1: its"
            " value is the new i. Then, for k = 2, 3, ... up to the last table, look up the address d,i in table k,"
            " where d is digit k-1 of w: its value is the new i. Answer with the last i, a single number."
        )

    def shape(self, causal: bool = True) -> Shape:
        return self.plain_sizes.shape(causal)

    def document(self) -> dict[str, Any]:
        return sizes_to_document(self.plain_sizes)

    def describe(self, position: int) -> str:
        return describe(self.plain_sizes, position)

    def players(self) -> tuple[tuple[str, int], ...]:
        """z_L, …, z_1, z_0, w."""
        tables = [(f"z_{level}", self.plain_sizes.N[level - 1]) for level in range(self.depth, 0, -1)]
        return (*tables, ("z_0", 1), ("w", 1))

    def sample(self, seed: int) -> Instance:
        return sample(self.plain_sizes, seed)

    def samples(self, seed: int, count: int) -> Iterator[Instance]:
        return samples(self.plain_sizes, seed, count)

    def families(self) -> Mapping[str, Callable[[int], Iterator[Instance]]]:
        return {name: partial(family, self.plain_sizes) for name, family in FAMILIES.items()}

    def instance(self, prompt: Array) -> Instance:
        return from_token_ids(self.plain_sizes, prompt)

    def prompt(self, instance: Instance) -> Array:
        return token_ids(instance)

    def instance_document(self, instance: Instance) -> dict[str, Any]:
        return to_document(instance)

    def expected(self, instance: Instance) -> int | tuple[int, ...]:
        return answer(instance)

    def right_answers(self, prompts: Array) -> Array:
        return batch_hops(self.plain_sizes, prompts)[:, -1]

    def all_prompts(self, block: int) -> Iterator[Array]:
        return (ids for ids, _ in enumerate_token_ids(self.plain_sizes, block))

    def random_prompts(self, random: np.random.Generator, count: int) -> Array:
        return random_prompts(self.plain_sizes, random, count)

    def aimed_prompts(self, random: np.random.Generator, kinds: Collection[str], count: int) -> Iterator[Array]:
        """Every address and every value of every table; first, and twice as often, of the tables in ``kinds``."""
        return aimed_prompts(self.plain_sizes, random, self.tables_asked(kinds), count)

    def tables_asked(self, kinds: Collection[str]) -> list[int]:
        """The tables among ``kinds``, then all of them, 1 to L."""
        tables = {kind.name: kind.table for kind in self.shape().kinds}
        named = [level for name in dict.fromkeys(kinds) if (level := tables.get(name)) is not None]
        return [*named, *range(1, self.depth + 1)]

    def plainest_prompt(self) -> Array:
        """z_0 = 0, tables of zeros, w = 0."""
        ids = np.zeros(self.prompt_length, dtype=np.int64)
        ids[-1] = self.plain_sizes.N[-1]
        return ids


@dataclass(frozen=True)
class FuncCompWithThoughts(FuncComp):
    """Tokens generated one by one behind the prompt, the last of them the answer."""

    thoughts: Thoughts

    @property
    def sizes(self) -> Sizes | Thoughts:
        return self.thoughts

    @property
    def title(self) -> str:
        return f"{super().title}; {self.generated_tokens} generated tokens"

    @property
    def generated_tokens(self) -> int:
        return self.thoughts.steps

    def shape(self, causal: bool = True) -> Shape:
        require_causal(causal)
        return self.thoughts.shape()

    def document(self) -> dict[str, Any]:
        return {**super().document(), "thoughts": self.thoughts.style}

    def players(self) -> tuple[tuple[str, int], ...]:
        """z_L, …, z_1, z_0, w; generated tokens belong to w."""
        return (*super().players()[:-1], ("w", 1 + self.thoughts.length - self.prompt_length))

    def expected(self, instance: Instance) -> int | tuple[int, ...]:
        return tuple(thought_ids(self.thoughts, instance.w, hops(instance)))

    def answers_in(self, outputs: Array) -> Array:
        found = (self.thoughts.answer_of(int(token)) for token in outputs[:, -1])
        return np.array([-1 if answer is None else answer for answer in found])


TASKS: dict[type, Callable[[Any], FuncComp]] = {
    Sizes: FuncComp,
    Thoughts: lambda thoughts: FuncCompWithThoughts(thoughts.sizes, thoughts),
}
"""The task that belongs to each type of sizes."""
