"""A stock hybrid as a target: RF^L with C2 in it, of which a family names what is its own."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from constructions.stock.kit.hybrid_bound import certify_plan
from constructions.stock.kit.hybrid_layers import Layer, delta_layer, hybrid_config, own_fields
from constructions.stock.kit.hybrid_plan import HybridPlan
from constructions.stock.kit.target import Certificate, Target, Tensors
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
        head = 2 * plan.rotary.frequencies
        attention = {
            "q_proj": plan.rotary_selector(plan.stream[f"pointer {level}"]),
            "k_proj": plan.constant_keys(),
            "v_proj": plan.selector(plan.stream["value"], head),
            "o_proj": plan.selector(plan.stream[f"found {level}"], head).T,
            "q_norm": plan.query_norm() - self.added,
            "k_norm": plan.key_norm() - self.added,
        }
        following = level + 1 if level < plan.sizes.L else None
        layer = {f"self_attn.{name}.weight": tensor for name, tensor in attention.items()}
        return {**layer, **self.own_part(plan, level, following)}

    def recurrent_layer(self, plan: HybridPlan) -> Layer:
        """Hands code(z_0) to w, then leads to table 1; its norms are in front in both families."""
        # After the hand-over w holds one more code; a product of two normalised numbers takes its mean square back.
        factor = plan.root_mean_square(plan.last_norm(1)) ** 2
        norm = np.full(plan.stream.width, 1.0 - self.added)
        return {**delta_layer(self.norms_behind, [plan.hand_over()], norm), **plan.mlp(1, factor)}

    def plan(self, sizes: Sizes) -> HybridPlan:
        return HybridPlan(sizes)

    def config(self, plan: HybridPlan) -> dict[str, Any]:
        """Frequencies 2^-j in rotary embeddings."""
        letters, rotary = "".join(read.letter for read in plan.reads), plan.rotary
        return {
            "dtype": "float32",
            **hybrid_config(
                letters,
                ids=plan.sizes.vocabulary,
                tokens=plan.sizes.length,
                width=plan.stream.width,
                inner=plan.hidden,
                head=2 * rotary.frequencies,
                heads=1,
                keys=1,
                values=2 * plan.code_width,
            ),
            **own_fields(self.norms_behind, len(letters)),
            **({"linear_allow_neg_eigval": False} if self.norms_behind else {}),
            "rope_parameters": {"rope_type": "default", "rope_theta": 2.0**rotary.frequencies},
            "use_cache": False,
        }

    def tensors(self, plan: HybridPlan) -> Tensors:
        tensors = {
            "model.embed_tokens.weight": plan.embedding(),
            "model.norm.weight": plan.final_norm() - self.added,
            "lm_head.weight": plan.unembedding(),
        }
        for number, read in enumerate(plan.reads):
            layer = self.recurrent_layer(plan) if read.letter == "R" else self.full_layer(plan, read.hop.number)
            tensors |= {f"model.layers.{number}.{name}": tensor for name, tensor in layer.items()}
        return {name: tensor.astype(np.float32, order="C") for name, tensor in tensors.items()}

    def bound(self, plan: HybridPlan, dtype: str) -> Certificate:
        return certify_plan(plan, dtype, self.norms_behind)
