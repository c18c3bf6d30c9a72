"""A word of layers as a graph of messages, what each level of the induction must fix, and all levels at once."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from typing import Any

import networkx as nx
import z3

from proofs_checks.kit.solvers import require_no_integers
from separation.bounds import Word

Graph = Any  # networkx has no types of its own


@dataclass(frozen=True)
class Level:
    """Level ℓ of the induction: whatever the players ``number`` and above hold, the others hear the same.

    For a player i < ℓ that holds in the full layers 1..``layers`` (only for i = −1 if ``query_only``), and for linear
    messages of blocks 0..``layers``; R heads next to the full heads of these layers are heard by all players below ℓ.
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
    """Nodes (i, t): what player i knows after full layer t and the R block after it; ("z", i): its own input.

    Edges: own input and earlier knowledge; ("soft", t) from every earlier player j > i that spoke in full layer t, by
    what it knew before; ("linear", t) from player i+1 through the states of block t. R heads in full layer t read
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


@dataclass(frozen=True)
class Charge:
    """The soft message that ``receiver`` hears in ``layer`` from all players above ℓ: once for each input of
    ``depends_on`` (players of whose inputs the receiver's knowledge before the layer is a function)."""

    receiver: int
    layer: int
    depends_on: frozenset[int]


def charges(word: Word, here: Level, following: Level, graph: Graph | None = None) -> Iterator[Charge]:
    """Messages that level ℓ+1 needs constant and level ℓ does not make so.

    Those that level ℓ covers cost nothing: the sum over j ≥ ℓ is constant, and player ℓ's own part is a function of
    what is already constant. All messages from players above ℓ are cut from the graph: they are what is being fixed.
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


Number = Any
Condition = Any


def soft(sender: Number, receiver: Number, layer: Number, own: Number, covered: Number) -> Condition:
    """Players up to ℓ speak to all below them, but for player ℓ in the covered layers: that is constant."""
    ordered = (receiver >= -1) & (receiver < sender) & (sender <= own)
    return ordered & (layer >= 1) & (layer <= covered + 1) & ((sender < own) | (layer > covered))


def linear(sender: Number, receiver: Number, block: Number, own: Number, covered: Number) -> Condition:
    """States pass to the next player; those that player ℓ hands on in the blocks 0..covered are constant."""
    ordered = (receiver >= -1) & (receiver + 1 == sender) & (sender <= own)
    return ordered & (block >= 0) & (block <= covered + 1) & ((sender < own) | (block > covered))


def knows(receiver: Number, player: Number, own: Number) -> Condition:
    """After at most ``covered`` layers: player ℓ knows its own input, player i < ℓ those of i, …, ℓ−1."""
    return ((receiver == own) & (player == own)) | ((receiver <= player) & (player < own))


def handed(receiver: Number, player: Number, own: Number) -> Condition:
    """The state of R heads in a covered full layer, as it crosses into player i, depends on players i+1, …, ℓ−1."""
    return (receiver + 1 <= player) & (player < own)


@dataclass(frozen=True)
class Family:
    """Edges of the cut graphs, and the ancestors that each node is said to have in all of them."""

    soft: Callable[[Number, Number, Number, Number, Number], Condition] = soft
    linear: Callable[[Number, Number, Number, Number, Number], Condition] = linear
    knows: Callable[[Number, Number, Number], Condition] = knows
    handed: Callable[[Number, Number, Number], Condition] = handed

    def edges(self, own: int, covered: int, blocks: Container[int]) -> Iterator[tuple[Any, Any, Any]]:
        """All of one graph, as networkx has them, for a word with states in these ``blocks``."""
        players, layers = range(-1, own + 1), range(covered + 2)
        for player in players:
            yield ("z", player), (player, 0), "own"
            yield from (((player, layer - 1), (player, layer), "own") for layer in layers[1:])
        for layer in layers:
            pairs = [(sender, receiver) for sender in players for receiver in players]
            for sender, receiver in pairs:
                if self.soft(sender, receiver, layer, own, covered):
                    yield (sender, layer - 1), (receiver, layer), ("soft", layer)
                if layer in blocks and self.linear(sender, receiver, layer, own, covered):
                    yield (sender, layer), (receiver, layer), ("linear", layer)

    def queries(self) -> dict[str, list[z3.BoolRef]]:
        """What no integers satisfy if ``knows`` says what the edges bring, all of it, for every ℓ ≥ 1 and ``covered``.

        No more: an input is known to its own player, and no edge into a node of the layers 0..covered brings what the
        node is not said to know (induction along the edges). The R heads in a full layer hand on what the player
        before knew one layer earlier, and what it was handed; player ℓ's are constant (i + 1 < ℓ).
        No less (induction over the layer; for layer 0 over p − i, if block 0 has states): each known input comes
        over an edge from a node that knows it, or is the player's own.
        """
        own, covered, i, j, t, p = z3.Ints("own covered i j t p")
        placed = [own >= 1, covered >= 0, i >= -1, i <= own, p >= -1, p <= own, t >= 0, t <= covered]
        told = [self.knows(j, p, own), z3.Not(self.knows(i, p, own))]
        more = z3.Not(self.handed(i, p, own))
        known = self.knows(i, p, own)
        before = z3.And(self.linear(i + 1, i, 0, own, covered), self.knows(i + 1, p, own))
        claims = {
            "a player does not know its own input": [i == p, z3.Not(known)],
            "a soft message brings more": [self.soft(j, i, t, own, covered), *told],
            "a state brings more": [self.linear(j, i, t, own, covered), *told],
            "a state next to F brings more": [i + 1 < own, self.knows(i + 1, p, own), more],
            "a handed state brings more": [i + 1 < own, self.handed(i + 1, p, own), more],
            "what is handed is not known": [self.handed(i, p, own), z3.Not(known)],
            "a soft message is missing": [covered >= 1, known, p != i, z3.Not(self.soft(p, i, 1, own, covered))],
            "a state is missing": [known, p != i, z3.Not(before)],
        }
        return {text: [*placed, *claim] for text, claim in claims.items()}

    def require_none(self, text: str) -> None:
        """One of the queries."""
        require_no_integers(self.queries()[text], f"for some ℓ {text}")
