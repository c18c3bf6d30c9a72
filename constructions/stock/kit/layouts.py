"""Tensors under the names of each stock class, and the config.json that follows from their shapes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from constructions.stock.kit.target import Array, Layout, Tensors

KERNEL = 4
EPSILON = 1e-6
ENDLESS = {"bos_token_id": None, "eos_token_id": None}
"""No token begins or ends a text."""
Layer = dict[str, Array]


def weights(tensors: Mapping[str, Array], before: str = "") -> Layer:
    """Under the names of the tensors of modules."""
    return {f"{before}{name}.weight": tensor for name, tensor in tensors.items()}


def gpt2_layout(
    heads: int, epsilon: float, tokens: Array, positions: Array, layers: Sequence[Layer], gains: Array, **more: Any
) -> Layout:
    """``gains``: of each layer's LayerNorms, and of the last one; biases that are not named are 0."""
    gain, final = gains
    width, zeros, inner = len(gain), np.zeros_like(gain), layers[0]["mlp.c_fc.weight"].shape[1]
    tensors: Tensors = {**weights({"wte": tokens, "wpe": positions, "ln_f": final}, "transformer.")}
    tensors["transformer.ln_f.bias"] = zeros
    biases = {"attn.c_attn": np.zeros(3 * width), "mlp.c_fc": np.zeros(inner)}
    biases |= dict.fromkeys(("ln_1", "ln_2", "attn.c_proj", "mlp.c_proj"), zeros)
    for number, own in enumerate(layers):
        layer = {
            **weights({"ln_1": gain, "ln_2": gain}),
            **{f"{name}.bias": row for name, row in biases.items()},
            **own,
        }
        tensors |= {f"transformer.h.{number}.{name}": tensor for name, tensor in layer.items()}
    config = {
        "architectures": ["GPT2LMHeadModel"],
        "model_type": "gpt2",
        "vocab_size": len(tokens),
        "n_positions": len(positions),
        "n_embd": width,
        "n_layer": len(layers),
        "n_head": heads,
        "n_inner": inner,
        "layer_norm_epsilon": epsilon,
    }
    return {**config, **ENDLESS, **more}, tensors


def llama_layout(
    heads: int, epsilon: float, base: float, tokens: int, rows: Sequence[Array], layers: Sequence[Layer], **more: Any
) -> Layout:
    """``rows``: embedding, last gain, unembedding; ``base``: of RoPE."""
    tensors, first = _rows(rows, layers), layers[0]
    config = {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        **_sizes(rows[0], tokens, layers),
        "num_attention_heads": heads,
        "num_key_value_heads": heads,
        "head_dim": len(first["self_attn.q_proj.weight"]) // heads,
        "rms_norm_eps": epsilon,
        "rope_parameters": {"rope_type": "default", "rope_theta": base},
    }
    return {**config, **ENDLESS, **more}, tensors


def hybrid_layout(
    olmo: bool,
    tokens: int,
    rows: Sequence[Array],
    layers: Sequence[tuple[Sequence[Mapping[str, Array]], Layer]],
    negative: bool = False,
    **more: Any,
) -> Layout:
    """Each layer is (heads of the gated delta rule, all else), without heads a full one, as the last one is.

    ``negative``: may eigenvalues of Olmo-hybrid's states be below 0? The dense block is everywhere.
    """
    whole = [{**rest, **(_delta_rule(olmo, heads) if heads else {})} for heads, rest in layers]
    delta = next(heads for heads, _ in layers if heads)
    own: dict[str, Any]
    if olmo:
        own = {"architectures": ["OlmoHybridForCausalLM"], "model_type": "olmo_hybrid"}
        own |= {"linear_allow_neg_eigval": negative}
    else:
        own = {"architectures": ["Qwen3NextForCausalLM"], "model_type": "qwen3_next"}
        own |= {"mlp_only_layers": list(range(len(layers))), "num_experts": 0, "partial_rotary_factor": 1.0}
    config = {
        **own,
        **_sizes(rows[0], tokens, whole),
        "num_attention_heads": 1,
        "num_key_value_heads": 1,
        "head_dim": len(whole[-1]["self_attn.k_proj.weight"]),
        "rms_norm_eps": EPSILON,
        "layer_types": ["linear_attention" if heads else "full_attention" for heads, _ in layers],
        **{f"linear_num_{kind}_heads": len(delta) for kind in ("key", "value")},
        "linear_key_head_dim": len(delta[0]["q"]),
        "linear_value_head_dim": len(delta[0]["v"]),
        "linear_conv_kernel_dim": KERNEL,
        "pad_token_id": None,
        "tie_word_embeddings": False,
    }
    return {**config, **ENDLESS, **more}, _rows(rows, whole)


def norms(norm: Array, *names: str) -> Layer:
    """The same weights for each of a layer's norms; without names, for those in front."""
    return {f"{name}_layernorm.weight": norm for name in names or ("input", "post_attention")}


def gated_mlp(gate: Array, up: Array, down: Array) -> Layer:
    """down·(act(gate·x) ⊙ up·x)."""
    return weights({"gate_proj": gate, "up_proj": up, "down_proj": down}, "mlp.")


def _rows(rows: Sequence[Array], layers: Sequence[Layer]) -> Tensors:
    found: Tensors = {**weights(dict(zip(("model.embed_tokens", "model.norm", "lm_head"), rows, strict=True)))}
    for number, layer in enumerate(layers):
        found |= {f"model.layers.{number}.{name}": tensor for name, tensor in layer.items()}
    return found


def _sizes(embedding: Array, tokens: int, layers: Sequence[Layer]) -> dict[str, Any]:
    return {
        "vocab_size": len(embedding),
        "hidden_size": embedding.shape[1],
        "intermediate_size": len(layers[0]["mlp.gate_proj.weight"]),
        "num_hidden_layers": len(layers),
        "max_position_embeddings": tokens,
    }


def _delta_rule(olmo: bool, heads: Sequence[Mapping[str, Array]]) -> Layer:
    """q, k, v, the gates a (decay) and b (write), the output's gate g and its matrix o, of each head.

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
        **weights(maps, "linear_attn."),
        **{f"linear_attn.{name}": np.zeros(len(heads)) for name in ("A_log", "dt_bias")},
    }
