"""C2 as a stock Qwen3-Next: one gated-delta-rule layer, then L full-attention layers with rotary embeddings.

The recurrent layer is that of Olmo-hybrid, its projections fused in one matrix. Full layers have their norms in front,
so rows must keep a known norm: the output gate of attention, σ(±128), is 0 at tables and z_0 and 1 at w, which leaves
all rows but w's as they were embedded. RMSNorm multiplies by 1 + weight. Every layer has the dense SwiGLU block
(`mlp_only_layers`), and rotary embeddings turn the whole head (`partial_rotary_factor` 1).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from constructions.stock.kit.hybrid import Hybrid, Layer
from constructions.stock.kit.hybrid_plan import HybridPlan
from constructions.stock.kit.target import Array


class Qwen3Next(Hybrid):
    """`Qwen3NextForCausalLM`, with full layers that have their norms in front."""

    norms_behind = False

    def own_fields(self, plan: HybridPlan) -> dict[str, Any]:
        return {
            "architectures": ["Qwen3NextForCausalLM"],
            "model_type": "qwen3_next",
            "partial_rotary_factor": 1.0,
            "mlp_only_layers": list(range(plan.sizes.L + 1)),
            "num_experts": 0,
        }

    def final_norm(self, plan: HybridPlan) -> Array:
        return plan.final_norm() - 1

    def recurrent_layer(self, plan: HybridPlan) -> Layer:
        part = plan.hand_over()
        return {
            **_norms(plan),
            "linear_attn.in_proj_qkvz.weight": np.concatenate([part.query, part.key, part.values, part.output_gate]),
            "linear_attn.in_proj_ba.weight": np.concatenate([part.write_gate, part.decay_gate]),
            "linear_attn.conv1d.weight": part.convolution,
            "linear_attn.A_log": np.zeros(1),
            "linear_attn.dt_bias": np.zeros(1),
            "linear_attn.norm.weight": np.ones(len(part.values)),
            "linear_attn.out_proj.weight": part.output,
            **plan.mlp(1, plan.root_mean_square(plan.last_norm(1)) ** 2),
        }

    def full_layer(self, plan: HybridPlan, level: int) -> Layer:
        head = 2 * plan.rotary.frequencies
        following = level + 1 if level < plan.sizes.L else None
        # Before layer k w has found k codes and made k pointers; before its MLP it has found one more.
        gate = -plan.gate(plan.table_norm, plan.last_norm(2 * level))
        values = plan.root_mean_square(plan.table_norm)
        return {
            **_norms(plan),
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


def _norms(plan: HybridPlan) -> Layer:
    """A weight of 0 multiplies by 1."""
    return {f"{name}_layernorm.weight": np.zeros(plan.stream.width) for name in ("input", "post_attention")}


TARGET = Qwen3Next()
