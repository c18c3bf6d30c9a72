"""T.levels: the bits that theorems A and B fix at each level, for every L at once.

Level ℓ covers h full layers: h = ℓ−1 in theorem A, ℓ in theorem B (ℓ ≥ 2; B's first step is in T.B). Take the graph of
messages among the players −1, …, ℓ and cut from it what level ℓ has made constant: what player ℓ says in layers 1..h,
and the states that it passes on in the blocks 0..h. What is left of a player's knowledge in layers 0..h depends, for i
< ℓ, on z_i, …, z_{ℓ-1} and no other input (for the query on w too), and for player ℓ on z_ℓ: an edge never leads to an
earlier layer or a player further up, and edges from ℓ into those layers are cut. It depends on all of them as soon as
there is one full layer before, or a state in block 0. The messages to fix are those to player ℓ in layers 1..h+1 and
those to i < ℓ in layer h+1; counted once for each such input and token they are the bracket.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp

from proofs_checks.kit.messages import Charge, charges, first_levels, fixed_graph
from proofs_checks.kit.messages.graph import Family, linear, soft
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from proofs_checks.kit.verdict import SYMPY
from separation.bounds import Word

LEVELS = 11
X, N, W = sp.IndexedBase("x"), sp.IndexedBase("N"), sp.Symbol("W", integer=True, positive=True)
K, PLAYER, LEVEL = sp.symbols("k i l", integer=True)
Bracket = Callable[[Any, Any], Any]


def bracket(level: Any, layers: Any) -> Any:
    """layers·x_ℓ·N_{ℓ-1} + (W+1)·x_0⋯x_{ℓ-1} + Σ_{i=1..ℓ-1} x_i⋯x_{ℓ-1}·N_{i-1}, ℓ a number or a letter."""
    kept = sp.Product(X[K], (K, 0, level - 1))
    tails = sp.Sum(sp.Product(X[K], (K, PLAYER, level - 1)) * N[PLAYER - 1], (PLAYER, 1, level - 1))
    return layers * X[level] * N[level - 1] + (W + 1) * kept + tails


@dataclass(frozen=True)
class Levels:
    """The graphs of all steps, and what their charges are said to come to."""

    family: Family = field(default_factory=Family)
    bracket: Bracket = bracket


def _none(text: str) -> Step:
    """One query of `Family`: it has no solution for any ℓ and number of covered layers."""
    return Step(f"no ℓ where {text}", lambda levels: levels.family.require_none(text))


def _sum_over_players(form: Bracket) -> Any:
    sums = form(LEVEL, 1).atoms(sp.Sum)
    require(len(sums) == 1, "the bracket has no sum over the players below ℓ", by=SYMPY)
    (tails,) = sums
    require(tails.limits == ((PLAYER, 1, LEVEL - 1),), f"the sum goes over {tails.limits}", by=SYMPY)
    return tails


def _terms_grow(levels: Levels) -> None:
    """The sum's terms of level ℓ+1 are x_ℓ times those of level ℓ; the product likewise."""
    products = levels.bracket(LEVEL, 1).atoms(sp.Product)
    tails = _sum_over_players(levels.bracket)
    for part in (tails.function, *(product for product in products if not product.has(PLAYER))):
        grown = _last_factor_apart(part.subs(LEVEL, LEVEL + 1))
        require(sp.expand(grown - X[LEVEL] * part) == 0, f"at level ℓ+1 {part} becomes {grown}", by=SYMPY)


def _new_term(levels: Levels) -> None:
    """And there is one more, N_{ℓ-1}·x_ℓ."""
    new = _sum_over_players(levels.bracket).function.subs(LEVEL, LEVEL + 1).subs(PLAYER, LEVEL).doit()
    require(sp.expand(new - X[LEVEL] * N[LEVEL - 1]) == 0, f"the new term is {new}", by=SYMPY)


def _graphs(levels: Levels) -> None:
    for theorem, first in (("A", 1), ("B", 2)):
        for level in range(first, LEVELS + 1):
            _require_graph(levels, theorem, level)


