"""Changes of the weights of C6 and C7, and their exact runs over all inputs of 2-Sum, at every token."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import ExactMatrix
from separation.models import run
from separation.proving import Construction, Proof, prove
from separation.tasks.two_sum import TwoSumInstance, enumerate_tokens, outputs

TABLES = ("positions", "tokens", "unembedding")
Path = tuple[Any, ...]
"""(name of a declared table, segment), or ("heads" or "mlps", number, name of the matrix)."""


def proof_of(construction: Construction) -> Proof:
    return prove(construction.model, construction.stages, construction.shape)


def with_layer(construction: Construction, **changes: Any) -> Construction:
    """The one layer with other heads or MLP blocks."""
    (layer,) = construction.model.layers
    return replace(construction, model=replace(construction.model, layers=(replace(layer, **changes),)))


def with_head(construction: Construction, number: int, **changes: Any) -> Construction:
    heads = list(construction.model.layers[0].heads)
    heads[number] = replace(heads[number], **changes)
    return with_layer(construction, heads=tuple(heads))


def with_every_head(construction: Construction, **changes: Any) -> Construction:
    for number in range(construction.model.heads):
        construction = with_head(construction, number, **changes)
    return construction


def with_whole_bits(construction: Construction, more: int) -> Construction:
    """Room for larger activations; the fraction stays."""
    precision = construction.model.precision
    return replace(
        construction, model=replace(construction.model, precision=replace(precision, bits=precision.bits + more))
    )


def places(construction: Construction) -> list[Path]:
    """Every matrix that has entries."""
    (layer,) = construction.model.layers
    paths: list[Path] = []
    for name in TABLES:
        paths += [(name, index) for index in range(len(getattr(construction.model, name).segments))]
    for part in ("heads", "mlps"):
        for index, block in enumerate(getattr(layer, part)):
            paths += [(part, index, name) for name in block.MATRICES]
    return [path for path in paths if 0 not in matrix_at(construction, path).shape]


def matrix_at(construction: Construction, path: Path) -> ExactMatrix:
    if len(path) == 2:
        return getattr(construction.model, path[0]).segments[path[1]].matrix
    return getattr(getattr(construction.model.layers[0], path[0])[path[1]], path[2])


def with_matrix(construction: Construction, path: Path, matrix: ExactMatrix) -> Construction:
    if len(path) == 2:
        table = getattr(construction.model, path[0])
        segments = list(table.segments)
        segments[path[1]] = replace(segments[path[1]], matrix=matrix)
        changed = replace(construction.model, **{path[0]: replace(table, segments=tuple(segments))})
        return replace(construction, model=changed)
    part, index, name = path
    blocks = list(getattr(construction.model.layers[0], part))
    blocks[index] = replace(blocks[index], **{name: matrix})
    return with_layer(construction, **{part: tuple(blocks)})


def with_entries(construction: Construction, path: Path, entries: Iterable[tuple[int, int, int]]) -> Construction:
    matrix = matrix_at(construction, path)
    for row, column, number in entries:
        matrix = matrix.with_entry(row, column, number)
    return with_matrix(construction, path, matrix)


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


def in_other_coordinates(construction: Construction, seed: int) -> Construction:
    """A random unimodular change of basis, with the whole bits that its larger coordinates need."""
    rng, width = np.random.default_rng(seed), construction.model.width
    lower = np.tril(rng.integers(-1, 2, (width, width)), -1) + np.eye(width, dtype=np.int64)
    upper = np.triu(rng.integers(-1, 2, (width, width)), 1) + np.eye(width, dtype=np.int64)
    return with_whole_bits(construction.in_basis(ExactMatrix(lower @ upper)), 24)


def count_wrong(construction: Construction) -> int:
    """On how many of all inputs the exact run differs from the oracle at some token; overflow is wrong."""
    blocks = enumerate_tokens(construction.sizes, 1024)
    return sum(_wrong(construction, xs, wanted) for xs, wanted in blocks)


def count_wrong_cases(construction: Construction, cases: Iterable[TwoSumInstance]) -> int:
    """Likewise on given inputs."""
    cases = list(cases)
    return _wrong(construction, np.array([case.x for case in cases]), np.array([outputs(case) for case in cases]))


def _wrong(construction: Construction, xs: NDArray[np.int64], wanted: NDArray[np.int64]) -> int:
    try:
        return int((run(construction.model, xs, every_row=True).answers != wanted).any(axis=1).sum())
    except ArithmeticError:
        return len(xs)
