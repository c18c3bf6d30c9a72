"""A stock hybrid as a target: RF^L with C2 in it, of which a family names its layers and its own fields."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from constructions.stock.kit.hybrid_bound import certify_plan
from constructions.stock.kit.hybrid_plan import EPSILON, KERNEL, HybridPlan
from constructions.stock.kit.target import Array, Certificate, Target, Tensors
from separation.tasks.funccomp import Sizes

Layer = dict[str, Array]


class Hybrid(Target[HybridPlan]):
    """One recurrent layer and a full layer for each table, in float32, under the names of a family.

    A checkpoint is certified if it is number by number the one that the bound speaks of.
    """

    construction = "C2"
    norms_behind: ClassVar[bool]
    """Full layers normalise what a block writes; else what it reads."""

    @abstractmethod
    def own_fields(self, plan: HybridPlan) -> dict[str, Any]:
        """What config.json says of this family alone."""

    @abstractmethod
    def recurrent_layer(self, plan: HybridPlan) -> Layer:
        """Hands code(z_0) to w, then leads to table 1."""

    @abstractmethod
    def full_layer(self, plan: HybridPlan, level: int) -> Layer:
        """Reads table ``level``, then leads to the next one, if there is one."""

    def final_norm(self, plan: HybridPlan) -> Array:
        return plan.final_norm()

    def plan(self, sizes: Sizes) -> HybridPlan:
        return HybridPlan(sizes)

    def config(self, plan: HybridPlan) -> dict[str, Any]:
        return _sizes(plan) | self.own_fields(plan)

    def tensors(self, plan: HybridPlan) -> Tensors:
        tensors = {
            "model.embed_tokens.weight": plan.embedding(),
            "model.norm.weight": self.final_norm(plan),
            "lm_head.weight": plan.unembedding(),
        }
        for number, read in enumerate(plan.reads):
            layer = self.recurrent_layer(plan) if read.letter == "R" else self.full_layer(plan, read.hop.number)
            tensors |= {f"model.layers.{number}.{name}": tensor for name, tensor in layer.items()}
        return {name: tensor.astype(np.float32, order="C") for name, tensor in tensors.items()}

    def bound(self, plan: HybridPlan, dtype: str) -> Certificate:
        return certify_plan(plan, dtype, self.norms_behind)


def _sizes(plan: HybridPlan) -> dict[str, Any]:
    """One head everywhere, frequencies 2^-j in rotary embeddings, and no token that begins or ends a text."""
    return {
        "dtype": "float32",
        "vocab_size": plan.sizes.vocabulary,
        "hidden_size": plan.stream.width,
        "intermediate_size": plan.hidden,
        "num_hidden_layers": plan.sizes.L + 1,
        "num_attention_heads": 1,
        "num_key_value_heads": 1,
        "head_dim": 2 * plan.rotary.frequencies,
        "max_position_embeddings": plan.sizes.length,
        "rms_norm_eps": EPSILON,
        "rope_parameters": {"rope_type": "default", "rope_theta": 2.0**plan.rotary.frequencies},
        "layer_types": ["linear_attention"] + ["full_attention"] * plan.sizes.L,
        "linear_num_key_heads": 1,
        "linear_num_value_heads": 1,
        "linear_key_head_dim": 1,
        "linear_value_head_dim": 2 * plan.code_width,
        "linear_conv_kernel_dim": KERNEL,
        "pad_token_id": None,
        "bos_token_id": None,
        "eos_token_id": None,
        "tie_word_embeddings": False,
        "use_cache": False,
    }
