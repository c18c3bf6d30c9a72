"""One input of MQAR, its answers and its document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from separation.files import InputError
from separation.tasks.checks import require_integer, require_keys, shown
from separation.tasks.mqar.sizes import TASK, MQARSizes
from separation.tasks.task import Array

KEYS = ("task", "sizes", "keys", "values", "queries")
_SIZES = ("keys", "values")


@dataclass(frozen=True)
class MQARInstance:
    """Pairs (k_1, v_1), …, (k_D, v_D) with different keys, then queries, each of them a key of a pair."""

    sizes: MQARSizes
    keys: tuple[int, ...]
    values: tuple[int, ...]
    queries: tuple[int, ...]

    def __post_init__(self) -> None:
        sizes = self.sizes
        counts = {"keys": sizes.pairs, "values": sizes.pairs, "queries": sizes.queries}
        for name, most in (("keys", sizes.keys), ("values", sizes.values), ("queries", sizes.keys)):
            numbers = getattr(self, name)
            if len(numbers) != counts[name]:
                raise InputError(f"{name} has {len(numbers)} numbers; {counts[name]} are needed")
            for number in numbers:
                require_integer(name, number, 0, most - 1)
        if len(set(self.keys)) < len(self.keys):
            raise InputError("two pairs have the same key")
        for asked in self.queries:
            if asked not in self.keys:
                raise InputError(f"queries: {asked} is the key of no pair")


def outputs(instance: MQARInstance) -> tuple[int, ...]:
    """The value that belongs to each query.

    >>> outputs(MQARInstance(MQARSizes(2, 4, 5, 3), keys=(3, 0), values=(4, 1), queries=(0, 3, 3)))
    (1, 4, 4)
    """
    value_of = dict(zip(instance.keys, instance.values, strict=True))
    return tuple(value_of[asked] for asked in instance.queries)


def token_ids(instance: MQARInstance) -> Array:
    """k·V + v for each pair, then K·V + k for each query."""
    sizes = instance.sizes
    pairs = [key * sizes.values + value for key, value in zip(instance.keys, instance.values, strict=True)]
    return np.array([*pairs, *(sizes.keys * sizes.values + asked for asked in instance.queries)], dtype=np.int64)


def from_token_ids(sizes: MQARSizes, ids: Array) -> MQARInstance:
    """The inverse of `token_ids`."""
    numbers = [int(number) for number in ids]
    pairs, queries = numbers[: sizes.pairs], numbers[sizes.pairs :]
    keys, values = (tuple(part[i] for part in (divmod(pair, sizes.values) for pair in pairs)) for i in (0, 1))
    return MQARInstance(sizes, keys, values, tuple(number - sizes.keys * sizes.values for number in queries))


def to_document(instance: MQARInstance) -> dict[str, Any]:
    """{"task": "mqar", "sizes": {"keys": K, "values": V}, "keys": […], "values": […], "queries": […]}."""
    sizes = {"keys": instance.sizes.keys, "values": instance.sizes.values}
    lists = {name: list(getattr(instance, name)) for name in ("keys", "values", "queries")}
    return {"task": TASK, "sizes": sizes, **lists}


def from_document(document: object) -> MQARInstance:
    """The instance of a document; whatever is wrong with it is refused with the name of the field."""
    document = require_keys(document, TASK, KEYS)
    sizes, lists = document["sizes"], {name: document[name] for name in ("keys", "values", "queries")}
    if not isinstance(sizes, dict) or set(sizes) != set(_SIZES):
        raise InputError(f"sizes is {shown(sizes)}; an object with the keys {', '.join(_SIZES)} is needed")
    for name, value in lists.items():
        if not isinstance(value, list) or not value:
            raise InputError(f"{name} is {shown(value)}; a list of integers is needed")
    own = MQARSizes(len(lists["keys"]), sizes["keys"], sizes["values"], len(lists["queries"]))
    return MQARInstance(own, *(tuple(value) for value in lists.values()))
