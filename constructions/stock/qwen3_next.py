"""C2 as a stock Qwen3-Next: one gated-delta-rule layer, then L full-attention layers with rotary embeddings.

The recurrent layer is that of Olmo-hybrid, its projections fused in one matrix. Full layers have their norms in front,
so rows must keep a known norm: the output gate of attention, σ(±128), is 0 at tables and z_0 and 1 at w, which leaves
all rows but w's as they were embedded. RMSNorm multiplies by 1 + weight. Every layer has the dense SwiGLU block
(`mlp_only_layers`), and rotary embeddings turn the whole head (`partial_rotary_factor` 1).
"""

from __future__ import annotations

import numpy as np

from constructions.stock.kit.hybrid import Hybrid
from constructions.stock.kit.hybrid_plan import HybridPlan
from constructions.stock.kit.layouts import Layer, norms


class Qwen3Next(Hybrid):
    """`Qwen3NextForCausalLM`, with full layers that have their norms in front."""

    norms_behind, added = False, 1.0

    def own_part(self, plan: HybridPlan, level: int, following: int | None) -> Layer:
        # Before layer k w has found k codes and made k pointers; before its MLP it has found one more.
        gate = np.tile(-plan.gate(plan.table_norm, plan.last_norm(2 * level)), (plan.head_dim, 1))
        return {
            **norms(np.zeros(plan.stream.width)),
            "self_attn.q_proj.weight": np.concatenate([plan.rotary_selector(f"pointer {level}"), gate]),
            "self_attn.v_proj.weight": plan.selector("value", factor=plan.root_mean_square(plan.table_norm)),
            **plan.mlp(following, plan.root_mean_square(plan.last_norm(2 * level + 1)) ** 2),
        }


TARGET = Qwen3Next()
