"""A program as a `separation.tasks.task.Task`: all of it follows from the definitions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from separation.files import InputError
from separation.tasks.checks import generator, require_keys, shown
from separation.tasks.program import oracle
from separation.tasks.program.definitions import TASK, Definitions
from separation.tasks.program.document import definitions_from_document
from separation.tasks.shape import Fact, Kind, Shape, Variable
from separation.tasks.task import AnsweredAtOnce, Array, require_causal

KEYS = ("task", "description", "ids")


@dataclass(frozen=True)
class ProgramInstance:
    """One input: its token ids, up to the last token that answers."""

    sizes: Definitions
    ids: tuple[int, ...]

    def __post_init__(self) -> None:
        try:
            oracle.answers(self.sizes, self.ids)
        except oracle.BrokenPromise as broken:
            raise InputError(f"ids: no input of {self.sizes.name}: {broken}") from None


@dataclass(frozen=True)
class ProgramTask(AnsweredAtOnce):
    """The answer at the last token that is asked; those before it are asked in the same way.

    What stands after the answers cannot change them, as attention is causal, and is left out of prompts.
    """

    sizes: Definitions

    @property
    def plain_sizes(self) -> Definitions:
        return self.sizes

    @property
    def title(self) -> str:
        counts = ", ".join(f"{self._count(kind.count)} {kind.name}" for kind in self.sizes.kinds)
        return f"{self.sizes.name}: {counts}"

    def _count(self, count: int | None) -> str:
        return f"any number of ({self.sizes.shown} here)" if count is None else f"{count:,}"

    @property
    def prompt_length(self) -> int:
        return self.sizes.asked[1]

    @property
    def fits_int64(self) -> bool:
        return self.sizes.vocabulary < 2**63

    def inputs_log2(self) -> float:
        found = self.sizes.inputs_log2()
        return inf if found is None else found

    def shape(self, causal: bool = True) -> Shape:
        """Kinds and the answer; the facts are the definitions, which only the kernel reads."""
        require_causal(causal)
        kinds = []
        for kind, (name, first, count) in zip(self.sizes.kinds, self._places(), strict=True):
            spelled = tuple(Variable(v, size) for v, size in kind.spells)
            kinds.append(Kind(name, first, (Variable("position", count),), spelled, self.sizes.first_id(name)))
        reader, answer = self.sizes.answer
        said = Variable(answer, self.sizes.size(reader, answer))
        return Shape(
            kinds=tuple(kinds),
            global_variables=(),
            facts=(),
            outputs=(Kind("answer", 0, (said,), (), 0),),
            emissions=(Fact("answer", (answer,), reader=reader),),
            vocabulary=self.sizes.vocabulary,
        )

    def document(self) -> dict[str, Any]:
        return self.sizes.document()

    def describe(self, position: int) -> str:
        for name, first, count in self._places():
            if first <= position < first + count:
                return f"{name}[{position - first}]" if count > 1 else name
        raise IndexError(f"position {position} of {self.prompt_length}")

    def _places(self) -> Iterator[tuple[str, int, int]]:
        first = 0
        for kind in self.sizes.kinds:
            count = self.sizes.tokens_of(kind)
            yield kind.name, first, count
            first += count

    def players(self) -> tuple[tuple[str, int], ...]:
        return tuple((name, count) for name, first, count in self._places() if first < self.prompt_length)

    def sample(self, seed: int) -> ProgramInstance:
        return next(self.samples(seed, 1))

    def samples(self, seed: int, count: int) -> Iterator[ProgramInstance]:
        return (self.instance(row) for row in self.random_prompts(generator(seed), count))

    def family_instances(self, seed: int) -> Iterator[ProgramInstance]:
        """A plain input, and a few random ones."""
        yield self.instance(self.plainest_prompt())
        yield from self.samples(seed + 1, 3)

    def instance(self, prompt: Array) -> ProgramInstance:
        return ProgramInstance(self.sizes, tuple(int(number) for number in prompt))

    def prompt(self, instance: ProgramInstance) -> Array:
        return np.array(instance.ids, dtype=np.int64)

    def instance_document(self, instance: ProgramInstance) -> dict[str, Any]:
        return {"task": TASK, "description": self.document(), "ids": list(instance.ids)}

    def expected(self, instance: ProgramInstance) -> int:
        return int(self.right_answers(self.prompt(instance)[None])[0])

    def right_answers(self, prompts: Array) -> Array:
        return oracle.right_answers(self.sizes, prompts)

    def all_prompts(self, block: int) -> Iterator[Array]:
        rows: list[list[int]] = []
        for ids in oracle.all_inputs(self.sizes):
            rows.append(ids[: self.prompt_length])
            if len(rows) == block:
                yield np.array(rows, dtype=np.int64)
                rows = []
        if rows:
            yield np.array(rows, dtype=np.int64)

    def random_prompts(self, random: np.random.Generator, count: int) -> Array:
        rows = [oracle.random_input(self.sizes, random)[: self.prompt_length] for _ in range(count)]
        return np.array(rows, dtype=np.int64)

    def aimed_prompts(self, random: np.random.Generator, kinds: Collection[str], count: int) -> Iterator[Array]:  # noqa: ARG002
        """Uniform ones: any token may be asked for."""
        while True:
            yield self.random_prompts(random, count)

    def plainest_prompt(self) -> Array:
        """Of some random inputs the one whose ids come first."""
        rows = self.random_prompts(generator(0), 16)
        plainest: Array = rows[np.lexsort(rows.T[::-1])[0]]
        return plainest


def sizes_from_document(document: object) -> Definitions:
    return definitions_from_document(document)


def from_document(document: object) -> ProgramInstance:
    """The instance of {"task": "program", "description": …, "ids": […]}."""
    document = require_keys(document, TASK, KEYS)
    ids = document["ids"]
    if not isinstance(ids, list) or not all(type(number) is int for number in ids):
        raise InputError(f"ids is {shown(ids)}; a list of integers is needed")
    return ProgramInstance(definitions_from_document(document["description"]), tuple(ids))


TASKS: dict[type, Callable[[Any], ProgramTask]] = {Definitions: ProgramTask}
"""The task that belongs to each type of sizes."""
