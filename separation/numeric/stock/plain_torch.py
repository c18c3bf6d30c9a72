"""Linear layers of stock hybrids in plain torch.

transformers takes the kernels of flash-linear-attention and causal-conv1d wherever these can be imported, on a machine
without a GPU too, where they fail. Each stock function wraps its plain form, and this puts the plain form back.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

WRAPPED = (
    "causal_conv1d_fn",
    "causal_conv1d_update",
    "torch_chunk_gated_delta_rule",
    "torch_recurrent_gated_delta_rule",
)


@contextmanager
def plain_torch(model: Any) -> Iterator[None]:
    """Inside, the linear layers of the model's family run in plain torch, whatever else is installed."""
    module = sys.modules[type(model).__module__]
    before = {name: getattr(module, name) for name in WRAPPED if hasattr(module, name)}
    try:
        for name, function in before.items():
            setattr(module, name, inspect.unwrap(function))
        yield
    finally:
        for name, function in before.items():
            setattr(module, name, function)
