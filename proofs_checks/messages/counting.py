"""What must become constant on the way from one level to the next, and for how many inputs each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import networkx as nx

from proofs_checks.messages.graph import Graph, Level, message_graph
from separation.bounds import Word


@dataclass(frozen=True)
class Charge:
    """The soft message that ``receiver`` hears in ``layer`` from all players above ℓ: once for each input of
    ``depends_on`` (players of whose inputs the receiver's knowledge before the layer is a function)."""

    receiver: int
    layer: int
    depends_on: frozenset[int]


def charges(word: Word, here: Level, following: Level, graph: Graph | None = None) -> Iterator[Charge]:
    """Messages that level ℓ+1 wants constant and level ℓ does not give.

    Those that level ℓ covers cost nothing: the sum over j ≥ ℓ is constant, and player ℓ's own part is a function of
    what is constant by now. All messages from players above ℓ are cut from the graph: they are what is being fixed.
    ``graph`` is the one of the word if none is given.
    """
    graph = fixed_graph(word, here, following) if graph is None else graph
    for receiver in range(-1, here.number + 1):
        for layer in range(1, following.layers + 1):
            if not here.covers(receiver, layer):
                ancestors = nx.ancestors(graph, (receiver, layer - 1))
                yield Charge(receiver, layer, frozenset(node[1] for node in ancestors if node[0] == "z"))


def linear_blocks(word: Word, following: Level) -> int:
    """The R blocks whose states cross into player ℓ and must become constant: all up to this one, at a new boundary."""
    return min(following.layers, word.full)


def fixed_graph(word: Word, here: Level, following: Level) -> Graph:
    """Players up to ℓ, without what level ℓ makes constant of player ℓ: its soft messages in covered layers, and the
    states that it hands to player ℓ−1."""
    own = here.number
    graph = message_graph(word, own, following.layers)
    silent = [
        (sender, receiver, key)
        for sender, receiver, key in graph.edges(keys=True)
        if (sender[0] == own and receiver[0] != own and _is_constant(here, receiver[0], key))
        or (receiver[:2] == ("state", own - 1) and key[1] <= here.layers)
    ]
    graph.remove_edges_from(silent)
    return graph


def _is_constant(here: Level, receiver: int | str, key: tuple[str, int]) -> bool:
    kind, layer = key
    if isinstance(receiver, str):
        return False
    return here.covers(receiver, layer) if kind == "soft" else layer <= here.layers and not here.query_only
