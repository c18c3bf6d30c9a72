"""C2 as a stock Qwen3-Next: one gated-delta-rule layer, then L full-attention layers with rotary embeddings.

The recurrent layer is that of Olmo-hybrid, its projections fused in one matrix. Full layers have their norms in front,
so rows must keep a known norm: the output gate of attention, σ(±128), is 0 at tables and z_0 and 1 at w, which leaves
all rows but w's as they were embedded. RMSNorm multiplies by 1 + weight. Every layer has the dense SwiGLU block
(`mlp_only_layers`), and rotary embeddings turn the whole head (`partial_rotary_factor` 1).
"""

from __future__ import annotations

import numpy as np

from separation.numeric.stock.checkpoint import Checkpoint
from separation.numeric.stock.hybrid_bound import HybridCertificate, longest_certified
from separation.numeric.stock.hybrid_checkpoint import Tensors, certify_checkpoint, hybrid_checkpoint
from separation.numeric.stock.hybrid_plan import HybridPlan
from separation.tasks.funccomp import Sizes


def build(sizes: Sizes, gap: float | None = None) -> Checkpoint:
    """config.json and tensors for `Qwen3NextForCausalLM`; ``gap`` is for tests of what a smaller one does."""
    plan = HybridPlan(sizes, gap)
    config = {
        "architectures": ["Qwen3NextForCausalLM"],
        "model_type": "qwen3_next",
        "partial_rotary_factor": 1.0,
        "mlp_only_layers": list(range(sizes.L + 1)),
        "num_experts": 0,
    }
    return hybrid_checkpoint(plan, config, plan.final_norm() - 1, _recurrent_layer, _full_layer)


def certify(checkpoint: Checkpoint, dtype: str = "float32") -> HybridCertificate:
    """Every answer of these tensors, run in ``dtype``, with full layers that have their norms in front."""
    return certify_checkpoint(checkpoint, build(checkpoint.sizes), dtype, norms_behind=False)


def certified_tokens(levels: int, dtype: str = "float32") -> int | None:
    """The longest prompt with m = n_1 = … a power of two that is certified, and all shorter ones with it."""
    return longest_certified(levels, dtype, norms_behind=False)


def _recurrent_layer(plan: HybridPlan) -> Tensors:
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


def _full_layer(plan: HybridPlan, level: int) -> Tensors:
    """Reads table ``level``, then leads to the next one, if there is one."""
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


def _norms(plan: HybridPlan) -> Tensors:
    """A weight of 0 multiplies by 1."""
    return {f"{name}_layernorm.weight": np.zeros(plan.stream.width) for name in ("input", "post_attention")}
