"""M3: what a player knows is a function of its own and earlier players' inputs only: later tokens change nothing.

Layers are causal: what a token's stream holds after any layer is a function of the tokens up to it. In prompt order
the players are L, …, 1, 0, −1, so what player i knows depends on z_i, z_{i+1}, …, z_L alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
from numpy.typing import NDArray

from proofs_checks.kit.statement import Checked, Hypothesis, Later, Statement, Status, require
from proofs_checks.kit.theorems import words_up_to
from separation.arithmetic import ExactMatrix
from separation.bounds import Word
from separation.models import Model, Stored, streams
from separation.protocol import FAMILIES, RandomShape, random_model

WORDS = (*words_up_to(3), *map(Word.parse, ("[FR]F", "R[FR]")))
TOKENS, VOCABULARY = 5, 6


def as_built(model: Model) -> Model:
    return model


def check(change: Callable[[Model], Model]) -> Checked:
    """Random models of all words of up to three layers, families in turn: streams before the change are the same.

    In prompt order the players are L, …, 1, 0, −1, so what stands before player i's tokens are those of players j > i.
    For each position the tokens from there on are changed, and the streams of all tokens before it are compared after
    every layer, in exact numbers. A change must show from that position on, or the check would see
    nothing.
    """
    families = list(FAMILIES)
    for number, word in enumerate(WORDS):
        rng = Random(number)
        family = families[number % len(families)]
        shape = RandomShape(word, TOKENS, VOCABULARY, answers=4, family=family)
        model = change(random_model(shape, number))
        ids = np.array([rng.randrange(VOCABULARY) for _ in range(TOKENS)])
        true, shown = _streams(model, ids), 0
        for position in range(1, TOKENS):
            other = ids.copy()
            other[position:] = (other[position:] + 1 + rng.randrange(VOCABULARY - 1)) % VOCABULARY
            for layer, (before, after) in enumerate(zip(true, _streams(model, other), strict=True)):
                where = f"{word}, {family}, after layer {layer}"
                require(
                    bool((before[:position] == after[:position]).all()), f"{where}: tokens before {position} changed"
                )
                shown += not (before[position:] == after[position:]).all()
        require(shown > 0, f"{word}, {family}: no change shows")
    scope = f"{len(WORDS)} words, {len(families)} families in turn, every position"
    return Checked(Status.TESTED, "streams with later tokens changed, exactly", scope)


def _streams(model: Model, ids: NDArray[np.int64]) -> list[NDArray[np.object_]]:
    return [rows.values[0].astype(object) * Fraction(1, rows.denominator) for rows in streams(model, ids)]


def _both_ways(model: Model) -> Model:
    """Broken: an encoder, where every layer is full."""
    return replace(model, causal=False) if set(model.word) == {"F"} else model


def _blind(model: Model) -> Model:
    """Causal only because nothing can be seen: tokens say nothing, so no change ever shows."""
    return replace(model, tokens=Stored(ExactMatrix.zeros(model.tokens.height, model.width)))


WITNESS = Later(lambda: random_model(RandomShape(Word.parse("F"), TOKENS, VOCABULARY, answers=4), 0))

STATEMENT = Statement(
    id="M3",
    title="later tokens change nothing in random models",
    latex=r"X_i^{(t)}\ \text{is a function of}\ z_{\ge i}\ \text{only}",
    english="What player i knows after any layer depends on its own tokens and on those before them in the prompt.",
    subject=as_built,
    check=check,
    twins={"attention both ways": _both_ways, "tokens that say nothing": _blind},
    speaks_of=("D2",),
    hypotheses=(
        Hypothesis(
            "attention is causal",
            lambda model: model.causal,
            outside=Later(lambda: replace(WITNESS.value, causal=False)),
        ),
    ),
    witness=WITNESS,
)
