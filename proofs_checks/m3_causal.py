"""M3: what a player knows is a function of its own and earlier players' inputs only: later tokens change nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
from numpy.typing import NDArray

from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from separation.arithmetic import ExactMatrix
from separation.bounds import Word
from separation.models import Model, Stored
from separation.models.run import streams
from separation.protocol import RandomShape, random_model
from separation.protocol.random_heads import FAMILIES

WORDS = (*("".join(word) for length in range(1, 4) for word in product("FR", repeat=length)), "[FR]F", "R[FR]")
TOKENS, VOCABULARY = 5, 6


def as_built(model: Model) -> Model:
    return model


def check(change: Callable[[Model], Model]) -> Checked:
    """Random models of all words of up to three layers, families in turn: streams before the change are the same.

    In prompt order the players are L, …, 1, 0, −1, so what stands before player i's tokens are those of players j > i.
    For each place the tokens from there on are changed, and the streams of all tokens before it are compared after
    every layer, in exact numbers. That a change does show at the place itself is required too, or the check would see
    nothing.
    """
    families = list(FAMILIES)
    for number, word in enumerate(WORDS):
        rng = Random(number)
        family = families[number % len(families)]
        shape = RandomShape(Word.parse(word), TOKENS, VOCABULARY, answers=4, family=family)
        model = change(random_model(shape, number))
        ids = np.array([rng.randrange(VOCABULARY) for _ in range(TOKENS)])
        true, shown = _streams(model, ids), 0
        for place in range(1, TOKENS):
            other = ids.copy()
            other[place:] = (other[place:] + 1 + rng.randrange(VOCABULARY - 1)) % VOCABULARY
            for layer, (before, after) in enumerate(zip(true, _streams(model, other), strict=True)):
                where = f"{word}, {family}, after layer {layer}"
                require(bool((before[:place] == after[:place]).all()), f"{where}: tokens before {place} changed")
                shown += not (before[place:] == after[place:]).all()
        require(shown > 0, f"{word}, {family}: no change shows at all")
    scope = f"{len(WORDS)} words, {len(families)} families in turn, every place"
    return Checked(Status.TESTED, "streams with later tokens changed, exactly", scope)


def _streams(model: Model, ids: NDArray[np.int64]) -> list[NDArray[np.object_]]:
    return [rows.values[0].astype(object) * Fraction(1, rows.denominator) for rows in streams(model, ids)]


def _both_ways(model: Model) -> Model:
    """A false neighbour: an encoder, where every layer is full."""
    return replace(model, causal=False) if set(model.word) == {"F"} else model


def _blind(model: Model) -> Model:
    """Not causal in a way that can be seen: tokens say nothing, so no change ever shows."""
    return replace(model, tokens=Stored(ExactMatrix.zeros(model.tokens.height, model.width)))


_WITNESS = random_model(RandomShape(Word.parse("F"), TOKENS, VOCABULARY, answers=4), 0)

STATEMENT = Statement(
    id="M3",
    title="later tokens change nothing",
    latex=r"X_i^{(t)}\ \text{is a function of}\ z_{\ge i}\ \text{only}",
    english="What player i knows after any layer depends on its own tokens and on those before them in the prompt.",
    subject=as_built,
    check=check,
    twins={"attention both ways": _both_ways, "tokens that say nothing": _blind},
    speaks_of=("D2",),
    hypotheses=(
        Hypothesis("attention is causal", lambda model: model.causal, outside=replace(_WITNESS, causal=False)),
    ),
    witness=_WITNESS,
)
