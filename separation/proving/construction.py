"""A construction: exact weights for a task at given sizes, with the invariants that prove them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from separation.arithmetic import ExactMatrix
from separation.models import Model, change_basis
from separation.proving.invariants import Stage, change_invariant_basis
from separation.tasks.catalogue import Task, shape_of
from separation.tasks.shape import Shape


@dataclass(frozen=True)
class Construction:
    """``stages[k]`` holds after layer k; ``stages[0]`` of the embedding."""

    name: str
    sizes: Task
    model: Model
    stages: Sequence[Stage]

    @property
    def shape(self) -> Shape:
        return shape_of(self.sizes, self.model.causal)

    def in_basis(self, basis: ExactMatrix) -> Construction:
        """The same construction in the coordinates y = T x, T exact and invertible."""
        stages = change_invariant_basis(self.stages, basis)
        return replace(self, model=change_basis(self.model, basis), stages=stages)
