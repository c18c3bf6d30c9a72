"""A stock target: a construction in the layout of a class of transformers, and a bound on the error of its logits."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np
from flint import arb
from numpy.typing import NDArray

from separation.arithmetic import upper_fraction
from separation.files import InputError
from separation.numeric.stock_folder import Checkpoint
from separation.tasks.funccomp import Sizes

MAX_TOKENS_ASKED = 2**40

Array = NDArray[np.float64]
Tensors = dict[str, NDArray[np.floating[Any]]]
Layout = tuple[dict[str, Any], Tensors]
"""The fields of config.json, and the tensors by the names of the class's state dictionary."""


class NoBound(Exception):
    """A step of the argument for a bound that does not go through; the text says which."""


def float_above(number: arb) -> float:
    """A float that is at least the number."""
    bound = upper_fraction(number)
    nearest = float(bound)
    return nearest if nearest >= bound else math.nextafter(nearest, math.inf)


@dataclass(frozen=True)
class Certificate:
    """Every logit of the last row is within ``bound`` of what it is in exact arithmetic, for every input.

    The answer is the argmax for every input when ``lead``, what the distance of the right logit to another one can
    lose, is below ``margin``, the least such distance; ``lead`` is 2·bound unless a target knows better. ``bound`` is
    None, and ``reason`` says why, where the argument does not go through. ``layers`` holds the errors after each layer
    and ``further`` what else a target has to say, both as they stand in a document; ``up_to`` names what the bound
    leaves open.
    """

    margin: float
    bound: float | None
    layers: tuple[Any, ...] = ()
    reason: str = ""
    lead: float | None = None
    dtype: str | None = None
    further: Mapping[str, float | None] = field(default_factory=dict)
    up_to: str = ""

    @property
    def ok(self) -> bool:
        return self.bound is not None and (2 * self.bound if self.lead is None else self.lead) < self.margin

    def refused(self, reason: str) -> Certificate:
        """The certificate without its bound."""
        return replace(self, bound=None, layers=(), reason=reason, lead=None, further=dict.fromkeys(self.further))

    def document(self) -> dict[str, Any]:
        dtype = {} if self.dtype is None else {"dtype": self.dtype}
        facts = {"certified": self.ok, "logit_margin": self.margin, "logit_bound": self.bound}
        layers = {"errors_after_layer": list(self.layers)}
        return {**dtype, **facts, **self.further, **layers, "reason": self.reason or None}


class Plan(Protocol):
    """What the weights are made of, at given sizes."""

    @property
    def sizes(self) -> Sizes: ...


PlanType = TypeVar("PlanType", bound=Plan)


class Target(ABC, Generic[PlanType]):
    """One stock class: what it is built from, its config.json and tensors, and what is certified of them.

    The module of a target has one as ``TARGET``; the name of the module is what ``export --to`` takes.
    """

    construction: ClassVar[str]
    """The construction that it holds, such as C1."""

    @abstractmethod
    def plan(self, sizes: Sizes) -> PlanType:
        """Slots and numbers; InputError where there are none at these sizes."""

    @abstractmethod
    def layout(self, plan: PlanType) -> Layout:
        """The fields of config.json, of which any other is left to the default of the class; and the tensors."""

    @abstractmethod
    def bound(self, plan: PlanType, dtype: str) -> Certificate:
        """What is certified of the plan's weights when they are run in ``dtype``."""

    def ideal_logits(self, plan: PlanType, answers: NDArray[np.int64]) -> Array | None:  # noqa: ARG002
        """The last logits in exact arithmetic, a row for each answer; None if the target cannot tell."""
        return None

    def checkpoint(self, plan: PlanType) -> Checkpoint:
        return Checkpoint(self.construction, plan.sizes, *self.layout(plan))

    def build(self, sizes: Sizes) -> Checkpoint:
        return self.checkpoint(self.plan(sizes))

    def certify(self, checkpoint: Checkpoint, dtype: str = "float32") -> Certificate:
        """The certificate of the tensors themselves, when they are run in ``dtype``."""
        plan = self.plan(checkpoint.sizes)
        config, tensors = self.layout(plan)
        certificate = self.bound(plan, dtype)
        if name := first_difference(checkpoint.config, config):
            return certificate.refused(f"{name} of the config is not that of the construction")
        name = first_difference(checkpoint.tensors, tensors)
        return certificate.refused(f"{name} is not that of the construction") if name else certificate

    def certified_tokens(self, levels: int, dtype: str = "float32") -> int | None:
        """The longest prompt with m = n_1 = … a power of two that is certified with all shorter ones; None: not one."""
        found, wanted = None, 1
        while wanted <= MAX_TOKENS_ASKED:
            sizes = Sizes.for_tokens(levels, wanted)
            try:
                plan = self.plan(sizes)
            except InputError:
                break
            if not self.bound(plan, dtype).ok:
                break
            found, wanted = sizes.length, sizes.length + 1
        return found


def first_difference(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> str | None:
    """The first name, in order, that only one of them has or that stands for something else in each; or None."""
    shared = found.keys() & wanted.keys()
    names = sorted(found.keys() | wanted.keys())
    return next((name for name in names if name not in shared or not _same(found[name], wanted[name])), None)


def _same(one: object, other: object) -> bool:
    return np.array_equal(one, other) if isinstance(other, np.ndarray) else one == other  # type: ignore[arg-type]
