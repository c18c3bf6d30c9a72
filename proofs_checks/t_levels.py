"""T.levels: the bits that theorems A and B fix at each level, for every L at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp

from proofs_checks.messages import Charge, charges, first_levels, fixed_graph
from proofs_checks.messages.family import Family, soft
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Word

LEVELS = 11
X, N, W = sp.IndexedBase("x"), sp.IndexedBase("N"), sp.Symbol("W", integer=True, positive=True)
K, PLACE, LEVEL = sp.symbols("k i l", integer=True)
Bracket = Callable[[Any, Any], Any]


def bracket(level: Any, layers: Any) -> Any:
    """layers·x_ℓ·N_{ℓ-1} + (W+1)·x_0⋯x_{ℓ-1} + Σ_{i=1..ℓ-1} x_i⋯x_{ℓ-1}·N_{i-1}, ℓ a number or a letter."""
    kept = sp.Product(X[K], (K, 0, level - 1))
    tails = sp.Sum(sp.Product(X[K], (K, PLACE, level - 1)) * N[PLACE - 1], (PLACE, 1, level - 1))
    return layers * X[level] * N[level - 1] + (W + 1) * kept + tails


@dataclass(frozen=True)
class Levels:
    """The graphs of all steps, and what their charges are said to come to."""

    family: Family = field(default_factory=Family)
    bracket: Bracket = bracket


def check(levels: Levels) -> Checked:
    """For every ℓ the charges are: to player ℓ, in layers 1..h+1, for each z_ℓ; to each player i < ℓ, in layer h+1,
    for each (z_i, …, z_{ℓ-1}), for the query each (w, z_0, …, z_{ℓ-1}). Here h is ℓ−1 in theorem A and ℓ in theorem B.

    1. Edges and ancestors of the cut graph, for every ℓ and h, by z3 (`Family.require_ancestors`): the induction along
       the edges. In words: an edge never leads to an earlier layer nor to a player further up, and those that lead from
       player ℓ into covered layers are cut; so in layers 0..h a player i < ℓ depends on z_i, …, z_{ℓ-1} at most, and
       player ℓ on z_ℓ. It depends on all of them: the soft message of layer 1 has an edge from each; with h = 0
       (theorem A, ℓ = 1) the states of block 0 do it, and a word without them is charged less.
    2. By hand: a message is charged β·tokens(i) for each value of its inputs. The list above, term by term, is
       (h+1)·x_ℓ·N_{ℓ-1}, then N_{i-1}·x_i⋯x_{ℓ-1} for i = 1..ℓ−1, then x_0⋯x_{ℓ-1} for player 0 and W times that for
       the query: the bracket.
    3. The calculator (`climb`) keeps x_0⋯x_{ℓ-1} and the sum as running values, (sum + N_{ℓ-1})·x_ℓ being the next one:
       term by term by sympy for every ℓ. That its loop does just that is read off the code by hand; T.A and T.B run it.
    4. By hand: the loops of `message_graph` and `fixed_graph` add and cut the family's edges for every ℓ. Seen for ℓ up
       to 11: the edges of the family are those of the graph that is built from the word, its ancestors are those that
       networkx finds, and the sum over its charges is the bracket.
    Theorem B's first step has no ℓ in it; it is T.B's.
    """
    levels.family.require_ancestors()
    _require_running_sums(levels.bracket)
    for theorem, first in (("A", 1), ("B", 2)):
        for level in range(first, LEVELS + 1):
            _require_graph(levels, theorem, level)
    return Checked(
        Status.ALL_SIZES,
        "edges and ancestors for every ℓ (z3), running sums (sympy); ℓ ≤ 11 on the graph (networkx)",
        "every L, every size",
    )


def _require_graph(levels: Levels, theorem: str, level: int) -> None:
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
    require(set(found) == closed and len(found) == len(closed), f"{where}: other messages are charged")
    inputs = {-1: W, **{player: X[player] for player in range(level + 1)}}
    total = sum(
        (1 if charge.receiver < 1 else N[charge.receiver - 1]) * sp.prod(inputs[player] for player in charge.depends_on)
        for charge in found
    )
    rest = sp.expand(levels.bracket(level, following.layers).doit() - total)
    require(rest == 0, f"{where}: the bracket is {rest} more than what is charged")


def _require_running_sums(form: Bracket) -> None:
    """The sum's terms of level ℓ+1 are x_ℓ times those of level ℓ, and one more, N_{ℓ-1}·x_ℓ; the product likewise."""
    sums, products = (form(LEVEL, 1).atoms(kind) for kind in (sp.Sum, sp.Product))
    require(len(sums) == 1, "the bracket has no sum over the players below ℓ")
    (tails,) = sums
    require(tails.limits == ((PLACE, 1, LEVEL - 1),), f"the sum goes over {tails.limits}")
    for part in (tails.function, *(product for product in products if not product.has(PLACE))):
        grown = _last_factor_apart(part.subs(LEVEL, LEVEL + 1))
        require(sp.expand(grown - X[LEVEL] * part) == 0, f"at level ℓ+1 {part} becomes {grown}")
    new = tails.function.subs(LEVEL, LEVEL + 1).subs(PLACE, LEVEL).doit()
    require(sp.expand(new - X[LEVEL] * N[LEVEL - 1]) == 0, f"the new term is {new}")


