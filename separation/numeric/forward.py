"""The forward pass in torch: the exact weights rounded to a dtype, softmax attention, every row computed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from separation.arithmetic import ExactMatrix
from separation.models import Head, Model, RowTable
from separation.numeric.support import require_support


def float_logits(model: Model, token_ids: NDArray[np.int64], dtype: Any = torch.float64, device: str = "cpu") -> Any:
    """unembedding · x at the last token, (batch, answers), for a batch of prompts (batch, tokens)."""

    def tensor(matrix: ExactMatrix) -> Any:
        return torch.tensor(_floats(matrix.numerators, matrix.denominator), dtype=dtype, device=device)

    def rows(table: RowTable, numbers: NDArray[np.int64]) -> Any:
        return torch.tensor(_floats(table.rows(numbers), table.denominator), dtype=dtype, device=device)

    require_support(model)
    tokens = token_ids.shape[1]
    x = rows(model.positions, np.arange(tokens)) + rows(model.tokens, token_ids)
    future = torch.ones(tokens, tokens, dtype=torch.bool, device=device).triu(1)
    for layer in model.layers:
        read = torch.zeros_like(x)
        for head in layer.heads:
            assert isinstance(head, Head)
            q, k, v = (x @ tensor(matrix).T for matrix in (head.w_q, head.w_k, head.w_v))
            weights = (q @ k.transpose(1, 2)).masked_fill(future, -torch.inf).softmax(dim=-1)
            read = read + weights @ v @ tensor(head.w_o).T
        x = x + read
        for mlp in layer.mlps:
            hidden = torch.relu(x @ tensor(mlp.w_1).T + tensor(mlp.b_1).T)
            x = x + hidden @ tensor(mlp.w_2).T + tensor(mlp.b_2).T
    return x[:, -1] @ rows(model.unembedding, np.arange(model.unembedding.height)).T


@contextmanager
def one_thread() -> Iterator[None]:
    """Small products are slower on several threads, and very slow when the machine is busy."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _floats(numerators: NDArray[Any], denominator: int) -> NDArray[np.float64]:
    return np.asarray(numerators, dtype=np.float64) / denominator
