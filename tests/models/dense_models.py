"""Models of a given word in which every matrix has non-zero entries only, with at least two heads a layer."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from random_models import Prompts, with_enough_bits, with_fitting_shifts

from separation.arithmetic import ExactMatrix, Precision
from separation.models import MLP, AnyHead, Head, Layer, Model, RecurrentHead, Stored, Stream, blank_recurrent_head
from separation.recurrences import FAMILIES

WIDTH = 3


def number(rng: Random) -> Fraction:
    return Fraction(rng.choice([-2, -1, 1, 2]), rng.choice([1, 2, 3, 4]))


def dense(rng: Random, shape: tuple[int, int]) -> ExactMatrix:
    return ExactMatrix.from_entries(shape, [(i, j, number(rng)) for i in range(shape[0]) for j in range(shape[1])])


def writing(rng: Random, columns: int) -> ExactMatrix:
    """Coordinate 0 is 1 for ever; the others are written in full."""
    entries = [(i, j, number(rng) / 2) for i in range(1, WIDTH) for j in range(columns)]
    return ExactMatrix.from_entries((WIDTH, columns), entries)


def recurrent_head(rng: Random, family: str, count: int | None = None) -> RecurrentHead:
    keys, values = rng.randint(1, 3), rng.randint(1, 3)
    if count is None:
        count = rng.randint(1, 3) if {"w", "n_h"} & set(FAMILIES[family].extra_sizes) else 1
    shapes = blank_recurrent_head(family, keys, values, count).shapes(WIDTH)
    constants = dense(rng, shapes["b_c"])
    if family == "retnet":
        constants = ExactMatrix.from_rows([[Fraction(rng.randint(1, 4), 4)]])
    w_x, b_x = dense(rng, shapes["w_x"]), dense(rng, shapes["b_x"])
    return RecurrentHead(w_x, b_x, constants, writing(rng, values), family, keys, values, count)


def full_head(rng: Random) -> Head:
    keys, values = rng.randint(1, 2), rng.randint(1, 2)
    reads = [dense(rng, (rows, WIDTH)) for rows in (keys, keys, values)]
    return Head(*reads, writing(rng, values), Fraction(0))


def dense_model(
    word: str,
    families: Sequence[str],
    seed: int,
    tokens: int = 6,
    fraction: int = 4,
    bits: int | None = None,
    heads: int = 2,
) -> tuple[Model, Prompts]:
    """The heads of R layers take the families in turn; p is enough, unless ``bits`` says otherwise."""
    rng, turn = Random(seed), 0
    layers = []
    for letter in word:
        parts: list[AnyHead] = []
        for _ in range(heads):
            parts.append(full_head(rng) if letter == "F" else recurrent_head(rng, families[turn % len(families)]))
            turn += letter == "R"
        hidden = MLP(dense(rng, (2, WIDTH)), dense(rng, (2, 1)), writing(rng, 2), writing(rng, 1))
        layers.append(Layer(tuple(parts), (hidden,)))
    identity = ExactMatrix.from_entries((WIDTH, WIDTH), [(i, i, 1) for i in range(WIDTH)])
    positions, ids = dense(rng, (tokens, WIDTH)), dense(rng, (4, WIDTH))
    for row in range(tokens):
        positions = positions.with_entry(row, 0, 1)
    for row in range(4):
        ids = ids.with_entry(row, 0, 0)
    precision = Precision(rng.choice([4, 9, 20]), 40 if bits is None else bits, fraction)
    model = Model(
        stream=Stream([("one", 1), ("rest", WIDTH - 1)]),
        positions=Stored(positions),
        tokens=Stored(ids),
        layers=tuple(layers),
        unembedding=Stored(identity),
        precision=precision,
    )
    prompts = [[rng.randrange(4) for _ in range(tokens)] for _ in range(2)]
    model = with_fitting_shifts(model, prompts)
    return (with_enough_bits(model, prompts) if bits is None else model), prompts
