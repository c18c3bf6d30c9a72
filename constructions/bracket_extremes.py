"""What `constructions.bracket` builds, checked a second time without the prover: two tables z_2 stand for all.

Keys and queries of the full layer see no entry of a table, and a value is one bit of one entry (`premises`). So for
fixed z_0, i_1 and w_1 the attention weights are fixed, what w hears of a bit is Σ weight·bit over all entries, clips
and Σ relu(… + row_j …) grow with every row, and a bit of the answer grows with the same bit of every entry of z_2. It
is least, among tables that hold 1 there, if all others hold 0, and greatest, among those with 0 there, if all others
hold 1. In the same way the clip gives the code of i_1 exactly, whatever table 1 holds elsewhere, if it does so when
all its other entries have the opposite bits. With m and n_1 powers of two, every pattern of bits is a value: so

    z_1(z_0) = i_1, all other entries its complement;   z_2 at (w_1, i_1) = v, all other entries its complement

for all z_0, i_1, w_1 and v ∈ {0, N−1} decides every input. These are run in exact arithmetic, by `separation.models`.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np

from constructions.bracket import Plan
from separation.arithmetic import ExactMatrix
from separation.models import MLP, Head, LinearHead, Stream, run
from separation.proving import Construction
from separation.tasks.funccomp import Instance, Sizes, answer, token_ids

Numbers = np.ndarray[Any, Any]
BATCH = 256


def decided_by_extremes(construction: Construction, plan: Plan) -> str | None:
    """None if the construction is right on every input; otherwise the premise that fails, or a wrong answer."""
    failed = failed_premise(construction, plan)
    if failed is not None:
        return failed
    inputs = extreme_inputs(construction_sizes(construction))
    for start in range(0, len(inputs), BATCH):
        some = inputs[start : start + BATCH]
        found = run(construction.model, np.array([token_ids(instance) for instance in some])).answers
        for instance, said in zip(some, found, strict=True):
            if said != answer(instance):
                return f"z_0 = {instance.z0}, w = {instance.w}: answers {said}, not {answer(instance)}"
    return None


def construction_sizes(construction: Construction) -> Sizes:
    sizes = construction.sizes
    assert isinstance(sizes, Sizes)
    return sizes


def extreme_inputs(sizes: Sizes) -> list[Instance]:
    """All z_0, i_1, w_1, and the two extreme tables 2 of each."""
    m, (n1,), N = sizes.m, sizes.n, sizes.N[1]
    found = []
    for z0, i1, w, v in product(range(m), range(m), range(n1), (0, N - 1)):
        first, second = [m - 1 - i1] * m, [N - 1 - v] * N
        first[z0], second[w * m + i1] = i1, v
        found.append(Instance(sizes, z0, (first, second), (w,)))
    return found


def failed_premise(construction: Construction, plan: Plan) -> str | None:
    """What the argument needs and is not so: powers of two; keys blind to entries; values that are single bits."""
    sizes = construction_sizes(construction)
    if any(size & (size - 1) for size in (sizes.m, *sizes.n)):
        return f"m = {sizes.m} and n_1 = {sizes.n[0]} are not both powers of two"
    stream: Stream = plan.stream
    value = set(stream["value"])
    names = [name for name, _ in stream.slots]
    changed = {row for name in ("pointer", "cell", *plan.rows) if name in names for row in stream[name]}
    heard = {row for name in ("found", *plan.rows) for row in stream[name]}
    for number, layer in enumerate(construction.model.layers, start=1):
        for index, head in enumerate(layer.heads):
            where = f"layer {number}, head {index}"
            if isinstance(head, Head):
                if _columns(head.w_k) & (value | changed):
                    return f"{where}: a key depends on more than the position"
                if index < plan.candidates and _columns(head.w_q) & value:
                    return f"{where}: a query of w depends on a value"
                if not _selects(head.w_v, value) or not _selects(head.w_o, None):
                    return f"{where}: what is handed over is not bit by bit"
            elif isinstance(head, LinearHead):
                allowed = {*stream["tag"], *stream["one"], *stream["index"]}
                if _columns(head.w_k) - allowed:
                    return f"{where}: what is stored depends on an entry"
                if not _selects(head.w_v, value | changed) or not _selects(head.w_o, None):
                    return f"{where}: what is stored is not bit by bit"
        for index, mlp in enumerate(layer.mlps):
            if not all(_grows(mlp, source, {*stream["pointer"], *heard} - {*stream["found"]}) for source in heard):
                return f"layer {number}, MLP {index}: a bit does not grow with what is heard of it"
    return None


def _grows(mlp: MLP, source: int, targets: set[int]) -> bool:
    """x_target + Σ w_2·relu(w_1·x_source + … + b_1) never falls when x_source grows, for each of the targets.

    Units that read more than the source must have both weights at least 0; of the others the slopes between all bends
    are computed.
    """
    w_1, w_2 = _fractions(mlp.w_1), _fractions(mlp.w_2)
    units = [int(unit) for unit in np.flatnonzero(w_1[:, source])]
    mixed = [unit for unit in units if np.count_nonzero(w_1[unit]) > 1]
    if any(w_1[unit, source] < 0 or (w_2[:, unit] < 0).any() for unit in mixed):
        return False
    own = [unit for unit in units if unit not in mixed]
    b_1 = _fractions(mlp.b_1)[:, 0]
    bends = sorted({-b_1[unit] / w_1[unit, source] for unit in own}) or [Fraction(0)]
    middles = [bends[0] - 1, *((a + b) / 2 for a, b in pairwise(bends)), bends[-1] + 1]
    for x in middles:
        active = [unit for unit in own if w_1[unit, source] * x + b_1[unit] > 0]
        slopes = sum((w_2[:, unit] * w_1[unit, source] for unit in active), np.zeros(w_2.shape[0], dtype=object))
        if any(slopes[target] + (target == source) < 0 for target in targets):
            return False
    return True


def _fractions(matrix: ExactMatrix) -> Numbers:
    return np.array(_numbers(matrix) * Fraction(1, matrix.denominator), dtype=object)


def _columns(matrix: ExactMatrix) -> set[int]:
    """The columns that are not all 0."""
    return {int(column) for column in np.flatnonzero(_numbers(matrix).any(axis=0))}


def _selects(matrix: ExactMatrix, columns: set[int] | None) -> bool:
    """Each row and column has at most one number other than 0, a positive one, in these columns."""
    numbers = _numbers(matrix)
    single = (np.count_nonzero(numbers, axis=0).max() <= 1) and (np.count_nonzero(numbers, axis=1).max() <= 1)
    return bool(single and (numbers >= 0).all() and (columns is None or _columns(matrix) <= columns))


def _numbers(matrix: ExactMatrix) -> Numbers:
    return np.array(matrix.numerators, dtype=object)


__all__ = ["decided_by_extremes", "extreme_inputs", "failed_premise"]
