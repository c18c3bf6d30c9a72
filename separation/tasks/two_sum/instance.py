"""The sizes of 2-Sum and what follows from them; one input, and its outputs by definition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import integer_from_json
from separation.files import InputError
from separation.tasks.checks import (
    CountedInputs,
    require_integer,
    require_integers,
    require_keys,
    shown,
)
from separation.tasks.shape import Kind, Shape, Variable, bit_count

Integers: TypeAlias = Sequence[int] | NDArray[np.integer[Any]]

# Above this an input is not built: it is made of Python integers, some forty bytes each.
MAX_LENGTH = 2**24
# The largest modulus whose values are numbers of 64 bits, and so can stand in an array.
MAX_ARRAY_MODULUS = 2**63 - 1


@dataclass(frozen=True)
class TwoSumSizes(CountedInputs):
    """x_1, …, x_n ∈ {1..M−1}, where n ≥ 1 is the ``length`` and the ``modulus`` M ≥ 3 is odd.

    M is odd, so 2x ≡ 0 (mod M) has no solution among the values: nothing matches itself.

    >>> from separation import TwoSumSizes
    >>> TwoSumSizes(5, 9).values
    8
    """

    length: int
    modulus: int

    def __post_init__(self) -> None:
        require_integer("length", self.length, 1)
        require_integer("modulus", self.modulus, 3)
        if self.modulus % 2 == 0:
            raise InputError(f"modulus is {shown(self.modulus)}; an odd integer is needed")

    @property
    def values(self) -> int:
        """M − 1: how many values one x_i can take."""
        return self.modulus - 1

    @property
    def code_bits(self) -> int:
        """b = ⌈log2 M⌉: the bits of a value's binary code."""
        return bit_count(self.modulus)

    def shape(self) -> Shape:
        """n tokens x, each with its number y = M − x; the id of a token is x. Asked everywhere: did y come before?"""
        value, mirror = Variable("x", self.modulus), Variable("y", self.modulus)
        token = Kind("x", 0, (Variable("position", self.length),), (value,), first_id=0, mirror=mirror)
        answers = Kind("answer", 0, (Variable("answer", 2),), (), 0)
        return Shape((token,), (), (answers,), (), self.modulus, search=True)

    @property
    def input_powers(self) -> tuple[tuple[int, int], ...]:
        """(M−1)^n."""
        return ((self.values, self.length),)


@dataclass(frozen=True, init=False)
class TwoSumInstance:
    """(x_1, …, x_n) with x_i ∈ {1..M−1}.

    ``x[i-1]`` is x_i: positions count from 0. Tuples, lists and integer arrays are accepted; a tuple is kept.
    """

    sizes: TwoSumSizes
    x: tuple[int, ...]

    def __init__(self, sizes: TwoSumSizes, x: Integers) -> None:
        if not isinstance(sizes, TwoSumSizes):
            raise InputError(f"sizes is {shown(sizes)}; TwoSumSizes are needed")
        object.__setattr__(self, "sizes", sizes)
        object.__setattr__(self, "x", require_integers("x", x, sizes.length, 1, sizes.modulus - 1))


def outputs(instance: TwoSumInstance) -> tuple[int, ...]:
    """At each i: 1 if some j ≤ i has x_i + x_j ≡ 0 (mod M), otherwise 0."""
    seen: set[int] = set()
    result = []
    for value in instance.x:
        seen.add(value)
        result.append(int(instance.sizes.modulus - value in seen))
    return tuple(result)


def batch_outputs(sizes: TwoSumSizes, xs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Row r holds the outputs of the input that is row r of ``xs`` (inputs × length).

    v and M − v are the two sides of one pair {v, M−v}. A stable sort by pair puts the values of each pair into a run,
    in prompt order; x_i has a match exactly when both sides stand in its run at or before it.
    """
    _require_values(sizes, xs)
    opposite = sizes.modulus - xs
    order = np.argsort(np.minimum(xs, opposite), axis=1, kind="stable")
    pair = np.take_along_axis(np.minimum(xs, opposite), order, axis=1)
    side = np.take_along_axis(xs < opposite, order, axis=1)
    place = np.broadcast_to(np.arange(sizes.length), xs.shape)

    begins = np.ones(xs.shape, dtype=bool)
    begins[:, 1:] = pair[:, 1:] != pair[:, :-1]
    run_start = np.maximum.accumulate(np.where(begins, place, 0), axis=1)
    other_side = side != np.take_along_axis(side, run_start, axis=1)
    last_other_side = np.maximum.accumulate(np.where(other_side, place, -1), axis=1)

    result = np.empty(xs.shape, dtype=np.int64)
    np.put_along_axis(result, order, (last_other_side >= run_start).astype(np.int64), axis=1)
    return result


def require_buildable(sizes: TwoSumSizes) -> None:
    """n ≤ MAX_LENGTH and M ≤ MAX_ARRAY_MODULUS: asked before anything is drawn, so that a slip does no harm."""
    if sizes.length > MAX_LENGTH:
        raise InputError(f"length is {shown(sizes.length)}; inputs of at most {MAX_LENGTH} are built")
    require_integer("modulus", sizes.modulus, 3, MAX_ARRAY_MODULUS)


def _require_values(sizes: TwoSumSizes, xs: NDArray[np.int64]) -> None:
    require_integer("modulus", sizes.modulus, 3, MAX_ARRAY_MODULUS)
    if xs.ndim != 2 or xs.shape[1] != sizes.length:
        raise InputError(f"xs has shape {xs.shape}; (inputs, {sizes.length}) is needed")
    if xs.dtype != np.int64:
        raise InputError(f"xs has the type {xs.dtype}; int64 is needed")
    bad = np.argwhere((xs < 1) | (xs >= sizes.modulus))
    if bad.size:
        row, place = bad[0].tolist()
        require_integer(f"xs[{row}, {place}]", int(xs[row, place]), 1, sizes.modulus - 1)


TASK = "two_sum"
_KEYS = ("task", "modulus", "x")


def sizes_from_document(document: object) -> TwoSumSizes:
    """The sizes in {"task": "two_sum", "length": …, "modulus": …}."""
    if not isinstance(document, dict) or set(document) != {"task", "length", "modulus"}:
        raise InputError(f"task is {shown(document)}; an object with the keys task, length, modulus is needed")
    return TwoSumSizes(*(integer_from_json(document[key], f"task.{key}") for key in ("length", "modulus")))


def to_document(instance: TwoSumInstance) -> dict[str, Any]:
    """The instance as an object that JSON can write."""
    return {"task": TASK, "modulus": instance.sizes.modulus, "x": list(instance.x)}


def from_document(document: object) -> TwoSumInstance:
    """The instance of a document; whatever is wrong with it is refused with the name of the field."""
    document = require_keys(document, TASK, _KEYS)
    x = document["x"]
    if not isinstance(x, list):
        raise InputError(f"x is {shown(x)}; a list is needed")
    if not x:
        raise InputError("x has length 0; allowed are 1 and above")
    return TwoSumInstance(TwoSumSizes(len(x), document["modulus"]), x)
