"""Inputs to train and to test on: uniform ones, and others that a model trained on those has hardly ever seen.

Prompts are token ids, (count, length). ``adversarial`` draws from the families of hard inputs of the task.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
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


Shape = tuple[int, int]


def zipf(random: np.random.Generator, shape: Shape, size: int) -> Prompts:
    """Values k with probability ∝ 1/(k+1)."""
    shares = 1 / np.arange(1, size + 1)
    return random.choice(size, size=shape, p=shares / shares.sum())


def permutation(random: np.random.Generator, shape: Shape, size: int) -> Prompts:
    """Values that are all different (as far as there are enough)."""
    return np.take(random.random((shape[0], size)).argsort(1), range(shape[1]), axis=1, mode="wrap")


def repeated(random: np.random.Generator, shape: Shape, size: int) -> Prompts:
    """Two values only."""
    pair = random.integers(size, size=(shape[0], 2))
    return np.take_along_axis(pair, random.integers(2, size=shape), 1)


def cycle(random: np.random.Generator, shape: Shape, size: int) -> Prompts:
    """A table that is one cycle through all of its indices: each entry names the next of a chain."""
    order = permutation(random, shape, size)
    found = np.empty(shape, dtype=np.int64)
    np.put_along_axis(found, order, np.roll(order, -1, axis=1), 1)
    return found


def ascending(random: np.random.Generator, shape: Shape, size: int) -> Prompts:
    """a, a+1, a+2, … in order, from a random a."""
    found: Prompts = (random.integers(size, size=(shape[0], 1)) + np.arange(shape[1])) % size
    return found


def _tables(kind: Callable[..., Prompts], sizes: Sizes, random: np.random.Generator, count: int) -> Prompts:
    """Random prompts with tables of this kind."""
    ids = random_prompts(sizes, random, count)
    for level in range(1, sizes.L + 1):
        size, start = sizes.N[level - 1], sizes.table_start(level)
        ids[:, start : start + size] = kind(random, (count, size), size)
    return ids


def adversarial(sizes: Sizes | TwoSumSizes, random: np.random.Generator, count: int) -> Prompts:
    """A random member of a random family; how many of 2-Sum have a match is the families' affair."""
    pool = list(family_prompts(sizes).values())
    chosen = random.integers(len(pool), size=count)
    return np.stack([pool[family][random.integers(len(pool[family]))] for family in chosen])


@lru_cache(maxsize=4)
def family_prompts(sizes: Sizes | TwoSumSizes, seeds: int = POOL_SEEDS) -> dict[str, Prompts]:
    """Prompts of each family, from the same seeds in every process."""
    families: dict[str, Any] = dict(FAMILIES if isinstance(sizes, Sizes) else TWO_SUM_FAMILIES)
    task = task_of(sizes)
    return {
        name: np.stack([task.prompt(instance) for seed in range(seeds) for instance in family(sizes, seed)])
        for name, family in families.items()
    }


COMMON = {"zipf": zipf, "permutation": permutation, "repeated": repeated}
DISTRIBUTIONS: dict[str, Callable[[Sizes, np.random.Generator, int], Prompts]] = {
    "uniform": random_prompts,
    **{name: partial(_tables, kind) for name, kind in (COMMON | {"chain": cycle}).items()},
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


def _entries(kind: Callable[..., Prompts], sizes: TwoSumSizes, random: np.random.Generator, count: int) -> Prompts:
    """Entries of this kind with a query: a match in the first half; then any x without one (if there is any)."""
    entries = 1 + kind(random, (count, sizes.length - 1), sizes.values)
    matches = (entries[:, :, None] == sizes.modulus - np.arange(1, sizes.modulus)).any(1)
    asked = np.where(matches, 2.0, random.random(matches.shape)).argmin(1) + 1
    half = count // 2
    asked[:half] = sizes.modulus - entries[np.arange(half), random.integers(entries.shape[1], size=half)]
    return np.concatenate([entries, asked[:, None]], 1)


TWO_SUM_DISTRIBUTIONS: dict[str, Callable[[TwoSumSizes, np.random.Generator, int], Prompts]] = {
    "uniform": two_sum_uniform,
    **{name: partial(_entries, kind) for name, kind in (COMMON | {"chain": ascending}).items()},
    "adversarial": adversarial,
}


def asked_elsewhere(problem: Any, device: str) -> dict[str, float]:
    """The accuracy of a trained problem on every distribution and on every adversarial family."""
    found = {}
    for name in DISTRIBUTIONS:  # 2-Sum has the same names
        correct, tested, _ = problem.tested(name, device)
        found[name] = correct / tested
    families = family_prompts(problem.sizes, FAMILY_SEEDS).items()
    return found | {name: float(problem.right(prompts, device).mean()) for name, prompts in families}
