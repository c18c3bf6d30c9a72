"""L7: what an indistinguishable decomposition hides: players below ℓ know nothing of the players from ℓ on."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import networkx as nx
import z3

from proofs_checks.integers import require_no_integers
from proofs_checks.messages import message_graph
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Word

LONGEST, PLAYERS = 4, 4
WORDS = [Word(letters) for length in range(1, LONGEST + 1) for letters in product(("F", "R", "FR"), repeat=length)]


@dataclass(frozen=True)
class Fixed:
    """What is the same for all of 𝒬, given z: which messages from the players j ≥ ℓ are cut from the graph."""

    linear: bool = True
    """(i): linear messages into player ℓ−1, blocks 0..ℓ−1."""
    soft: bool = True
    """(ii): soft messages into players i < ℓ, layers 1..ℓ−1."""
    fewer_layers: int = 0
    only_query: bool = False


def check(fixed: Fixed) -> Checked:
    """With (i) and (ii) constant X_i^{(ℓ-1)}, i < ℓ, depends on the inputs z_i, …, z_{ℓ-1} only.

    For every word and every ℓ, by an invariant (z3): messages go from a player j to a player i ≤ j, and those from
    j ≥ ℓ to i < ℓ are constant; so if what the sender knows depends on z_j..z_{ℓ-1} alone, what the receiver knows
    afterwards depends on z_i..z_{ℓ-1} alone. It is the text's induction over layers, then players ℓ−1 down to −1.
    Beside: the graph of who learns what from whom, built from the word, for all words over F, R and [FR] of up to four
    layers and four tables. The cut is the decomposition's: soft messages from j ≥ ℓ to i < ℓ in layers 1..ℓ−1, and the
    linear messages from ℓ to ℓ−1. Ancestors of X_i^{(ℓ-1)} are what is left above it; every edge goes from j to i ≤ j.
    """
    require_invariant()
    count = 0
    for word in WORDS:
        for level in range(1, PLAYERS + 1):
            layers = min(level - 1, word.full)
            graph = message_graph(word, PLAYERS, layers)
            cut = [edge for edge in graph.edges(keys=True) if _is_cut(edge, level, layers, fixed)]
            graph.remove_edges_from(cut)
            upwards = [edge for edge in graph.edges if _player(edge[0]) < _player(edge[1])]
            require(not upwards, f"{word}: messages go to an earlier player: {upwards}")
            for player in range(-1, level):
                seen = {node[1] for node in nx.ancestors(graph, (player, layers)) if node[0] == "z"}
                hidden = seen - set(range(player, level))
                require(not hidden, f"{word}, level {level}: player {player} learns of {sorted(hidden)}")
                count += 1
    method = f"an invariant of all messages (z3); {count} players of {len(WORDS)} words by graph (networkx) beside"
    return Checked(Status.ALL_SIZES, method, "every word and level")


def require_invariant() -> None:
    """A sender i ≤ j < ℓ that depends on [j, ℓ−1] alone brings i < ℓ nothing outside [i, ℓ−1]."""
    receiver, sender, level, learnt = z3.Ints("i j l k")
    message = [receiver >= -1, receiver < level, sender >= receiver, sender < level]
    depends = [sender <= learnt, learnt <= level - 1]
    outside = z3.Or(learnt < receiver, learnt > level - 1)
    require_no_integers([*message, *depends, outside], "a message brings more than z_i..z_{ℓ-1}")


def _player(node: tuple[Any, ...]) -> int:
    """Of (i, t) the player i; an input ("z", i) and a state ("state", i, t) that crosses into player i are its own."""
    return int(node[0] if isinstance(node[0], int) else node[1])


def _is_cut(edge: tuple[tuple[Any, ...], tuple[Any, ...], Any], level: int, layers: int, fixed: Fixed) -> bool:
    """Whether a message from a player j ≥ ℓ to a player i < ℓ is among those that are constant."""
    sender, receiver, key = _player(edge[0]), _player(edge[1]), edge[2]
    if not isinstance(key, tuple) or sender < level or receiver >= level:
        return False
    kind, layer = key
    if kind in ("linear", "beside"):
        return fixed.linear
    return fixed.soft and layer <= layers - fixed.fewer_layers and (receiver == -1 or not fixed.only_query)


STATEMENT = Statement(
    id="L7",
    title="what a decomposition hides",
    latex=r"(i),(ii)\ \text{constant on}\ \mathcal Q\ \Rightarrow\ X_i^{(\ell-1)}\ \text{depends on}\ z_{<\ell}\ "
    r"\text{only},\ i<\ell",
    english="If the linear messages into player ℓ−1 and the summed soft messages into all i < ℓ are the same on 𝒬, "
    "the players below ℓ know nothing that tells 𝒬's members apart.",
    subject=Fixed(),
    check=check,
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
