"""The hops of many prompts at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from separation.files import InputError
from separation.tasks.funccomp.sizes import Sizes


def batch_hops(sizes: Sizes, ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """Row r is (i_0, …, i_L) of the prompt whose token ids are row r of ``ids`` (prompts × length).

    The ids are taken to be those of prompts; only the shape is checked.
    """
    if ids.ndim != 2 or ids.shape[1] != sizes.length:
        raise InputError(f"ids has shape {ids.shape}; (prompts, {sizes.length}) is needed")
    rows = np.arange(len(ids))
    index = ids[:, -2]
    result = [index]
    query = ids[:, -1] - sizes.N[-1]
    lower_digits = sizes.queries
    for level in range(1, sizes.L + 1):
        place = index
        if level >= 2:
            lower_digits //= sizes.n[level - 2]
            digit = query // lower_digits % sizes.n[level - 2]
            place = digit * sizes.N[level - 2] + index
        index = ids[rows, sizes.table_start(level) + place]
        result.append(index)
    return np.stack(result, axis=1)
