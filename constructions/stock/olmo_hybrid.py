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

from constructions.stock.kit.hybrid import Hybrid
from constructions.stock.kit.hybrid_plan import HybridPlan
from constructions.stock.kit.layouts import Layer, norms


class OlmoHybrid(Hybrid):
    """`OlmoHybridForCausalLM`, with full layers that have their norms behind."""

    norms_behind, added = True, 0.0

    def own_part(self, plan: HybridPlan, level: int, following: int | None) -> Layer:  # noqa: ARG002
        written = np.full(plan.stream.width, plan.root_mean_square(plan.rotary.used))  # both blocks write one code
        return {**norms(written, "post_attention", "post_feedforward"), **plan.mlp(following, 1.0)}


TARGET = OlmoHybrid()