def _last_factor_apart(expression: Any) -> Any:
    """Π_{k=a..ℓ} x_k = x_ℓ·Π_{k=a..ℓ-1} x_k."""
    first = sp.Wild("first")
    whole = sp.Product(X[K], (K, first, LEVEL))
    return expression.replace(whole, lambda first: X[LEVEL] * sp.Product(X[K], (K, first, LEVEL - 1)))


def _one_less(level: Any, layers: Any) -> Any:
    return bracket(level, layers - 1)


def _query_once(level: Any, layers: Any) -> Any:
    return bracket(level, layers).subs(W + 1, W)


def _never_silent(sender: Any, receiver: Any, layer: Any, own: Any, covered: Any) -> Any:
    """Player ℓ is heard in covered layers too."""
    return (receiver >= -1) & (receiver < sender) & (sender <= own) & (layer >= 1) & (layer <= covered + 1)


def _only_neighbours(sender: Any, receiver: Any, layer: Any, own: Any, covered: Any) -> Any:
    return soft(sender, receiver, layer, own, covered) & (sender == receiver + 1)


STATEMENT = Statement(
    id="T.levels",
    title="what is sent at each level",
    latex=r"\sum_{\text{charged}}\mathrm{tokens}\cdot\#\text{inputs}=(h+1)x_\ell N_{\ell-1}+(W+1)x_0\cdots x_{\ell-1}"
    r"+\sum_{i=1}^{\ell-1}x_i\cdots x_{\ell-1}N_{i-1}",
    english="From level ℓ to ℓ+1 the soft messages that must become constant, each once for each input that its "
    "receiver knows of, come to the bracket of the recursion, for every ℓ.",
    subject=Levels(),
    check=check,
    twins={
        "one layer less": Levels(bracket=_one_less),
        "the query's messages counted once": Levels(
            bracket=lambda level, layers: bracket(level, layers).subs(W + 1, W)
        ),
        "player ℓ is not silenced": Levels(replace(Family(), soft=_never_silent)),
        "players hear their neighbour alone": Levels(replace(Family(), soft=_only_neighbours)),
        "players below ℓ know z_ℓ": Levels(
            replace(Family(), knows=lambda i, p, own: ((i == own) & (p == own)) | ((i <= p) & (p <= own)))
        ),
        "heads beside hand on nothing": Levels(replace(Family(), handed=lambda i, p, own: (i == p) & (p > own))),
        "players below ℓ know only their own input": Levels(
            replace(Family(), knows=lambda i, p, own: (i == p) & (p <= own))
        ),
    },
    hypotheses=(
        Hypothesis(
            "ℓ is a level below L, from 1 on; from 2 on in theorem B",
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
