"""What is asked, stage by stage: the same prompts in the same order for the same plan.

| stage | prompts |
|---|---|
| exhaustive-small | every input of small sizes |
| adversarial-family | the families of the task, and prompts that ask for every address and every value |
| metamorphic | pairs: an instance and a changed one, whose answers have to do with each other |
| random | uniform inputs, and of a task whose uniform inputs are one-sided as many balanced ones |
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any
from zlib import crc32

import numpy as np

from separation.tasks import AnyTask, TaskSizes
from separation.tasks.task import Array
from separation.testing.relations import Holds, relations_of
from separation.testing.subjects import families_of, plain_task

EXHAUSTIVE, ADVERSARIAL, METAMORPHIC, RANDOM = "exhaustive-small", "adversarial-family", "metamorphic", "random"
STAGES = (EXHAUSTIVE, ADVERSARIAL, METAMORPHIC, RANDOM)
AIMED = "every_address_and_value"
UNIFORM = "uniform"
ALL = "all_inputs"
BLOCK = 1024
"""Prompts of one block of the plan."""
BLOCK_TOKENS = 1 << 18


@dataclass(frozen=True)
class Block:
    """Prompts of one task that are asked together; with ``pairs`` rows 2k and 2k+1 are a pair."""

    stage: str
    family: str
    task: AnyTask
    prompts: Array
    start: int = 0
    pairs: tuple[Holds, ...] = ()

    @property
    def length(self) -> int:
        return self.task.prompt_length

    def name(self, row: int, seed: int) -> str:
        """What names this prompt among all of a plan."""
        return f"{self.task.label}-{self.stage}-{self.family}-{self.start + row}-s{seed}"


@dataclass(frozen=True)
class Plan:
    """Sizes, and how many prompts of each stage at each of them.

    ``exhaustive``: sizes with at most that many inputs are asked in full; ``family_seeds``: how often each family is
    drawn; ``aimed``, ``pairs`` (of each relation) and ``random``: how many.
    """

    sizes: tuple[TaskSizes, ...]
    small: tuple[TaskSizes, ...] = ()
    seed: int = 0
    exhaustive: int = 1 << 13
    family_seeds: int = 4
    aimed: int = 512
    pairs: int = 64
    random: int = 1024

    def blocks(self, stage: str, sizes: TaskSizes) -> Iterator[Block]:
        """The prompts of a stage at one of its sizes."""
        return _MAKERS[stage](self, sizes)

    def count(self, seconds: float) -> int | None:
        """The prompts of all stages; None if there are more than can be counted in so many seconds."""
        ends, found = time.monotonic() + seconds, 0
        for stage in STAGES:
            for sizes in self.sizes_in(stage):
                for block in self.blocks(stage, sizes):
                    found += len(block.prompts)
                    if time.monotonic() > ends:
                        return None
        return found

    def sizes_in(self, stage: str) -> tuple[TaskSizes, ...]:
        """The sizes of a stage, the shortest prompts first; of the first stage those of which every input is asked."""
        if stage != EXHAUSTIVE:
            return _shortest_first(self.sizes)
        every = dict.fromkeys((*self.small, *self.sizes))
        few = (sizes for sizes in every if plain_task(sizes).has_at_most(self.exhaustive))
        return _shortest_first(few)


def _exhaustive(plan: Plan, sizes: TaskSizes) -> Iterator[Block]:  # noqa: ARG001
    task = plain_task(sizes)
    return _numbered(EXHAUSTIVE, ALL, task, task.all_prompts(BLOCK))


def _adversarial(plan: Plan, sizes: TaskSizes) -> Iterator[Block]:
    task = plain_task(sizes)
    for name, family in families_of(sizes).items():
        cases = (case for number in range(plan.family_seeds) for case in family(plan.seed + number))
        yield from _numbered(ADVERSARIAL, name, task, _stacked(task, cases))
    if plan.aimed:
        drawn = task.aimed_prompts(_source(plan.seed, sizes, AIMED), (), _at_once(task))
        prompts = islice((prompt for block in drawn for prompt in block), plan.aimed)
        yield from _numbered(ADVERSARIAL, AIMED, task, map(np.stack, _some(prompts, task)))


def _metamorphic(plan: Plan, sizes: TaskSizes) -> Iterator[Block]:
    task = plain_task(sizes)
    for name, relation in relations_of(sizes).items():
        source, start = _source(plan.seed, sizes, name), 0
        cases = islice(task.samples(plan.seed + _number(name), plan.pairs), plan.pairs)
        for some in _some(cases, task):
            pairs = [relation(case, source) for case in some]
            prompts = np.stack([task.prompt(case) for pair in pairs for case in (pair.first, pair.second)])
            yield Block(METAMORPHIC, name, task, prompts, start, tuple(pair.holds for pair in pairs))
            start += len(prompts)


def _random(plan: Plan, sizes: TaskSizes) -> Iterator[Block]:
    task, source = plain_task(sizes), _source(plan.seed, sizes, UNIFORM)
    if task.answers_every_token:  # of such a task uniform inputs may be one-sided
        return _numbered(RANDOM, UNIFORM, task, _stacked(task, task.samples(plan.seed, -(-plan.random // 2))))
    counts = (min(_at_once(task), plan.random - done) for done in range(0, plan.random, _at_once(task)))
    return _numbered(RANDOM, UNIFORM, task, (task.random_prompts(source, count) for count in counts))


def _numbered(stage: str, family: str, task: AnyTask, parts: Iterable[Array]) -> Iterator[Block]:
    """Blocks of a family, whose prompts are counted through."""
    start = 0
    for prompts in parts:
        yield Block(stage, family, task, prompts, start)
        start += len(prompts)


_MAKERS = {EXHAUSTIVE: _exhaustive, ADVERSARIAL: _adversarial, METAMORPHIC: _metamorphic, RANDOM: _random}


def _shortest_first(sizes: Any) -> tuple[TaskSizes, ...]:
    return tuple(sorted(sizes, key=lambda each: plain_task(each).prompt_length))


def _at_once(task: AnyTask) -> int:
    return max(1, min(BLOCK, BLOCK_TOKENS // task.prompt_length))


def _some(cases: Iterator[Any], task: AnyTask) -> Iterator[list[Any]]:
    while some := list(islice(cases, _at_once(task))):
        yield some


def _stacked(task: AnyTask, cases: Iterator[Any]) -> Iterator[Array]:
    """The prompts of instances, block by block."""
    return (np.stack([task.prompt(case) for case in some]) for some in _some(cases, task))


def _number(name: str) -> int:
    return crc32(name.encode())


def _source(seed: int, sizes: TaskSizes, name: str) -> np.random.Generator:
    """A random source for each family of each sizes: what is drawn for one does not move the others."""
    return np.random.default_rng([seed, _number(f"{sizes}"), _number(name)])
