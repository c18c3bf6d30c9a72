"""A word of layers as a graph: what a player knows after each full layer, and the messages that brought it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import networkx as nx

from separation.bounds import Word

Graph = Any  # networkx has no types of its own


@dataclass(frozen=True)
class Level:
    """Level ℓ of the induction: of the players ``number`` and above the others hear the same, whatever these hold.

    For a player i < ℓ that holds in the full layers 1..``layers`` (only for i = −1 if ``query_only``), and in the
    linear messages of the blocks 0..``layers``; heads beside these layers
    are heard by everybody below ℓ in both cases.
    """

    number: int
    layers: int
    query_only: bool = False

    def covers(self, receiver: int, layer: int) -> bool:
        return receiver < self.number and layer <= self.layers and (receiver == -1 or not self.query_only)


def first_levels(theorem: str, number: int) -> tuple[Level, Level]:
    """Levels ℓ and ℓ+1: A's level ℓ covers ℓ−1 full layers, B's ℓ, and B's first one speaks of the query alone."""
    more = 1 if theorem == "B" else 0
    here = Level(number, number - 1 + more, query_only=theorem == "B" and number == 1)
    return here, Level(number + 1, number + more)


def message_graph(word: Word, players: int, layers: int) -> Graph:
    """Nodes (i, t): what player i knows after full layer t and the R block behind it; ("z", i): its own input.

    Edges: own input and earlier knowledge; ("soft", t) from every earlier player j > i that spoke in full layer t, by
    what it knew before; ("linear", t) from player i+1 through the states of block t. Heads beside full layer t read
    what was known before it: their state as it crosses into player i is a node of its own, ("state", i, t), with edges
    ("beside", t) from what player i+1 knew and from the state that it was handed.
    """
    graph = nx.MultiDiGraph()
    for player in range(-1, players + 1):
        graph.add_edge(("z", player), (player, 0), key="own")
        for layer in range(1, layers + 1):
            graph.add_edge((player, layer - 1), (player, layer), key="own")
            for sender in range(player + 1, players + 1):
                graph.add_edge((sender, layer - 1), (player, layer), key=("soft", layer))
    for block in (block for block, count in enumerate(word.blocks[: layers + 1]) if count):
        for player in range(-1, players):
            graph.add_edge((player + 1, block), (player, block), key=("linear", block))
    for layer in (layer for layer, beside in enumerate(word.beside[:layers], start=1) if beside):
        for player in range(-1, players):
            graph.add_edge((player + 1, layer - 1), ("state", player, layer), key=("beside", layer))
            graph.add_edge(("state", player, layer), (player, layer), key="own")
            if player + 1 < players:
                graph.add_edge(("state", player + 1, layer), ("state", player, layer), key=("beside", layer))
    return graph
