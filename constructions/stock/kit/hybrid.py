"""A stock hybrid as a target: RF^L with C2 in it, of which a family names what is its own."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from constructions.stock.kit.hybrid_bound import certify_plan
from constructions.stock.kit.hybrid_plan import HybridPlan
from constructions.stock.kit.layouts import Layer, hybrid_layout, norms, weights
from constructions.stock.kit.target import Array, Certificate, Layout, Target
from separation.tasks.funccomp import Sizes


class Hybrid(Target[HybridPlan]):
    """One recurrent layer and a full layer for each table, in float32, under the names of a family.

    A checkpoint is certified if it is number by number the one that the bound is about.
    """

    construction = "C2"
    norms_behind: ClassVar[bool]
    """Full layers normalise what a block writes (Olmo-hybrid); else what it reads (Qwen3-Next)."""
    added: ClassVar[float]
    """What RMSNorm adds to its weights."""

    @abstractmethod
    def own_part(self, plan: HybridPlan, level: int, following: int | None) -> Layer:
        """Norms and MLP of the full layer that reads table ``level`` and leads to the ``following`` one, if there is
        one; and what else is different in this family."""

    def full_layer(self, plan: HybridPlan, level: int) -> Layer:
        """Reads table ``level``, then leads to the next one, if there is one."""
        attention = {
            "q_proj": plan.rotary_selector(f"pointer {level}"),
            "k_proj": plan.circles("one"),
            "v_proj": plan.selector("value"),
            "o_proj": plan.selector(f"found {level}").T,
            "q_norm": plan.query_norm() - self.added,
            "k_norm": plan.key_norm() - self.added,
        }
        following = level + 1 if level < plan.sizes.L else None
        return {**weights(attention, "self_attn."), **self.own_part(plan, level, following)}

    def recurrent_layer(self, plan: HybridPlan) -> Layer:
        """Hands code(z_0) to w, then leads to table 1; its norms are in front in both families."""
        # After the hand-over w holds one more code; a product of two normalised numbers takes its mean square back.
        factor = plan.root_mean_square(plan.last_norm(1)) ** 2
        return {**norms(np.full(plan.stream.width, 1.0 - self.added)), **plan.mlp(1, factor)}

    def plan(self, sizes: Sizes) -> HybridPlan:
        return HybridPlan(sizes)

    def layout(self, plan: HybridPlan) -> Layout:
        """Frequencies 2^-j in rotary embeddings."""
        layers: list[tuple[list[dict[str, Array]], Layer]] = [([plan.hand_over()], self.recurrent_layer(plan))]
        layers += [([], self.full_layer(plan, read.hop.number)) for read in plan.reads[1:]]
        rows = plan.embedding(), plan.final_norm() - self.added, plan.unembedding(f"found {plan.sizes.L}")
        rope = {"rope_type": "default", "rope_theta": 2.0**plan.rotary.frequencies}
        more: dict[str, Any] = {"dtype": "float32", "rope_parameters": rope, "use_cache": False}
        config, tensors = hybrid_layout(self.norms_behind, plan.sizes.length, rows, layers, **more)
        return config, {name: tensor.astype(np.float32, order="C") for name, tensor in tensors.items()}

    def bound(self, plan: HybridPlan, dtype: str) -> Certificate:
        return certify_plan(plan, dtype, self.norms_behind)
