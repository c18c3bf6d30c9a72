"""The cut graph of a step from level ℓ to ℓ+1 for every ℓ at once: its edges and ancestors as conditions on integers.

All functions take Python's integers and z3's alike. ``own`` is ℓ, and ``covered`` how many full layers level ℓ covers.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from typing import Any

import z3

from proofs_checks.integers import require_no_integers

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
    """The state beside a covered layer, as it crosses into player i, is of players i+1, …, ℓ−1."""
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

    def require_ancestors(self) -> None:
        """For every ℓ ≥ 1 and every number of covered layers: what ``knows`` says is what the edges bring, all of it.

        No more: an input is known to its own player, and no edge into a node of the layers 0..covered brings what the
        node is not said to know (induction along the edges). The heads beside a full layer hand on what the player
        before knew one layer earlier, and what it was handed; player ℓ's are constant (i + 1 < ℓ).
        No less (induction over the layer; for layer 0 over p − i, if block 0 has states): each known input comes
        over an edge from a node that knows it, or is the player's own.
        """
        own, covered, i, j, t, p = z3.Ints("own covered i j t p")
        placed = [own >= 1, covered >= 0, i >= -1, i <= own, p >= -1, p <= own, t >= 0, t <= covered]

        def none(text: str, *claims: z3.BoolRef) -> None:
            require_no_integers([*placed, *claims], f"for some ℓ {text}")

        none("a player does not know its own input", i == p, z3.Not(self.knows(i, p, own)))
        told = self.knows(j, p, own), z3.Not(self.knows(i, p, own))
        none("a soft message brings more", self.soft(j, i, t, own, covered), *told)
        none("a state brings more", self.linear(j, i, t, own, covered), *told)
        more = z3.Not(self.handed(i, p, own))
        none("a state beside brings more", i + 1 < own, self.knows(i + 1, p, own), more)
        none("a handed state brings more", i + 1 < own, self.handed(i + 1, p, own), more)
        none("what is handed is not known", self.handed(i, p, own), z3.Not(self.knows(i, p, own)))
        known = self.knows(i, p, own)
        none("a soft message is missing", covered >= 1, known, p != i, z3.Not(self.soft(p, i, 1, own, covered)))
        before = z3.And(self.linear(i + 1, i, 0, own, covered), self.knows(i + 1, p, own))
        none("a state is missing", known, p != i, z3.Not(before))
