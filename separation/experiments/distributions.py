"""Inputs to train and to test on: uniform ones, and others that a model trained on those has hardly ever seen.

Prompts are token ids, (count, length). ``adversarial`` draws from the families of hard inputs of the task.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.tasks import task_of
from separation.tasks.funccomp import Sizes
from separation.tasks.funccomp.families import FAMILIES, random_prompts
from separation.tasks.two_sum import FAMILIES as TWO_SUM_FAMILIES
from separation.tasks.two_sum import TwoSumSizes

Prompts = NDArray[np.int64]
POOL_SEEDS, FAMILY_SEEDS = 256, 64
"""Of each family, so many to train on, and to test on."""


def _filled(
    sizes: Sizes, random: np.random.Generator, count: int, fill: Callable[[int, tuple[int, int]], Prompts]
) -> Prompts:
    """Random prompts whose tables hold what ``fill`` makes of (size, shape)."""
    ids = random_prompts(sizes, random, count)
    for level in range(1, sizes.L + 1):
        size, start = sizes.N[level - 1], sizes.table_start(level)
        ids[:, start : start + size] = fill(size, (count, size))
    return ids


def zipf(sizes: Sizes, random: np.random.Generator, count: int) -> Prompts:
    """Values k with probability ∝ 1/(k+1), in every table."""
    return _filled(sizes, random, count, lambda size, shape: _zipf_values(random, shape, size))


def permutation(sizes: Sizes, random: np.random.Generator, count: int) -> Prompts:
    """Every table is one-to-one."""
    return _filled(sizes, random, count, lambda _, shape: random.random(shape).argsort(1))


def repeated(sizes: Sizes, random: np.random.Generator, count: int) -> Prompts:
    """Every table has two values only."""
    return _filled(sizes, random, count, lambda size, shape: _two_values(random, shape, 0, size))


def chain(sizes: Sizes, random: np.random.Generator, count: int) -> Prompts:
    """Every table is one cycle through all of its indices: each entry names the next of a chain."""

    def cycle(_: int, shape: tuple[int, int]) -> Prompts:
        order = random.random(shape).argsort(1)
        found = np.empty(shape, dtype=np.int64)
        np.put_along_axis(found, order, np.roll(order, -1, axis=1), 1)
        return found

    return _filled(sizes, random, count, cycle)


def adversarial(sizes: Sizes | TwoSumSizes, random: np.random.Generator, count: int) -> Prompts:
    """A random member of a random family; how many of 2-Sum have a match is the families' affair."""
    pool = list(family_prompts(sizes).values())
    chosen = random.integers(len(pool), size=count)
    return np.stack([pool[family][random.integers(len(pool[family]))] for family in chosen])


def _zipf_values(random: np.random.Generator, shape: tuple[int, int], size: int) -> Prompts:
    shares = 1 / np.arange(1, size + 1)
    return random.choice(size, size=shape, p=shares / shares.sum())


def _two_values(random: np.random.Generator, shape: tuple[int, int], first: int, stop: int) -> Prompts:
    pair = random.integers(first, stop, size=(shape[0], 2))
    return np.take_along_axis(pair, random.integers(2, size=shape), 1)


@lru_cache(maxsize=4)
def family_prompts(sizes: Sizes | TwoSumSizes, seeds: int = POOL_SEEDS) -> dict[str, Prompts]:
    """Prompts of each family, from the same seeds in every process."""
    families: dict[str, Any] = dict(FAMILIES if isinstance(sizes, Sizes) else TWO_SUM_FAMILIES)
    task = task_of(sizes)
    return {
        name: np.stack([task.prompt(instance) for seed in range(seeds) for instance in family(sizes, seed)])
        for name, family in families.items()
    }


DISTRIBUTIONS: dict[str, Callable[[Sizes, np.random.Generator, int], Prompts]] = {
    "uniform": random_prompts,
    "zipf": zipf,
    "permutation": permutation,
    "repeated": repeated,
    "chain": chain,
    "adversarial": adversarial,
}


# 2-Sum: entries from {1, …, M−1}, then the query x. In half of the prompts x is minus a random entry ("yes").


def two_sum_uniform(sizes: TwoSumSizes, random: np.random.Generator, count: int) -> Prompts:
    """As Theorem D' has it. Yes: uniform entries. No: uniform x and entries, given that nothing matches x."""
    asked = random.integers(1, sizes.modulus, size=count)
    entries = random.integers(1, sizes.modulus - 1, size=(count, sizes.length - 1))
    entries += entries >= sizes.modulus - asked[:, None]
    half = count // 2
    entries[:half] = random.integers(1, sizes.modulus, size=(half, sizes.length - 1))
    asked[:half] = sizes.modulus - entries[np.arange(half), random.integers(sizes.length - 1, size=half)]
    return np.concatenate([entries, asked[:, None]], 1)


def two_sum_zipf(sizes: TwoSumSizes, random: np.random.Generator, count: int) -> Prompts:
    """Entries k with probability ∝ 1/k."""
    return _asked(sizes, random, 1 + _zipf_values(random, (count, sizes.length - 1), sizes.values))


def two_sum_permutation(sizes: TwoSumSizes, random: np.random.Generator, count: int) -> Prompts:
    """Entries that are all different (as far as there are enough values)."""
    order = random.random((count, sizes.values)).argsort(1)
    return _asked(sizes, random, 1 + np.take(order, range(sizes.length - 1), axis=1, mode="wrap"))


def two_sum_chain(sizes: TwoSumSizes, random: np.random.Generator, count: int) -> Prompts:
    """Entries a, a+1, a+2, … in order, from a random a."""
    first = random.integers(sizes.values, size=(count, 1))
    return _asked(sizes, random, 1 + (first + np.arange(sizes.length - 1)) % sizes.values)


def two_sum_repeated(sizes: TwoSumSizes, random: np.random.Generator, count: int) -> Prompts:
    """Entries of two values only."""
    return _asked(sizes, random, _two_values(random, (count, sizes.length - 1), 1, sizes.modulus))


TWO_SUM_DISTRIBUTIONS: dict[str, Callable[[TwoSumSizes, np.random.Generator, int], Prompts]] = {
    "uniform": two_sum_uniform,
    "zipf": two_sum_zipf,
    "permutation": two_sum_permutation,
    "chain": two_sum_chain,
    "repeated": two_sum_repeated,
    "adversarial": adversarial,
}


def _asked(sizes: TwoSumSizes, random: np.random.Generator, entries: Prompts) -> Prompts:
    """Entries with a query: a match in the first half; in the second any x without one (if there is any)."""
    count = len(entries)
    matches = (entries[:, :, None] == sizes.modulus - np.arange(1, sizes.modulus)).any(1)
    asked = np.where(matches, 2.0, random.random(matches.shape)).argmin(1) + 1
    half = count // 2
    asked[:half] = sizes.modulus - entries[np.arange(half), random.integers(entries.shape[1], size=half)]
    return np.concatenate([entries, asked[:, None]], 1)


def asked_elsewhere(problem: Any, kinds: dict[str, Any], device: str) -> dict[str, float]:
    """The accuracy of a trained problem on every distribution and on every adversarial family."""
    found = {}
    for name in kinds:
        correct, tested, _ = problem.tested(name, device)
        found[name] = correct / tested
    families = family_prompts(problem.sizes, FAMILY_SEEDS).items()
    return found | {name: float(problem.right(prompts, device).mean()) for name, prompts in families}
