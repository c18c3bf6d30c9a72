"""Random small models in which every rule of the forward pass matters."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
from naive_model import AboveShift, Rules, TooLarge, evaluate

from separation.arithmetic import ExactMatrix, Precision
from separation.models import (
    HEAD_TYPES,
    MLP,
    AnyHead,
    Declared,
    DeltaHead,
    Head,
    Layer,
    LinearHead,
    Model,
    ProductHead,
    RecurrentHead,
    Run,
    Segment,
    SparseHead,
    Stored,
    Stream,
    blank_recurrent_head,
    model_to_document,
)
from separation.recurrences import FAMILIES

Prompts = list[list[int]]


def document_of(model: Model) -> dict[str, Any]:
    """The model's document as JSON gives it back."""
    result: dict[str, Any] = json.loads(json.dumps(model_to_document(model)))
    return result


def fractions_of(run: Run) -> list[list[Fraction]]:
    """The logits themselves: coordinate 0 of the models below is 1 for ever, so logit 0 is the common factor.

    If every row was asked for, those of the first prompt's tokens come first, then the second's, ….
    """
    logits = run.logits.reshape(-1, run.logits.shape[-1])
    assert len({int(row[0]) for row in logits}) == 1
    factor = int(logits[0][0])
    assert factor > 0
    return [[Fraction(int(entry), factor) for entry in row] for row in logits]


def naive_logits(model: Model, prompts: Prompts, rules: Rules | None = None) -> list[list[Fraction]]:
    document = document_of(model)
    return [evaluate(document, prompt, rules).logits[-1] for prompt in prompts]


def states_of(model: Model, prompts: Prompts, layer: int, head: int = 0) -> list[list[list[Fraction]]]:
    """For each prompt, by the naive evaluator, the state after each token, entry by entry; layers count from 1."""
    part, document = model.layers[layer - 1].heads[head], document_of(model)
    normalised = isinstance(part, LinearHead) and part.normalised
    found = [evaluate(document, prompt).states[layer, head] for prompt in prompts]
    return [[[*(x for row in S for x in row), *(n if normalised else [])] for S, n in rows] for rows in found]


def random_model(
    seed: int,
    integral: bool | None = None,
    bits: int | None = None,
    kinds: tuple[str, ...] = tuple(HEAD_TYPES),
    families: tuple[str, ...] = tuple(FAMILIES),
) -> tuple[Model, Prompts]:
    """A model and some prompts, no score above its shift; p = ``bits`` is more than enough unless told otherwise.

    Coordinate 0 is the constant 1; the unembedding starts with the identity, so the logits tell the whole stream. Some
    models have more positions than the prompts have tokens, and some look both ways (these have full heads only).
    """
    model, prompts = unfitted_model(seed, integral, bits, kinds, families)
    model = with_fitting_shifts(model, prompts)
    return (with_enough_bits(model, prompts) if bits is None else model), prompts


def model_with_a_head(kind: str, seed: int) -> tuple[Model, Prompts]:
    """Of a family, or a type of head if it is no family; in the first layer, and read by three tokens or more."""
    chosen: dict[str, Any] = {"kinds": (kind.removesuffix(" head"),)}
    if kind in FAMILIES:
        chosen = {"kinds": ("recurrent",), "families": (kind,)}
    found = (random_model(each, **chosen) for each in range(100 * seed, 100 * seed + 100))
    return next((model, prompts) for model, prompts in found if model.layers[0].heads and len(prompts[0]) > 2)


def unfitted_model(
    seed: int,
    integral: bool | None = None,
    bits: int | None = None,
    kinds: tuple[str, ...] = tuple(HEAD_TYPES),
    families: tuple[str, ...] = tuple(FAMILIES),
) -> tuple[Model, Prompts]:
    """The same before its shifts and its p are fitted to the prompts."""
    rng = Random(seed)
    integral = rng.random() < 0.4 if integral is None else integral
    make = Maker(rng, integral, rng.randint(3, 4), families)
    tokens, vocabulary = rng.randint(2, 6), rng.randint(2, 5)
    causal = "full" not in kinds or rng.random() < 0.8
    kinds = kinds if causal else ("full",)
    identity = [[int(i == j) for j in range(make.width)] for i in range(make.width)]
    answers = [[make.number() for _ in range(make.width)] for _ in range(3)]
    model = Model(
        stream=Stream([("one", 1), ("rest", make.width - 1)]),
        positions=make.table(tokens + rng.choice([0, 0, 1, 2]), 1),
        tokens=make.table(vocabulary, 0),
        layers=tuple(make.layer(kinds) for _ in range(rng.randint(1, 3))),
        unembedding=Stored(ExactMatrix.from_rows([*identity, *answers])),
        precision=Precision(
            rng.choice([0, 1, 3, 8, 20, 45, 70]), 80 if bits is None else bits, rng.choice([0, 1, 2, 5])
        ),
        causal=causal,
    )
    return model, [[rng.randrange(vocabulary) for _ in range(tokens)] for _ in range(3)]


