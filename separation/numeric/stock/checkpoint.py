"""A checkpoint of a stock model: what its config.json and its model.safetensors hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.tasks.funccomp import Sizes


@dataclass(frozen=True)
class Checkpoint:
    """The fields of config.json and the tensors, by the names of the stock class's state dictionary.

    where token ids are those of `separation.tasks.funccomp.token_ids`, and the answer is the argmax of the last logits.
    """

    construction: str
    sizes: Sizes
    config: dict[str, Any]
    tensors: dict[str, NDArray[np.floating[Any]]]

    @property
    def parameters(self) -> int:
        return sum(int(tensor.size) for tensor in self.tensors.values())
