"""T.pad: full layers that do nothing may be put in front; nothing changes, and Λ_0 = 0 then.

A full layer whose writing matrix is 0 and that has no MLP adds nothing, whatever it attends to. Put k of them in front
of a word: outputs are the same, Λ_0 = … = Λ_{k-1} = 0, and then follow the Λ of the word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from random import Random

import numpy as np

from constructions.words import idle
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.kit.theorems import WITH_MIXED, words_up_to
from separation.bounds import Message, Word
from separation.models import Head, run
from separation.protocol import RandomShape, random_model

Padding = Callable[[tuple[str, ...], int], tuple[str, ...]]
"""(layers, number of idle full ones) ↦ layers; an idle one is written "idle"."""
LONGEST, MOST, TOKENS, VOCABULARY = 4, 3, 5, 6
WORDS = words_up_to(LONGEST, WITH_MIXED)


def in_front(layers: tuple[str, ...], count: int) -> tuple[str, ...]:
    return ("idle",) * count + layers


def check(padding: Padding) -> Checked:
    """A padded word has ``count`` full layers more, as many Λ that are 0, then those of the word, and equal outputs.

    The state bits of the R layers are different powers of two, so equal sums have equal terms. An idle layer's writing
    matrix is 0 and it has no MLP, so it adds 0 to the stream of every token, whatever it attends to: by hand, for every
    prompt; random models of all words of up to two layers are run as well. One head of one dimension has no
    larger β than any other layer.
    """
    layer = idle("F", 8)
    (head,) = layer.heads
    require(isinstance(head, Head) and not head.w_o.entries() and not layer.mlps, "an idle layer writes something")
    for message in (Message(1, 1, 1, 0), Message(3, 2, 4, 8)):
        require(Message(1, 1, message.bits, message.score_bits).beta(5) <= message.beta(5), "an idle layer sends more")
    for word, count in product(WORDS, range(MOST + 1)):
        padded = padding(word.layers, count)
        longer = Word(tuple("F" if letter == "idle" else letter for letter in padded))
        bits = [1 << index for index in range(word.recurrent)]
        require(longer.full == word.full + count, f"{word}: padded it has {longer.full} full layers")
        found, expected = longer.linear_bits(bits), (0,) * count + word.linear_bits(bits)
        require(found == expected, f"{word} with {count} idle layers: Λ is {found}, not {expected}")
        if len(word.layers) <= 2:
            _require_equal(word, padded)
    return Checked(
        Status.EXHAUSTIVE,
        "Λ of every padded word; random models run with and without idle layers",
        f"all {len(WORDS)} words over F, R, [FR] of up to {LONGEST} layers, up to {MOST} idle ones",
    )


def _require_equal(word: Word, padded: tuple[str, ...]) -> None:
    model = random_model(RandomShape(word, TOKENS, VOCABULARY, answers=5), seed=len(padded))
    true = iter(model.layers)
    layers = tuple(idle("F", model.width) if letter == "idle" else next(true) for letter in padded)
    rng = Random(str(word))
    ids = np.array([[rng.randrange(VOCABULARY) for _ in range(TOKENS)] for _ in range(3)])
    plain, longer = (run(each, ids, every_row=True) for each in (model, replace(model, layers=layers)))
    equal = (plain.logits * longer.denominator == longer.logits * plain.denominator).all()
    require(bool(equal), f"{word}: idle layers change the logits")


STATEMENT = Statement(
    id="T.pad",
    title="idle full layers in front of words of up to 4 layers",
    latex=r"F^k a\ \text{does what}\ a\ \text{does},\quad\Lambda(F^k a)=(0,\dots,0,\Lambda(a))",
    english="A word with fewer full layers than a theorem speaks of is padded with idle ones in front; then Λ_0 is 0.",
    subject=in_front,
    check=check,
    twins={
        "idle layers at the end": lambda layers, count: layers + ("idle",) * count,
        "after the first layer": lambda layers, count: layers[:1] + ("idle",) * count + layers[1:],
        "one too few": lambda layers, count: ("idle",) * max(0, count - 1) + layers,
    },
    speaks_of=("D2",),
    hypotheses=(
        Hypothesis(
            "the word has fewer full layers than L − 1",
            lambda held: Word.parse(held[0]).full < held[1] - 1,
            outside=("FRF", 3),
        ),
    ),
    witness=("RFR", 4),
)
"""The witness: a word and L."""
