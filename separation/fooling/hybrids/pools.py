"""Which tables of each player a decomposition looks at: all of them, or random ones."""

from __future__ import annotations

from math import prod

import numpy as np
from numpy.typing import NDArray

from separation.fooling.tables import numbered_tables, table_count
from separation.tasks.funccomp import Sizes

EXPLICIT = 10**7
"""Tables (z_L, …, z_ℓ) up to which all of them are looked at."""
SAMPLED, SAMPLED_LOWER = 1 << 17, 64
"""Beyond: about so many in all, and so many of each later player where not even all z_L are looked at."""


def table_pools(sizes: Sizes, seed: int) -> list[NDArray[np.int64]]:
    """For each player 1..L its tables: all of players L, L−1, … as long as |A_{≥ℓ}| ≤ EXPLICIT, then random ones."""
    looked_at, whole = 1, 0
    for size in reversed(sizes.N):
        count = table_count(size, EXPLICIT // looked_at)
        if count is None:
            break
        looked_at, whole = looked_at * count, whole + 1
    later = sizes.L - whole if whole else sizes.L - 1
    most = max(2, int((SAMPLED // looked_at) ** (1 / max(1, later)))) if whole else SAMPLED_LOWER
    pools = [_pool(size, most, seed, level) for level, size in enumerate(sizes.N[:later], 1)]
    if not whole:
        most = max(SAMPLED_LOWER, SAMPLED // prod(map(len, pools)))
        return [*pools, _pool(sizes.N[-1], most, seed, sizes.L)]
    return [*pools, *(_pool(size, EXPLICIT, seed, 0) for size in sizes.N[later:])]


def is_whole(pool: NDArray[np.int64]) -> bool:
    """Whether these are all tables of their size."""
    return len(pool) == table_count(pool.shape[1], EXPLICIT)


def _pool(size: int, most: int, seed: int, level: int) -> NDArray[np.int64]:
    count = table_count(size, most)
    if count is not None:
        return numbered_tables(size, np.arange(count))
    return np.unique(np.random.default_rng([seed, 13, level]).integers(size, size=(most, size)), axis=0)
