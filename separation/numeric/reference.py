"""What floats are compared with: the exact run of the same weights, so fine that its own rounding does not show."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import Precision
from separation.models import Scaled, joined, run
from separation.proving import Construction

FINE_BITS = 96
"""Weights are multiples of 2^-96 and read-outs too: far below the last place of a float64."""

Place = tuple[int, int]
"""(layer from 1, head from 0)."""


def refined(construction: Construction) -> Construction:
    """The same weights with P = f = 96 bits, and as many bits before the point as before."""
    precision = construction.model.precision
    whole = precision.bits - precision.fraction_bits
    fine = Precision(FINE_BITS, FINE_BITS + whole, FINE_BITS)
    return replace(construction, model=replace(construction.model, precision=fine))


def exact_step(tokens: int) -> float:
    """How far a read-out of the refined run may be from the real number: weights and quotient are rounded down."""
    return (tokens + 2) * 2.0 ** (2 - FINE_BITS)


class Trace:
    """What every head handed over, by (layer, head): the parts of a run in the order of tokens."""

    def __init__(self) -> None:
        self.parts: dict[Place, list[tuple[int, Any]]] = {}

    def note(self, layer: int, head: int, start: int, out: Any) -> None:
        self.parts.setdefault((layer, head), []).append((start, out))

    def first(self, place: Place) -> int:
        """The first token that the part tells of."""
        return self.parts[place][0][0]


def exact_trace(
    construction: Construction, ids: NDArray[np.int64], all_rows: bool, every_row: bool
) -> tuple[Trace, NDArray[np.float64]]:
    """The read-outs of the refined run, and its logits."""
    trace, model = Trace(), construction.model
    result = run(model, ids, all_rows=all_rows, every_row=every_row, watch=trace.note)
    return trace, (result.logits.astype(object) / result.denominator).astype(np.float64)


def distances(floats: NDArray[np.float64], exact: Scaled, fraction_bits: int) -> NDArray[np.float64]:
    """|float − exact|, worked out in whole multiples of 2^-96; the exact run's are of 2^-f, f ≤ 96."""
    # A power of two scales a float exactly; what a float has below 2^-96 is cut off.
    whole = np.frompyfunc(int, 1, 1)(floats * 2.0**FINE_BITS)
    finer = exact.values.astype(object) << (FINE_BITS - fraction_bits)
    gaps = np.abs(whole * exact.denominator - finer)
    errors: NDArray[np.float64] = gaps.astype(np.float64) / (exact.denominator * 2.0**FINE_BITS)
    return errors


def joined_parts(trace: Trace, place: Place) -> Scaled:
    return joined([part for _, part in trace.parts[place]])
