"""L7: what an indistinguishable decomposition hides: players below ℓ know nothing about those from ℓ up.

𝒬 is a set of inputs of the players ℓ..L, Z one of the others. Suppose that for each z ∈ Z the following are the same
for all of 𝒬: (i) the linear messages into player ℓ−1, blocks 0..ℓ−1; (ii) for i < ℓ and layers 1..ℓ−1 the sum over j ≥
ℓ of the soft messages into i. Then what player i < ℓ knows before full layer ℓ depends on z alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import networkx as nx
import z3

from proofs_checks.kit.messages import message_graph
from proofs_checks.kit.solvers import require_no_integers
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from proofs_checks.kit.theorems import WITH_MIXED, words_up_to

LONGEST, PLAYERS = 4, 4
WORDS = words_up_to(LONGEST, WITH_MIXED)


@dataclass(frozen=True)
class Fixed:
    """What is the same for all of 𝒬, given z: which messages from the players j ≥ ℓ are cut from the graph."""

    linear: bool = True
    """(i): linear messages into player ℓ−1, blocks 0..ℓ−1."""
    soft: bool = True
    """(ii): soft messages into players i < ℓ, layers 1..ℓ−1."""
    fewer_layers: int = 0
    only_query: bool = False


def constant(fixed: Fixed, sender: Any, receiver: Any, level: Any, soft: Any, layer: Any, covered: Any) -> Any:
    """Whether a message from player j to player i is the same for all of 𝒬; conditions on Python's integers or z3's.

    ``soft`` tells soft messages, of a ``layer``, from linear ones; ``covered`` is the number of full layers of level ℓ.
    """
    crosses = (sender >= level) & (receiver < level)
    fixed_soft = (layer <= covered - fixed.fewer_layers) & ((receiver == -1) | (not fixed.only_query)) & fixed.soft
    return crosses & ((soft & fixed_soft) | (_not(soft) & fixed.linear))


def _invariant(fixed: Fixed) -> None:
    """Player j knows z_j and later inputs, only z_j..z_{ℓ-1} if j < ℓ; a message that varies brings no more.

    So what it brings to a player i < ℓ depends on z_i..z_{ℓ-1} alone.
    """
    receiver, sender, level, layer, covered, learnt = z3.Ints("i j l t covered k")
    soft = z3.Bool("soft")
    message = [receiver >= -1, receiver < level, sender >= receiver, layer >= 1, layer <= covered, level >= 1]
    varies = z3.Not(constant(fixed, sender, receiver, level, soft, layer, covered))
    depends = [sender <= learnt, z3.Implies(sender < level, learnt <= level - 1)]
    outside = z3.Or(learnt < receiver, learnt > level - 1)
    require_no_integers([*message, varies, *depends, outside], "a message brings more than z_i..z_{ℓ-1}")


def _graphs(fixed: Fixed) -> None:
    """The graph of who learns what from whom, built from the word; ancestors of X_i^{(ℓ-1)} in what is left of it."""
    for word in WORDS:
        for level in range(1, PLAYERS + 1):
            layers = min(level - 1, word.full)
            graph = message_graph(word, PLAYERS, layers)
            graph.remove_edges_from([edge for edge in graph.edges(keys=True) if _is_cut(edge, level, layers, fixed)])
            upwards = [edge for edge in graph.edges if _player(edge[0]) < _player(edge[1])]
            require(not upwards, f"{word}: messages go to an earlier player: {upwards}")
            for player in range(-1, level):
                seen = {node[1] for node in nx.ancestors(graph, (player, layers)) if node[0] == "z"}
                hidden = seen - set(range(player, level))
                require(not hidden, f"{word}, level {level}: player {player} learns of {sorted(hidden)}")


def _player(node: tuple[Any, ...]) -> int:
    """Of (i, t) the player i; an input ("z", i) and a state ("state", i, t) that crosses into player i are its own."""
    return int(node[0] if isinstance(node[0], int) else node[1])


def _is_cut(edge: tuple[tuple[Any, ...], tuple[Any, ...], Any], level: int, layers: int, fixed: Fixed) -> bool:
    """Whether a message from a player j ≥ ℓ to a player i < ℓ is among those that are constant."""
    sender, receiver, key = _player(edge[0]), _player(edge[1]), edge[2]
    if not isinstance(key, tuple):
        return False
    kind, layer = key
    return bool(constant(fixed, sender, receiver, level, kind not in ("linear", "beside"), layer, layers))


def _not(condition: Any) -> Any:
    return not condition if isinstance(condition, bool) else z3.Not(condition)


STATEMENT = Statement(
    id="L7",
    title="what an indistinguishable decomposition hides",
    latex=r"(i),(ii)\ \text{constant on}\ \mathcal Q\ \Rightarrow\ X_i^{(\ell-1)}\ \text{depends on}\ z_{<\ell}\ "
    r"\text{only},\ i<\ell",
    english="If the linear messages into player ℓ−1 and the summed soft messages into all i < ℓ are the same on 𝒬, "
    "the players below ℓ know nothing that tells 𝒬's members apart.",
    subject=Fixed(),
    check=Steps(
        "every word and level",
        (
            Step("no message brings more", _invariant),
            Step(f"{len(WORDS)} words by their graph", _graphs),
        ),
        {
            "which messages there are": "For every word a player's stream after a layer is made of its own and of "
            "messages from players j ≥ i, soft ones in full layers and linear ones in recurrent layers; nothing else "
            "reaches it.",
            "induction over layers and players": "Before the first layer player i knows z_i; in each layer, from "
            "player ℓ−1 down to −1, no message brings more than z_i..z_{ℓ-1}, so after layer ℓ−1 no player below ℓ "
            "knows more.",
        },
    ),
    twins={
        "linear messages not fixed": Fixed(linear=False),
        "soft messages not fixed": Fixed(soft=False),
        "one layer less": Fixed(fewer_layers=1),
        "the query's messages alone": Fixed(only_query=True),
    },
    hypotheses=(
        Hypothesis("(i) the linear messages are constant", lambda held: held.linear, outside=Fixed(linear=False)),
        Hypothesis(
            "(ii) the soft messages of layers 1..ℓ−1 into all players below ℓ are constant",
            lambda held: held.soft and not held.fewer_layers and not held.only_query,
            outside=Fixed(fewer_layers=1),
        ),
    ),
    witness=Fixed(),
)
