"""Inputs of MQAR that are hard on purpose."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from separation.tasks.checks import generator
from separation.tasks.mqar.instance import MQARInstance
from separation.tasks.mqar.sizes import MQARSizes


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
