"""Where only the last token is computed, of the others nothing but what heads read of them need be known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.models.heads import AnyHead
from separation.models.tables import Declared, RowTable, Stored
from separation.models.transformer import Layer, Model


def columns_read(model: Model) -> NDArray[np.int64]:
    """The coordinates of other tokens' streams that some head reads; all of them if they might be too large.

    Rows that are not made cannot be checked for their size: it must follow from the tables.
    """
    if model.positions.bound + model.tokens.bound > model.precision.limit:
        return np.arange(model.width)
    used = np.zeros(model.width, dtype=bool)
    for head in (head for layer in model.layers for head in layer.heads):
        for name in _key_side(head):
            used |= (getattr(head, name).numerators != 0).any(axis=0)
    return np.flatnonzero(used)


def narrowed_table(table: RowTable, columns: NDArray[np.int64]) -> RowTable:
    if isinstance(table, Stored):
        return Stored(table.matrix.columns(columns))
    return Declared(tuple(replace(part, matrix=part.matrix.rows(columns)) for part in table.segments))


def narrowed_layer(layer: Layer, columns: NDArray[np.int64]) -> Layer:
    """What reads other tokens reads these coordinates only; queries and MLPs read the whole stream."""
    if all(getattr(head, _key_side(head)[0]).shape[1] == len(columns) for head in layer.heads):
        return layer
    return replace(layer, heads=tuple(_narrowed_head(head, columns) for head in layer.heads))


def _narrowed_head(head: AnyHead, columns: NDArray[np.int64]) -> AnyHead:
    matrices: dict[str, Any] = {name: getattr(head, name).columns(columns) for name in _key_side(head)}
    return replace(head, **matrices)


def _key_side(head: AnyHead) -> list[str]:
    """Everything but queries."""
    return [name for name in head.READERS if name != "w_q"]
