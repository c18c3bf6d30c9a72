"""Changes of single weights, for tests that show what the prover rejects."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from separation.arithmetic import ExactMatrix
from separation.models import MLP, Model, Stored, run
from separation.proving import Construction, Proof, prove
from separation.tasks.funccomp import enumerate_token_ids

TABLES = ("positions", "tokens", "unembedding")


def with_stored_tables(construction: Construction) -> Construction:
    """The same construction with every row table written out."""
    tables = {name: getattr(construction.model, name).stored() for name in TABLES}
    return replace(construction, model=replace(construction.model, **tables))


def places(model: Model) -> list[tuple[object, ...]]:
    """Every matrix of a model, as a path: ("positions",), (layer, "mlp", "w_1"), (layer, head, "w_q")."""
    paths: list[tuple[object, ...]] = [(name,) for name in TABLES]
    for number, layer in enumerate(model.layers):
        paths += [(number, head, name) for head, part in enumerate(layer.heads) for name in part.MATRICES]
        paths += [(number, f"mlp{place or ''}", name) for place in range(len(layer.mlps)) for name in MLP.MATRICES]
    return paths


def matrix_at(model: Model, path: tuple[object, ...]) -> ExactMatrix:
    if len(path) == 1:
        return getattr(model, str(path[0])).matrix
    layer = model.layers[path[0]]
    part = layer.mlps[mlp_place(path[1])] if isinstance(path[1], str) else layer.heads[path[1]]
    return getattr(part, str(path[2]))


def mlp_place(part: str) -> int:
    """0 for "mlp", 1 for "mlp1", …."""
    return int(part.removeprefix("mlp") or 0)


def with_matrix(construction: Construction, path: tuple[object, ...], matrix: ExactMatrix) -> Construction:
    model = construction.model
    if len(path) == 1:
        return replace(construction, model=replace(model, **{str(path[0]): Stored(matrix)}))
    number, part, name = path
    layer = model.layers[number]
    if isinstance(part, str):
        mlps = list(layer.mlps)
        mlps[mlp_place(part)] = replace(mlps[mlp_place(part)], **{str(name): matrix})
        layer = replace(layer, mlps=tuple(mlps))
    else:
        heads = list(layer.heads)
        heads[part] = replace(heads[part], **{str(name): matrix})
        layer = replace(layer, heads=tuple(heads))
    layers = (*model.layers[:number], layer, *model.layers[number + 1 :])
    return replace(construction, model=replace(model, layers=layers))


def random_change(construction: Construction, rng: np.random.Generator) -> tuple[tuple[object, ...], Construction]:
    """One entry of one matrix becomes another small number; half of the time an entry that is not 0."""
    model = construction.model
    paths = [path for path in places(model) if 0 not in matrix_at(model, path).shape]
    path = paths[rng.integers(len(paths))]
    matrix = matrix_at(model, path)
    cells = np.argwhere(matrix.numerators != 0) if rng.integers(2) else np.argwhere(matrix.numerators == 0)
    if not len(cells):
        cells = np.argwhere(matrix.numerators == matrix.numerators)
    row, column = (int(place) for place in cells[rng.integers(len(cells))])
    old = matrix.entry(row, column)
    new = old + Fraction(int(rng.choice([-2, -1, 1, 2])), int(rng.choice([1, 1, 1, 2])))
    return path, with_matrix(construction, path, matrix.with_entry(row, column, new))


def proof_of(construction: Construction, path: str = "closed") -> Proof:
    return prove(construction.model, construction.stages, construction.shape, path)


def count_wrong(construction: Construction, most: int | None = None) -> int:
    """On how many inputs of all (or of the first ``most``) the exact run differs from the oracle; overflow is wrong."""
    wrong = seen = 0
    for ids, answers in enumerate_token_ids(construction.sizes, 2048):
        try:
            wrong += int((run(construction.model, ids).answers != answers).sum())
        except ArithmeticError:
            wrong += len(answers)
        seen += len(answers)
        if most is not None and seen >= most:
            break
    return wrong
