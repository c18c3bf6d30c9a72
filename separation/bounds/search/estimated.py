"""Searches that know beforehand how long a prompt to expect: the fixed point of β begins there."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from separation.bounds.search.two_full_layers import TwoFullLayers, shortest_b2
from separation.bounds.theorems.outcome import Impossibility

GRID_BITS, GRID_LOSS = 0.5, 0.6  # steps of a grid of logarithms; and by how much its best prompt may be too long


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
        """From below, on a coarse grid of n_1, v and x_0: a β that is too large would make the prompt longer."""
        problem = TwoFullLayers(beta, self.linear[1], self.linear[2] - self.linear[1], 1 + self.identity_tables)
        top = (beta + self.linear[2]).bit_length()
        axes = [np.unique(np.round(np.exp2(np.arange(0, bits, GRID_BITS)))) for bits in (top + 4, top + 1, 2 * top + 8)]
        n1, v, x0 = (axis.ravel() for axis in np.meshgrid(*axes, indexing="ij"))
        return math.log2(float(np.min(problem.cost(problem.least_m(n1, v, x0), n1)))) - GRID_LOSS
