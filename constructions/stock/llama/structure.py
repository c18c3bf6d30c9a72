"""Are the tensors what the bound speaks of? Read off the tensors themselves, for all inputs at once.

Norms, queries and keys do not depend on what tables hold. For a given w the MLP is linear in `found` and `pointer`, so
its matrix for every value of a digit says what it does to every hop.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from constructions.stock.llama.plan import HEADS, LlamaPlan
from separation.numeric.stock_folder import Checkpoint

Array = NDArray[np.float64]

ROUNDOFF = 2.0**-24
BLOCK = (
    "input_layernorm",
    "post_attention_layernorm",
    *(f"self_attn.{part}_proj" for part in "qkvo"),
    *(f"mlp.{part}_proj" for part in ("gate", "up", "down")),
)


def first_fault(plan: LlamaPlan, checkpoint: Checkpoint) -> str | None:
    """What of the tensors is not as the plan says, or None."""
    blocks = [f"model.layers.{step}.{part}" for step in range(plan.sizes.L + 1) for part in BLOCK]
    names = ("model.embed_tokens", "model.norm", "lm_head", *blocks)
    if set(checkpoint.tensors) != {f"{name}.weight" for name in names}:
        return "a tensor is missing or left over"
    return next(_Reading(plan, checkpoint).faults(), None)


class _Reading:
    """The tensors in float64, with the names of slots and of hidden units."""

    def __init__(self, plan: LlamaPlan, checkpoint: Checkpoint) -> None:
        self.plan, self.sizes = plan, plan.sizes
        self.tensors = {name: tensor.astype(np.float64) for name, tensor in checkpoint.tensors.items()}
        self.rows = self.tensors["model.embed_tokens.weight"]
        self.values, self.queries = self.rows[: self.sizes.N[-1]], self.rows[self.sizes.N[-1] :]

    def faults(self) -> Iterator[str]:
        if not all(np.isfinite(tensor).all() for tensor in self.tensors.values()):
            yield "a tensor is not finite"
        yield from self._embedding_faults()
        if not self._is_norm("model.norm", self.plan.norm_between):
            yield "the final RMSNorm is not divided out"
        for step in range(self.sizes.L + 1):
            yield from (f"layer {step + 1}: {fault}" for fault in self._layer_faults(step))

    def _embedding_faults(self) -> Iterator[str]:
        plan, slots = self.plan, self.plan.stream
        digits = [place for name, _ in slots.slots if name.startswith("digit") for place in slots[name]]
        filler = np.full((len(self.values), 1), math.sqrt(1 + plan.digit_norm))
        if (self.rows[:, slots["one"]] != plan.ballast).any() or math.frexp(plan.ballast)[0] != 0.5:
            yield "`one` is not its power of two"
        for rows, written in (
            (self.values, [*slots["one"], *slots["filler"], *slots["value"]]),
            (self.queries, [*slots["one"], *slots["last"], *slots["pointer"], *digits]),
        ):
            if rows[:, np.setdiff1d(np.arange(slots.width), written)].any():
                yield "an embedding writes to a slot that is not its own"
        if not _stored(self.values[:, slots["filler"]], filler) or not self._digits_of_known_norm():
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

    def _digits_of_known_norm(self) -> bool:
        """One-hot, or on the unit circle in each frequency, up to the rounding of two stored numbers."""
        for level, short in enumerate(self.plan.one_hot, start=1):
            digit = self.queries[:, self.plan.stream[f"digit {level}"]]
            if short and not ((digit != 0).sum(axis=1) == 1).all():
                return False
            squares = digit.sum(axis=1) ** 2 if short else sum(part**2 for part in np.split(digit, 2, axis=1))
            if not (np.abs(squares - 1) <= (0 if short else 3 * ROUNDOFF)).all():
                return False
        return True

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
        elif gate.any() or up.any() or down.any():  # all three: infinity times 0 is not 0
            yield "the last MLP is not idle"

    def _attention_faults(self, name: str) -> Iterator[str]:
        """Written out dimension by dimension: what a head's coordinate reads, and where it goes."""
        plan, slots, used = self.plan, self.plan.stream, self.plan.rotary.used
        query, key, value, output = (np.zeros((HEADS, plan.head_dim, slots.width)) for _ in range(4))
        for index in range(used):
            turned = index + plan.head_dim // 2
            strength = float(plan.temperature * plan.rotary.amplitudes[index]) * math.sqrt(plan.head_dim)
            query[0, index, slots["pointer"][index]] = query[0, turned, slots["pointer"][used + index]] = strength
            query[1, index, slots["last"][0]] = strength
            key[:, index, slots["one"][0]] = 1 / plan.ballast
        for index in range(2 * used):
            value[:, index, slots["value"][index]] = 1
            output[:, index, slots["found"][index]] = 1, -1
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
        """Pairs of units ±x with one y and output weights ±1 give x·y; then, for every digit, the layer's matrix."""
        plan, slots = self.plan, self.plan.stream
        plus, minus = np.arange(plan.hidden.width).reshape(-1, 2).T
        if (
            (gate[minus] != -gate[plus]).any()
            or (up[minus] != up[plus]).any()
            or (down[:, minus] != -down[:, plus]).any()
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
            # Every number of this matrix is one product of ±1 with a stored one: nothing is rounded.
            if not _stored(down[:, plus] @ (factor[:, None] * gate[plus]), wanted):
                yield f"digit {digit} does not turn a hop to its place in table {step + 1}"

    def _is_norm(self, name: str, norm: int) -> bool:
        return _stored(self.tensors[f"{name}.weight"], np.full(self.plan.stream.width, self.plan.scale(norm)))


def _stored(found: Array, wanted: Array) -> bool:
    """Is this what is wanted, rounded to float32?"""
    return bool((found == wanted.astype(np.float32)).all())
