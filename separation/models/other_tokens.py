"""Where only the last token is answered: which layers, and which coordinates, must be known of the other tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import ExactMatrix
from separation.models.heads import AnyHead
from separation.models.transformer import Layer, Model


def layers_others_need(model: Model) -> list[bool]:
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
            readers: Sequence[str] = head.READERS if update else _read_of_others(head)
            live |= set().union(*(_columns_used(getattr(head, name)) for name in readers))
        if update:
            live |= set().union(*(_columns_used(mlp.w_1) for mlp in layer.mlps))
    return needed[::-1]


def columns_read(model: Model) -> NDArray[np.int64]:
    """The coordinates of other tokens' streams that some head reads; all of them if they might be too large.

    Rows that are not made cannot be checked for their size: it must follow from the tables.
    """
    if model.positions.bound + model.tokens.bound > model.precision.limit:
        return np.arange(model.width)
    used = np.zeros(model.width, dtype=bool)
    for head in (head for layer in model.layers for head in layer.heads):
        for name in _read_of_others(head):
            used |= (getattr(head, name).numerators != 0).any(axis=0)
    return np.flatnonzero(used)


def layer_reading(layer: Layer, columns: NDArray[np.int64]) -> Layer:
    """What reads other tokens reads these coordinates only; queries and MLPs read the whole stream."""
    if all(getattr(head, _read_of_others(head)[0]).shape[1] == len(columns) for head in layer.heads):
        return layer
    return replace(layer, heads=tuple(_head_reading(head, columns) for head in layer.heads))


def _head_reading(head: AnyHead, columns: NDArray[np.int64]) -> AnyHead:
    matrices: dict[str, Any] = {name: getattr(head, name).columns(columns) for name in _read_of_others(head)}
    return replace(head, **matrices)


def _read_of_others(head: AnyHead) -> list[str]:
    """Everything but queries."""
    return [name for name in head.READERS if name != "w_q"]


def _columns_used(matrix: ExactMatrix) -> set[int]:
    return set(np.flatnonzero((matrix.numerators != 0).any(axis=0)).tolist())


def _rows_used(matrix: ExactMatrix) -> set[int]:
    return set(np.flatnonzero((matrix.numerators != 0).any(axis=1)).tolist())
