"""Look-ups as a `separation.tasks.task.Task`: all of it follows from the description."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from separation.escaping import quoted
from separation.tasks.checks import described_ids, generator
from separation.tasks.look_ups import oracle
from separation.tasks.look_ups.description import TASK, LookUps, from_task_document
from separation.tasks.shape import Shape
from separation.tasks.task import AnsweredAtOnce, Array, require_causal


@dataclass(frozen=True)
class LookUpInstance:
    """One input: its token ids."""

    sizes: LookUps
    ids: tuple[int, ...]

    def __post_init__(self) -> None:
        oracle.require_inputs(self.sizes, np.array([self.ids], dtype=np.int64))


@dataclass(frozen=True)
class LookUpTask(AnsweredAtOnce):
    """The answer at the last token; the tokens of the last kind before it are asked in the same way.

    ``sizes`` have a ``description``, which is all that is used of them.
    """

    sizes: Any

    @property
    def described(self) -> LookUps:
        found: LookUps = self.sizes.description
        return found

    @property
    def plain_sizes(self) -> Any:
        return self.sizes

    @property
    def title(self) -> str:
        counts = ", ".join(f"{kind.count:,} {kind.name}" for kind in self.described.kinds)
        return f"look-ups, {counts} (its file names it {quoted(self.described.name)})"

    @property
    def prompt_length(self) -> int:
        return self.described.length

    @property
    def fits_int64(self) -> bool:
        return self.described.vocabulary < 2**63

    def inputs_log2(self) -> float:
        return self.described.inputs_log2()

    def shape(self, causal: bool = True) -> Shape:
        require_causal(causal)
        return self.described.shape()

    def document(self) -> dict[str, Any]:
        return self.described.document()

    def describe(self, position: int) -> str:
        for kind in self.described.kinds:
            start, _ = self.described.start(kind.name)
            if start <= position < start + kind.count:
                return f"{kind.name}[{position - start}]"
        raise IndexError(f"position {position} of {self.prompt_length}")

    def players(self) -> tuple[tuple[str, int], ...]:
        return tuple((kind.name, kind.count) for kind in self.described.kinds)

    def sample(self, seed: int) -> Any:
        return next(self.samples(seed, 1))

    def samples(self, seed: int, count: int) -> Iterator[Any]:
        return (self.instance(row) for row in self.random_prompts(generator(seed), count))

    @property
    def question(self) -> str:
        return "Each token is written number=values. The answer at the last token follows from the finds."

    def families(self) -> Mapping[str, Callable[[int], Iterator[Any]]]:
        """A plain input, and a few random ones: nothing more is known of a task that is only described."""
        plain = self.instance(self.plainest_prompt())
        return {"hard": lambda seed: chain((plain,), self.samples(seed + 1, 3))}

    def instance(self, prompt: Array) -> Any:
        return LookUpInstance(self.described, tuple(int(number) for number in prompt))

    def prompt(self, instance: Any) -> Array:
        return np.array(instance.ids, dtype=np.int64)

    def instance_document(self, instance: Any) -> dict[str, Any]:
        return {"task": TASK, "description": self.document(), "ids": [int(number) for number in self.prompt(instance)]}

    def expected(self, instance: Any) -> int | tuple[int, ...]:
        return int(self.right_answers(self.prompt(instance)[None])[0])

    def right_answers(self, prompts: Array) -> Array:
        return oracle.answers(self.described, prompts)[:, -1]

    def all_prompts(self, block: int) -> Iterator[Array]:
        return oracle.all_prompts(self.described, block)

    def random_prompts(self, random: np.random.Generator, count: int) -> Array:
        return oracle.random_prompts(self.described, random, count)

    def aimed_prompts(self, random: np.random.Generator, kinds: Collection[str], count: int) -> Iterator[Array]:  # noqa: ARG002
        """Uniform ones: any token may be asked for."""
        while True:
            yield self.random_prompts(random, count)

    def plainest_prompt(self) -> Array:
        """Of some random inputs the one whose ids come first."""
        rows = self.random_prompts(generator(0), 64)
        plainest: Array = rows[np.lexsort(rows.T[::-1])[0]]
        return plainest


def sizes_from_document(document: object) -> LookUps:
    return from_task_document(document)


def from_document(document: object) -> LookUpInstance:
    """The instance of {"task": "look_ups", "description": …, "ids": […]}."""
    description, ids = described_ids(document, TASK)
    return LookUpInstance(from_task_document(description), ids)


TASKS: dict[type, Callable[[Any], LookUpTask]] = {LookUps: LookUpTask}
"""The task that belongs to each type of sizes."""
