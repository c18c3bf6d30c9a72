"""Seeds: the same seed gives the same inputs, and more of them only adds to the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np

from separation.tasks.checks import require_integer

Sizes = TypeVar("Sizes")
Instance = TypeVar("Instance")


def generator(seed: int) -> np.random.Generator:
    """The random source of a seed ≥ 0."""
    return np.random.default_rng(require_integer("seed", seed, 0))


def draws(
    draw: Callable[[Sizes, np.random.Generator], Instance], sizes: Sizes, seed: int, count: int
) -> Iterator[Instance]:
    """``count`` independent draws from the source of the seed."""
    random = generator(seed)
    for _ in range(require_integer("count", count, 0)):
        yield draw(sizes, random)
