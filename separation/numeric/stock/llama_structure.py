"""Are the tensors what the bound speaks of? Read off the tensors themselves, for all inputs at once.

Norms, queries and keys do not depend on what tables hold. For a given w the MLP is linear in `found` and `pointer`, so
its matrix for every value of a digit says what it does to every hop.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from separation.numeric.stock.checkpoint import Checkpoint
from separation.numeric.stock.llama_plan import HEADS, LlamaPlan

Array = NDArray[np.float64]

STORED = 2.0**-24 * (1 + 2.0**-20)
"""A number that is rounded to float32 is off by this part of it at most."""
SUMMED = 2.0**-22
"""A number of size 1 that is computed from a few stored ones."""
INERT = ("architectures", "model_type", "bos_token_id", "eos_token_id")


def first_fault(plan: LlamaPlan, checkpoint: Checkpoint) -> str | None:
    """What of the config or of the tensors is not as the plan says, or None."""
    return next(_Reading(plan, checkpoint).faults(), None)


class _Reading:
    """The tensors in float64, with the names of slots and of hidden units."""

    def __init__(self, plan: LlamaPlan, checkpoint: Checkpoint) -> None:
        self.plan, self.config, self.sizes = plan, checkpoint.config, plan.sizes
        self.tensors = {name: tensor.astype(np.float64) for name, tensor in checkpoint.tensors.items()}
        self.rows = self.tensors["model.embed_tokens.weight"]
        self.values, self.queries = self.rows[: self.sizes.N[-1]], self.rows[self.sizes.N[-1] :]

    def faults(self) -> Iterator[str]:
        if self.config != {name: self.config.get(name) for name in INERT} | self._config():
            yield "the config has other fields or sizes"
        if not all(np.isfinite(tensor).all() for tensor in self.tensors.values()):
            yield "a tensor is not finite"
        yield from self._embedding_faults()
        if not self._is_norm("model.norm", self.plan.norm_between):
            yield "the final RMSNorm is not divided out"
        for step in range(self.sizes.L + 1):
            yield from (f"layer {step + 1}: {fault}" for fault in self._layer_faults(step))

    def _config(self) -> dict[str, object]:
        plan = self.plan
        return {
            "vocab_size": self.sizes.vocabulary,
            "max_position_embeddings": self.sizes.length,
            "hidden_size": plan.stream.width,
            "intermediate_size": plan.hidden.width,
            "num_hidden_layers": self.sizes.L + 1,
            "num_attention_heads": HEADS,
            "num_key_value_heads": HEADS,
            "head_dim": plan.head_dim,
            "rms_norm_eps": plan.epsilon,
            "rope_parameters": {"rope_type": "default", "rope_theta": 2.0 ** (plan.head_dim / 2)},
        }

    def _embedding_faults(self) -> Iterator[str]:
        plan, slots = self.plan, self.plan.stream
        digits = [place for name, _ in slots.slots if name.startswith("digit") for place in slots[name]]
        rounded = 3 * STORED * (plan.norm_before - plan.ballast**2)
        if (self.rows[:, slots["one"]] != plan.ballast).any() or math.frexp(plan.ballast)[0] != 0.5:
            yield "`one` is not its power of two"
        for rows, written in (
            (self.values, [*slots["one"], *slots["filler"], *slots["value"]]),
            (self.queries, [*slots["one"], *slots["last"], *slots["pointer"], *digits]),
        ):
            if rows[:, np.setdiff1d(np.arange(slots.width), written)].any():
                yield "an embedding writes to a slot that is not its own"
            if not (np.abs((rows**2).sum(axis=1) - plan.norm_before) <= rounded).all():
                yield "two rows differ in norm"
        codes = plan.rotary.codes(np.arange(len(self.values)))
        if not _stored(self.values[:, slots["value"]], codes):
            yield "a value is not its code"
        if (
            not _stored(self.queries[:, slots["pointer"]], plan.rotary.codes(-1))
            or (self.queries[:, slots["last"]] != 1).any()
        ):
            yield "w does not start by looking at z_0"
        logits = np.zeros_like(self.rows)
        logits[: len(codes), slots["found"]] = codes * np.array(plan.rotary.amplitudes * 2, dtype=np.float64)
        if not _stored(self.tensors["lm_head.weight"], logits):
            yield "a logit does not compare `found` with the code of its value"

    def _layer_faults(self, step: int) -> Iterator[str]:
        name = f"model.layers.{step}"
        if not self._is_norm(f"{name}.input_layernorm", self.plan.norm_before) or not self._is_norm(
            f"{name}.post_attention_layernorm", self.plan.norm_between
        ):
            yield "RMSNorm is not divided out"
        yield from self._attention_faults(f"{name}.self_attn")
        gate, up, down = (self.tensors[f"{name}.mlp.{part}_proj.weight"] for part in ("gate", "up", "down"))
        if step < self.sizes.L:
            yield from self._mlp_faults(step, gate, up, down)
        elif down.any():
            yield "the last MLP is not idle"

    def _attention_faults(self, name: str) -> Iterator[str]:
        """Written out dimension by dimension: what a head's coordinate reads, and where it goes."""
        plan, slots, used = self.plan, self.plan.stream, self.plan.rotary.used
        query, key, value, output = (np.zeros((HEADS, plan.head_dim, slots.width)) for _ in range(4))
        for place in range(used):
            turned = place + plan.head_dim // 2
            strength = float(plan.temperature * plan.rotary.amplitudes[place]) * math.sqrt(plan.head_dim)
            query[0, place, slots["pointer"][place]] = query[0, turned, slots["pointer"][used + place]] = strength
            query[1, place, slots["last"][0]] = strength
            key[:, place, slots["one"][0]] = 1 / plan.ballast
        for place in range(2 * used):
            value[:, place, slots["value"][place]] = 1
            output[:, place, slots["found"][place]] = 1, -1
        for part, wanted, fault in (
            ("q", query, "a query is not τ·a_j times the pointer, or `last`"),
            ("k", key, "a key is not the same on every row"),
            ("v", value, "a head does not read values"),
            ("o", output, "the difference of the heads is not written"),
        ):
            found = self.tensors[f"{name}.{part}_proj.weight"]
            if not _stored(found.T if part == "o" else found, wanted.reshape(-1, slots.width)):
                yield fault

    def _mlp_faults(self, step: int, gate: Array, up: Array, down: Array) -> Iterator[str]:
        """Pairs of units ±x, ±y with one output weight give x·y; then, for every digit, the matrix of the layer."""
        plan, slots = self.plan, self.plan.stream
        plus, minus = self._pairs()
        if (
            (gate[minus] != -gate[plus]).any()
            or (up[minus] != -up[plus]).any()
            or (down[:, minus] != down[:, plus]).any()
        ):
            yield "units do not come in pairs"
        hop = [*slots["pointer"], *slots["found"]]
        factors = [*slots["last"], *(slots[f"digit {step}"] if step else ())]
        for matrix, read in ((gate, hop), (up, factors)):
            if matrix[:, np.setdiff1d(np.arange(slots.width), read)].any():
                yield "a product has a factor that is not 0 on other rows, or not a hop"
        stride = math.prod(self.sizes.n[step:])
        own = np.arange(len(self.queries)) // stride % self.sizes.n[step - 1] if step else 0
        if (self.queries[:, factors] != self.queries[own * stride][..., factors]).any():
            yield "a digit of w is not told by itself alone"
        wanted = np.zeros((slots.width, slots.width))
        wanted[hop, hop] = -1
        real, imaginary = np.split(np.array(slots["pointer"]), 2)
        found_real, found_imaginary = np.split(np.array(slots["found"]), 2)
        for digit in range(self.sizes.n[step - 1] if step else 1):
            position = self.sizes.table_start(step + 1) + (digit * self.sizes.N[step - 1] if step else 0)
            cosine, sine = np.split(plan.rotary.codes(position - (self.sizes.length - 1)), 2)
            wanted[real, found_real] = wanted[imaginary, found_imaginary] = cosine
            wanted[real, found_imaginary], wanted[imaginary, found_real] = -sine, sine
            factor = up[plus] @ self.queries[digit * stride]
            if not (np.abs(down[:, plus] @ (factor[:, None] * gate[plus]) - wanted) <= SUMMED).all():
                yield f"digit {digit} does not turn a hop to its place in table {step + 1}"

    def _pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The hidden units of the first and of the second kind, block by block."""
        hidden = self.plan.hidden
        blocks = [
            *np.split(np.array(hidden["product"]), 4),
            np.array(hidden["old pointer"]),
            np.array(hidden["old found"]),
        ]
        halves = [np.split(block, 2) for block in blocks]
        return np.concatenate([first for first, _ in halves]), np.concatenate([second for _, second in halves])

    def _is_norm(self, name: str, norm: int) -> bool:
        return _stored(self.tensors[f"{name}.weight"], np.full(self.plan.stream.width, self.plan.scale(norm)))


def _stored(found: Array, wanted: Array) -> bool:
    """Is this what is wanted, rounded to float32?"""
    return bool((np.abs(found - wanted) <= STORED * np.abs(wanted)).all())
