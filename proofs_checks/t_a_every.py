"""T.A.every: what level ℓ+1 must fix, for every word and every ℓ: who depends on whom, and that it adds up."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import sympy as sp

from proofs_checks.l7_blind import require_invariant
from proofs_checks.messages import charges, first_levels
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.t_a import _symbols, recursion
from separation.bounds import Rule, Word
from separation.bounds.symbolic import BETA, M

Pattern = Callable[[int, int], range]
"""(receiver i, level ℓ) ↦ the players on whose inputs its knowledge before the layer depends, at most."""
LEVELS = 7
SHORT = ["".join(letters) for length in range(1, 4) for letters in product("FR", repeat=length)]


def from_receiver_to_level(receiver: int, level: int) -> range:
    """i..ℓ−1 for i < ℓ; ℓ alone for i = ℓ."""
    return range(receiver, level) if receiver < level else range(level, level + 1)


def check(pattern: Pattern) -> Checked:
    """bracket_ℓ = Σ tokens·inputs over all i < ℓ in the one layer that is new, and player ℓ in all layers.

    Which messages: level ℓ covers layers 1..ℓ−1 (in B: 1..ℓ) for all i < ℓ, level ℓ+1 one layer more and player ℓ too.
    What each receiver's knowledge depends on: L7's invariant (z3) gives i..ℓ−1 for i < ℓ; player ℓ hears only from
    players above, all of which is being fixed, so z_ℓ alone. Put together these are the terms of the bracket one by
    one: w and z_0 have one token each, which makes W + 1, player i has N_{i-1}. Theorem B's first level is another
    (T.B): here ℓ ≥ 2. Beside: on the graph of messages, for ℓ ≤ 7 and words with states in every block, in none, and
    all of up to three layers; and the calculator's own D.
    """
    require_invariant()
    for rule, level in product((Rule.A, Rule.B), range(1, LEVELS + 1)):
        if rule is Rule.B and level == 1:
            continue
        here, following = first_levels(rule.theorem, level)
        layers = following.layers
        wanted = {(i, layers) for i in range(-1, level)} | {(level, t) for t in range(1, layers + 1)}
        for text in ("RF" * layers + "R", "F" * layers, *SHORT):
            found = {(c.receiver, c.layer): c.depends_on for c in charges(Word.parse(text), here, following)}
            require(set(found) == wanted, f"{rule.value}, level {level}, {text}: other messages are new")
            for (receiver, _), players in found.items():
                more = players - set(pattern(receiver, level))
                require(
                    not more, f"{rule.value}, level {level}, {text}: player {receiver} depends on {sorted(more)} too"
                )
        _require_sum(rule, level, pattern, sorted(wanted))
    method = f"an invariant of all messages (z3), terms by hand; graphs and sums (sympy) for ℓ ≤ {LEVELS} beside"
    return Checked(Status.ALL_SIZES, method, "every word, L and size; in theorem B levels from 2 on")


def _require_sum(rule: Rule, level: int, pattern: Pattern, new: list[tuple[int, int]]) -> None:
    """β·Σ tokens·inputs against D_{ℓ+1} − x_ℓ·D_ℓ − 1 − Λ of the calculator."""
    L = level + 1
    n, x, linear = _symbols(rule, L)
    D = recursion(rule, L)
    inputs: dict[int, Any] = {-1: sp.prod(n), **dict(enumerate(x))}
    total = sp.Integer(0)
    for receiver, _ in new:
        tokens = 1 if receiver < 1 else M * sp.prod(n[: receiver - 1])
        total += BETA * tokens * sp.prod(inputs[player] for player in pattern(receiver, level))
    said = D[level] - x[level] * D[level - 1] - 1 - linear[level + rule.more_layers]
    rest = sp.expand(said - total)
    require(rest == 0, f"{rule.value}, level {level}: the theorem charges {rest} more")


STATEMENT = Statement(
    id="T.A.every",
    title="what a level fixes, for every ℓ",
    latex=r"\sum_{i<\ell}{\rm tokens}(i)\,|Z_i\times\dots\times Z_{\ell-1}|+\ell\,{\rm tokens}(\ell)\,|Z_\ell|="
    r"\ell x_\ell N_{\ell-1}+(W+1)x_0\cdots x_{\ell-1}+\sum_{i=1}^{\ell-1}x_i\cdots x_{\ell-1}N_{i-1}",
    english="For every word and level: player i < ℓ hears something new in one layer, once for each z_i..z_{ℓ-1}, and "
    "player ℓ in each layer, once for each z_ℓ. That is the bracket.",
    subject=from_receiver_to_level,
    check=check,
    twins={
        "its own input alone": lambda receiver, level: range(receiver, receiver + 1),  # noqa: ARG005
        "z_ℓ too": lambda receiver, level: range(receiver, level + 1),
        "not its own input": lambda receiver, level: range(receiver + 1, level + (receiver == level)),
    },
    rests_on=("M1.group", "L3", "L7"),
    hypotheses=(
        Hypothesis("1 ≤ ℓ ≤ L − 1", lambda held: 1 <= held[0] <= held[1] - 1, outside=(3, 3)),
        Hypothesis(
            "the word has an F for each layer of the level",
            lambda held: held[2].count("F") >= held[0],
            outside=(2, 3, "RF"),
        ),
    ),
    witness=(2, 3, "RFRFR"),
)
"""The witness: ℓ, L, a word."""
