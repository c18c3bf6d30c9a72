"""C2 as a stock Olmo-hybrid: one gated-delta-rule layer, then L full-attention layers with rotary embeddings.

Recurrent layer (norms in front): S_t = α_t·(1 − β_t)·S_{t-1} + β_t·v_t with key and query 1, v = silu(±1024·value).
Tables and z_0 have α = e^-softplus(128) and β = σ(128), so the state is the last value alone; w has
α = e^-softplus(−128) and β = σ(−128), so it finds z_0 there. silu(x) − silu(−x) = x. The output gate silu(8·last) is 0
at tables.

Full layers (norms behind): RMSNorm of queries and keys over the head; RMSNorm of what a block writes, which at w is a
code, of norm √c. Blocks read the stream as it is, so nothing that is written on other rows touches their keys and
values.
"""

from __future__ import annotations

import numpy as np

from separation.numeric.stock.checkpoint import Checkpoint
from separation.numeric.stock.hybrid_bound import HybridCertificate, longest_certified
from separation.numeric.stock.hybrid_checkpoint import Tensors, certify_checkpoint, hybrid_checkpoint
from separation.numeric.stock.hybrid_plan import HybridPlan
from separation.tasks.funccomp import Sizes


def build(sizes: Sizes, gap: float | None = None) -> Checkpoint:
    """config.json and tensors for `OlmoHybridForCausalLM`; ``gap`` is for tests of what a smaller one does."""
    plan = HybridPlan(sizes, gap)
    config = {
        "architectures": ["OlmoHybridForCausalLM"],
        "model_type": "olmo_hybrid",
        "linear_allow_neg_eigval": False,
    }
    return hybrid_checkpoint(plan, config, plan.final_norm(), _recurrent_layer, _full_layer)


def certify(checkpoint: Checkpoint, dtype: str = "float32") -> HybridCertificate:
    """Every answer of these tensors, run in ``dtype``, with full layers that have their norms behind."""
    return certify_checkpoint(checkpoint, build(checkpoint.sizes), dtype, norms_behind=True)


def certified_tokens(levels: int, dtype: str = "float32") -> int | None:
    """The longest prompt with m = n_1 = … a power of two that is certified, and all shorter ones with it."""
    return longest_certified(levels, dtype, norms_behind=True)


def _recurrent_layer(plan: HybridPlan) -> Tensors:
    part = plan.hand_over()
    return {
        "input_layernorm.weight": np.ones(plan.stream.width),
        "post_attention_layernorm.weight": np.ones(plan.stream.width),
        "linear_attn.q_proj.weight": part.query,
        "linear_attn.k_proj.weight": part.key,
        "linear_attn.v_proj.weight": part.values,
        "linear_attn.a_proj.weight": part.decay_gate,
        "linear_attn.b_proj.weight": part.write_gate,
        "linear_attn.g_proj.weight": part.output_gate,
        "linear_attn.conv1d.weight": part.convolution,
        "linear_attn.A_log": np.zeros(1),
        "linear_attn.dt_bias": np.zeros(1),
        "linear_attn.o_norm.weight": np.ones(len(part.values)),
        "linear_attn.o_proj.weight": part.output,
        # After the hand-over w holds one more code; a product of two normalised numbers takes its mean square back.
        **plan.mlp(1, plan.root_mean_square(plan.last_norm(1)) ** 2),
    }


def _full_layer(plan: HybridPlan, level: int) -> Tensors:
    """Reads table ``level``, then leads to the next one, if there is one."""
    head = 2 * plan.rotary.frequencies
    following = level + 1 if level < plan.sizes.L else None
    written = np.full(plan.stream.width, plan.root_mean_square(plan.rotary.used))  # both blocks write one code
    return {
        "self_attn.q_proj.weight": plan.rotary_selector(plan.stream[f"pointer {level}"]),
        "self_attn.k_proj.weight": plan.constant_keys(),
        "self_attn.v_proj.weight": plan.selector(plan.stream["value"], head),
        "self_attn.o_proj.weight": plan.selector(plan.stream[f"found {level}"], head).T,
        "self_attn.q_norm.weight": plan.query_norm(),
        "self_attn.k_norm.weight": plan.key_norm(),
        "post_attention_layernorm.weight": written,
        "post_feedforward_layernorm.weight": written,
        **plan.mlp(following, 1.0),
    }