def _require_graph(levels: Levels, theorem: str, level: int) -> None:
    """The family's edges are those of the word's graph, its ancestors networkx's, and its charges the bracket."""
    here, following = first_levels(theorem, level)
    blocks = "RF" if theorem == "A" else "F"
    word = Word.parse(blocks + "F" * (theorem == "B") + "RF" * (following.layers - 1 - (theorem == "B")) + "R")
    family, where = levels.family, f"theorem {theorem}, level {level}"
    graph = fixed_graph(word, here, following)
    said = set(family.edges(level, here.layers, [block for block, count in enumerate(word.blocks) if count]))
    require(set(graph.edges(keys=True)) == said, f"{where}: the family has other edges than the graph")
    found = list(charges(word, here, following))
    listed = [(level, layer) for layer in range(1, following.layers + 1)]
    listed += [(receiver, following.layers) for receiver in range(-1, level)]
    players = range(-1, level + 1)
    closed = {Charge(i, t, frozenset(p for p in players if family.knows(i, p, level))) for i, t in listed}
    require(set(found) == closed and len(found) == len(closed), f"{where}: different messages are charged")
    inputs = {-1: W, **{player: X[player] for player in range(level + 1)}}
    total = sum(
        (1 if charge.receiver < 1 else N[charge.receiver - 1]) * sp.prod(inputs[player] for player in charge.depends_on)
        for charge in found
    )
    rest = sp.expand(levels.bracket(level, following.layers).doit() - total)
    require(rest == 0, f"{where}: the bracket is {rest} more than what is charged", by=SYMPY)


def _last_factor_apart(expression: Any) -> Any:
    """Π_{k=a..ℓ} x_k = x_ℓ·Π_{k=a..ℓ-1} x_k."""
    first = sp.Wild("first")
    whole = sp.Product(X[K], (K, first, LEVEL))
    return expression.replace(whole, lambda first: X[LEVEL] * sp.Product(X[K], (K, first, LEVEL - 1)))


# --- broken twins ---


def _one_factor_more(level: Any, layers: Any) -> Any:
    """x_0⋯x_ℓ in place of x_0⋯x_{ℓ-1}."""
    whole = bracket(level, layers)
    return whole.subs(sp.Product(X[K], (K, 0, level - 1)), sp.Product(X[K] * X[K + 1], (K, 0, level - 1)))


def _never_silent(sender: Any, receiver: Any, layer: Any, own: Any, covered: Any) -> Any:
    """Player ℓ is heard in covered layers too."""
    return (receiver >= -1) & (receiver < sender) & (sender <= own) & (layer >= 1) & (layer <= covered + 1)


def _only_neighbours(sender: Any, receiver: Any, layer: Any, own: Any, covered: Any) -> Any:
    return soft(sender, receiver, layer, own, covered) & (sender == receiver + 1)


def _all_states(sender: Any, receiver: Any, block: Any, own: Any, covered: Any) -> Any:
    """Player ℓ hands on its states in covered blocks too."""
    return (receiver >= -1) & (receiver + 1 == sender) & (sender <= own) & (block >= 0) & (block <= covered + 1)


def _states_skip(sender: Any, receiver: Any, block: Any, own: Any, covered: Any) -> Any:
    """States go to the player after the next one."""
    return linear(sender - 1, receiver, block, own, covered)


