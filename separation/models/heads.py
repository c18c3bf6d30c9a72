"""The heads of a layer: full attention, recurrences and block-sparse attention, each in a file of its own.

A head is a few matrices that know how they run (``attend``), on which grid their output lies (``output_grid``), how a
document names them (``TYPE``, ``MATRICES``, ``NUMBERS``) and, if tokens hand a state on, how large that is.
"""

from __future__ import annotations

from fractions import Fraction

from separation.arithmetic import ExactMatrix
from separation.models.delta_head import DeltaHead, ProductHead
from separation.models.full_head import Head, Shapes
from separation.models.linear_head import LinearHead
from separation.models.recurrent_head import RecurrentHead
from separation.models.sparse_head import SparseHead

AnyHead = Head | LinearHead | DeltaHead | ProductHead | SparseHead | RecurrentHead
HEAD_TYPES: dict[str, type[AnyHead]] = {
    head.TYPE: head for head in (Head, LinearHead, DeltaHead, ProductHead, SparseHead, RecurrentHead)
}
STATEFUL = (LinearHead, DeltaHead, ProductHead, RecurrentHead)
StatefulHead = LinearHead | DeltaHead | ProductHead | RecurrentHead


def idle_head(letter: str, width: int, family: str = "linear") -> AnyHead:
    """A head of a layer F or R that reads and writes nothing; ``family`` of R is linear or delta."""
    read, write, zero = ExactMatrix.zeros(1, width), ExactMatrix.zeros(width, 1), ExactMatrix.zeros(1, 1)
    if letter == "F":
        return Head(read, read, read, write, shift=Fraction(0))
    if family == "delta":  # α = 1: the empty state is kept
        return DeltaHead(read, read, read, read, ExactMatrix.from_rows([[1]]), read, zero, write)
    return LinearHead(read, zero, read, zero, read, write, normalised=False)


__all__ = [
    "HEAD_TYPES",
    "STATEFUL",
    "AnyHead",
    "DeltaHead",
    "Head",
    "LinearHead",
    "ProductHead",
    "RecurrentHead",
    "Shapes",
    "SparseHead",
    "StatefulHead",
    "idle_head",
]
