"""Checkpoints of stock GPT-2 with something wrong: false neighbours of the construction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from constructions.stock.gpt2 import TARGET
from constructions.stock.gpt2.plan import Gpt2Plan
from separation.numeric.stock_folder import Checkpoint

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Attention:
    """Views of one layer's attention: queries by (input, head, dimension), their biases, outputs by (head, ·, ·)."""

    plan: Gpt2Plan
    queries: Array
    biases: Array
    outputs: Array


def changed(plan: Gpt2Plan, change: Callable[[Attention], None]) -> Checkpoint:
    """The checkpoint with every layer's attention changed in place."""
    checkpoint = TARGET.checkpoint(plan)
    tensors = {name: tensor.copy() for name, tensor in checkpoint.tensors.items()}
    for layer in range(plan.sizes.L + 1):
        weight, bias, output = (
            tensors[f"transformer.h.{layer}.attn.{name}"] for name in ("c_attn.weight", "c_attn.bias", "c_proj.weight")
        )
        queries = weight.reshape(plan.width, 3, 2, plan.slots)[:, 0]
        biases = bias.reshape(3, 2, plan.slots)[0]
        change(Attention(plan, queries, biases, output.reshape(2, plan.slots, plan.width)))
    return replace(checkpoint, tensors=tensors)


def without_the_cancelling_head(attention: Attention) -> None:
    attention.outputs[1] = 0


def without_the_sink(attention: Attention) -> None:
    """Other rows are not sent to the first row: head 1 looks something up there, head 2 nothing."""
    first = attention.plan.keys["first"]
    attention.queries[:, :, first] = 0
    attention.biases[:, first] = 0


def twin_heads_without_a_sink(attention: Attention) -> None:
    """Head 2 looks up what head 1 does, but for the last row: other rows cancel only up to the rounding of scores."""
    without_the_sink(attention)
    plan = attention.plan
    address = range(plan.address.width)
    attention.queries[:, 1, address] = attention.queries[:, 0, address]
    attention.biases[1, address] = attention.biases[0, address]
    attention.biases[1, plan.keys["last"]] = plan.stay + plan.address.width * plan.look_up


def colder_by(divisor: int) -> Callable[[Attention], None]:
    """The look-up's temperature divided."""

    def change(attention: Attention) -> None:
        address = range(attention.plan.address.width)
        attention.queries[:, 0, address] /= divisor
        attention.biases[0, address] /= divisor

    return change


def with_gain_one(checkpoint: Checkpoint) -> Checkpoint:
    """The epsilon of LayerNorm is in the config, and the weights ignore it."""
    tensors = {name: np.sign(tensor) if ".ln_" in name else tensor for name, tensor in checkpoint.tensors.items()}
    return replace(checkpoint, tensors=tensors)
