"""What the checkpoints of all stock hybrids share: sizes in config.json, and layers under their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from separation.numeric.stock.checkpoint import Checkpoint
from separation.numeric.stock.hybrid_bound import HybridCertificate, certify_hybrid
from separation.numeric.stock.hybrid_plan import EPSILON, KERNEL, Array, HybridPlan

Tensors = dict[str, Array]


def hybrid_checkpoint(
    plan: HybridPlan,
    config: dict[str, Any],
    final_norm: Array,
    recurrent_layer: Callable[[HybridPlan], Tensors],
    full_layer: Callable[[HybridPlan, int], Tensors],
) -> Checkpoint:
    """RF^L: the recurrent layer, then a full layer for each table, in float32; ``config`` is the family's own."""
    tensors = {
        "model.embed_tokens.weight": plan.embedding(),
        "model.norm.weight": final_norm,
        "lm_head.weight": plan.unembedding(),
    }
    layers = [recurrent_layer(plan), *(full_layer(plan, level) for level in range(1, plan.sizes.L + 1))]
    for number, layer in enumerate(layers):
        tensors |= {f"model.layers.{number}.{name}": tensor for name, tensor in layer.items()}
    rounded = {name: tensor.astype(np.float32, order="C") for name, tensor in tensors.items()}
    return Checkpoint("C2", plan.sizes, _sizes(plan) | config, {**rounded})


def certify_checkpoint(checkpoint: Checkpoint, wanted: Checkpoint, dtype: str, norms_behind: bool) -> HybridCertificate:
    """The certificate of these very tensors: those of the plan that the bound speaks of, number by number, or none."""
    certificate = certify_hybrid(checkpoint.sizes, dtype, norms_behind)
    fault = first_difference(checkpoint, wanted)
    return certificate if fault is None else HybridCertificate(certificate.margin, None, reason=fault)


def first_difference(checkpoint: Checkpoint, wanted: Checkpoint) -> str | None:
    """The first field of the config or the first tensor that is not the wanted one, or None."""
    fields = {*checkpoint.config, *wanted.config}
    for field in sorted(fields):
        if checkpoint.config.get(field) != wanted.config.get(field):
            return f"{field} of the config is not that of the construction"
    for name in sorted({*checkpoint.tensors, *wanted.tensors}):
        if not np.array_equal(checkpoint.tensors.get(name, np.nan), wanted.tensors.get(name, np.nan)):
            return f"{name} is not that of the construction"
    return None


def _sizes(plan: HybridPlan) -> dict[str, Any]:
    """One head everywhere, frequencies 2^-j in rotary embeddings, and no token that begins or ends a text."""
    return {
        "dtype": "float32",
        "vocab_size": plan.sizes.vocabulary,
        "hidden_size": plan.stream.width,
        "intermediate_size": plan.hidden,
        "num_hidden_layers": plan.sizes.L + 1,
        "num_attention_heads": 1,
        "num_key_value_heads": 1,
        "head_dim": 2 * plan.rotary.frequencies,
        "max_position_embeddings": plan.sizes.length,
        "rms_norm_eps": EPSILON,
        "rope_parameters": {"rope_type": "default", "rope_theta": 2.0**plan.rotary.frequencies},
        "layer_types": ["linear_attention"] + ["full_attention"] * plan.sizes.L,
        "linear_num_key_heads": 1,
        "linear_num_value_heads": 1,
        "linear_key_head_dim": 1,
        "linear_value_head_dim": 2 * plan.code_width,
        "linear_conv_kernel_dim": KERNEL,
        "pad_token_id": None,
        "bos_token_id": None,
        "eos_token_id": None,
        "tie_word_embeddings": False,
        "use_cache": False,
    }
