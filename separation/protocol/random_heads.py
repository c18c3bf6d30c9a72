"""Random recurrent heads whose states cannot run away while the stream stays in [−1, 1]."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from random import Random

from separation.arithmetic import ExactMatrix
from separation.models import AnyHead, DeltaHead, LinearHead, RecurrentHead
from separation.models.recurrent_head import Part, blank
from separation.recurrences import FAMILIES as RECURRENCES

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
    parts = blank(family, KEYS, VALUES, count)
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
