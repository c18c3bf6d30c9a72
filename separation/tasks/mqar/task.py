"""MQAR: its sizes, one input, its answers and its document, hard inputs, and all that is asked of any task."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from separation.files import InputError
from separation.tasks.checks import generator, require_integer, require_keys, shown
from separation.tasks.look_ups import Find, LookUps, LookUpTask, TokenKind
from separation.tasks.task import Array

TASK = "mqar"


@dataclass(frozen=True)
class MQARSizes:
    """D ``pairs`` of a key below K = ``keys`` and a value below V = ``values``, then Q ``queries``.

    No two pairs have the same key; each query is the key of a pair.

    >>> from separation import MQARSizes
    >>> sizes = MQARSizes(pairs=3, keys=4, values=2, queries=2)
    >>> sizes.length, sizes.description.count_inputs()
    (5, 1728)
    """

    pairs: int
    keys: int
    values: int
    queries: int = 1

    def __post_init__(self) -> None:
        require_integer("keys", self.keys, 2)
        require_integer("pairs", self.pairs, 1, self.keys)
        require_integer("values", self.values, 2)
        require_integer("queries", self.queries, 1)

    @cached_property
    def description(self) -> LookUps:
        """queries[j] knows the value of the pair whose key it is."""
        pairs = TokenKind("pairs", self.pairs, (("key", self.keys, None), ("value", self.values, None)), ("key",))
        queries = TokenKind("queries", self.queries, (("asked", self.keys, "pairs"),))
        find = Find("queries", "pairs", ("asked",), (("value", "answer"),))
        return LookUps(TASK, (pairs, queries), (find,), "answer")

    @property
    def length(self) -> int:
        """D + Q tokens."""
        return self.pairs + self.queries

    def inputs_log2_floor(self) -> int:
        """⌊log2( K!/(K−D)!·V^D·D^Q )⌋."""
        return self.description.inputs_log2_floor()

    def count_inputs(self) -> int:
        """K!/(K−D)!·V^D·D^Q."""
        return self.description.count_inputs()


def sizes_from_document(document: object) -> MQARSizes:
    """The sizes of a document that describes MQAR; one that describes something else under this name is refused."""
    try:
        pairs, queries = document["kinds"]  # type: ignore[index]
        (_, keys, _), (_, values, _) = pairs["token"]
        sizes = MQARSizes(pairs["count"], keys, values, queries["count"])
    except (KeyError, TypeError, ValueError, IndexError):
        raise InputError(f"task is {shown(document)}; no description of MQAR") from None
    if sizes.description.document() != document:
        raise InputError("task: the description bears the name of MQAR and is another task")
    return sizes


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


def near_keys(sizes: MQARSizes, seed: int) -> Iterator[MQARInstance]:
    """The pair that is asked for has neighbours whose keys differ in one bit and whose values differ: a look-up that is
    not sharp enough mixes them up."""
    random = generator(seed)
    asked = int(random.integers(sizes.keys))
    near = sorted(range(sizes.keys), key=lambda key: ((key ^ asked).bit_count(), key))[: sizes.pairs]
    values = tuple(0 if key == asked else sizes.values - 1 for key in near)
    yield MQARInstance(sizes, tuple(near), values, (asked,) * sizes.queries)
    yield MQARInstance(sizes, tuple(reversed(near)), tuple(reversed(values)), (asked,) * sizes.queries)


def first_and_last(sizes: MQARSizes, seed: int) -> Iterator[MQARInstance]:
    """The first pair is asked for, or the last: who forgets, or looks at what is near, is wrong at one of them."""
    random = generator(seed)
    keys = tuple(int(key) for key in random.choice(sizes.keys, sizes.pairs, replace=False))
    values = tuple(index % sizes.values for index in range(sizes.pairs))
    for place in (0, -1):
        yield MQARInstance(sizes, keys, values, (keys[place],) * sizes.queries)


def one_differs(sizes: MQARSizes, seed: int) -> Iterator[MQARInstance]:
    """All values are alike but that of the pair that is asked for: a mean over the pairs is wrong."""
    random = generator(seed)
    keys = tuple(int(key) for key in random.choice(sizes.keys, sizes.pairs, replace=False))
    place = int(random.integers(sizes.pairs))
    values = tuple(sizes.values - 1 if index == place else 0 for index in range(sizes.pairs))
    yield MQARInstance(sizes, keys, values, (keys[place],) * sizes.queries)


FAMILIES: dict[str, Callable[[MQARSizes, int], Iterator[MQARInstance]]] = {
    "near_keys": near_keys,
    "first_and_last": first_and_last,
    "one_differs": one_differs,
}


@dataclass(frozen=True)
class MQAR(LookUpTask):
    """The value that belongs to the last query; a proof is about every query.

    >>> from separation import MQAR, MQARSizes
    >>> task = MQAR(MQARSizes(2, 4, 5))
    >>> task.title, task.prompt(task.sample(seed=0)).shape
    ('MQAR, D = 2 pairs, K = 4 keys, V = 5 values, Q = 1 queries', (3,))
    """

    sizes: MQARSizes

    @property
    def title(self) -> str:
        D, K, V, Q = self.sizes.pairs, self.sizes.keys, self.sizes.values, self.sizes.queries
        return f"MQAR, D = {D:,} pairs, K = {K:,} keys, V = {V:,} values, Q = {Q:,} queries"

    @property
    def question(self) -> str:
        return (
            "Pairs are written number=key,value, and queries number=key. Answer with the value of the pair whose key is"
            " the last query, a single number."
        )

    def families(self) -> Mapping[str, Callable[[int], Iterator[MQARInstance]]]:
        return {name: partial(family, self.sizes) for name, family in FAMILIES.items()}

    def instance(self, prompt: Array) -> MQARInstance:
        return from_token_ids(self.sizes, prompt)

    def prompt(self, instance: MQARInstance) -> Array:
        return token_ids(instance)

    def instance_document(self, instance: MQARInstance) -> dict[str, Any]:
        return to_document(instance)

    def expected(self, instance: MQARInstance) -> int | tuple[int, ...]:
        return outputs(instance)[-1]


TASKS: dict[type, Callable[[Any], MQAR]] = {MQARSizes: MQAR}
"""The task that belongs to each type of sizes."""
