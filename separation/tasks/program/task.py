"""A program as a `separation.tasks.task.Task`: all of it follows from the definitions."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice
from typing import Any
from zlib import crc32

import numpy as np

from separation.escaping import quoted
from separation.files import InputError
from separation.tasks.checks import described_ids, generator
from separation.tasks.program import oracle
from separation.tasks.program.definitions import TASK, Definitions
from separation.tasks.program.document import definitions_from_document, definitions_to_document
from separation.tasks.program.families import families, patterned
from separation.tasks.program.printing import as_text
from separation.tasks.program.question import question
from separation.tasks.shape import Fact, Kind, Shape, Variable
from separation.tasks.task import Array, Task, require_causal


@dataclass(frozen=True)
class ProgramInstance:
    """One input: its token ids, up to the last token that answers."""

    sizes: Definitions
    ids: tuple[int, ...]

    def __getitem__(self, kind: str) -> list[dict[str, int]]:
        """What the tokens of a kind spell: case["seq"][0]["sym"]."""
        self.sizes.kind(kind)
        return [token for name, token in oracle.spelled(self.sizes, self.ids) if name == kind]

    def __post_init__(self) -> None:
        try:
            oracle.answers(self.sizes, self.ids)
        except oracle.BrokenPromise as broken:
            raise InputError(f"ids: no input of {self.sizes.name}: {broken}") from None


@dataclass(frozen=True)
class ProgramTask(Task[ProgramInstance]):
    """The answers at the tokens of the answer's kind, the last of the prompt.

    What stands after them cannot change them, as attention is causal, and is left out of prompts.
    """

    plain_sizes: Definitions

    @property
    def title(self) -> str:
        counts = ", ".join(f"{self._count(kind.count)} {kind.name}" for kind in self.plain_sizes.kinds)
        return f"the program {quoted(self.plain_sizes.name)}: {counts}"

    def _count(self, count: int | None) -> str:
        return f"any number of ({self.plain_sizes.shown} here)" if count is None else f"{count:,}"

    @property
    def prompt_length(self) -> int:
        return self.plain_sizes.asked[1]

    @property
    def answers_every_token(self) -> bool:
        return self.asked_tokens > 1

    @property
    def asked_tokens(self) -> int:
        first, last = self.plain_sizes.asked
        return last - first

    @property
    def fits_int64(self) -> bool:
        return self.plain_sizes.vocabulary < 2**63

    @property
    def is_endless(self) -> bool:
        return self.plain_sizes.is_endless

    @property
    def states_invariants(self) -> bool:
        return False

    @property
    def definition(self) -> str:
        return as_text(self.plain_sizes)

    @property
    def question(self) -> str:
        return question(self.plain_sizes)

    @property
    def label(self) -> str:
        """Its name and length, and a check sum: programs of one name may differ in anything."""
        name = re.sub(r"[^a-z0-9]+", "_", self.plain_sizes.name.lower()).strip("_") or TASK
        return f"{name}-{self.prompt_length}-{crc32(repr(self.document()).encode()):08x}"

    def inputs_log2(self) -> float | None:
        return self.plain_sizes.inputs_log2()

    def has_at_most(self, prompts: int) -> bool:
        """Those that break a promise are counted too: they are gone through."""
        return oracle.raw_inputs(self.plain_sizes) <= prompts

    def shape(self, causal: bool = True) -> Shape:
        """Kinds and the answer; the definitions are read by the kernel alone."""
        require_causal(causal)
        kinds = []
        for kind in self.plain_sizes.kinds:
            there, spelled = self.plain_sizes.places[kind.name], tuple(Variable(v, size) for v, size in kind.spells)
            place, first_id = Variable("position", len(there)), self.plain_sizes.first_id(kind.name)
            kinds.append(Kind(kind.name, there.start, (place,), spelled, first_id))
        reader, answer = self.plain_sizes.answer
        said = Variable(answer, self.plain_sizes.size(reader, answer))
        return Shape(
            kinds=tuple(kinds),
            global_variables=(),
            outputs=(Kind("answer", 0, (said,), (), 0),),
            emissions=(Fact("answer", (answer,), reader=reader),),
            vocabulary=self.plain_sizes.vocabulary,
        )

    def document(self) -> dict[str, Any]:
        return definitions_to_document(self.plain_sizes)

    def describe(self, position: int) -> str:
        for name, there in self.plain_sizes.places.items():
            if position in there:
                return f"{name}[{position - there.start}]" if len(there) > 1 else name
        raise IndexError(f"position {position} of {self.prompt_length}")

    def players(self) -> tuple[tuple[str, int], ...]:
        places = self.plain_sizes.places.items()
        return tuple((name, len(there)) for name, there in places if there.start < self.prompt_length)

    def sample(self, seed: int) -> ProgramInstance:
        return next(self.samples(seed, 1))

    def samples(self, seed: int, count: int) -> Iterator[ProgramInstance]:
        return (self.instance(row) for row in self.random_prompts(generator(seed), count))

    def families(self) -> Mapping[str, Callable[[int], Iterator[ProgramInstance]]]:
        """Those that follow from the definitions (`separation.tasks.program.families`)."""
        return {name: partial(self._instances, draw) for name, draw in families(self.plain_sizes).items()}

    def _instances(self, draw: Callable[[int], Iterator[list[int]]], seed: int) -> Iterator[ProgramInstance]:
        return (self.instance(np.array(ids[: self.prompt_length])) for ids in draw(seed))

    def instance(self, prompt: Array) -> ProgramInstance:
        return ProgramInstance(self.plain_sizes, tuple(int(number) for number in prompt))

    def prompt(self, instance: ProgramInstance) -> Array:
        return np.array(instance.ids, dtype=np.int64)

    def instance_document(self, instance: ProgramInstance) -> dict[str, Any]:
        return {"task": TASK, "description": self.document(), "ids": list(instance.ids)}

    def expected(self, instance: ProgramInstance) -> int | tuple[int, ...]:
        found = oracle.answers(self.plain_sizes, instance.ids)
        return tuple(found) if len(found) > 1 else found[0]

    def right_answers(self, prompts: Array) -> Array:
        found = oracle.right_answers(self.plain_sizes, prompts)
        return found if self.answers_every_token else found[:, 0]

    def all_prompts(self, block: int) -> Iterator[Array]:
        rows: list[list[int]] = []
        asked = (tuple(ids[: self.prompt_length]) for ids in oracle.all_inputs(self.plain_sizes))
        for ids, _ in groupby(asked):  # prompts that differ behind the answers only follow each other
            rows.append(list(ids))
            if len(rows) == block:
                yield np.array(rows, dtype=np.int64)
                rows = []
        if rows:
            yield np.array(rows, dtype=np.int64)

    def random_prompts(self, random: np.random.Generator, count: int) -> Array:
        rows = [oracle.random_input(self.plain_sizes, random)[: self.prompt_length] for _ in range(count)]
        return np.array(rows, dtype=np.int64)

    def aimed_prompts(self, random: np.random.Generator, kinds: Collection[str], count: int) -> Iterator[Array]:  # noqa: ARG002
        """Uniform ones and patterns in turn: any token may be asked for."""
        hard = (ids[: self.prompt_length] for ids in patterned(self.plain_sizes, int(random.integers(2**31))))
        while True:
            yield self.random_prompts(random, count)
            yield np.array(list(islice(hard, count)), dtype=np.int64)

    def plainest_prompt(self) -> Array:
        """Zeros, as far as the promises allow them."""
        return np.array(oracle.plainest_input(self.plain_sizes)[: self.prompt_length], dtype=np.int64)


def sizes_from_document(document: object) -> Definitions:
    return definitions_from_document(document)


def from_document(document: object) -> ProgramInstance:
    """The instance of {"task": "program", "description": …, "ids": […]}."""
    description, ids = described_ids(document, TASK)
    return ProgramInstance(definitions_from_document(description), ids)


TASKS: dict[type, Callable[[Any], ProgramTask]] = {Definitions: ProgramTask}
"""The task that belongs to each type of sizes."""
