"""Metamorphic relations: how an input may be changed, and what the change must do to the answer.

A relation makes of an instance another one, and says what the two answers have to do with each other. It asks no
oracle: a solver that breaks it is wrong about one of the two, whatever the right answer is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from separation.tasks import AnyTask, TaskSizes
from separation.tasks.funccomp import Instance as FuncCompInstance
from separation.tasks.funccomp import asked_addresses
from separation.tasks.two_sum import TwoSumInstance
from separation.testing.replies import Answer
from separation.testing.subjects import plain_task, task_name

Random = np.random.Generator
Holds = Callable[[Answer, Answer], bool]


@dataclass(frozen=True)
class Pair:
    """An instance, its changed twin, and whether two answers fit together."""

    first: Any
    second: Any
    holds: Holds


Relation = Callable[[Any, Random], Pair]


def same(first: Answer, second: Answer) -> bool:
    return first == second


def different(first: Answer, second: Answer) -> bool:
    return first != second


def renamed_values(case: FuncCompInstance, random: Random) -> Pair:
    """z_L' = σ ∘ z_L for a permutation σ of [N_{L-1}]: the answer a becomes σ(a)."""
    sigma = random.permutation(case.sizes.N[-1])
    tables = [*case.tables[:-1], sigma[np.array(case.tables[-1])]]
    other = FuncCompInstance(case.sizes, case.z0, tables, case.w)
    names: list[int] = sigma.tolist()
    return Pair(case, other, lambda a, b: isinstance(a, int) and 0 <= a < len(names) and b == names[a])


def unread_entries(case: FuncCompInstance, random: Random) -> Pair:
    """Every entry that is not asked is drawn again: the answer stays."""
    tables = []
    for table, place, size in zip(case.tables, asked_addresses(case), case.sizes.N, strict=True):
        other = random.integers(size, size=size)
        other[place] = table[place]
        tables.append(other)
    return Pair(case, FuncCompInstance(case.sizes, case.z0, tables, case.w), same)


def asked_entry(case: FuncCompInstance, random: Random) -> Pair:
    """The asked entry of the last table is changed: the answer changes."""
    last = np.array(case.tables[-1])
    place, size = asked_addresses(case)[-1], case.sizes.N[-1]
    last[place] = (last[place] + random.integers(1, size)) % size
    return Pair(case, FuncCompInstance(case.sizes, case.z0, [*case.tables[:-1], last], case.w), different)


def permuted_addresses(case: FuncCompInstance, random: Random) -> Pair:
    """Hop i_ℓ, ℓ < L, is renamed in the values of table ℓ and in the addresses of the next: the answer stays.

    ℓ = 0 renames z_0 and the addresses of table 1.
    """
    sizes, level = case.sizes, int(random.integers(case.sizes.L))
    tables = [np.array(table) for table in case.tables]
    count = sizes.m if level == 0 else sizes.N[level - 1]
    pi = random.permutation(count)
    z0 = int(pi[case.z0]) if level == 0 else case.z0
    if level > 0:
        tables[level - 1] = pi[tables[level - 1]]
    following = tables[level].reshape(-1, count)
    moved = np.empty_like(following)
    moved[:, pi] = following
    tables[level] = moved.reshape(-1)
    return Pair(case, FuncCompInstance(sizes, z0, tables, case.w), same)


def scaled_values(case: TwoSumInstance, random: Random) -> Pair:
    """Every x is multiplied by the same unit of Z_M: all answers stay."""
    modulus = case.sizes.modulus
    factor = 1
    for _ in range(8):
        tried = int(random.integers(1, modulus))
        if np.gcd(tried, modulus) == 1:
            factor = tried
    x = [value * factor % modulus for value in case.x]
    return Pair(case, TwoSumInstance(case.sizes, x), same)


def permuted_earlier(case: TwoSumInstance, random: Random) -> Pair:
    """All but the last number in another order: the last answer stays."""
    order = random.permutation(len(case.x) - 1)
    x = [*(case.x[place] for place in order), case.x[-1]]
    return Pair(case, TwoSumInstance(case.sizes, x), lambda a, b: _last(a) == _last(b))


def later_numbers(case: TwoSumInstance, random: Random) -> Pair:
    """Numbers behind a place are drawn again: answers up to that place stay."""
    keep = int(random.integers(1, len(case.x) + 1))
    x = np.array(case.x)
    x[keep:] = random.integers(1, case.sizes.modulus, size=len(x) - keep)
    other = TwoSumInstance(case.sizes, x)
    return Pair(case, other, lambda a, b: _prefix(a, keep) == _prefix(b, keep))


def removed_match(case: TwoSumInstance, random: Random) -> Pair:
    """x_n gets a match where it has none, or loses all that it has: the last answer changes, unless n = 1."""
    modulus, wanted = case.sizes.modulus, case.sizes.modulus - case.x[-1]
    x = list(case.x)
    if len(x) == 1:
        return Pair(case, case, same)
    if wanted in x[:-1]:
        x = [modulus - value if value == wanted else value for value in x[:-1]] + x[-1:]
    else:
        x[int(random.integers(len(x) - 1))] = wanted
    return Pair(case, TwoSumInstance(case.sizes, x), lambda a, b: _last(a) != _last(b))


def one_token(task: AnyTask, case: Any, random: Random) -> Pair:
    """For any task: one token is taken from another prompt. The answer changes exactly if the oracle's does."""
    ids = task.prompt(case)
    other = ids.copy()
    place = int(random.integers(len(ids)))
    other[place] = task.random_prompts(random, 1)[0, place]
    try:
        second = task.instance(other)
    except ValueError:  # a token that cannot stand here beside the others
        second = case
    return Pair(case, second, same if task.expected(case) == task.expected(second) else different)


RELATIONS: dict[str, tuple[Relation, ...]] = {
    "funccomp": (renamed_values, unread_entries, asked_entry, permuted_addresses),
    "two_sum": (scaled_values, permuted_earlier, later_numbers, removed_match),
}


def relations_of(sizes: TaskSizes) -> dict[str, Relation]:
    """The relations of a task by name; every task has `one_token`."""
    task = plain_task(sizes)
    own = {relation.__name__: relation for relation in RELATIONS.get(task_name(sizes), ())}
    return {**own, "one_token": lambda case, random: one_token(task, case, random)}


def _last(answer: Answer) -> int:
    return answer[-1] if isinstance(answer, tuple) else answer


def _prefix(answer: Answer, keep: int) -> Answer:
    return answer[:keep] if isinstance(answer, tuple) else answer
