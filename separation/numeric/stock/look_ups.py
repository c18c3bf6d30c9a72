"""Prompts that ask for every entry of every table once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from separation.tasks.funccomp import Instance, Sizes, batch_hops, token_ids


def every_look_up(sizes: Sizes, limit: int) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """(prompts, answers): identity tables with all m·W pairs (z_0, w); None if that is more than ``limit`` prompts.

    With identity tables i_ℓ = z_0 + Σ_{j<ℓ} w_j·N_{j-1} runs over all of [N_{ℓ-1}], so each layer makes each of its
    look-ups. Where keys do not depend on what tables hold, no other input makes a look-up that these do not make.
    """
    count = sizes.m * sizes.queries
    if count > limit:
        return None
    tables = [list(range(size)) for size in sizes.N]
    one = token_ids(Instance(sizes, 0, tables, (0,) * len(sizes.n)))
    prompts = np.tile(one, (count, 1))
    prompts[:, -2], query = np.divmod(np.arange(count), sizes.queries)
    prompts[:, -1] = sizes.N[-1] + query
    return prompts, batch_hops(sizes, prompts)[:, -1]