@dataclass(frozen=True)
class Maker:
    """Random parts of models of one width."""

    rng: Random
    integral: bool
    width: int
    families: tuple[str, ...]

    def number(self, largest: int = 2) -> Fraction:
        if self.rng.random() < 0.35:
            return Fraction(0)
        whole = self.rng.choice([*range(-largest, 0), *range(1, largest + 1)])
        return Fraction(whole, 1 if self.integral else self.rng.choice([1, 1, 2, 3, 5]))

    def matrix(self, height: int, columns: int, keep_one: bool = False, largest: int = 2) -> ExactMatrix:
        # What writes the stream is small, or the scores of later layers lie so far apart that one key takes all.
        rows = [[self.number(1 if keep_one else largest) for _ in range(columns)] for _ in range(height)]
        if keep_one:
            rows[0] = [Fraction(0)] * columns
        return ExactMatrix.from_entries(
            (height, columns), [(i, j, x) for i, row in enumerate(rows) for j, x in enumerate(row)]
        )

    def thin(self, height: int, columns: int) -> ExactMatrix:
        """One entry, half of the time: few rows differ then, and equal scores are common."""
        whole = self.matrix(height, columns, largest=1)
        return ExactMatrix.from_entries(whole.shape, whole.entries()[:1]) if self.rng.random() < 0.5 else whole

    def head(self, kind: str) -> AnyHead:
        rng, width = self.rng, self.width
        keys, values = rng.randint(1, 2), rng.randint(1, 3)
        w_q, w_k = self.thin(keys, width), self.matrix(keys, width, largest=1)
        w_v, w_o = self.matrix(values, width), self.matrix(width, values, keep_one=True)
        shift = Fraction(rng.randint(-2, 1))
        if kind == RecurrentHead.TYPE:
            return self.recurrent(rng.choice(self.families), keys, values)
        if kind == "linear":
            b_q, b_k = self.matrix(keys, 1), self.matrix(keys, 1)
            return LinearHead(w_q, b_q, w_k, b_k, w_v, w_o, normalised=rng.random() < 0.5)
        if kind == "delta":
            gates = [self.thin(1, width), self.matrix(1, 1), self.thin(1, width), self.matrix(1, 1)]
            return DeltaHead(w_q, w_k, w_v, *gates, w_o)
        if kind == "product":
            count = rng.randint(1, 2)
            stacked = [self.matrix(count * size, width, largest=1) for size in (keys, values)]
            return ProductHead(w_q, *stacked, self.thin(count, width), self.matrix(count, 1), w_o, count)
        if kind == "sparse":
            block = rng.randint(1, 3)
            c_k, c_v = self.thin(keys, block * keys), self.matrix(values, block * values, largest=1)
            return SparseHead(w_q, w_k, w_v, c_k, c_v, w_o, shift, block, rng.randint(0, 2))
        return Head(w_q, w_k, w_v, w_o, shift)

    def recurrent(self, family: str, keys: int, values: int) -> RecurrentHead:
        count = self.rng.randint(1, 3) if {"w", "n_h"} & set(FAMILIES[family].extra_sizes) else 1
        shapes = blank_recurrent_head(family, keys, values, count).shapes(self.width)
        constants = self.matrix(*shapes["b_c"])
        if family == "retnet":
            constants = ExactMatrix.from_rows([[Fraction(self.rng.randint(0, 4), 4)]])
        w_x, b_x = self.matrix(*shapes["w_x"], largest=1), self.matrix(*shapes["b_x"], largest=1)
        w_o = self.matrix(*shapes["w_o"], keep_one=True)
        return RecurrentHead(w_x, b_x, constants, w_o, family, keys, values, count)

    def mlp(self) -> MLP:
        hidden, width = self.rng.randint(0, 3), self.width
        return MLP(
            self.matrix(hidden, width),
            self.matrix(hidden, 1),
            self.matrix(width, hidden, keep_one=True),
            self.matrix(width, 1, keep_one=True),
        )

    def layer(self, kinds: tuple[str, ...]) -> Layer:
        heads = tuple(self.head(self.rng.choice(kinds)) for _ in range(self.rng.randint(0, 3)))
        return Layer(heads, tuple(self.mlp() for _ in range(self.rng.choice([0, 1, 1, 2]))))

    def table(self, count: int, first: int) -> Stored | Declared:
        """Rows with the constant ``first`` in coordinate 0; declared ones half of the time, mirrored if they can be."""
        if self.rng.random() < 0.5:
            kept = self.matrix(count, self.width)
            for i in range(count):
                kept = kept.with_entry(i, 0, first)
            return Stored(kept)
        split = self.rng.randint(0, count - 1)
        parts = []
        for start, radix in ((0, split), (split, count - split)):
            if radix:
                mirror = radix if radix >= 3 and radix % 2 and self.rng.random() < 0.7 else None
                bits = (radix - 1).bit_length() * (1 if mirror is None else 2)
                code = self.matrix(self.width, 1 + bits, keep_one=True).with_entry(0, 0, first)
                parts.append(Segment(start, (radix,), code, mirror))
        return Declared(tuple(parts))


def with_enough_bits(model: Model, prompts: Prompts, *more_rules: Rules) -> Model:
    """p = 80 where that is enough, else so many bits that nothing is too large: cubes of cubes are."""
    try:
        for rules in (Rules(), *more_rules):
            naive_logits(model, prompts, rules)
    except TooLarge:
        return replace(model, precision=replace(model.precision, bits=4000))
    return model


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
