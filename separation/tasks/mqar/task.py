"""MQAR as a `separation.tasks.task.Task`: the look-ups that it is, with its own instances and families."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from separation.tasks.look_ups import LookUpTask
from separation.tasks.mqar.instance import (
    FAMILIES,
    MQARInstance,
    MQARSizes,
    from_token_ids,
    outputs,
    to_document,
    token_ids,
)
from separation.tasks.task import Array


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

    def family_instances(self, seed: int) -> Iterator[MQARInstance]:
        return (case for family in FAMILIES.values() for case in family(self.sizes, seed))

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
