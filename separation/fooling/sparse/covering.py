"""The random covering that nearly meets Theorem D': a summary names the first random set that contains its block.

2^r random sets of values, each value in each set with probability k/2g; the summary of a block is the number of the
first set that contains all its entries. A query for y opens the first k of the blocks whose set has y: k/2 others in
the mean. Nothing is answered that was not seen, so false alarms are accidental matches only.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf, log2

import numpy as np
from numpy.typing import NDArray

from separation.tasks.checks import require_integer

MAX_SUMMARY_BITS = 16


@dataclass(frozen=True)
class Covering:
    """Blocks of ``block`` = B entries of [u], ``blocks`` = g of them, k = ``opened`` of them opened; r bits each."""

    summary_bits: int
    block: int
    blocks: int
    opened: int
    values: int

    def __post_init__(self) -> None:
        require_integer("summary bits", self.summary_bits, 0, MAX_SUMMARY_BITS)
        for name, value in (("block", self.block), ("blocks", self.blocks), ("values", self.values)):
            require_integer(name, value, 1)
        require_integer("open", self.opened, 1, self.blocks)

    def sets(self, rng: np.random.Generator) -> NDArray[np.bool_]:
        """(2^r, u): which values are in which set."""
        return rng.random((1 << self.summary_bits, self.values)) < self.opened / (2 * self.blocks)

    def summaries(self, sets: NDArray[np.bool_], prompt: NDArray[np.int64]) -> NDArray[np.int64]:
        """(g,): for each block of the prompt (g, B) the first set that contains it; 0 if none does."""
        contains = sets[:, prompt].all(axis=2)
        return np.asarray(contains.argmax(axis=0))

    def answers(self, sets: NDArray[np.bool_], prompt: NDArray[np.int64], value: int) -> bool:
        """Is the value seen in one of the first k blocks whose set has it? It uses nothing else."""
        named = sets[self.summaries(sets, prompt), value]
        seen = prompt[np.flatnonzero(named)[: self.opened]]
        return bool((seen == value).any())


@dataclass(frozen=True)
class Measured:
    """Shares of ``trials`` each: δ = missed matches, ε = values answered yes though drawn independently."""

    covering: Covering
    missed: Fraction
    false_alarms: Fraction
    trials: int

    @property
    def least_bits(self) -> float:
        """B·D_+(1−δ ‖ k/g+ε): what Theorem D' asks of r at the measured errors."""
        chance = Fraction(self.covering.opened, self.covering.blocks) + self.false_alarms
        return self.covering.block * excess_entropy(float(1 - self.missed), float(chance))


def excess_entropy(p: float, q: float) -> float:
    """D_+(p‖q) in bits: 0 unless p > q."""
    if p <= q:
        return 0.0
    if q <= 0:
        return inf
    return p * log2(p / q) + ((1 - p) * log2((1 - p) / (1 - q)) if p < 1 else 0.0)


def measure(covering: Covering, trials: int, seed: int) -> Measured:
    """Runs the scheme on random prompts: the value of a random entry (yes), and an independent one (no)."""
    rng = np.random.default_rng(seed)
    missed = alarms = 0
    sets = covering.sets(rng)  # shared coins, drawn once
    for _ in range(trials):
        prompt = rng.integers(covering.values, size=(covering.blocks, covering.block))
        present = int(prompt[rng.integers(covering.blocks), rng.integers(covering.block)])
        missed += not covering.answers(sets, prompt, present)
        alarms += covering.answers(sets, prompt, int(rng.integers(covering.values)))
    return Measured(covering, Fraction(missed, trials), Fraction(alarms, trials), trials)


__all__ = ["Covering", "Measured", "excess_entropy", "measure"]
