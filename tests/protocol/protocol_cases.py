"""Models, prompts and cuts that the tests of the protocol share."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import ExactMatrix, Precision
from separation.bounds import Word
from separation.models import MLP, Head, Layer, Model, Stored, Stream
from separation.protocol import Cut, RandomShape, random_model
from separation.protocol.random_models import FAMILIES

WORDS = ["".join(letters) for length in range(1, 5) for letters in product("FR", repeat=length)]
MIXED = ["[FR]", "R[FR]F", "[FR]R[FR]", "F[FR]"]
RECURRENT = list(FAMILIES)
VOCABULARY = 6


def model_of(word: str, seed: int, family: str = "linear", tokens: int = 9, heads: int = 2) -> Model:
    return random_model(RandomShape(Word.parse(word), tokens, VOCABULARY, 5, heads, family), seed)


def prompt(seed: int, tokens: int = 9) -> NDArray[np.int64]:
    return np.random.default_rng(seed).integers(0, VOCABULARY, tokens)


def some_cut(seed: int, tokens: int = 9) -> Cut:
    """At least two players."""
    rng = Random(seed)
    places = sorted(rng.sample(range(1, tokens), rng.randint(1, tokens - 1)))
    return Cut.of([b - a for a, b in zip([0, *places], [*places, tokens], strict=True)])


def fractional(model: Model, seed: int) -> Model:
    """The same model with fractions in what writes and what is summed: streams leave the grid, and stay in [−1, 1]."""
    rng = Random(seed)

    def scaled(matrix: ExactMatrix) -> ExactMatrix:
        factors = [Fraction(1, 2), Fraction(1, 3), Fraction(2, 3), Fraction(3, 5), Fraction(4, 7)]
        entries = [(row, column, number * rng.choice(factors)) for row, column, number in matrix.entries()]
        return ExactMatrix.from_entries(matrix.shape, entries)

    def changed(part: Any) -> Any:
        names = [name for name in ("w_v", "w_o", "w_2") if hasattr(part, name)]
        return replace(part, **{name: scaled(getattr(part, name)) for name in names})

    layers = tuple(
        Layer(tuple(map(changed, layer.heads)), (*map(changed, layer.mlps[:-1]), layer.mlps[-1]))
        for layer in model.layers
    )
    return replace(model, layers=layers)


def extreme(tokens: int, precision: Precision, signs: tuple[int, int] = (-1, 1), shift: int = 0) -> Model:
    """Every key weighs 2^P (``shift`` 0) and every value is −2^p or 2^p steps: sums reach the ends of their range."""
    limit = precision.limit
    rows = [[limit * sign for sign in signs] + [0] for _ in range(tokens)]
    head = Head(
        w_q=ExactMatrix.from_rows([[1, 0, 0]]),
        w_k=ExactMatrix.zeros(1, 3),
        w_v=ExactMatrix.from_rows([[1, 0, 0], [0, 1, 0]]),
        w_o=ExactMatrix.from_rows([[0, 0], [0, 0], [1, 0]]),
        shift=Fraction(shift),
    )
    nothing = MLP(ExactMatrix.zeros(0, 3), ExactMatrix.zeros(0, 1), ExactMatrix.zeros(3, 0), ExactMatrix.zeros(3, 1))
    return Model(
        stream=Stream([("values", 2), ("out", 1)]),
        positions=Stored(ExactMatrix.from_rows(rows)),
        tokens=Stored(ExactMatrix.zeros(2, 3)),
        layers=(Layer((head, replace(head, w_o=-head.w_o)), (nothing,)),),
        unembedding=Stored(ExactMatrix.from_rows([[1, 0, 0], [0, 1, 0], [0, 0, 1]])),
        precision=precision,
    )
