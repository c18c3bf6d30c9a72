"""Which layers must be computed at other tokens than the last."""

from __future__ import annotations

import numpy as np

from separation.arithmetic import ExactMatrix
from separation.models.transformer import Model


def layers_other_rows_need(model: Model) -> list[bool]:
    """For each layer: does what a head of a later layer reads of other tokens depend on what it writes there?

    Of other tokens a head reads keys, values, features and gates: everything but its queries.
    """
    live: set[int] = set()
    needed: list[bool] = []
    for layer in reversed(model.layers):
        writes = set().union(*(_rows_used(head.w_o) for head in layer.heads))
        writes |= set().union(*(_rows_used(mlp.w_2) | _rows_used(mlp.b_2) for mlp in layer.mlps))
        update = bool(writes & live)
        needed.append(update)
        for head in layer.heads:
            readers = head.READERS if update else [name for name in head.READERS if name != "w_q"]
            live |= set().union(*(_columns_used(getattr(head, name)) for name in readers))
        if update:
            live |= set().union(*(_columns_used(mlp.w_1) for mlp in layer.mlps))
    return needed[::-1]


def _columns_used(matrix: ExactMatrix) -> set[int]:
    return set(np.flatnonzero((matrix.numerators != 0).any(axis=0)).tolist())


def _rows_used(matrix: ExactMatrix) -> set[int]:
    return set(np.flatnonzero((matrix.numerators != 0).any(axis=1)).tolist())
