"""A chain of thought: the answer becomes the next token."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from separation.models.run import run
from separation.models.transformer import Model


def decode(model: Model, token_ids: NDArray[np.int64], steps: int) -> NDArray[np.int64]:
    """t_{n+1} = argmax of unembedding · x_n, ``steps`` times: the generated tokens, (batch, steps) or (steps,).

    where a row's number in the unembedding is the token's id. All but the last generated token are read again.
    """
    prompts = np.asarray(token_ids, dtype=np.int64)
    ids = np.atleast_2d(prompts)
    for _ in range(steps):
        answers = run(model, ids).answers
        ids = np.concatenate([ids, answers[:, None]], axis=1)
    generated = ids[:, prompts.shape[-1] :]
    return generated if prompts.ndim == 2 else generated[0]
