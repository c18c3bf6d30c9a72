"""Seeded random models of any word, sound for every prompt: streams stay in [−1, 1], so shifts are fixed beforehand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from separation.arithmetic import ExactMatrix, Precision
from separation.bounds.message import ceil_log2
from separation.bounds.word import Word
from separation.files import InputError
from separation.models import MLP, AnyHead, DeltaHead, Head, Layer, LinearHead, Model, Stored, Stream
from separation.tasks.checks import require_integer, shown

WIDTH = 8
KEYS = VALUES = 2
HIDDEN = 4
MAX_LAYERS = 64
MAX_HEADS = 64
SCORE_BITS = 20


@dataclass(frozen=True)
class RandomShape:
    """What a random model reads and answers, and what it is made of."""

    word: Word
    tokens: int
    vocabulary: int
    answers: int
    heads: int = 2
    family: str = "linear"

    def __post_init__(self) -> None:
        if len(self.word.layers) > MAX_LAYERS:
            raise InputError(f"the word has {len(self.word.layers)} layers; random models have at most {MAX_LAYERS}")
        require_integer("heads", self.heads, 1, MAX_HEADS)
        if self.family not in FAMILIES:
            raise InputError(f"family is {shown(self.family)}; known are {', '.join(FAMILIES)}")


def random_model(shape: RandomShape, seed: int, bits: int | None = None, score_bits: int | None = None) -> Model:
    """A model with all matrices non-zero, whose layers end by clipping the stream to [−1, 1].

    Scores are at most KEYS for every prompt, which is every head's shift. p (``bits``) is by default enough for every
    prompt of that length; P (``score_bits``) is 20.
    """
    make = _Maker(Random(seed))
    p = 12 + 2 * ceil_log2(shape.tokens) + shape.heads.bit_length() if bits is None else bits
    # Positions write the first half of the stream, tokens the second, so that no sum leaves [−1, 1].
    half = WIDTH // 2
    return Model(
        stream=Stream([("position", half), ("token", WIDTH - half)]),
        positions=make.table(shape.tokens, range(half)),
        tokens=make.table(shape.vocabulary, range(half, WIDTH)),
        layers=tuple(make.layer(letters, shape) for letters in shape.word.layers),
        unembedding=make.table(shape.answers, range(WIDTH)),
        precision=Precision(SCORE_BITS if score_bits is None else score_bits, p, 0),
    )


@dataclass(frozen=True)
class _Maker:
    rng: Random

    def matrix(self, rows: int, columns: int, in_a_row: int = 1) -> ExactMatrix:
        """±1 at some places of each row, 0 elsewhere."""
        places = ((row, column) for row in range(rows) for column in self.rng.sample(range(columns), in_a_row))
        return ExactMatrix.from_entries((rows, columns), [(*place, self.rng.choice((-1, 1))) for place in places])

    def writer(self, columns: int) -> ExactMatrix:
        """What writes a quarter of the stream: if all of it were written, clipping would leave little that differs."""
        chosen = [(row, self.rng.randrange(columns)) for row in self.rng.sample(range(WIDTH), WIDTH // 4)]
        entries = [(*place, self.rng.choice((-1, 1))) for place in chosen]
        return ExactMatrix.from_entries((WIDTH, columns), entries)

    def table(self, rows: int, columns: range) -> Stored:
        """Rows of −1, 0 and 1 in these columns, in each at least one that is not 0."""
        entries = []
        for row in range(rows):
            sure = self.rng.choice(columns)
            for column in columns:
                number = self.rng.choice((-1, 1)) if column == sure else self.rng.choice((-1, 0, 1))
                entries.append((row, column, number))
        return Stored(ExactMatrix.from_entries((rows, WIDTH), entries))

    def layer(self, letters: str, shape: RandomShape) -> Layer:
        heads: list[AnyHead] = []
        for letter in letters:
            make = _full if letter == "F" else FAMILIES[shape.family]
            heads += [make(self, place) for place in range(shape.heads)]
        return Layer(tuple(heads), (self.mlp(), clip()))

    def mlp(self) -> MLP:
        return MLP(self.matrix(HIDDEN, WIDTH, 2), self.matrix(HIDDEN, 1), self.writer(HIDDEN), self.writer(1))


def clip() -> MLP:
    """x − relu(x − 1) + relu(−x − 1): every coordinate is brought into [−1, 1]."""
    ones = [(row, row, 1) for row in range(WIDTH)] + [(WIDTH + row, row, -1) for row in range(WIDTH)]
    back = [(row, row, -1) for row in range(WIDTH)] + [(row, WIDTH + row, 1) for row in range(WIDTH)]
    bias = [(row, 0, -1) for row in range(2 * WIDTH)]
    return MLP(
        ExactMatrix.from_entries((2 * WIDTH, WIDTH), ones),
        ExactMatrix.from_entries((2 * WIDTH, 1), bias),
        ExactMatrix.from_entries((WIDTH, 2 * WIDTH), back),
        ExactMatrix.zeros(WIDTH, 1),
    )


def _full(make: _Maker, _: int) -> Head:
    w_q, w_k = make.matrix(KEYS, WIDTH), make.matrix(KEYS, WIDTH)
    return Head(w_q, w_k, make.matrix(VALUES, WIDTH, 2), make.writer(VALUES), Fraction(KEYS))


def _linear(make: _Maker, place: int) -> LinearHead:
    w_q, w_k = make.matrix(KEYS, WIDTH), make.matrix(KEYS, WIDTH)
    b_q, b_k = make.matrix(KEYS, 1), make.matrix(KEYS, 1)
    w_v, w_o = make.matrix(VALUES, WIDTH, 2), make.writer(VALUES)
    return LinearHead(w_q, b_q, w_k, b_k, w_v, w_o, normalised=place % 2 == 1)


def _delta(make: _Maker, _: int) -> DeltaHead:
    # |k|² ≤ 2, so I − β k kᵀ has norm 1 and a state grows by what is written only.
    w_q, w_k, w_v = make.matrix(KEYS, WIDTH), make.matrix(KEYS, WIDTH), make.matrix(VALUES, WIDTH, 2)
    one = ExactMatrix.from_rows([[1]])
    return DeltaHead(w_q, w_k, w_v, make.matrix(1, WIDTH), one, make.matrix(1, WIDTH), one, make.writer(VALUES))


FAMILIES: dict[str, Callable[[_Maker, int], AnyHead]] = {"linear": _linear, "delta": _delta}
"""Recurrent heads by name: linear attention (every second head normalised) and the gated delta rule."""
