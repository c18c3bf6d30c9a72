"""Which theorem applies to a word, what its levels cover, and which tables of each player are looked at."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from separation.bounds import Recursion, Rule, run_recursion
from separation.fooling.birthday import numbered_tables, table_count
from separation.models import Model
from separation.protocol import Public
from separation.tasks.funccomp import Sizes


@dataclass(frozen=True)
class Rungs:
    """The levels 1..L of Theorem A or B for one model: how many of its layers each covers, and D_ℓ, Θ_{ℓ-1}.

    Theorem A is about L − 1 full layers; a word with fewer is padded in front with ``idle`` ones.
    """

    rule: Rule
    idle: int
    starts: tuple[int, ...]
    ladder: Recursion

    def layers(self, level: int) -> int:
        """Level ℓ covers ℓ − 1 full layers (B: ℓ) and the R layers up to the next full one."""
        full = level - 1 + self.rule.more_layers - self.idle
        return 0 if full < 0 else self.starts[min(full, len(self.starts) - 1)]

    def query_only(self, level: int) -> bool:
        """Theorem B's first level is about what the query hears, and nobody else."""
        return self.rule is Rule.B and level == 1


def rungs(model: Model, sizes: Sizes, kept: tuple[int, ...]) -> Rungs | None:
    """None if the word can solve the task, has no full layer (Theorem C), or its messages have no fixed size.

    where ``kept`` are x_0..x_{L-1}, the inputs that are kept of each player.
    """
    public = Public(model, sizes.length)
    word, L = public.word, sizes.L
    if not word.full or word.depth >= L or not public.on_grid:
        return None
    rule = Rule.B if word.full == L else Rule.A
    idle = 0 if rule is Rule.B else L - 1 - word.full
    state_bits = (0,) * idle + public.cumulative_bits
    ladder = run_recursion(rule, max(public.betas.values()), state_bits, sizes.m, sizes.n, kept)
    return Rungs(rule, idle, _starts(model), ladder)


def _starts(model: Model) -> tuple[int, ...]:
    """How many layers stand before the first full one, before the second, …, and in all."""
    full = [number for number, layer in enumerate(model.layers) if "F" in layer.letter]
    return (*full, len(model.layers))


EXPLICIT = 10**7
"""Tables (z_L, …, z_ℓ) up to which all of them are looked at."""
SAMPLED, SAMPLED_LOWER = 1 << 17, 64
"""Beyond that: about this many in all, and this many of each later player where not even all z_L are looked at."""


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
