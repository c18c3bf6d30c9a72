"""What both stock hybrids are made of, under the names of each: their fields, and a layer of the gated delta rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from constructions.stock.kit.target import Array

KERNEL = 4
EPSILON = 1e-6
Layer = dict[str, Array]


def hybrid_config(
    letters: str, *, ids: int, tokens: int, width: int, inner: int, head: int, heads: int, keys: int, values: int
) -> dict[str, Any]:
    """One head of full attention, ``heads`` of recurrent layers, and no token that begins or ends a text."""
    kinds = {"R": "linear_attention", "F": "full_attention"}
    return {
        "vocab_size": ids,
        "hidden_size": width,
        "intermediate_size": inner,
        "num_hidden_layers": len(letters),
        "num_attention_heads": 1,
        "num_key_value_heads": 1,
        "head_dim": head,
        "max_position_embeddings": tokens,
        "rms_norm_eps": EPSILON,
        "layer_types": [kinds[letter] for letter in letters],
        "linear_num_key_heads": heads,
        "linear_num_value_heads": heads,
        "linear_key_head_dim": keys,
        "linear_value_head_dim": values,
        "linear_conv_kernel_dim": KERNEL,
        "pad_token_id": None,
        "bos_token_id": None,
        "eos_token_id": None,
        "tie_word_embeddings": False,
    }


def own_fields(olmo: bool, layers: int) -> dict[str, Any]:
    """What config.json says of one family alone: the dense block everywhere, and no rotary embedding in parts."""
    if olmo:
        return {"architectures": ["OlmoHybridForCausalLM"], "model_type": "olmo_hybrid"}
    dense = {"mlp_only_layers": list(range(layers)), "num_experts": 0, "partial_rotary_factor": 1.0}
    return {"architectures": ["Qwen3NextForCausalLM"], "model_type": "qwen3_next", **dense}


def delta_layer(olmo: bool, heads: Sequence[Mapping[str, Array]], norm: Array) -> Layer:
    """q, k, v, the gates a (decay) and b (write), the output's gate g and its matrix o, of each head; no MLP.

    The convolution hands on the token itself: only the state remembers.
    """
    joined = {name: np.concatenate([head[name] for head in heads]) for name in "qkvabg"}
    convolution = np.zeros((sum(len(joined[name]) for name in "qkv"), 1, KERNEL))
    convolution[:, 0, -1] = 1
    if olmo:
        maps = {f"{name}_proj": joined[name] for name in "qkvabg"}
    else:
        groups = {"in_proj_qkvz": "qkvg", "in_proj_ba": "ba"}
        maps = {name: np.concatenate([head[each] for head in heads for each in own]) for name, own in groups.items()}
    maps |= {
        "conv1d": convolution,
        "o_norm" if olmo else "norm": np.ones(len(heads[0]["v"])),
        "o_proj" if olmo else "out_proj": np.concatenate([head["o"] for head in heads], axis=1),
    }
    return {
        **{f"{name}_layernorm.weight": norm for name in ("input", "post_attention")},
        **{f"linear_attn.{name}.weight": tensor for name, tensor in maps.items()},
        **{f"linear_attn.{name}": np.zeros(len(heads)) for name in ("A_log", "dt_bias")},
    }
