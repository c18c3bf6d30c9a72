"""One part of a construction in place of another: a matrix, a head, a layer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from separation.arithmetic import ExactMatrix
from separation.models import Stored
from separation.proving import Construction

TABLES = ("positions", "tokens", "unembedding")
Path = tuple[Any, ...]
"""("positions",) stored, ("positions", segment) declared, or (layer, "heads" or "mlps", number, name of the matrix)."""


def with_model(construction: Construction, **changes: Any) -> Construction:
    return replace(construction, model=replace(construction.model, **changes))


def with_layer(construction: Construction, number: int, **changes: Any) -> Construction:
    layers = list(construction.model.layers)
    layers[number] = replace(layers[number], **changes)
    return with_model(construction, layers=tuple(layers))


def with_head(construction: Construction, layer: int, number: int = 0, **changes: Any) -> Construction:
    """One head's matrices are others."""
    heads = list(construction.model.layers[layer].heads)
    heads[number] = replace(heads[number], **changes)
    return with_layer(construction, layer, heads=tuple(heads))


def places(construction: Construction) -> list[Path]:
    """Every matrix that has entries."""
    paths: list[Path] = []
    for name in TABLES:
        table = getattr(construction.model, name)
        paths += [(name,)] if isinstance(table, Stored) else [(name, index) for index in range(len(table.segments))]
    for number, layer in enumerate(construction.model.layers):
        for part in ("heads", "mlps"):
            for index, block in enumerate(getattr(layer, part)):
                paths += [(number, part, index, name) for name in block.MATRICES]
    return [path for path in paths if 0 not in matrix_at(construction, path).shape]


def matrix_at(construction: Construction, path: Path) -> ExactMatrix:
    if len(path) < 3:
        table = getattr(construction.model, path[0])
        found: ExactMatrix = (table if len(path) == 1 else table.segments[path[1]]).matrix
        return found
    number, part, index, name = path
    found = getattr(getattr(construction.model.layers[number], part)[index], name)
    return found


def with_matrix(construction: Construction, path: Path, matrix: ExactMatrix) -> Construction:
    if len(path) == 1:
        return with_model(construction, **{path[0]: Stored(matrix)})
    if len(path) == 2:
        table = getattr(construction.model, path[0])
        segments = list(table.segments)
        segments[path[1]] = replace(segments[path[1]], matrix=matrix)
        return with_model(construction, **{path[0]: replace(table, segments=tuple(segments))})
    number, part, index, name = path
    blocks = list(getattr(construction.model.layers[number], part))
    blocks[index] = replace(blocks[index], **{name: matrix})
    return with_layer(construction, number, **{part: tuple(blocks)})