STATEMENT = Statement(
    id="T.levels",
    title="the bits that theorems A and B fix at each level",
    latex=r"\sum_{\text{charged}}\mathrm{tokens}\cdot\#\text{inputs}=(h+1)x_\ell N_{\ell-1}+(W+1)x_0\cdots x_{\ell-1}"
    r"+\sum_{i=1}^{\ell-1}x_i\cdots x_{\ell-1}N_{i-1}",
    english="From level ℓ to ℓ+1 the soft messages that must become constant, each once for each input that its "
    "receiver knows of, come to the bracket of the recursion, for every ℓ.",
    subject=Levels(),
    check=Steps(
        "every L, every size",
        (
            *map(_none, Family().queries()),
            Step("terms of the running sums", _terms_grow),
            Step("the new term of the running sum", _new_term),
            Step(f"graphs and charges for ℓ ≤ {LEVELS}", _graphs, finite=True),
        ),
        {
            "induction along the edges": "No edge into layers 0..h brings more than is said, and each known input "
            "comes over an edge: so in these layers a player i < ℓ depends on z_i, …, z_{ℓ-1}, and player ℓ on z_ℓ; h "
            "is ℓ−1 in theorem A, ℓ in B.",
            "what is charged": "Each message costs β·tokens(i) for each value of its inputs: player ℓ's in layers "
            "1..h+1 for each z_ℓ, those of i < ℓ in layer h+1 for each (z_i, …, z_{ℓ-1}), the query's for each (w, "
            "z_0, …, z_{ℓ-1}); term by term that is the bracket.",
            "the calculator's loop": "`run_recursion` keeps x_0⋯x_{ℓ-1} and the sum as running values, "
            "(sum + N_{ℓ-1})·x_ℓ being the next: read off the code.",
            "the family is the graph": "The loops of `message_graph` and `fixed_graph` add and cut the family's edges "
            "for every ℓ: read off the code.",
            "without states in block 0": "With h = 0 (theorem A, ℓ = 1) the states of block 0 bring what a soft "
            "message would; a word without them is charged less.",
        },
    ),
    twins={
        "one layer less": Levels(bracket=lambda level, layers: bracket(level, layers - 1)),
        "the query's messages counted once": Levels(
            bracket=lambda level, layers: bracket(level, layers).subs(W + 1, W)
        ),
        "tables of the next level in the sum": Levels(
            bracket=lambda level, layers: bracket(level, layers).replace(N[PLAYER - 1], N[PLAYER])
        ),
        "each factor and the next one": Levels(bracket=_one_factor_more),
        "player ℓ is not silenced": Levels(replace(Family(), soft=_never_silent)),
        "player ℓ hands on its states": Levels(replace(Family(), linear=_all_states)),
        "states skip a player": Levels(replace(Family(), linear=_states_skip)),
        "players hear their neighbour alone": Levels(replace(Family(), soft=_only_neighbours)),
        "players below ℓ know z_ℓ": Levels(
            replace(Family(), knows=lambda i, p, own: ((i == own) & (p == own)) | ((i <= p) & (p <= own)))
        ),
        "R heads next to F hand on nothing": Levels(replace(Family(), handed=lambda i, p, own: (i == p) & (p > own))),
        "R heads next to F hand on one input": Levels(
            replace(Family(), handed=lambda i, p, own: (i + 1 == p) & (p < own))
        ),
        "R heads next to F hand on z_ℓ": Levels(replace(Family(), handed=lambda i, p, own: (i + 1 <= p) & (p <= own))),
        "players below ℓ do not know their own input": Levels(
            replace(Family(), knows=lambda i, p, own: ((i == own) & (p == own)) | ((i < p) & (p < own)))
        ),
        "players below ℓ know only their own input": Levels(
            replace(Family(), knows=lambda i, p, own: (i == p) & (p <= own))
        ),
    },
    hypotheses=(
        Hypothesis(
            "ℓ ≥ 1 is a level below L; ℓ ≥ 2 in theorem B",
            lambda step: step[0] in ("A", "B") and step[1] >= (2 if step[0] == "B" else 1),
            outside=("B", 1, "FFR"),
        ),
        Hypothesis(
            "the query knows z_0 before the first charged layer: ℓ > 1, or theorem B, or states in block 0",
            lambda step: step[1] > 1 or step[0] == "B" or Word.parse(step[2]).blocks[0] > 0,
            outside=("A", 1, "FR"),
        ),
    ),
    witness=("A", 1, "RFR"),
)
