"""One input of FuncComp, and the answer by definition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import mul
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import integer_from_json
from separation.files import InputError
from separation.tasks.checks import (
    as_list,
    require_integer,
    require_integers,
    require_keys,
    shown,
)
from separation.tasks.funccomp.sizes import TASK, Sizes, sizes_to_document
from separation.tasks.funccomp.thoughts import Thoughts

Integers: TypeAlias = Sequence[int] | NDArray[np.integer[Any]]

# Above this an input is not built: its tables are Python integers, some forty bytes each.
MAX_TOKENS = 2**24


@dataclass(frozen=True, init=False)
class Instance:
    """(z_0; z_1, …, z_L; w) with z_0 ∈ [m], z_ℓ : [N_{ℓ-1}] → [N_{ℓ-1}], w_ℓ ∈ [n_ℓ].

    ``tables[ℓ-1]`` is z_ℓ, and ``w[ℓ-1]`` is w_ℓ. Tuples, lists and integer arrays are accepted; tuples are kept.
    """

    sizes: Sizes
    z0: int
    tables: tuple[tuple[int, ...], ...]
    w: tuple[int, ...]

    def __init__(
        self, sizes: Sizes, z0: int, tables: Sequence[Integers] | NDArray[np.integer[Any]], w: Integers
    ) -> None:
        if not isinstance(sizes, Sizes):
            raise InputError(f"sizes is {shown(sizes)}; Sizes are needed")
        require_integer("z0", z0, 0, sizes.m - 1)
        object.__setattr__(self, "sizes", sizes)
        object.__setattr__(self, "z0", z0)
        object.__setattr__(self, "tables", _checked_tables(sizes, tables))
        object.__setattr__(self, "w", _checked_query(sizes, w))


def asked_addresses(instance: Instance) -> tuple[int, ...]:
    """(i_0, w_1·N_0 + i_1, …, w_{L-1}·N_{L-2} + i_{L-1}): the entry of each table, 1 to L, that the answer rests on."""
    place, index = [instance.z0], instance.tables[0][instance.z0]
    for digit, size, table in zip(instance.w, instance.sizes.N, instance.tables[1:], strict=False):
        place.append(digit * size + index)
        index = table[place[-1]]
    return tuple(place)


def hops(instance: Instance) -> tuple[int, ...]:
    """(i_0, …, i_L): i_0 = z_0, i_1 = z_1(i_0), i_{ℓ+1} = z_{ℓ+1}(w_ℓ·N_{ℓ-1} + i_ℓ)."""
    asked = zip(instance.tables, asked_addresses(instance), strict=True)
    return instance.z0, *(table[place] for table, place in asked)


def answer(instance: Instance) -> int:
    """i_L."""
    return hops(instance)[-1]


def batch_hops(sizes: Sizes, ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """Row r is (i_0, …, i_L) of the prompt whose token ids are row r of ``ids`` (prompts × length).

    The ids are taken to be those of prompts; only the shape is checked.
    """
    if ids.ndim != 2 or ids.shape[1] != sizes.length:
        raise InputError(f"ids has shape {ids.shape}; (prompts, {sizes.length}) is needed")
    rows = np.arange(len(ids))
    index = ids[:, -2]
    result = [index]
    query = ids[:, -1] - sizes.N[-1]
    lower_digits = sizes.queries
    for level in range(1, sizes.L + 1):
        place = index
        if level >= 2:
            lower_digits //= sizes.n[level - 2]
            digit = query // lower_digits % sizes.n[level - 2]
            place = digit * sizes.N[level - 2] + index
        index = ids[rows, sizes.table_start(level) + place]
        result.append(index)
    return np.stack(result, axis=1)


def require_buildable(sizes: Sizes) -> None:
    """length ≤ MAX_TOKENS: asked before tables are drawn, so that a slip in the sizes does not fill the memory."""
    if sizes.length > MAX_TOKENS:
        raise InputError(
            f"a prompt has {shown(sizes.length)} tokens at these sizes; inputs of at most {MAX_TOKENS} are built"
        )


def _checked_tables(sizes: Sizes, tables: object) -> tuple[tuple[int, ...], ...]:
    if not isinstance(tables, (list, tuple, np.ndarray)):
        raise InputError(f"tables is {shown(tables)}; a list of tables is needed")
    if len(tables) != sizes.L:
        raise InputError(f"tables has length {len(tables)}; L = {sizes.L} are needed")
    # The N_ℓ one by one, not sizes.N: a table that is too short is refused before the next product is formed.
    table_sizes = accumulate((sizes.m, *sizes.n), mul)
    return tuple(
        require_integers(f"tables[{k}]", table, size, 0, size - 1)
        for k, (table, size) in enumerate(zip(tables, table_sizes, strict=True))
    )


def _checked_query(sizes: Sizes, w: object) -> tuple[int, ...]:
    digits = as_list("w", w)
    if len(digits) != len(sizes.n):
        raise InputError(f"w has length {len(digits)}; L - 1 = {len(sizes.n)} are needed")
    pairs = enumerate(zip(digits, sizes.n, strict=True))
    return tuple(require_integer(f"w[{place}]", digit, 0, size - 1) for place, (digit, size) in pairs)


_KEYS = ("task", "m", "n", "z0", "tables", "w")


def sizes_from_document(document: object) -> Sizes | Thoughts:
    """The inverse of `sizes_to_document`; with the key "thoughts" those of a chain of thought in this style."""
    if isinstance(document, dict) and "thoughts" in document:
        rest = {key: value for key, value in document.items() if key != "thoughts"}
        return Thoughts(_plain_sizes(rest), document["thoughts"])
    return _plain_sizes(document)


def _plain_sizes(document: object) -> Sizes:
    if not isinstance(document, dict) or set(document) != {"task", "m", "n"}:
        raise InputError(f"task is {shown(document)}; an object with the keys task, m, n is needed")
    if document["task"] != TASK:
        raise InputError(f"task.task is {shown(document['task'])}; {TASK!r} is needed")
    if not isinstance(document["n"], list):
        raise InputError(f"task.n is {shown(document['n'])}; a list is needed")
    m = integer_from_json(document["m"], "task.m")
    return Sizes(m, tuple(integer_from_json(size, f"task.n[{i}]") for i, size in enumerate(document["n"])))


def to_document(instance: Instance) -> dict[str, Any]:
    """The instance as an object that JSON can write."""
    return {
        **sizes_to_document(instance.sizes),
        "z0": instance.z0,
        "tables": [list(table) for table in instance.tables],
        "w": list(instance.w),
    }


def from_document(document: object) -> Instance:
    """The instance of a document; whatever is wrong with it is refused with the name of the field."""
    document = require_keys(document, TASK, _KEYS)
    for key in ("n", "tables", "w"):
        if not isinstance(document[key], list):
            raise InputError(f"{key} is {shown(document[key])}; a list is needed")
    sizes = Sizes(document["m"], tuple(document["n"]))
    return Instance(sizes, document["z0"], document["tables"], document["w"])
