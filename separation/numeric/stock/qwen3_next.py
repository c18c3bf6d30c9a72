"""C2 as a stock Qwen3-Next: one gated-delta-rule layer, then L full-attention layers with rotary embeddings.

The recurrent layer is that of Olmo-hybrid, its projections fused in one matrix. Full layers have their norms in front,
so rows must keep a known norm: the output gate of attention, σ(±128), is 0 at tables and z_0 and 1 at w, which leaves
all rows but w's as they were embedded. RMSNorm multiplies by 1 + weight. Every layer has the dense SwiGLU block
(`mlp_only_layers`), and rotary embeddings turn the whole head (`partial_rotary_factor` 1).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from separation.numeric.stock.checkpoint import Checkpoint
from separation.numeric.stock.hybrid_bound import HybridCertificate, certify_hybrid
from separation.numeric.stock.hybrid_plan import EPSILON, Array, HybridPlan
from separation.tasks.funccomp import Sizes


def build(sizes: Sizes, gap: float | None = None) -> Checkpoint:
    """config.json and tensors for `Qwen3NextForCausalLM`; ``gap`` is for tests of what a smaller one does."""
    plan = HybridPlan(sizes, gap)
    tensors = {
        "model.embed_tokens.weight": plan.embedding(),
        "model.norm.weight": np.zeros(plan.stream.width),
        "lm_head.weight": plan.unembedding(),
    }
    for number in range(sizes.L + 1):
        layer = _recurrent_layer(plan) if number == 0 else _full_layer(plan, number)
        norms = {f"{name}_layernorm.weight": np.zeros(plan.stream.width) for name in ("input", "post_attention")}
        tensors |= {f"model.layers.{number}.{name}": tensor for name, tensor in (layer | norms).items()}
    return plan.checkpoint(_config(plan), tensors)


def certify(sizes: Sizes, dtype: str = "float32") -> HybridCertificate:
    """Every answer of the checkpoint, run in ``dtype``, with full layers that have their norms in front."""
    return certify_hybrid(sizes, dtype, norms_behind=False)


def _config(plan: HybridPlan) -> dict[str, Any]:
    pairs, layers = plan.rotary.frequencies, plan.sizes.L + 1
    return {
        "architectures": ["Qwen3NextForCausalLM"],
        "model_type": "qwen3_next",
        "vocab_size": plan.sizes.vocabulary,
        "hidden_size": plan.stream.width,
        "intermediate_size": plan.hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": 1,
        "num_key_value_heads": 1,
        "head_dim": 2 * pairs,
        "max_position_embeddings": plan.sizes.length,
        "rms_norm_eps": EPSILON,
        "rope_parameters": {"rope_type": "default", "rope_theta": float(2**pairs), "partial_rotary_factor": 1.0},
        "partial_rotary_factor": 1.0,
        "layer_types": ["linear_attention"] + ["full_attention"] * plan.sizes.L,
        "mlp_only_layers": list(range(layers)),
        "num_experts": 0,
        "linear_num_key_heads": 1,
        "linear_num_value_heads": 1,
        "linear_key_head_dim": 1,
        "linear_value_head_dim": 2 * plan.code_width,
        "pad_token_id": None,
        "bos_token_id": None,
        "eos_token_id": None,
        "tie_word_embeddings": False,
        "use_cache": False,
    }


def _recurrent_layer(plan: HybridPlan) -> dict[str, Array]:
    part = plan.hand_over()
    return {
        "linear_attn.in_proj_qkvz.weight": np.concatenate([part.query, part.key, part.values, part.output_gate]),
        "linear_attn.in_proj_ba.weight": np.concatenate([part.write_gate, part.decay_gate]),
        "linear_attn.conv1d.weight": part.convolution,
        "linear_attn.A_log": np.zeros(1),
        "linear_attn.dt_bias": np.zeros(1),
        "linear_attn.norm.weight": np.ones(len(part.values)),
        "linear_attn.out_proj.weight": part.output,
        **plan.mlp(1, plan.root_mean_square(plan.last_norm(1)) ** 2),
    }


def _full_layer(plan: HybridPlan, level: int) -> dict[str, Array]:
    """Reads table ``level``, then leads to the next one, if there is one."""
    head = 2 * plan.rotary.frequencies
    following = level + 1 if level < plan.sizes.L else None
    # Before layer k w has found k codes and made k pointers; before its MLP it has found one more.
    gate = -plan.gate(plan.table_norm, plan.last_norm(2 * level))
    values = plan.root_mean_square(plan.table_norm)
    return {
        "self_attn.q_proj.weight": np.concatenate(
            [plan.rotary_selector(plan.stream[f"pointer {level}"]), np.tile(gate, (head, 1))]
        ),
        "self_attn.k_proj.weight": plan.constant_keys(),
        "self_attn.v_proj.weight": plan.selector(plan.stream["value"], head, values),
        "self_attn.o_proj.weight": plan.selector(plan.stream[f"found {level}"], head).T,
        "self_attn.q_norm.weight": plan.query_norm() - 1,
        "self_attn.k_norm.weight": plan.key_norm() - 1,
        **plan.mlp(following, plan.root_mean_square(plan.last_norm(2 * level + 1)) ** 2),
    }
