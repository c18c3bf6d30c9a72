"""Seeded random models of any word, sound for every prompt: streams stay in [−1, 1], so shifts are fixed beforehand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from random import Random

from separation.arithmetic import ExactMatrix, Precision
from separation.bounds import Word, ceil_log2
from separation.files import InputError
from separation.models import (
    MLP,
    AnyHead,
    DeltaHead,
    Head,
    Layer,
    LinearHead,
    Model,
    Part,
    RecurrentHead,
    Stored,
    Stream,
    Unit,
    blank_recurrent_head,
)
from separation.recurrences import FAMILIES as RECURRENCES
from separation.tasks.checks import require_integer, shown

WIDTH = 8
KEYS = VALUES = 2
COUNTS = {"sliding-window": 3, "delta-product": 2}
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Maker:
    """Random matrices over the stream; numbers of a column or a table are multiples of 2^-f."""

    rng: Random
    fraction_bits: int

    def sign(self) -> int:
        return self.rng.choice((-1, 1))

    def number(self) -> Fraction:
        """In [−1, 1]."""
        unit = 1 << self.fraction_bits
        return Fraction(self.rng.randint(-unit, unit), unit)

    def reader(self, rows: int, in_a_row: int = 1) -> ExactMatrix:
        """What reads the stream: ±1 at some places of each row."""
        places = [(row, column) for row in range(rows) for column in self.rng.sample(range(WIDTH), in_a_row)]
        return ExactMatrix.from_entries((rows, WIDTH), [(*place, self.sign()) for place in places])

    def writer(self, columns: int) -> ExactMatrix:
        """What writes a quarter of the stream: if all of it were written, clipping would leave little that differs."""
        chosen = [(row, self.rng.randrange(columns)) for row in self.rng.sample(range(WIDTH), WIDTH // 4)]
        return ExactMatrix.from_entries((WIDTH, columns), [(*place, self.sign()) for place in chosen])

    def column(self, rows: int) -> ExactMatrix:
        return ExactMatrix.from_entries((rows, 1), [(row, 0, self.sign()) for row in range(rows)])


def _linear(make: Maker, place: int) -> LinearHead:
    """Every second head has a normaliser."""
    w_q, b_q, w_k, b_k = make.reader(KEYS), make.column(KEYS), make.reader(KEYS), make.column(KEYS)
    return LinearHead(w_q, b_q, w_k, b_k, make.reader(VALUES, 2), make.writer(VALUES), normalised=place % 2 == 1)


def _delta(make: Maker, _: int) -> DeltaHead:
    # |k|² ≤ 2, so I − β k kᵀ has norm at most 1, and a state grows by what is written only.
    w_q, w_k, w_v = make.reader(KEYS), make.reader(KEYS), make.reader(VALUES, 2)
    w_a, w_b, one = make.reader(1), make.reader(1), ExactMatrix.from_rows([[1]])
    return DeltaHead(w_q, w_k, w_v, w_a, one, w_b, one, make.writer(VALUES))


def _recurrent(make: Maker, _: int, family: str) -> RecurrentHead:
    """Each input reads one coordinate; gates stand around 1/2; of a key one coordinate alone is not 0: |k| ≤ 1."""
    count = COUNTS.get(family, 1)
    parts = blank_recurrent_head(family, KEYS, VALUES, count)
    shapes = parts.shapes(WIDTH)
    reads, bias = make.reader(shapes["w_x"][0]).entries(), []
    for part in parts.inputs:
        if part.domain == "key":
            still = {row for row in range(part.start, part.stop) if (row - part.start) % part.shape[-1]}
            reads = [entry for entry in reads if entry[0] not in still]
        else:
            sign = 1 if part.domain in ("gate", "strength", "reflection") else make.sign()
            bias += [(row, 0, sign * HALF) for row in range(part.start, part.stop)]
    return RecurrentHead(
        ExactMatrix.from_entries(shapes["w_x"], reads),
        ExactMatrix.from_entries(shapes["b_x"], bias),
        ExactMatrix.from_entries(shapes["b_c"], [entry for part in parts.constants for entry in _constant(make, part)]),
        make.writer(VALUES),
        family,
        KEYS,
        VALUES,
        count,
    )


def _constant(make: Maker, part: Part) -> list[tuple[int, int, Fraction | int]]:
    """1/2 on the diagonal of a contraction, 1/2 for a gate, ±1 elsewhere."""
    rows = range(part.start, part.stop)
    if part.domain == "contraction":
        return [(row, 0, HALF) for row in rows if (row - part.start) % (part.shape[-1] + 1) == 0]
    return [(row, 0, HALF if part.domain == "gate" else make.sign()) for row in rows]


EXACT: dict[str, Callable[[Maker, int], AnyHead]] = {"linear": _linear, "delta": _delta}
"""The heads of the constructions, whose states are never rounded: linear attention and the gated delta rule."""

FAMILIES: dict[str, Callable[[Maker, int], AnyHead]] = {
    **{family: partial(_recurrent, family=family) for family in RECURRENCES if family != "linear"},
    **EXACT,
}
"""Recurrent heads by name: those two, and every other family, with states rounded to p bits."""


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
        for index in range(shape.heads):
            heads.append(_full(make) if letter == "F" else FAMILIES[shape.family](make, index))
    return Layer(tuple(heads), (_mlp(make), _clip()))


def _full(make: Maker) -> Head:
    w_q, w_k = make.reader(KEYS), make.reader(KEYS)
    return Head(w_q, w_k, make.reader(VALUES, 2), make.writer(VALUES), Fraction(KEYS))


def _mlp(make: Maker) -> MLP:
    return MLP(make.reader(HIDDEN, 2), make.column(HIDDEN), make.writer(HIDDEN), make.writer(1))


def _clip() -> MLP:
    """x − relu(x − 1) + relu(−x − 1): every coordinate is brought into [−1, 1]."""
    return MLP.of_units(WIDTH, [Unit({row: sign}, -1, {row: -sign}) for sign in (1, -1) for row in range(WIDTH)])
