"""Seeded random models of any word, sound for every prompt: streams stay in [−1, 1], so shifts are fixed beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random

from separation.arithmetic import ExactMatrix, Precision
from separation.bounds.message import ceil_log2
from separation.bounds.word import Word
from separation.files import InputError
from separation.models import MLP, AnyHead, Head, Layer, Model, Stored, Stream
from separation.protocol.random_heads import EXACT, FAMILIES, KEYS, VALUES, WIDTH, Maker
from separation.tasks.checks import require_integer, shown

HIDDEN = 4
MAX_LAYERS = 64
MAX_HEADS = 64
MAX_BITS = 4096
FRACTION_BITS = 4


@dataclass(frozen=True)
class RandomShape:
    """What a random model reads and answers, and what it is made of; ``heads`` of each kind in a layer."""

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

    @property
    def fraction_bits(self) -> int:
        """f: heads that never round keep to the grid of whole numbers only; the others have sixteenths."""
        return 0 if self.family in EXACT and self.word.recurrent else FRACTION_BITS


def random_model(shape: RandomShape, seed: int, bits: int | None = None, score_bits: int | None = None) -> Model:
    """A model with no matrix that is 0 (but the bias of the clip), whose layers end by clipping the stream to [−1, 1].

    Scores are at most KEYS for every prompt, which is every full head's shift. p (``bits``) is by default enough for
    every prompt of that length, as states grow by a bounded number a token; P (``score_bits``) is p.
    """
    make, f = Maker(Random(seed), shape.fraction_bits), shape.fraction_bits
    enough = 12 + ceil_log2(shape.tokens) + shape.heads.bit_length() + 2 * f
    p = require_integer("bits", enough if bits is None else bits, max(1, f), MAX_BITS)
    P = require_integer("score bits", p if score_bits is None else score_bits, 0, MAX_BITS)
    # Positions write the first half of the stream, tokens the second, so that no sum leaves [−1, 1].
    half = WIDTH // 2
    return Model(
        stream=Stream([("position", half), ("token", WIDTH - half)]),
        positions=_table(make, shape.tokens, range(half)),
        tokens=_table(make, shape.vocabulary, range(half, WIDTH)),
        layers=tuple(_layer(make, letters, shape) for letters in shape.word.layers),
        unembedding=_table(make, shape.answers, range(WIDTH)),
        precision=Precision(P, p, f),
    )


def _table(make: Maker, rows: int, columns: range) -> Stored:
    """Rows of numbers in [−1, 1] in these columns, in each at least one that is not 0."""
    entries: list[tuple[int, int, Fraction | int]] = []
    for row in range(rows):
        sure = make.rng.choice(columns)
        entries += [(row, column, make.sign() if column == sure else make.number()) for column in columns]
    return Stored(ExactMatrix.from_entries((rows, WIDTH), entries))


def _layer(make: Maker, letters: str, shape: RandomShape) -> Layer:
    heads: list[AnyHead] = []
    for letter in letters:
        for place in range(shape.heads):
            heads.append(_full(make) if letter == "F" else FAMILIES[shape.family](make, place))
    return Layer(tuple(heads), (_mlp(make), _clip()))


def _full(make: Maker) -> Head:
    w_q, w_k = make.reader(KEYS), make.reader(KEYS)
    return Head(w_q, w_k, make.reader(VALUES, 2), make.writer(VALUES), Fraction(KEYS))


def _mlp(make: Maker) -> MLP:
    return MLP(make.reader(HIDDEN, 2), make.column(HIDDEN), make.writer(HIDDEN), make.writer(1))


def _clip() -> MLP:
    """x − relu(x − 1) + relu(−x − 1): every coordinate is brought into [−1, 1]."""
    ones = [(row, row, 1) for row in range(WIDTH)] + [(WIDTH + row, row, -1) for row in range(WIDTH)]
    back = [(row, row, -1) for row in range(WIDTH)] + [(row, WIDTH + row, 1) for row in range(WIDTH)]
    return MLP(
        ExactMatrix.from_entries((2 * WIDTH, WIDTH), ones),
        ExactMatrix.from_entries((2 * WIDTH, 1), [(row, 0, -1) for row in range(2 * WIDTH)]),
        ExactMatrix.from_entries((WIDTH, 2 * WIDTH), back),
        ExactMatrix.zeros(WIDTH, 1),
    )
