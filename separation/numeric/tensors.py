"""Exact numbers as tensors of a type on a device, and the embedding of a block of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from separation.arithmetic import ExactMatrix
from separation.models import RowTable
from separation.numeric.arithmetic import Arithmetic, Format


@cache
def torch_type(form: Format) -> Any:
    return getattr(torch, form.name)


@dataclass(frozen=True)
class Maker:
    """Makes tensors for one way to run, on one device."""

    arithmetic: Arithmetic
    device: str

    @property
    def stored(self) -> Any:
        return torch_type(self.arithmetic.stored)

    @property
    def weighed(self) -> Any:
        return torch_type(self.arithmetic.weighed)

    @property
    def wide(self) -> Any:
        return torch_type(self.arithmetic.wide)

    @property
    def result(self) -> Any:
        return torch_type(self.arithmetic.result)

    def weight(self, matrix: ExactMatrix) -> Any:
        """A matrix of weights, rounded to the stored type; in the type in which it is multiplied."""
        return self.numbers(matrix.numerators, matrix.denominator).to(self.result)

    def bias(self, matrix: ExactMatrix) -> Any:
        """A column of weights, as a row."""
        return self.weight(matrix)[:, 0]

    def numbers(self, numerators: NDArray[Any], denominator: int) -> Any:
        values = np.asarray(numerators, dtype=np.float64) / denominator
        # MPS takes no float64, so the first rounding is done before the move.
        return torch.from_numpy(np.ascontiguousarray(values)).to(self.stored).to(self.device)

    def rows(self, table: RowTable, numbers: NDArray[np.int64]) -> Any:
        return self.numbers(table.rows(numbers), table.denominator)

    def embedding(self, tables: Sequence[RowTable], ids: NDArray[np.int64], start: int) -> Any:
        """positions[start + i] + tokens[id_i] of two tables: (batch, tokens, width), in the stored type."""
        positions, tokens = tables
        return self.rows(positions, np.arange(start, start + ids.shape[1])) + self.rows(tokens, ids)

    def narrow(self, tensor: Any) -> Any:
        """Rounded to the stored type, to be kept."""
        return tensor.to(self.stored)
