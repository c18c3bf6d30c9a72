"""The outputs of many inputs at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from separation.files import InputError
from separation.tasks.checks import require_integer
from separation.tasks.two_sum.sizes import MAX_ARRAY_MODULUS, TwoSumSizes


def batch_outputs(sizes: TwoSumSizes, xs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Row r holds the outputs of the input that is row r of ``xs`` (inputs × length).

    v and M − v are the two sides of one pair {v, M−v}. A stable sort by pair puts the values of each pair into a run,
    in prompt order; x_i has a match exactly when both sides stand in its run at or before it.
    """
    _require_values(sizes, xs)
    opposite = sizes.modulus - xs
    order = np.argsort(np.minimum(xs, opposite), axis=1, kind="stable")
    pair = np.take_along_axis(np.minimum(xs, opposite), order, axis=1)
    side = np.take_along_axis(xs < opposite, order, axis=1)
    place = np.broadcast_to(np.arange(sizes.length), xs.shape)

    begins = np.ones(xs.shape, dtype=bool)
    begins[:, 1:] = pair[:, 1:] != pair[:, :-1]
    run_start = np.maximum.accumulate(np.where(begins, place, 0), axis=1)
    other_side = side != np.take_along_axis(side, run_start, axis=1)
    last_other_side = np.maximum.accumulate(np.where(other_side, place, -1), axis=1)

    result = np.empty(xs.shape, dtype=np.int64)
    np.put_along_axis(result, order, (last_other_side >= run_start).astype(np.int64), axis=1)
    return result


def _require_values(sizes: TwoSumSizes, xs: NDArray[np.int64]) -> None:
    require_integer("modulus", sizes.modulus, 3, MAX_ARRAY_MODULUS)
    if xs.ndim != 2 or xs.shape[1] != sizes.length:
        raise InputError(f"xs has shape {xs.shape}; (inputs, {sizes.length}) is needed")
    if xs.dtype != np.int64:
        raise InputError(f"xs has the type {xs.dtype}; int64 is needed")
    bad = np.argwhere((xs < 1) | (xs >= sizes.modulus))
    if bad.size:
        row, place = bad[0].tolist()
        require_integer(f"xs[{row}, {place}]", int(xs[row, place]), 1, sizes.modulus - 1)
