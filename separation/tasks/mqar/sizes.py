"""The sizes of MQAR, and the look-ups that it is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from separation.files import InputError
from separation.tasks.checks import require_integer, shown
from separation.tasks.look_ups import Find, LookUps, TokenKind

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
