"""Changes of single weights of any layer, exact runs over all inputs, other coordinates."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from separation.arithmetic import ExactMatrix
from separation.models import Stored, run
from separation.proving import Construction, Proof, prove
from separation.tasks.funccomp import enumerate_token_ids

TABLES = ("positions", "tokens", "unembedding")
Path = tuple[Any, ...]
"""("positions",), or (layer, "heads" or "mlps", number, name of the matrix)."""


def proof_of(construction: Construction) -> Proof:
    return prove(construction.model, construction.stages, construction.sizes.shape())


def with_stored_tables(construction: Construction) -> Construction:
    tables = {name: getattr(construction.model, name).stored() for name in TABLES}
    return replace(construction, model=replace(construction.model, **tables))


def with_layer(construction: Construction, number: int, **changes: Any) -> Construction:
    layers = list(construction.model.layers)
    layers[number] = replace(layers[number], **changes)
    return replace(construction, model=replace(construction.model, layers=tuple(layers)))


def with_head(construction: Construction, number: int, **changes: Any) -> Construction:
    """One head's matrices are others; the layer has one head."""
    (head,) = construction.model.layers[number].heads
    return with_layer(construction, number, heads=(replace(head, **changes),))


def head_of(construction: Construction, number: int) -> Any:
    (head,) = construction.model.layers[number].heads
    return head


def places(construction: Construction) -> list[Path]:
    """Every matrix that has entries."""
    paths: list[Path] = [(name,) for name in TABLES]
    for number, layer in enumerate(construction.model.layers):
        for part in ("heads", "mlps"):
            for index, block in enumerate(getattr(layer, part)):
                paths += [(number, part, index, name) for name in block.MATRICES]
    return [path for path in paths if 0 not in matrix_at(construction, path).shape]


def matrix_at(construction: Construction, path: Path) -> ExactMatrix:
    if len(path) == 1:
        return getattr(construction.model, path[0]).matrix
    number, part, index, name = path
    return getattr(getattr(construction.model.layers[number], part)[index], name)


def with_matrix(construction: Construction, path: Path, matrix: ExactMatrix) -> Construction:
    if len(path) == 1:
        return replace(construction, model=replace(construction.model, **{path[0]: Stored(matrix)}))
    number, part, index, name = path
    blocks = list(getattr(construction.model.layers[number], part))
    blocks[index] = replace(blocks[index], **{name: matrix})
    return with_layer(construction, number, **{part: tuple(blocks)})


def random_change(construction: Construction, rng: np.random.Generator) -> tuple[Path, Construction]:
    """One entry of one matrix becomes another small number; half of the time an entry that is not 0."""
    paths = places(construction)
    path = paths[rng.integers(len(paths))]
    matrix = matrix_at(construction, path)
    cells = np.argwhere((matrix.numerators != 0) == bool(rng.integers(2)))
    if not len(cells):
        cells = np.argwhere(matrix.numerators == matrix.numerators)
    row, column = (int(place) for place in cells[rng.integers(len(cells))])
    step = Fraction(int(rng.choice([-2, -1, 1, 2])), int(rng.choice([1, 1, 1, 2])))
    return path, with_matrix(construction, path, matrix.with_entry(row, column, matrix.entry(row, column) + step))


def count_wrong(construction: Construction) -> int:
    """On how many inputs of all the exact run differs from the oracle; overflow is wrong."""
    wrong = 0
    for ids, answers in enumerate_token_ids(construction.sizes, 2048):
        try:
            wrong += int((run(construction.model, ids).answers != answers).sum())
        except ArithmeticError:
            wrong += len(answers)
    return wrong


def in_other_coordinates(construction: Construction, seed: int) -> Construction:
    """A random unimodular change of basis, with the whole bits that its larger coordinates need."""
    rng, width = np.random.default_rng(seed), construction.model.width
    lower = np.tril(rng.integers(-1, 2, (width, width)), -1) + np.eye(width, dtype=np.int64)
    upper = np.triu(rng.integers(-1, 2, (width, width)), 1) + np.eye(width, dtype=np.int64)
    changed = construction.in_basis(ExactMatrix(lower @ upper))
    precision = replace(changed.model.precision, bits=changed.model.precision.bits + 24)
    return replace(changed, model=replace(changed.model, precision=precision))
