"""Searches that know beforehand how long a prompt to expect: the fixed point of β begins there."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from separation.bounds.search.two_full_layers import TwoFullLayers, shortest_b2
from separation.bounds.theorems.outcome import Impossibility

GRIDS, GRID_BITS, FINER = 4, 1.0, np.linspace(-1, 1, 9)  # of logarithms: the first one's step, and the next ones
GRID_LOSS = 0.07  # of log2 of the tokens, by which the best of them may be too long


class EstimatedSearch(ABC):
    """The search for given Λ, as a function of β; what real numbers allow takes a small part of its time."""

    @abstractmethod
    def __call__(self, beta: int) -> Impossibility | None:
        """The shortest prompt found, certified; None if none was found."""

    @abstractmethod
    def real_length(self, beta: int) -> float:
        """log2 of its tokens, nearly."""


@dataclass(frozen=True)
class TwoTables(EstimatedSearch):
    """Theorem B2 for given Λ; tables beyond its own are the identity."""

    linear: tuple[int, ...]
    identity_tables: int = 0

    def __call__(self, beta: int) -> Impossibility:
        return shortest_b2(beta, self.linear, self.identity_tables)[0]

    def real_length(self, beta: int) -> float:
        """From below, on grids of n_1, v and x_0: a β that is too large would make the prompt longer."""
        problem = TwoFullLayers(beta, self.linear[1], self.linear[2] - self.linear[1], 1 + self.identity_tables)
        top = (beta + self.linear[2]).bit_length()
        axes = [np.arange(0, bits, GRID_BITS) for bits in (top + 4, top + 1, 2 * top + 8)]
        best = math.inf
        for _ in range(GRIDS):
            n1, v, x0 = np.meshgrid(*(np.unique(np.round(np.exp2(axis))) for axis in axes), indexing="ij")
            cost = problem.cost(problem.least_m(n1, v, x0), n1)
            place = int(np.argmin(cost))
            best = min(best, float(cost.flat[place]))
            axes = [
                np.maximum(0, np.log2(axis.flat[place]) + (axes[0][1] - axes[0][0]) * FINER) for axis in (n1, v, x0)
            ]
        return math.log2(best) - GRID_LOSS
