"""Models of a few slots by hand: tokens note, pass on and hear numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from random_models import fractions_of

from separation.arithmetic import ExactMatrix, Precision
from separation.models import MLP, AnyHead, Blocks, Head, Layer, Model, Stored, Stream, run

TOKENS = 5
HUB = 2
STREAM = Stream([("one", 1), ("place", TOKENS), ("value", 1), ("noted", 1), ("passed", 1), ("heard", 1), ("unused", 1)])
ONE = Stream([("one", 1)])
SHARP = 40


def place(number: int) -> int:
    return STREAM["place"][number]


def head(reads: str, writes: str, target: int | None = None, asks: str = "one") -> Head:
    """Copies the slot ``reads`` into ``writes``: from the token at ``target``, or the average over all tokens seen."""
    w_q, w_k = Blocks(ONE, STREAM), Blocks(ONE, STREAM)
    if target is not None:
        w_q.copy("one", asks, SHARP)
        w_k.put(0, place(target), 1)
    return Head(
        w_q=w_q.build(),
        w_k=w_k.build(),
        w_v=Blocks(ONE, STREAM).copy("one", reads).build(),
        w_o=Blocks(STREAM, ONE).copy(writes, "one").build(),
        shift=Fraction(SHARP if target is not None else 0),
    )


def layer(*heads: AnyHead, w_1: Blocks | None = None, w_2: Blocks | None = None, b_2: Blocks | None = None) -> Layer:
    parts = (w_1 or Blocks(ONE, STREAM), Blocks(ONE, ONE), w_2 or Blocks(STREAM, ONE), b_2 or Blocks(STREAM, ONE))
    return Layer(heads, (MLP(*(part.build() for part in parts)),))


def chain(*layers: Layer) -> Model:
    """Tokens are numbers 0, 1, 2, 3 in the slot ``value``; every slot of the last token is a logit."""
    rows = Blocks(STREAM, Stream([("token", TOKENS)]))
    for number in range(TOKENS):
        rows.put(STREAM["one"][0], number, 1).put(place(number), number, 1)
    values = Blocks(STREAM, Stream([("id", 4)]))
    for number in range(4):
        values.put(STREAM["value"][0], number, number)
    identity = ExactMatrix.from_entries((STREAM.width, STREAM.width), [(i, i, 1) for i in range(STREAM.width)])
    return Model(
        STREAM, Stored(rows.build().T), Stored(values.build().T), layers, Stored(identity), Precision(30, 40, 4)
    )


def slot(model: Model, prompt: list[int], name: str, **options: bool) -> Fraction:
    (logits,) = fractions_of(run(model, np.array(prompt), **options))
    return logits[STREAM[name][0]]


# The hub notes the average of the tokens up to it; the last token reads it off the hub.
RELAY = chain(layer(head("value", "noted")), layer(head("noted", "heard", target=HUB)))
# The last token reads the hub's own token.
DIRECT = chain(layer(head("value", "noted")), layer(head("value", "heard", target=HUB)))
