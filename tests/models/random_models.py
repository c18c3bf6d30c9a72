"""Random small models in which every rule of the forward pass matters."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
from naive_model import AboveShift, Rules, TooLarge, evaluate

from separation.arithmetic import ExactMatrix, Precision
from separation.models import MLP, Declared, Head, Layer, Model, Run, Segment, Stored, Stream, model_to_document

Prompts = list[list[int]]


def document_of(model: Model) -> dict[str, Any]:
    """The model's document as JSON gives it back."""
    result: dict[str, Any] = json.loads(json.dumps(model_to_document(model)))
    return result


def fractions_of(run: Run) -> list[list[Fraction]]:
    """The logits themselves: coordinate 0 of the models below is 1 for ever, so logit 0 is the common factor."""
    assert len({int(row[0]) for row in run.logits}) == 1
    factor = int(run.logits[0][0])
    assert factor > 0
    return [[Fraction(int(entry), factor) for entry in row] for row in run.logits]


def naive_logits(model: Model, prompts: Prompts, rules: Rules | None = None) -> list[list[Fraction]]:
    document = document_of(model)
    return [evaluate(document, prompt, rules).logits[-1] for prompt in prompts]


def random_model(seed: int, integral: bool | None = None, bits: int = 80) -> tuple[Model, Prompts]:
    """A model and some prompts, no score above its shift; p = ``bits`` is more than enough unless told otherwise.

    Coordinate 0 is the constant 1; the unembedding starts with the identity, so the logits tell the whole stream.
    """
    rng = Random(seed)
    integral = rng.random() < 0.4 if integral is None else integral
    width, tokens, vocabulary = rng.randint(3, 4), rng.randint(2, 5), rng.randint(2, 4)

    def number(largest: int = 2) -> Fraction:
        if rng.random() < 0.35:
            return Fraction(0)
        whole = rng.choice([*range(-largest, 0), *range(1, largest + 1)])
        return Fraction(whole, 1 if integral else rng.choice([1, 1, 2, 3, 5]))

    def sample(height: int, columns: int, keep_one: bool = False, largest: int = 2) -> ExactMatrix:
        # What writes the stream is small, or the scores of later layers lie so far apart that one key takes all.
        rows = [[number(1 if keep_one else largest) for _ in range(columns)] for _ in range(height)]
        if keep_one:
            rows[0] = [Fraction(0)] * columns
        return ExactMatrix.from_entries(
            (height, columns), [(i, j, x) for i, row in enumerate(rows) for j, x in enumerate(row)]
        )

    def head() -> Head:
        keys, values = rng.randint(1, 2), rng.randint(1, 3)
        w_q, w_k = sample(keys, width, largest=1), sample(keys, width, largest=1)
        if rng.random() < 0.5:
            w_q = ExactMatrix.from_entries(w_q.shape, w_q.entries()[:1])
        return Head(w_q, w_k, sample(values, width), sample(width, values, keep_one=True), Fraction(rng.randint(-2, 1)))

    def layer() -> Layer:
        hidden = rng.randint(0, 3)
        mlp = MLP(sample(hidden, width), sample(hidden, 1), sample(width, hidden, True), sample(width, 1, True))
        return Layer(tuple(head() for _ in range(rng.randint(0, 3))), mlp)

    def rows(count: int, first: int) -> Stored | Declared:
        """Rows with the constant ``first`` in coordinate 0; declared ones half of the time."""
        if rng.random() < 0.5:
            kept = sample(count, width)
            for i in range(count):
                kept = kept.with_entry(i, 0, first)
            return Stored(kept)
        split = rng.randint(0, count - 1)
        parts = []
        for start, radix in ((0, split), (split, count - split)):
            if radix:
                code = sample(width, 1 + (radix - 1).bit_length(), keep_one=True).with_entry(0, 0, first)
                parts.append(Segment(start, (radix,), code))
        return Declared(tuple(parts))

    identity = [[int(i == j) for j in range(width)] for i in range(width)]
    answers = [[number() for _ in range(width)] for _ in range(3)]
    model = Model(
        stream=Stream([("one", 1), ("rest", width - 1)]),
        positions=rows(tokens, 1),
        tokens=rows(vocabulary, 0),
        layers=tuple(layer() for _ in range(rng.randint(1, 3))),
        unembedding=Stored(ExactMatrix.from_rows([*identity, *answers])),
        precision=Precision(rng.choice([0, 1, 3, 8, 20, 45, 70]), bits, rng.choice([0, 1, 2, 5])),
    )
    prompts = [[rng.randrange(vocabulary) for _ in range(tokens)] for _ in range(3)]
    return with_fitting_shifts(model, prompts), prompts


def with_fitting_shifts(model: Model, prompts: Prompts, *more_rules: Rules) -> Model:
    """The shifts raised as far as the scores of these prompts ask for: the largest score weighs exactly 2^P."""
    while True:
        try:
            for rules in (Rules(limited=False), *more_rules):
                naive_logits(model, prompts, rules)
        except AboveShift as found:
            model = with_shift(model, found.layer, found.head, found.score)
        else:
            return model


def with_shift(model: Model, layer: int, head: int, shift: Fraction) -> Model:
    old = model.layers[layer - 1]
    heads = tuple(replace(h, shift=shift) if i == head else h for i, h in enumerate(old.heads))
    layers = (*model.layers[: layer - 1], replace(old, heads=heads), *model.layers[layer:])
    return replace(model, layers=layers)


def batch(prompts: Prompts) -> Any:
    return np.array(prompts, dtype=np.int64)


__all__ = [
    "AboveShift",
    "TooLarge",
    "batch",
    "document_of",
    "fractions_of",
    "naive_logits",
    "random_model",
    "with_fitting_shifts",
    "with_shift",
]
